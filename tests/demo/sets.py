#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print a batch for mcastctl: plans of random multicasts, the same for all policies.

Usage: sets.py FABRIC NODES DESTINATIONS COUNT POLICY...
"""
import random
import sys

fabric, nodes, ndst, count, *policy = sys.argv[1:]
draw = random.Random(1)
for _ in range(int(count)):
    source, *dst = draw.sample(range(int(nodes)), int(ndst) + 1)
    print(f"plan {fabric} policy {' '.join(policy)} from {source} to {','.join(map(str, dst))}")
