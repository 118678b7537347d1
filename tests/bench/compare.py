#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Time two builds of bench_engine in turn, case by case.

Usage: compare.py [--json] [--limit PERCENT] [--instructions] RUNS CASES BASE NEW

BASE and NEW are programs. Each case is run by both RUNS times, one after the other, on the
same CPU, in every second pair in the other order; what counts is the ratio within a pair. If
BASE does not know a word that was called otherwise once (RENAMED), it is asked by the old one.
A case's fifth column, if it has one, is the same run for builds that do not know the words of
the third by any name: BASE is asked by it, or left out if the column is a dash, as older
builds have no such run. NEW has to do it all the same, in the words of the table.

With --instructions what counts is not time but instructions, by valgrind's callgrind: those of
the run itself (mcfab_runner_wait()) without the pages for readers, of which there are more the
longer a run takes. They differ by less than a thousandth between two runs, so one run is enough.

Exit status 1 if the median ratio of a case is above 1 by more than PERCENT (3; none if it is
empty), or if a build does not know a case or a word of it, or cannot run it. Other results
are named only: what makes them takes its time, too.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile


# How builds say that they do not know a word. Whatever else a build says, or if it says
# nothing, as after a crash, is a failure.
UNKNOWN = re.compile(r"policy \S+ has no parameter |unknown policy |there is no topology |"
                     r": neither a name nor a number$|parameter \S+ is one of:")
# Words of cases that have other names since: what older builds call them.
RENAMED = {
    "advance": "engine",
    "multicast-fraction": "multicast",
    "multicast-fraction-ppm": "multicast-ppm",
    "prep-relay": "prep2",
}
# Which word it is that a build does not know.
UNKNOWN_WORD = re.compile(r"policy \S+ has no parameter (\S+)$")


# What callgrind counts: it is switched on and off at each entry and exit.
CALLGRIND = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
             "--toggle-collect=mcfab_runner_wait", "--toggle-collect=mcfab_report_publish"]
COLLECTED = re.compile(r"Collected : (\d+)")


def run(program, line, count=False):
    """What one run of a case took, in ns or in instructions, and why it could not be run, if so."""
    with (tempfile.NamedTemporaryFile("w", suffix=".tsv") as cases,
          tempfile.NamedTemporaryFile("r", suffix=".log") as log):
        cases.write(line + "\n")
        cases.flush()
        call = [program, "-n", "1", cases.name]
        if count:
            call = [*CALLGRIND, f"--log-file={log.name}", *call]
        done = subprocess.run(call, check=False, capture_output=True, text=True)
        counted = COLLECTED.search(log.read())
    if done.returncode != 0 or not done.stdout.strip():
        return None, (done.stderr.strip() or f"status {done.returncode}").split("\n")[-1]
    if count and not counted:
        return None, "valgrind has counted nothing"
    got = json.loads(done.stdout)
    got["cost"] = int(counted[1]) if count else got["ns"]
    return got, None


def renamed(line):
    """The words of a line, which come in pairs with their values, that had other names."""
    return {word for column in line.split("\t")[1:3] for word in column.split()[::2]
            if word in RENAMED}


def in_old_words(line, word):
    """The line with the old name of one of its words."""
    field = line.split("\t")
    for column in (1, 2):
        pairs = field[column].split()
        pairs[::2] = [RENAMED[word] if name == word else name for name in pairs[::2]]
        field[column] = " ".join(pairs)
    return "\t".join(field)


def known(program, line):
    """The line in names that the program knows, and why it cannot run it all the same."""
    while True:
        _, why = run(program, line)
        unknown = why and UNKNOWN_WORD.search(why)
        if not unknown or unknown[1] not in renamed(line):
            return line, why
        line = in_old_words(line, unknown[1])


def words(line, base):
    """Name of a case, its lines for the base and for the new build (None: the base has no such
    run), and why the base cannot run it, if that is known by now."""
    field = line.rstrip("\n").split("\t")
    if len(field) < 3 or len(field) > 5:
        sys.exit(f"compare.py: {field[0]}: {len(field)} columns, not 3 to 5")
    new = "\t".join(field[:3] + ["-"])
    if len(field) < 5 and not renamed(new):
        return field[0], new, new, None
    old, why = known(base, new)
    if len(field) < 5 or why is None or not UNKNOWN.search(why):
        return field[0], old, new, why
    if field[4] == "-":
        return field[0], None, new, None
    old, why = known(base, "\t".join(field[:2] + [field[4], "-"]))
    return field[0], old, new, why


