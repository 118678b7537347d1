#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=400
"""A result depends neither on how many threads work it out, nor on which CPUs, nor
on whether they are the kernel's: the same hash for each, and for the user-space
build of the same engine."""

import os
import time

from helpers.life import (DEBUG, SIMULATE, add, begin, finish, note, remove, simulate, skip, start,
                          state, test, wait)

LOAD = {"flits": 16, "warmup": 300, "batches": 20, "batch_cycles": 50 if DEBUG else 100,
        "precision_ppm": 0}
WORKLOADS = {
    "lone": ("lone", {"count": 30, "dests": 8}),
    "poisson": ("poisson", {"rate_ppb": 1000000, "dests": 6, "multicast_fraction_ppm": 300000,
                            **LOAD}),
    "fixed": ("fixed", {"interval": 800, "dests": 4, "count": 2, **LOAD}),
    "burst": ("burst", {"dests": 5, "flits": 12}),
}
FABRICS = {
    "plain": ([8, 8], {}),
    "rich": ([6, 5, 3], {"vcs": 2, "buffer": 3, "link_delay": 3, "route_delay": 2,
                         "inject_delay": 1, "consume": 2, "inject": 1, "credit_delay": 2}),
}
POLICIES = ["unicast", "dp", "mp", "cp", "qg"]


def cpu_lists():
    """Each CPU alone, two, all."""
    n = os.cpu_count()
    return ["0", f"{n - 1}", f"0,{n - 1}"] + ([f"0-{n - 1}"] if n > 2 else [])


def results(dims, fabric, policy, workload, run):
    """{CPUs: (state, hash, threads)}"""
    got = {}
    for cpus in cpu_lists():
        add("t", dims, cpus, **fabric)
        start("t", policy, workload, **run)
        end = wait("t")
        got[cpus] = (end["state"], end.get("hash"), end["threads"])
        remove("t")
    return got


def compare(name, dims, fabric, policy, workload, run):
    """One configuration on all sets of CPUs, and in user space."""
    at = time.monotonic()
    got = results(dims, fabric, policy, workload, run)
    note(f"{name}: {got['0'][1] or 0:016x} {time.monotonic() - at:.1f} s")
    test(got["0"][0] == "done" and got["0"][1] and len({g[:2] for g in got.values()}) == 1,
         f"{name}: same hash on CPUs {' '.join(got)}", got)
    if workload != "lone":
        two = f"0,{os.cpu_count() - 1}"
        test(got[two][2] == 2 and got["0"][2] == 1, f"{name}: one thread per CPU", got)
    if os.access(SIMULATE, os.X_OK):
        user = simulate(dims, fabric, policy, workload, run)
        test(user == got["0"][:2], f"{name}: same hash as in user space", (user, got["0"]))
    else:
        skip(f"{name}: same hash as in user space", "build it: make -C tests/user MODE=fast build")


def main():
    """All of it, or what a slow kernel has time for."""
    begin()
    for i, policy in enumerate(POLICIES):
        for j, (word, (workload, run)) in enumerate(WORKLOADS.items()):
            for shape, (dims, fabric) in FABRICS.items():
                if (DEBUG or shape == "rich") and (i + j) % 4 and word != "poisson":
                    continue
                if DEBUG and (shape == "rich") != (i % 2 == 0):
                    continue
                compare(f"{policy}, {word}, {shape}", dims, fabric, policy, workload, run)
    if not DEBUG:
        compare("qg on 64x64", [64, 64], {}, "qg", "poisson",
                {"rate_ppb": 20000, "dests": 10, "flits": 32, "warmup": 500, "batches": 20,
                 "batch_cycles": 100, "precision_ppm": 0})
    # Nothing is left of the threads when a run has ended.
    add("t", [8, 8], "0-1")
    test(state("t")["state"] == "idle", "a fabric that has not run is idle")
    finish()


main()
