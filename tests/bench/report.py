#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print what "make bench" measured.

Usage: report.py [--json] CASES USER FOLDER ACCELERATOR

CASES is cases.tsv; USER holds what bench_engine printed; FOLDER what guest.sh left
there. Slowness is no failure. A run that did not end well is one, and so are a
kernel and a user build that computed different things.
"""
import glob
import json
import os
import statistics
import sys


def read_cases(path):
    with open(path, encoding="utf-8") as table:
        for line in table:
            if line.strip() and not line.startswith("#"):
                name, fabric, run, published = line.rstrip("\n").split("\t")[:4]
                yield {"case": name, "fabric": fabric, "run": run, "published": published}


def read_user(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def load(path):
    with open(path, encoding="utf-8") as got:
        return json.load(got)


def read_module(folder):
    """Runs in the VM, in the words of bench_engine."""
    for path in sorted(glob.glob(os.path.join(folder, "*.stats"))):
        name, number, _ = os.path.basename(path).split(".")
        stats, run, fabric = (load(path[:-len("stats")] + what)
                              for what in ("stats", "run", "fabric"))
        if stats["state"] != "done":
            raise ValueError(f"{name}: the run in the VM ended {stats['state']}")
        yield {"where": "module", "case": name, "run": int(number), "ns": stats["wall-ns"],
               "flit-hops": stats["flit-hops"], "deliveries": stats["deliveries"],
               "flits": run["flits"], "cycles": stats["cycle"], "routers": fabric["routers"],
               "bytes": fabric["bytes"], "hash": f"{stats['hash']:016x}"}


def spread(values):
    return {"min": min(values), "median": statistics.median(values), "max": max(values)}


def summarise(case, runs, where):
    """All runs of a case in one place; None if there is none."""
    runs = [run for run in runs if run["case"] == case["case"] and run["where"] == where]
    if not runs:
        return None
    hashes = {run["hash"] for run in runs}
    if len(hashes) > 1:
        raise ValueError(f"{case['case']}: equal runs have different hashes")
    one = runs[0]
    ejected = one["deliveries"] * one["flits"]
    out = {"runs": len(runs), "hash": one["hash"], "cycles": one["cycles"],
           "channel_flit_hops": one["flit-hops"], "crossbar_flit_hops": one["flit-hops"] + ejected,
           "ns": spread([run["ns"] for run in runs]),
           "bytes_per_router": one["bytes"] // one["routers"]}
    for kind in "channel", "crossbar":
        hops = out[f"{kind}_flit_hops"]
        out[f"ns_per_{kind}_flit_hop"] = spread([run["ns"] / hops for run in runs])
    out["flit_hops_per_second"] = out["crossbar_flit_hops"] * 1e9 / out["ns"]["median"]
    if " lone " not in case["run"]:
        out["router_cycles_per_second"] = (one["cycles"] * one["routers"] * 1e9 /
                                           out["ns"]["median"])
        out["ns_per_cycle"] = spread([run["ns"] / run["cycles"] for run in runs])
    if "state-bytes" in one:
        out["state_bytes_per_router"] = one["state-bytes"] // one["routers"]
        out["setup_ns"] = spread([run["setup-ns"] for run in runs])
    return out


def number(value):
    if value >= 1e12:
        return f"{value / 1e12:.3g} T"
    if value >= 1e9:
        return f"{value / 1e9:.3g} G"
    return f"{value / 1e6:.3g} M"


def row(case, got):
    """The cells of a line of the table."""
    ns = got["ns_per_crossbar_flit_hop"]
    cycles = got.get("router_cycles_per_second")
    return [case["case"], f"{ns['min']:.2f}", f"{ns['median']:.2f}", f"{ns['max']:.2f}",
            f"{got['ns_per_channel_flit_hop']['median']:.2f}",
            number(got["flit_hops_per_second"]), number(cycles) if cycles else "-",
            str(got.get("state_bytes_per_router", "-")), str(got["bytes_per_router"]),
            f"{got['setup_ns']['median'] / 1e6:.2f}" if "setup_ns" in got else "-",
            f"{got['ns']['median'] / 1e6:.1f}",
            case["published"]]


HEAD = ["case", "min", "median", "max", "channels", "hops/s", "router-cycles/s",
        "state", "run", "set-up", "took", "published"]


def table(title, lines):
    print(title)
    widths = [max(len(line[i]) for line in [HEAD] + lines) for i in range(len(HEAD))]
    for line in [HEAD] + lines:
        print("  " + "  ".join(cell.ljust(width) if i == 0 else cell.rjust(width) for
                               i, (cell, width) in enumerate(zip(line, widths))).rstrip())
    print()


NOTES = """\
min, median, max: ns per flit-hop; one flit through the crossbar of one router, into a
  channel or to a node, injection not counted. channels: the same time (median) per flit
  that crossed a network channel: what "flit-hops" of the statistics counts.
hops/s: flit-hops per second, nodes included, from the median.
router-cycles/s: routers times simulated cycles per second. Cycles in which nothing
  happens are jumped over and count.
state: bytes per router of what the cycles have touched: records, channels, headers, nodes.
run: bytes per router of everything, with pools of messages, the log and statistics.
set-up: ms to make the fabric and to start the run (median).
took: ms that the run took (median).
published: ns per flit-hop of a simulator of that name on another machine.

Absolute figures are of this machine in this minute: it may be shared, its clock may
vary, and a virtual machine without KVM is an interpreter. Compare figures of one call
with each other; a change of the code is judged by the ratio of two builds measured in
turn, never by a figure from elsewhere. Thread CPU time in user space, wall time in
the VM.
"""


def main():
    args = sys.argv[1:]
    as_json = args[0] == "--json"
    cases_path, user_path, folder, accelerator = args[as_json:]
    cases = list(read_cases(cases_path))
    runs = read_user(user_path) + list(read_module(folder))
    results, problems = [], []
    for case in cases:
        user, module = (summarise(case, runs, where) for where in ("user", "module"))
        if not user:
            problems.append(f"{case['case']}: not measured")
            continue
        if module and module["hash"] != user["hash"]:
            problems.append(f"{case['case']}: module and user build have different hashes")
        results.append(dict(case, user=user, module=module))

    if as_json:
        print(json.dumps({"accelerator": accelerator, "cases": results,
                          "problems": problems}, indent=2))
    else:
        table("user-space build, 1 thread",
              [row(got, got["user"]) for got in results])
        lines = [row(got, got["module"]) for got in results if got["module"]]
        if lines:
            table(f"mcfab.ko in the VM ({accelerator}), 1 thread", lines)
        print(NOTES)
    for problem in problems:
        print(f"bench: {problem}", file=sys.stderr)
    return 1 if problems else 0


try:
    sys.exit(main())
except (OSError, KeyError, ValueError) as error:
    print(f"bench: {error}", file=sys.stderr)
    sys.exit(1)
