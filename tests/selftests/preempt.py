#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=240
"""A kernel that does not preempt kernel threads (preempt=none) is not held up by router threads:
a real-time process on the same CPU comes to its turn at the next scheduling point."""

import os
import subprocess
import sys
import time

from helpers.life import EMULATED, begin, finish, note, skip, start, state, stop, test, ynl

SWITCH = "/sys/kernel/debug/sched/preempt"
CPU = 1
# Seconds; an emulated machine is some 20 times slower, and its CPUs stand still at times.
LIMIT = 0.1 if EMULATED else 0.01
TRIES = 5
# Prints how late the process woke up at most, in seconds.
SLEEPER = f"""
import os, time
os.sched_setaffinity(0, {{{CPU}}})
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
late, end = 0, time.monotonic() + 2
while (now := time.monotonic()) < end:
    time.sleep(0.002)
    late = max(late, time.monotonic() - now - 0.002)
print(late)
"""

RUNS = (
    # chains of 1024 switches for each message
    ("kbinomial", {"topology": "hypercube", "dims": [10], "routing": "updown", "buffer": 8},
     {"policy": "kbinomial", "workload": "burst", "dests": 1023}),
    # plans of groups that are covered anew
    ("qg", {"topology": "mesh", "dims": [64, 64]},
     {"policy": "qg", "workload": "burst", "dests": 512}),
    # flits of 16384 nodes
    ("unicast", {"topology": "mesh", "dims": [128, 128], "buffer": 2, "vcs": 2},
     {"policy": "unicast", "workload": "poisson", "dests": 1, "rate-ppb": 5000000, "advance": "flit",
      "warmup": 1000000000}),
)


def late():
    """How late a real-time process wakes up at most."""
    return float(subprocess.run([sys.executable, "-c", SLEEPER], check=True, capture_output=True,
                                text=True).stdout)


def preempt(mode):
    """Set how the kernel preempts; how it did, or None if it cannot be set."""
    try:
        with open(SWITCH, "r+", encoding="ascii") as f:
            before = f.read()
            f.write(mode)
        return before[before.index("(") + 1:before.index(")")]
    except OSError as err:
        note(err)
        return None


def measure(name, fabric, run):
    """The best of some tries, each with a run that lasts as long."""
    ynl.do("fabric-new", {"name": "p", "cpus": str(CPU), **fabric})
    found = []
    busy = 0
    while len(found) < TRIES and (not found or min(found) > LIMIT / 2):
        if state("p")["state"] != "running":
            start("p", run["policy"], run["workload"],
                  **{key: value for key, value in run.items()
                     if key not in ("policy", "workload")})
        found.append(late())
        busy += state("p")["state"] == "running"
    stop("p")
    ynl.do("fabric-del", {"name": "p"})
    note(f"{name}: woken late by {min(found) * 1e3:.2f} ms at most; tries: "
         f"{', '.join(f'{x * 1e3:.2f}' for x in found)}, {busy} of them beside a run to the end")
    test(min(found) < LIMIT, f"{name}: a real-time process gets the CPU within "
         f"{LIMIT * 1e3:.0f} ms", found)


begin()
if not os.path.exists(SWITCH):
    subprocess.run(["mount", "-t", "debugfs", "none", "/sys/kernel/debug"], check=False,
                   stderr=subprocess.DEVNULL)
old = preempt("none")
if old is None:
    skip("preempt=none", "the kernel cannot change how it preempts")
else:
    note(f"woken late by {late() * 1e3:.2f} ms at most on an idle machine")
    time.sleep(0.1)
    for one in RUNS:
        measure(*one)
    preempt(old)
finish()
