#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Draw where the packets went: print a script for gnuplot(1) that makes OUT.svg and OUT.png.
Usage: draw.py OUT POLICY.json...    as scripts/ports-demo/guest.py wrote them"""

import json
import sys

SIDE = 4            # nodes along a dimension
APART = 0.07        # from the line between two nodes to the channel, each way to its right
NEAR = 0.24         # from the middle of a node to the end of a channel
STUB = 0.72         # how far a channel that goes around the torus is drawn
STEP = {"+x": (1, 0), "-x": (-1, 0), "+y": (0, 1), "-y": (0, -1)}
PORTS = list(STEP)  # in the order of their numbers
SIZE, BAR = 470, 110    # width of a torus, and of the scale of colours, in pixels


def arrow(where, step, begin, end, head, flits, most):
    """A piece of a channel, from begin to end hops behind a node."""
    def point(far):
        return (f"{where[0] + far * step[0] + APART * step[1]:.3f},"
                f"{where[1] + far * step[1] - APART * step[0]:.3f}")
    look = f"lw {1 + 6 * flits / most:.2f} lc palette cb {flits}" if flits else \
        "lw 1 dt 3 lc rgb '#b0b0b0'"
    return (f"set arrow from {point(begin)} to {point(end)} "
            f"{'head size 0.10,22,60 filled' if head else 'nohead'} {look}")


def channel(chan, most):
    """A channel; one that goes around is drawn at both sides of the torus."""
    node, step, flits = chan["from"], STEP[PORTS[chan["port"]]], chan["flits"]
    x, y = node % SIDE, node // SIDE
    to = (x + step[0], y + step[1])
    if 0 <= to[0] < SIDE and 0 <= to[1] < SIDE:
        return [arrow((x, y), step, NEAR, 1 - NEAR, True, flits, most)]
    other = (chan["to"] % SIDE, chan["to"] // SIDE)
    return [arrow((x, y), step, NEAR, STUB, False, flits, most),
            arrow(other, step, -STUB, -NEAR, True, flits, most)]


def node(number, result):
    """A node with its number; a viewer with the part of the packets that were for it."""
    x, y = number % SIDE, number // SIDE
    part = result["members"].get(str(number))
    if number == result["sender"]:
        yield (f"set object rectangle center {x},{y} size 0.42,0.42 front fc rgb '#303030' "
               "fs solid border lc rgb 'black'")
        yield f"set label '{number}' at {x},{y + 0.07} center front tc rgb 'white'"
        yield (f"set label 'sends' at {x},{y - 0.09} center front tc rgb 'white' "
               "font ',9'")
        return
    fill = "#ffffff" if part is None else "#ffe28a"
    yield (f"set object circle center {x},{y} size 0.21 front fc rgb '{fill}' fs solid border "
           f"lc rgb '{'#a0a0a0' if part is None else 'black'}'")
    yield f"set label '{number}' at {x},{y + (0.07 if part else 0)} center front"
    if part:
        yield (f"set label '{100 * part / result['packets']:.0f} %' at {x},{y - 0.09} center "
               "front font ',9'")


def panel(result, most):
    """The torus under one policy."""
    delay, lines = result["delay"], ["unset arrow", "unset label", "unset object"]
    for chan in result["channels"]:
        lines += channel(chan, most)
    for number in range(SIDE * SIDE):
        lines += node(number, result)
    lines.append(f"set title \"{{/:Bold {result['policy']}}}\\n{result['flit-hops']} flit-hops, "
                 f"delay {delay[0]:.1f} ms, at most {delay[2]:.1f} ms\"")
    lines.append("plot NaN with points palette notitle")
    return lines


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: draw.py OUT POLICY.json...")
    results = []
    for name in sys.argv[2:]:
        with open(name, encoding="ascii") as file:
            results.append(json.load(file))
    most = max(chan["flits"] for result in results for chan in result["channels"])
    width = SIZE * len(results) + BAR
    print(f"""\
set palette defined (0 '#9ecae1', 0.3 '#2171b5', 0.6 '#7a0177', 1 '#e31a1c')
set cbrange [0:{most}]
set cblabel 'flits that crossed the channel'
set xrange [-0.85:{SIDE - 0.15}]
set yrange [-0.85:{SIDE - 0.15}]
set size ratio -1
unset border
unset tics
set cbtics""")
    for terminal, name in ((f"svg size {width},590 dynamic background 'white'", "svg"),
                           (f"pngcairo size {width},590 background 'white'", "png")):
        print(f"set terminal {terminal} enhanced font 'sans,12'")
        print(f"set output '{sys.argv[1]}.{name}'")
        print("set tmargin at screen 0.80\nset bmargin at screen 0.02")
        print('set multiplot title "Yellow: members, and for how many of the packets\\n'
              'Channels at the border go around the torus"')
        for place, result in enumerate(results):
            left, right = place * SIZE / width, (place + 1) * SIZE / width
            print(f"set lmargin at screen {left:.4f}\nset rmargin at screen {right:.4f}")
            print(f"set colorbox user origin screen {right:.4f},0.08 size screen 0.012,0.7"
                  if result is results[-1] else "unset colorbox")
            print("\n".join(panel(result, most)))
        print("unset multiplot")
    print("unset output")


if __name__ == "__main__":
    main()
