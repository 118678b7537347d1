#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Draw plans on a two-dimensional mesh as SVG.

Usage: mcastctl -j plan F policy P ... > P.json; draw-plan.py WIDTH P.json... > P.svg

WIDTH is the number of columns. Several plans stand side by side. The source is a
square, destinations are filled circles; each worm has a colour and leaves its sender
at a small offset of its own, so that worms on one channel can be told apart. Worms of
later steps are dashed.
"""
import json
import sys

PITCH, RADIUS, MARGIN, TITLE = 46, 11, 34, 30
COLOURS = ["#c0392b", "#1f618d", "#1e8449", "#b9770e", "#7d3c98", "#0e8c8c", "#6e2c00",
           "#d6409f", "#566573"]


def centre(node, width, height):
    """Row 0 is at the bottom, as in the papers."""
    return (MARGIN + node % width * PITCH,
            TITLE + MARGIN + (height - 1 - node // width) * PITCH)


def offset(index, count):
    """Where worm number @index runs beside the middle of a channel."""
    step = min(4.0, 17.0 / max(count, 1))
    return (index - (count - 1) / 2) * step


def draw_worm(worm, index, count, width, height):
    shift = offset(index, count)
    nodes = [worm["source"]] + [hop[1] for hop in worm["hops"]]
    points = [centre(node, width, height) for node in nodes]
    path = " ".join(f"{x + shift:.1f},{y + shift:.1f}" for x, y in points)
    colour = COLOURS[index % len(COLOURS)]
    dash = ' stroke-dasharray="7 4"' if worm["step"] > 1 else ""
    yield (f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.4"'
           f' stroke-linejoin="round"{dash} marker-end="url(#end{index % len(COLOURS)})"/>')


def draw_plan(plan, width):
    summary = plan["summary"]
    nodes = [plan["source"]] + plan["destinations"] + [n for worm in plan["worm"]
                                                       for hop in worm["hops"]
                                                       for n in hop[:2]]
    height = max(width, max(nodes) // width + 1)
    for node in range(width * height):
        x, y = centre(node, width, height)
        if node % width + 1 < width:
            yield f'<path d="M{x} {y}h{PITCH}" stroke="#d5d8dc" stroke-width="6"/>'
        if node // width + 1 < height:
            yield f'<path d="M{x} {y}v{-PITCH}" stroke="#d5d8dc" stroke-width="6"/>'
    for node in range(width * height):
        x, y = centre(node, width, height)
        if node == plan["source"]:
            yield (f'<rect x="{x - RADIUS}" y="{y - RADIUS}" width="{2 * RADIUS}"'
                   f' height="{2 * RADIUS}" fill="#f7dc6f" stroke="#424949"/>')
            continue
        fill = "#abebc6" if node in plan["destinations"] else "#ffffff"
        yield f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{fill}" stroke="#85929e"/>'
    for i, worm in enumerate(plan["worm"]):
        yield from draw_worm(worm, i, summary["worms"], width, height)
    for node in [plan["source"]] + plan["destinations"]:
        x, y = centre(node, width, height)
        yield f'<text x="{x}" y="{y + 4}">{node}</text>'
    title = (f'{plan["policy"]}: {summary["worms"]} worms, {summary["traffic"]} channels,'
             f' longest {summary["longest"]}')
    middle = MARGIN + (width - 1) * PITCH / 2
    yield f'<text x="{middle}" y="{TITLE - 6}" font-size="15">{title}</text>'


def main():
    width = int(sys.argv[1])
    plans = []
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as got:
            plans.append(json.load(got))
    panel = 2 * MARGIN + (width - 1) * PITCH
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{panel * len(plans)}"'
          f' height="{panel + TITLE}" font-family="sans-serif" font-size="11"'
          ' text-anchor="middle">')
    print('<rect width="100%" height="100%" fill="#ffffff"/><defs>')
    for i, colour in enumerate(COLOURS):
        print(f'<marker id="end{i}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9"'
              f' markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">'
              f'<path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>')
    print("</defs>")
    for i, plan in enumerate(plans):
        print(f'<g transform="translate({i * panel} 0)">')
        for line in draw_plan(plan, width):
            print(line)
        print("</g>")
    print("</svg>")


main()
