#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: late timeout=900
"""Numbered frames with checksums through every policy that serves a torus, a mesh or an irregular
network: each member gets each frame once, untouched, and in order where there is one virtual
channel; what does not come is counted."""

import sys

from helpers import frames
from helpers.mcfab_nl import DEBUG, Tap

FRAMES = 100 if DEBUG else 10000
LOSSY = 100 if DEBUG else 500
SEED = 1
# on the debug kernel: worms along paths and in trees, copies by nodes, tables of a subnet; each
# fabric takes it a minute
SOME = {"dp": ["torus"], "tasnem": ["torus"], "binomial": ["irregular"],
        "multidrop": ["irregular"], "table": ["irregular"]}


def main():
    tap = Tap()
    serves = SOME
    if not DEBUG:
        serves, left_out = frames.policies()
        tap.check(serves and not left_out, "all policies are known", str(left_out))
    print("#", frames.ROW.format(*frames.HEAD))
    dropped = 0
    for outcome in frames.through(serves, FRAMES, SEED, LOSSY):
        print("#", frames.row(outcome), flush=True)
        name = " ".join((outcome.policy, "on", outcome.net.name, *outcome.words))
        if outcome.refused:
            name = f"{outcome.policy} on {outcome.net.kind}: a run from ports"
        elif outcome.words:
            name += ": each copy comes once or is counted as lost"
            dropped += outcome.lost
        else:
            order = ", in its order" if frames.ordered(outcome.policy, outcome.net) else ""
            name += f": each copy comes once, untouched{order}, or is counted as lost"
        tap.check(not outcome.failures, name, "\n".join(outcome.failures))
    tap.check(dropped, "rx-limit: copies were lost and counted", "none was")
    tap.finish()


if __name__ == "__main__":
    main()
