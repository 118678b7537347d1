#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Time two builds of bench_engine in turn, case by case.

Usage: compare.py [--json] RUNS CASES BASE NEW

BASE and NEW are programs. Each case is run by both, one after the other, RUNS times, and
in every second pair in the other order; what counts is the ratio within a pair. A build that
does not know a case, or computes something else, is named; only a program that cannot be
run at all is a failure.
"""
import json
import statistics
import subprocess
import sys
import tempfile


def run(program, line):
    """What one run of a case took, or None if the program does not know it."""
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as cases:
        cases.write(line)
        cases.flush()
        got = subprocess.run([program, "-n", "1", cases.name], check=False,
                             capture_output=True, text=True)
    return json.loads(got.stdout) if got.returncode == 0 else None


def ns_per_hop(got):
    return got["ns"] / (got["flit-hops"] + got["deliveries"] * got["flits"])


def spread(values):
    return {"min": min(values), "median": statistics.median(values), "max": max(values)}


def compare(line, runs, base, new):
    name = line.split("\t", 1)[0]
    out = {"case": name, "runs": runs}
    pairs = []
    for i in range(runs):
        order = (base, new) if i % 2 == 0 else (new, base)
        got = {program: run(program, line) for program in order}
        if got[base] is None or got[new] is None:
            out["unknown-to"] = "base" if got[base] is None else "new"
            return out
        pairs.append((got[base], got[new]))
    out["same-hash"] = all(old["hash"] == now["hash"] for old, now in pairs)
    out["base"] = spread([ns_per_hop(old) for old, _ in pairs])
    out["new"] = spread([ns_per_hop(now) for _, now in pairs])
    out["ratio"] = spread([ns_per_hop(now) / ns_per_hop(old) for old, now in pairs])
    out["state-bytes"] = [got["state-bytes"] // got["routers"] for got in pairs[0]]
    return out


def row(got):
    if "unknown-to" in got:
        return f"  {got['case']:<12} not known to {got['unknown-to']}"
    ratio = got["ratio"]
    return (f"  {got['case']:<12} {got['base']['median']:9.2f} {got['new']['median']:9.2f}"
            f" {ratio['min']:9.3f} {ratio['median']:9.3f} {ratio['max']:9.3f}"
            f" {got['state-bytes'][0]:7} {got['state-bytes'][1]:7}"
            f"{'' if got['same-hash'] else '  other results'}")


def main():
    args = sys.argv[1:]
    as_json = args[0] == "--json"
    runs, path, base, new = args[as_json:]
    with open(path, encoding="utf-8") as table:
        lines = [line for line in table if line.strip() and not line.startswith("#")]
    results = []
    if not as_json:
        print("ns per flit-hop (median), ratio new / base of runs in pairs, bytes of state per router")
        print(f"  {'case':<12} {'base':>9} {'new':>9} {'least':>9} {'median':>9} {'most':>9}"
              f" {'base':>7} {'new':>7}")
    for line in lines:
        results.append(compare(line, int(runs), base, new))
        if not as_json:
            print(row(results[-1]), flush=True)
    if as_json:
        print(json.dumps(results, indent=2))
    return 0


sys.exit(main())
