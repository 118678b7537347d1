#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print the table of the demo: ours beside the published latencies.

Usage: report.py TABLE FOLDER

TABLE is table3.tsv; FOLDER holds for each row NAME.json, the statistics of a run. The
exit status is 0 if everything was measured and what counts agrees.
"""
import json
import os
import sys

# The paper's own intervals are 5 % wide to each side, and its sets are others.
TOLERANCE = 7.0

LABELS = ["", "virtual channels", "published mean", "  95 % interval",
          "without contention", "  mean over worms", "  differs",
          "measured", "  mean over worms", "  differs", "  mean over destinations",
          "  completion", "  CV by header", "  CV by tail", "  channels used",
          "  additional traffic", "  worms", "  start-ups"]


def rows(path):
    with open(path, encoding="utf-8") as table:
        for line in table:
            if line.startswith("#") or not line.strip():
                continue
            name, vcs, _, counts, *published = line.rstrip("\n").split("\t")
            yield (name, vcs, counts == "yes",
                   [None if p == "-" else float(p) for p in published])


def pair(value):
    return "{:.2f} ±{:.2f}".format(*value)


def interval(group, name):
    """Mean and half-width in cycles."""
    return group[name]["mean-ucycles"] / 1e6, group[name]["half-width-ucycles"] / 1e6


def differs(mean, published):
    return 100 * (mean / published - 1)


def percent(value):
    return f"{value:+.1f} %"


def measured(stats, published):
    """The cells from "measured" on; raises KeyError for what is not there."""
    group = stats["multicast"]
    worms = interval(group, "worm-interval")
    return ["", pair(worms), percent(differs(worms[0], published)) if published else "-",
            pair(interval(group, "destination-interval")),
            pair(interval(group, "completion-interval")),
            f"{group['cv-header']['mean-micro'] / 1e6:.4f}",
            f"{group['cv-tail']['mean-micro'] / 1e6:.4f}",
            f"{group['traffic-micro'] / 1e6:.2f}",
            f"{group['additional']['mean-micro'] / 1e6:.2f}",
            f"{group['worms-micro'] / 1e6:.2f}", f"{group['startups-micro'] / 1e6:.2f}"]


def complaints(stats):
    """What would make the numbers worthless."""
    if stats["state"] != "done":
        yield f"the run ended {stats['state']}"
    if stats["multicast"]["all"].get("incomplete", 0):
        yield "a multicast did not reach every destination"
    if stats.get("bad-parts", 0) or stats.get("bad-messages", 0):
        yield "statistics contradict themselves"


def column(name, vcs, published, folder):
    """Cells of one policy, how far it is from what is printed, what is wrong."""
    mean, low, high = published
    with open(os.path.join(folder, name + ".json"), encoding="utf-8") as got:
        stats = json.load(got)
    sample = stats["multicast"]["predicted-worm"]
    free = sample["mean-micro"] / 1e6, sample["half-width-micro"] / 1e6
    off = differs(free[0], mean) if mean else None
    cells = [name, vcs, f"{mean:.3f}" if mean else "-",
             f"{low:.2f}-{high:.2f}" if mean else "-",
             "", pair(free), percent(off) if mean else "-"]
    return cells + measured(stats, mean), off, list(complaints(stats))


def main():
    table, folder = sys.argv[1:]
    columns, problems, offs = [LABELS], [], []
    for name, vcs, counts, published in rows(table):
        try:
            cells, off, wrong = column(name, vcs, published, folder)
        except (OSError, ValueError, KeyError) as error:
            problems.append(f"{name}: not measured ({error!r})")
            continue
        columns.append(cells)
        problems += [f"{name}: {text}" for text in wrong]
        if counts:
            offs.append(abs(off))
            if abs(off) > TOLERANCE:
                problems.append(f"{name}: differs by {percent(off)}")

    widths = [max(len(cell) for cell in cells) for cells in columns]
    for i, line in enumerate(zip(*columns)):
        cells = [cell.ljust(width) if k == 0 else cell.rjust(width)
                 for k, (cell, width) in enumerate(zip(line, widths))]
        print("  ".join(cells).rstrip())
        if i == 0:
            print("-" * (sum(widths) + 2 * len(widths) - 2))
    print("""
Latencies are in cycles from generation to tail arrival, ± 95 % over multicasts. What
the paper prints is compared with the mean over worms of each one's last arrival: its
own equations rule out completion times. They know no contention among the worms of a
multicast; "without contention" is what the same multicasts would take then. In the
network, worms of cp, qg and unicast wait for each other at the outputs of their sender.
"qg" covers its groups by column paths, which cannot deadlock; "qg chain" is the reading
that fits the printed number: it crosses its own channels, so it is given more of them.
The verdict counts dp, mp, cp and qg chain.
""")
    for problem in problems:
        print(f"demo: {problem}")
    if problems or not offs:
        print("demo: FAILED")
        return 1
    print(f"demo: PASSED: {len(offs)} published means reproduced, the worst within"
          f" {max(offs):.1f} % (limit {TOLERANCE:.0f} %)")
    return 0


sys.exit(main())
