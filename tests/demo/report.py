#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print the table of the demo: ours against the published latencies.

Usage: report.py TABLE FOLDER

TABLE is table3.tsv, FOLDER holds the statistics of each row as NAME.json.
The exit status is 0 if everything was measured and agrees.
"""
import json
import os
import sys

# The means over worms of an exact implementation of the paper's algorithms lie
# this near to the printed numbers (in %), which have an interval of 5 % themselves.
TOLERANCE = 7.0


def rows(path):
    with open(path, encoding="utf-8") as table:
        for line in table:
            if line.startswith("#") or not line.strip():
                continue
            name, _, *published = line.rstrip("\n").split("\t")
            yield name, [None if p == "-" else float(p) for p in published]


def interval(stats, name):
    """Mean and half-width in cycles."""
    got = stats[name]
    return got["mean-ucycles"] / 1e6, got["half-width-ucycles"] / 1e6


def measure(stats):
    """What the table shows of a run; raises KeyError for what is not there."""
    group = stats["multicast"]
    return {
        "worms": interval(group, "worm-interval"),
        "destinations": interval(group, "destination-interval"),
        "completion": interval(group, "completion-interval"),
        "cv-header": group["cv-header"]["mean-micro"] / 1e6,
        "cv-tail": group["cv-tail"]["mean-micro"] / 1e6,
        "channels": group["traffic-micro"] / 1e6,
        "additional": group["additional"]["mean-micro"] / 1e6,
        "startups": group["startups-micro"] / 1e6,
    }


def complaints(stats):
    """What would make the numbers worthless."""
    if stats["state"] != "done":
        yield f"the run ended {stats['state']}"
    if stats["multicast"]["all"].get("incomplete", 0):
        yield "a multicast did not reach every destination"
    if stats.get("bad-parts", 0) or stats.get("bad-messages", 0):
        yield "statistics contradict themselves"


def print_table(lines):
    widths = [max(len(cell) for cell in column) for column in zip(*lines)]
    for i, line in enumerate(lines):
        cells = [cell.ljust(width) if k == 0 else cell.rjust(width)
                 for k, (cell, width) in enumerate(zip(line, widths))]
        print("  ".join(cells).rstrip())
        if i == 1:
            print("-" * (sum(widths) + 2 * len(widths) - 2))


def main():
    table, folder = sys.argv[1:]
    lines = [["", "published", "published", "over", "", "over", "", "CV by", "CV by",
              "channels", "additional", "start-"],
             ["policy", "mean", "95 %", "worms", "differs", "destinations", "completion",
              "header", "tail", "used", "traffic", "ups"]]
    problems, compared, worst = [], 0, 0.0
    for name, (mean, low, high) in rows(table):
        try:
            with open(os.path.join(folder, name + ".json"), encoding="utf-8") as got:
                stats = json.load(got)
            ours = measure(stats)
            problems += [f"{name}: {text}" for text in complaints(stats)]
        except (OSError, ValueError, KeyError) as error:
            problems.append(f"{name}: not measured ({error!r})")
            continue
        differs = ""
        if mean is not None:
            percent = 100 * (ours["worms"][0] / mean - 1)
            differs = f"{percent:+.1f} %"
            compared += 1
            worst = max(worst, abs(percent))
            if abs(percent) > TOLERANCE:
                problems.append(f"{name}: differs by {percent:+.1f} %")
        lines.append([name, f"{mean:.3f}" if mean else "-", f"{low:.2f}-{high:.2f}" if mean else "-",
                      "{:.2f} ±{:.2f}".format(*ours["worms"]), differs,
                      "{:.2f} ±{:.2f}".format(*ours["destinations"]),
                      "{:.2f} ±{:.2f}".format(*ours["completion"]),
                      f"{ours['cv-header']:.3f}", f"{ours['cv-tail']:.3f}",
                      f"{ours['channels']:.2f}", f"{ours['additional']:.2f}",
                      f"{ours['startups']:.2f}"])

    print_table(lines)
    print("""
Latencies are in cycles from generation to tail arrival, with their 95 % confidence
intervals over multicasts. What the paper prints is compared with our mean over worms
(the mean of each worm's last arrival): its own equations rule out completion times.
"chain" is how QG must cover its groups to be compared; the default, column paths,
is free of deadlock.
""")
    for problem in problems:
        print(f"demo: {problem}")
    if problems:
        print("demo: FAILED")
        return 1
    print(f"demo: PASSED: {compared} published means reproduced, the worst within"
          f" {worst:.1f} % (limit {TOLERANCE:.0f} %)")
    return 0


sys.exit(main())
