#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The figure of README.md, measured through the Python module: latency over load of four policies.

Cells begin with "# %%", as notebooks and editors know them. gnuplot draws; without it the numbers
are printed alone.

Usage: figure.py [FILE.svg [RATE...]]
"""
# %% What is compared
import shutil
import subprocess
import sys

import mcfab

POLICIES = {"dual-path (dp)": "dp", "multi-path (mp)": "mp", "column-path (cp)": "cp",
            "qualified groups (qg)": "qg"}
FILE = sys.argv[1] if len(sys.argv) > 1 else "mesh-load.svg"
RATES = [float(rate) for rate in sys.argv[2:]] or [0.00002, 0.0001, 0.00016, 0.00025, 0.00035]
WINDOW = "warmup 10000 batches 20 batch-cycles 1000 precision 0"

# %% A run for each point: the mean latency to the last destination, or None beyond saturation
fabric = mcfab.Fabric("topology mesh dims 16x16")


def latency(policy, rate):
    """Cycles, the mean of two seeds."""
    found = []
    for seed in (1, 2):
        end = fabric.run(f"policy {policy} workload poisson rate {rate:.9f} dests 10 seed {seed} "
                         + WINDOW)
        if end != "done" or fabric.stats("saturation.verdict") == "saturated":
            return None
        found.append(fabric.stats("multicast.completion-interval.mean"))
    return sum(found) / len(found)


curves = {title: [latency(policy, rate) for rate in RATES] for title, policy in POLICIES.items()}

# %% The numbers
for title, curve in curves.items():
    print(f"{title:24}", *(f"{value:8.1f}" if value else "       -" for value in curve))

# %% The picture
if shutil.which("gnuplot"):
    script = [f"set terminal svg size 720,432; set output '{FILE}'; set key left top",
              "set xlabel 'Rate (messages per node and cycle)'",
              "set ylabel 'Latency to the last destination (cycles)'"]
    for number, (title, curve) in enumerate(curves.items()):
        script += [f"$d{number} << EOD",
                   *(f"{rate} {value}" for rate, value in zip(RATES, curve) if value), "EOD"]
    script.append("plot " + ", ".join(f"$d{number} with linespoints title '{title}'"
                                      for number, title in enumerate(curves)))
    subprocess.run(["gnuplot"], input="\n".join(script), text=True, check=True)
    print(f"drawn into {FILE}")
