#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""In the VM: FRAMES SEED [POLICY...]. A line for each policy and kind of network, and what was
wrong. See scripts/ports-soak.sh."""

import sys

from helpers import frames


def main():
    count, seed, *names = sys.argv[1:]
    serves, left_out = frames.policies()
    bad = len(left_out)
    for name in names:
        if name not in serves:
            sys.exit(f"{name}: no such policy; there are {' '.join(serves)}")
    if names:
        serves = {name: serves[name] for name in names}
    print(frames.ROW.format(*frames.HEAD), flush=True)
    for outcome in frames.through(serves, int(count), int(seed)):
        print(frames.row(outcome), flush=True)
        for failure in outcome.failures:
            print("  wrong:", failure, flush=True)
        bad += bool(outcome.failures)
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
