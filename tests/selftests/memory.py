#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=120
"""Memory: max_memory_mb bounds what all fabrics take together, what would not fit is
refused before anything is taken, the caller's cgroup is charged, and where it has not
enough the request fails and nobody is killed."""

import os
import sys
import time

from helpers.life import (DEBUG, add, begin, finish, note, parameter, refused, remove, skip, start,
                          state, stop, test, ynl)

CGROUP = "/sys/fs/cgroup/mcfab-test"
BIG = {"name": "big", "topology": "mesh", "dims": [256, 256], "cpus": "0"}
RUN = {"fabric": "big", "policy": "dp", "workload": "poisson", "rate-ppb": 1000, "dests": 8,
       "flits": 16, "warmup": 1000000, "batches": 20, "batch-cycles": 1000000}


def events():
    """memory.events of the cgroup."""
    with open(f"{CGROUP}/memory.events", encoding="ascii") as f:
        return {k: int(v) for k, v in (line.split() for line in f)}


def inside(limit, work):
    """Do this in the cgroup, in a child; its exit status."""
    with open(f"{CGROUP}/memory.max", "w", encoding="ascii") as f:
        f.write(str(limit))
    sys.stdout.flush()
    child = os.fork()
    if not child:
        with open(f"{CGROUP}/cgroup.procs", "w", encoding="ascii") as f:
            f.write(str(os.getpid()))
        status = 100
        try:
            status = work()
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1]


def make_group():
    """A memory cgroup; False where there are none."""
    try:
        with open("/sys/fs/cgroup/cgroup.subtree_control", "w", encoding="ascii") as f:
            f.write("+memory")
        os.mkdir(CGROUP)
    except OSError as err:
        note(err)
        return False
    if not os.path.exists(f"{CGROUP}/memory.peak"):
        os.rmdir(CGROUP)
        return False
    return True


def peak(op, attrs):
    """Most bytes that a refused request took at any time; None without cgroups."""
    if not make_group():
        return None
    inside("max", lambda: int(refused(op, attrs) is None))
    with open(f"{CGROUP}/memory.peak", encoding="ascii") as f:
        most = int(f.read())
    os.rmdir(CGROUP)
    return most


def nothing_taken(op, attrs):
    """A refusal for want of memory takes no more than one at first sight."""
    name = f"and nothing was taken for it ({op})"
    first = peak(op, {k: v for k, v in attrs.items() if k in ("name", "fabric")})
    if first is None:
        skip(name, "no memory cgroup (v2)")
        return
    most = peak(op, attrs)
    note(f"{first >> 10} kB for a malformed request, {most >> 10} kB for this")
    test(most < first + (1 << 20), name, (first, most))


def current():
    """Bytes charged to the cgroup."""
    with open(f"{CGROUP}/memory.current", encoding="ascii") as f:
        return int(f.read())


def bound():
    """The module's own bound."""
    before = parameter("max_memory_mb")
    parameter("max_memory_mb", 4)
    error = refused("fabric-new", BIG)
    note(error)
    test(error and error[0] == "ENOMEM" and "max_memory_mb" in error[1],
         "a fabric that would not fit is refused, with a message", error)
    nothing_taken("fabric-new", BIG)

    parameter("max_memory_mb", 300)
    made = add("big", [256, 256])
    parameter("max_memory_mb", (made["bytes"] >> 20) + 40)
    error = refused("run-start", RUN)
    note(error)
    test(error and error[0] == "ENOMEM" and "max_memory_mb" in error[1] and
         state("big")["state"] == "idle", "a run that would not fit is refused", error)
    nothing_taken("run-start", RUN)
    parameter("max_memory_mb", 1024)
    start("big", "dp", "poisson", **{k: v for k, v in RUN.items()
                                     if k not in ("fabric", "policy", "workload")})
    stop("big")
    remove("big")

    # Room for one such fabric and its run: whatever is not given back is missed.
    add("a", [16, 16])
    ynl.do("run-start", {**RUN, "fabric": "a"})
    needs = ynl.do("fabric-get", {"name": "a"})["bytes"]
    stop("a")
    remove("a")
    note(f"a run on 16x16 takes {needs >> 10} kB")
    parameter("max_memory_mb", (needs >> 20) + 1)
    fits = 0
    for _ in range(10 if DEBUG else 30):
        add("a", [16, 16])
        if refused("run-start", {**RUN, "fabric": "a"}) is None:
            stop("a")
            fits += 1
        error = refused("fabric-new", {**BIG, "name": "a2"})
        remove("a")
    test(fits == (10 if DEBUG else 30) and error and error[0] == "ENOMEM",
         "all is given back: the same fits again and again", fits)
    error = None
    add("a", [16, 16])
    parameter("max_memory_mb", 8)
    error = refused("upload-begin", {"fabric": "a", "type": "messages", "messages-total": 1,
                                     "destinations-total": 8 << 20})
    test(error and error[0] == "ENOMEM", "uploads count", error)
    remove("a")
    parameter("max_memory_mb", before)


def control_group():
    """The caller's cgroup."""
    if not make_group():
        skip("memory is charged to the caller's cgroup", "no memory cgroup (v2)")
        return

    had = current()
    status = inside("max", lambda: int(refused("fabric-new", BIG) is not None))
    tables = current() - had
    note(f"tables of 256x256: {tables >> 10} kB charged")
    test(status == 0 and tables > 6 << 20, "a fabric is charged to who made it", tables)
    had = current()
    status = inside("max", lambda: int(refused("run-start", RUN) is not None))
    run = current() - had
    note(f"its run: {run >> 10} kB charged")
    test(status == 0 and run > 32 << 20, "a run is charged to who started it", run)
    stop("big")
    remove("big")
    end = time.monotonic() + 20
    while current() > 4 << 20 and time.monotonic() < end:
        time.sleep(0.2)
    test(current() < 4 << 20, "the charge goes with the fabric", current())

    def too_big():
        error = refused("fabric-new", {**BIG, "name": "small", "dims": [64, 64]})
        if error:
            return 1
        error = refused("run-start", {**RUN, "fabric": "small", "rate-ppb": 100000})
        if not error:
            return 2
        note(error)
        if error[0] != "ENOMEM":
            return 3
        error = refused("fabric-new", BIG)
        note(error)
        return 0 if error and error[0] == "ENOMEM" else 4

    status = inside(current() + (6 << 20), too_big)
    test(status == 0 and events()["oom_kill"] == 0 and events()["oom"] == 0,
         "a cgroup that has not enough: ENOMEM, nobody is killed", (status, events()))
    test(refused("fabric-get", {"name": "big"}) is not None and
         state("small")["state"] == "idle", "and nothing has changed")
    remove("small")
    os.rmdir(CGROUP)


def main():
    """All of it."""
    begin()
    bound()
    control_group()
    finish()


main()
