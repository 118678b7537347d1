#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Draw the curves of a scenario: mcastctl -j experiment show FILE | latency.py PICTURE"""
import collections
import json
import sys

import matplotlib.pyplot as plt

shown = json.load(sys.stdin)
curves = collections.defaultdict(list)
for place in shown["places"]:
    if place["state"] == "steady":
        value = place["metrics"]["completion"]
        curves[place["series"]].append((place["x"], value["mean"], value["half"]))
for name, points in curves.items():
    x, mean, half = zip(*sorted(points))
    plt.errorbar(x, mean, half, marker="o", capsize=3, label=name)
plt.title(shown["title"])
plt.xlabel("rate (messages per node and cycle)")
plt.ylabel("latency to the last destination (cycles)")
plt.legend()
plt.savefig(sys.argv[1])
