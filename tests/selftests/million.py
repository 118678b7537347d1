#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=300
"""A torus of a million nodes in the VM's memory: made, planned on, and run with a
multicast to 1000 destinations, which ends as it does in user space."""

import json
import subprocess
import time

from helpers.life import (add, begin, finish, note, parameter, refused, remove, simulate, start,
                          test, wait, ynl)

DIMS = [1000, 1000]
RUN = {"count": 1, "dests": 1000, "flits": 120}


def plan(source, *dst):
    """Traffic and longest worm of a plan, from the tool."""
    words = ["mcastctl", "-j", "plan", "m", "policy", "hcm-uniform", "from", str(source), "to",
             ",".join(map(str, dst))]
    out = subprocess.run(words, capture_output=True, text=True, check=False)
    if out.returncode:
        note(out.stderr)
        return {}
    got = json.loads(out.stdout)
    return {k: got["summary"][k] for k in ("traffic", "longest", "steps")}


def took(op, fabric):
    """Seconds that one request about a fabric's statistics takes."""
    at = time.monotonic()
    ynl.do(op, {"fabric": fabric})
    return time.monotonic() - at


def as_fast_as(op, small):
    """The request takes about as long for the million nodes as for a small fabric with as many
    deliveries: the least of 20 readings each, taken in turn, since other work of the machine only
    makes them longer."""
    pairs = [(took(op, "m"), took(op, small)) for _ in range(20)]
    great, little = (min(times) for times in zip(*pairs))
    note(f"{op}: {1000 * great:.1f} ms, of a small fabric {1000 * little:.1f} ms")
    return great < 1.6 * little


def main():
    """All of it."""
    begin()
    before = parameter("max_memory_mb")
    parameter("max_memory_mb", 640)
    made = ynl.do("fabric-new", {"name": "m", "topology": "torus", "dims": DIMS, "vcs": 2,
                                 "cpus": "0"})
    test(made["nodes"] == 10**6, "a torus of a million nodes is made", made)
    note(f"its tables take {made['bytes'] / 10**6:.0f} bytes per node")
    got = plan(0, 1, 999, 999000, 999999)
    # along the first row; back over the boundary link, then over a wrap link of the last
    test(got == {"traffic": 999 + 2, "longest": 999, "steps": 1}, "it is planned on", got)
    start("m", "hcm-uniform", "lone", **RUN)
    needs = ynl.do("fabric-get", {"name": "m"})["bytes"]
    end = wait("m")
    note(f"with a run {needs / 10**6:.0f} bytes per node, {end['wall-ns'] / 1e9:.1f} s")
    test(end["state"] == "done" and end["deliveries"] == 1000,
         "a multicast to 1000 destinations arrives", end)
    state, result = simulate(DIMS, {"topology": "torus", "vcs": 2}, "hcm-uniform", "lone", RUN)
    test(state == "done" and result == end["hash"], "as it does in user space",
         (state, result, end["hash"]))
    balance = ynl.do("stats-get", {"fabric": "m"})["balance"]
    test(balance["channels"] == 4 * 10**6 and balance["flits"] == end["flit-hops"],
         "the use of its channels is added up", balance)
    # To look at every channel took 15 ms in user space, and takes an emulated machine longer.
    add("small", [32, 32])
    start("small", "dp", "lone", **RUN)
    wait("small")
    for op in ("stats-get", "stats-reset"):
        test(as_fast_as(op, "small"), f"{op} does not look at four million channels")
    remove("small")
    remove("m")
    parameter("max_memory_mb", 256)
    error = refused("fabric-new", {"name": "m", "topology": "torus", "dims": DIMS})
    test(error and error[0] == "ENOMEM", "where it would not fit it is refused", error)
    parameter("max_memory_mb", before)
    finish()


main()
