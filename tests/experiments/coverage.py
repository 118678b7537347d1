#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Do the 95 % intervals of loaded fabrics cover the true mean?

For each load many runs at the default precision, with a seed each; the truth is the mean of
runs of fixed length that together are at least a hundred times as long as such a run. Without
the module: every run is one of `mcastctl --engine user`.

Every run that measured a whole window counts, whatever its verdict on saturation: to leave out
those that chance made slow would make the others' mean too small. Any other covers nothing.

Usage: coverage.py [--seeds N] [--jobs N] MCASTCTL FABRIC RUN SATURATION SHARE...

FABRIC are the words behind `fabric add f`, RUN those behind `run f` without the rate,
SATURATION is the rate at which the network saturates, SHARE a part of it. Prints the rows of
the table in Documentation/statistics.md.
"""
import argparse
import concurrent.futures
import json
import math
import statistics
import subprocess
import sys

TIMES = 100             # the truth's cycles, in those of a run
PARTS = 20              # runs of which the truth is made
Z99 = 2.326             # one-sided
WHOLE = ("done", "saturated")  # states of runs whose window was complete


def command(args, seed, rate, more=""):
    """one run's statistics"""
    lines = (f"fabric add f {args.fabric} seed {seed}\n"
             f"run f {args.run} rate {rate:.9f} {more}\n"
             "stats show f\n")
    out = subprocess.run([args.mcastctl, "-j", "--engine", "user", "-b", "-"], input=lines,
                         stdout=subprocess.PIPE, text=True, check=True).stdout
    return json.loads(out.splitlines()[-1])


def wilson(p, n):
    """lower end of Wilson's one-sided 99 % interval"""
    root = math.sqrt(p * (1 - p) / n + Z99 ** 2 / 4 / n ** 2)
    return (p + Z99 ** 2 / 2 / n - Z99 * root) / (1 + Z99 ** 2 / n)


def each(pool, args, seeds, rate, more=""):
    return list(pool.map(lambda seed: command(args, seed, rate, more), seeds))


def length(stats):
    return stats["window-end"] - stats["window-start"]


def row(pool, args, share):
    rate = args.saturation * share
    runs = each(pool, args, range(1, args.seeds + 1), rate)
    done = [s for s in runs if s["state"] in WHOLE]
    cycles = statistics.mean(length(s) for s in done)
    part = max(5000, math.ceil(cycles * TIMES / PARTS / 20))
    parts = each(pool, args, range(10 ** 6, 10 ** 6 + PARTS), rate,
                 f"precision 0 batches 20 batch-cycles {part} warmup {part * 2}")
    if any(s["state"] not in WHOLE for s in parts):
        sys.exit(f"the network does not carry {share} of {args.saturation}")
    samples = [s["multicast"]["completion"] for s in parts]
    truth = sum(s["sum"] for s in samples) / sum(s["count"] for s in samples)
    error = statistics.stdev(s["sum"] / s["count"] for s in samples) / math.sqrt(PARTS)
    intervals = [s["multicast"]["completion-interval"] for s in done]
    mean = [i["mean-ucycles"] / 1e6 for i in intervals]
    half = [i.get("half-width-ucycles", 0) / 1e6 for i in intervals]
    covered = sum(abs(m - truth) <= h for m, h in zip(mean, half)) / len(runs)
    flagged = sum(any("correlated" in s[c].get(m, {}) for c in ("multicast",)
                      for m in ("completion-interval", "destination-interval",
                                "worm-interval")) for s in done) / len(done)
    unsettled = sum("unsettled" in s for s in done)
    saturated = sum(s["state"] == "saturated" for s in done)
    width = statistics.mean(half) / 1.96 / statistics.stdev(mean)
    print(f"| {share:.2f} | {truth:.2f} ±{1.96 * error:.2f} | {len(done)} of {len(runs)} | "
          f"{100 * covered:.1f} % | {100 * wilson(covered, len(runs)):.1f} % | "
          f"{100 * flagged:.1f} % | {unsettled} | {saturated} | "
          f"{100 * statistics.mean(half) / truth:.2f} % | {width:.2f} | {cycles:.0f} |",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=1)
    for name in ("mcastctl", "fabric", "run"):
        parser.add_argument(name)
    parser.add_argument("saturation", type=float)
    parser.add_argument("share", type=float, nargs="+")
    args = parser.parse_args()
    print("| load | true mean | runs | covered | at least | correlated | unsettled | "
          "saturated | half-width | / 1.96 sd | cycles |")
    print("| --: " * 11 + "|")
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for share in args.share:
            row(pool, args, share)


if __name__ == "__main__":
    main()