def per_hop(got):
    return got["cost"] / (got["flit-hops"] + got["deliveries"] * got["flits"])


def spread(values):
    return {"min": min(values), "median": statistics.median(values), "max": max(values)}


def compare(line, runs, base, new, limit, count):
    name, old_line, new_line, why = words(line, base)
    out = {"case": name, "runs": runs, "verdict": "failed"}
    pairs = []
    if why:
        out["failed-in"] = "base"
        out["why"] = why
        return out
    if old_line is None:
        got, why = run(new, new_line, count)
        if got is None:
            out["failed-in"] = "new"
            out["why"] = why
        else:
            out["only-in"] = "new"
            out["verdict"] = "ok"
        return out
    cpus = sorted(os.sched_getaffinity(0))
    for i in range(runs):
        # both of a pair on one CPU: the others may be slower for as long as a comparison takes
        one = {cpus[i // 2 % len(cpus)]} if " threads " not in new_line else cpus
        order = ["base", "new"] if i % 2 == 0 else ["new", "base"]
        got = {}
        for who in order:
            os.sched_setaffinity(0, one)
            got[who], why = run(base if who == "base" else new,
                                old_line if who == "base" else new_line, count)
            os.sched_setaffinity(0, cpus)
            if got[who] is None:
                out["failed-in"] = who
                out["why"] = why
                return out
        pairs.append((got["base"], got["new"]))
    out["same-hash"] = all(old["hash"] == now["hash"] for old, now in pairs)
    out["base"] = spread([per_hop(old) for old, _ in pairs])
    out["new"] = spread([per_hop(now) for _, now in pairs])
    out["ratio"] = spread([per_hop(now) / per_hop(old) for old, now in pairs])
    out["state-bytes"] = [got["state-bytes"] // got["routers"] for got in pairs[0]]
    slow = limit is not None and out["ratio"]["median"] > 1 + limit / 100
    out["verdict"] = "too slow" if slow else "ok"
    return out


def row(got):
    if "failed-in" in got:
        return f"  {got['case']:<16} FAILED in {got['failed-in']}: {got['why']}"
    if "only-in" in got:
        return f"  {got['case']:<16} only in new, as its line says"
    ratio = got["ratio"]
    return (f"  {got['case']:<16} {got['base']['median']:9.2f} {got['new']['median']:9.2f}"
            f" {ratio['min']:9.3f} {ratio['median']:9.3f} {ratio['max']:9.3f}"
            f" {got['state-bytes'][0]:7} {got['state-bytes'][1]:7}"
            f"  {got['verdict']}{'' if got['same-hash'] else ', other results'}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--limit", type=lambda text: float(text) if text else None, default=3)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("runs", type=int)
    parser.add_argument("cases")
    parser.add_argument("base")
    parser.add_argument("new")
    args = parser.parse_args()
    with open(args.cases, encoding="utf-8") as table:
        lines = [line for line in table if line.strip() and not line.startswith("#")]
    if not lines:
        sys.exit(f"compare.py: {args.cases}: no cases in it")
    if args.instructions and not shutil.which("valgrind"):
        sys.exit("compare.py: --instructions: valgrind is not installed")
    results = []
    unit = "instructions" if args.instructions else "ns"
    if not args.json:
        print(f"{unit} per flit-hop (median), ratio new / base of runs in pairs, bytes of state per router")
        print(f"  {'case':<16} {'base':>9} {'new':>9} {'least':>9} {'median':>9} {'most':>9}"
              f" {'base':>7} {'new':>7}")
    for line in lines:
        results.append(compare(line, args.runs, args.base, args.new, args.limit,
                               args.instructions))
        if not args.json:
            print(row(results[-1]), flush=True)
    bad = [got["case"] for got in results if got["verdict"] != "ok"]
    if args.json:
        print(json.dumps(results, indent=2))
    elif bad:
        print(f"FAILED: {len(bad)} of {len(results)} cases: {', '.join(bad)}")
    else:
        within = "" if args.limit is None else f", none slower by more than {args.limit:g} %"
        print(f"{len(results)} cases, {args.runs} pairs each{within}")
    return 1 if bad else 0


sys.exit(main())
