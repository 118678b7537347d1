#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=800
"""Threads of a run belong to whoever starts it: they stay in its cgroups, its cpuset and its
CPU budget, and get neither CPUs nor a nice level that it could not have. They are kernel
threads, which a cgroup cannot kill or freeze."""

import errno
import os
import statistics
import subprocess
import time

from helpers.cgroup import (ENDLESS, GROUP, ROOT, RUN, TOOL, inside, make_group, pids, read,
                            throttled, tool, used, write)
from helpers.life import (EMULATED, add, begin, busy, finish, note, refused, remove, skip, start,
                          state, stop, test, threads, ynl)
from helpers.others import fabric

ISOLATED = f"{ROOT}/mcfab-isolated"


def in_the_cgroup():
    """A run that is started in a cpuset of one CPU with a fifth of its time."""
    write(f"{GROUP}/cpuset.cpus", "0")
    write(f"{GROUP}/cpu.max", "20000 100000")
    add("c", [32, 32], "0-1")
    status = inside([TOOL, "run", "c", *RUN])
    test(not status[0], "a run starts in the cgroup", status)
    test([t[1] for t in threads()] == ["0"], "its threads stay in the cpuset", threads())
    groups = [read(f"/proc/{pid}/cgroup").strip() for pid in pids()]
    test(groups and all(g.endswith("/mcfab-cpu") for g in groups), "and in the cgroup", groups)
    before, at = used(), time.monotonic()
    time.sleep(3)
    share = (used() - before) / (time.monotonic() - at)
    note(f"{share:.3f} of a CPU used, 0.2 allowed")
    test(0.02 < share < 0.24, "within its budget", share)
    write(f"{GROUP}/cpuset.cpus", "1")
    test([t[1] for t in threads()] == ["1"], "root moves them by the cpuset", threads())
    error = refused("fabric-set", {"name": "c", "cpus": "0"})
    test(error and error[0] == "EINVAL" and "CPUs 0 " in error[1],
         "and nobody has them leave it", error)
    stop("c")
    remove("c")
    write(f"{GROUP}/cpuset.cpus", "\n")
    write(f"{GROUP}/cpu.max", "max 100000")


def named():
    """CPUs that are named, and those of the caller."""
    on_0 = ["taskset", "-c", "0"]
    add("c", [32, 32], "1")
    status = tool("run", "c", *RUN, before=on_0)
    test(status[0] and "CPUs 1 " in status[1] and state("c")["state"] == "idle",
         "no CPU left: refused by name", status)
    start("c", "cp", "poisson", **ENDLESS)
    test([t[1] for t in threads()] == ["1"], "the CPUs of a fabric are its threads'", threads())
    status = tool("fabric", "set", "c", "cpus", "0")
    test(not status[0] and [t[1] for t in threads()] == ["0"], "fabric set moves them",
         (status, threads()))
    status = tool("fabric", "set", "c", "cpus", "1", before=on_0)
    test(status[0] and "CPUs 1 " in status[1] and [t[1] for t in threads()] == ["0"],
         "not to where the caller may not go", status)
    status = tool("fabric", "set", "c", "vcs", "2")
    test(status[0] and "vcs: " in status[1], "nothing else can be set", status)
    for pid in pids():
        os.sched_setaffinity(pid, {1})
    test([t[1] for t in threads()] == ["1"], "root moves them by taskset", threads())
    stop("c")
    remove("c")


def isolated():
    """A CPU that is isolated is used where it is named, and only there."""
    new = ["fabric", "add", "c", "topology", "mesh", "dims", "64x64"]
    tool(*new)
    both = ynl.do("fabric-get", {"name": "c"})["cpus"]
    remove("c")
    os.mkdir(ISOLATED)
    try:
        write(f"{ISOLATED}/cpuset.cpus", "1")
        write(f"{ISOLATED}/cpuset.cpus.partition", "isolated")
        now = read(f"{ISOLATED}/cpuset.cpus.partition").strip()
    except OSError as err:
        now = err
    if now != "isolated":
        skip("isolated CPUs", f"no partition of isolated CPUs: {now}")
        os.rmdir(ISOLATED)
        return
    tool(*new)
    cpus = ynl.do("fabric-get", {"name": "c"})["cpus"]
    test(both == "0-1" and cpus == "0", "an isolated CPU is not used by default", (both, cpus))
    status = tool("run", "c", *RUN)
    test(not status[0] and {t[1] for t in threads()} == {"0"}, "nor do threads go there",
         (status, threads()))
    stop("c")
    remove("c")
    status = tool(*new, "cpus", "1")
    cpus = ynl.do("fabric-get", {"name": "c"})["cpus"]
    test(not status[0] and cpus == "1", "it can be named", (status, cpus))
    status = tool("run", "c", *RUN)
    test(status[0] and "CPUs 1 " in status[1] and not threads(),
         "which is of no use to who may not go there", status)
    status = inside([TOOL, "run", "c", *RUN], group=ISOLATED)
    test(not status[0] and {t[1] for t in threads()} == {"1"}, "and has it used by who may",
         (status, threads()))
    stop("c")
    remove("c")
    gone(ISOLATED)


def gone(group):
    """Remove a cgroup, as soon as nobody is in it; False if it cannot be."""
    for _ in range(100):
        try:
            os.rmdir(group)
            return True
        except OSError as err:
            if err.errno != errno.EBUSY:
                raise
        time.sleep(0.05)
    return False


def goes_on(name):
    """Does a run compute?"""
    before = state(name)["cycle"]
    return busy(1, name) and state(name)["cycle"] > before


def kernel_threads():
    """What is done to the processes of a cgroup is not done to kernel threads."""
    add("c", [8, 8], "0")
    status = inside([TOOL, "run", "c", *RUN])
    write(f"{GROUP}/cgroup.freeze", "1")
    time.sleep(0.3)
    test(not status[0] and goes_on("c"), "cgroup.freeze does not stop a run", status)
    write(f"{GROUP}/cgroup.freeze", "0")
    write(f"{GROUP}/cgroup.kill", "1")
    time.sleep(0.3)
    test(threads() and goes_on("c"), "cgroup.kill does not end it", threads())
    try:
        os.rmdir(GROUP)
        error = 0
    except OSError as err:
        error = err.errno
    test(error == errno.EBUSY, "its cgroup cannot be removed", error)
    stop("c")
    test(gone(GROUP), "before the run is stopped")
    remove("c")
    make_group()


def no_budget():
    """A run that is stopped while it has no CPU budget ends when it has some again."""
    add("c", [32, 32], "0")
    for attempt in range(5):
        inside([TOOL, "run", "c", *RUN])
        before = throttled()
        write(f"{GROUP}/cpu.max", "1000 1000000")
        end = time.monotonic() + 5
        while throttled() == before and time.monotonic() < end:
            time.sleep(0.01)
        with subprocess.Popen([TOOL, "stop", "c"], stdout=subprocess.DEVNULL) as stopping:
            time.sleep(0.3)
            waits = stopping.poll() is None and state("c")["state"] == "running"
            write(f"{GROUP}/cpu.max", "max 100000")
            at = time.monotonic()
            status = stopping.wait(60)
        seconds = time.monotonic() - at
        if waits:
            break
        note(f"attempt {attempt + 1}: it had some budget just then")
    note(f"{seconds * 1e3:.0f} ms after there is a budget")
    test(waits and status == 0 and state("c")["state"] == "stopped" and
         seconds < (5 if EMULATED else 1), "stopped without CPU budget: ends with some",
         (waits, status, state("c"), seconds))
    remove("c")


def copies():
    """What a run shows is a copy that it makes now and then: every 50 ms or so."""
    add("c", [16, 16], "0")
    start("c", "cp", "poisson", **ENDLESS)
    busy(0.3)
    seen = {}
    end = time.monotonic() + 3
    while time.monotonic() < end:
        seen.setdefault(state("c")["cycle"], time.monotonic())
        time.sleep(0.002)
    stop("c")
    remove("c")
    at = sorted(seen.values())
    gap = statistics.median(b - a for a, b in zip(at, at[1:])) if len(at) > 2 else 0
    note(f"{len(at)} copies in 3 s, {gap * 1e3:.1f} ms between two (median)")
    test(0.04 < gap < (0.3 if EMULATED else 0.1), "a copy of progress every 50 ms", gap)


def together():
    """Threads move together or not at all."""
    write(f"{GROUP}/cpuset.cpus", "0")
    add("c", [32, 32], "0-1")
    start("c", "cp", "poisson", **ENDLESS)
    write(f"{GROUP}/cgroup.procs", max(pids(), key=lambda pid: read(f"/proc/{pid}/comm")))
    before = [t[1] for t in threads()]
    error = refused("fabric-set", {"name": "c", "cpus": "1"})
    test(error and error[0] == "EINVAL" and before == ["0-1", "0"],
         "one of two threads may not go to a CPU", (error, before))
    test([t[1] for t in threads()] == before and fabric("c")["cpus"] == "0-1",
         "so the other one has not gone either", threads())
    stop("c")
    remove("c")
    write(f"{GROUP}/cpuset.cpus", "\n")


def nice():
    """Nice levels, without CAP_SYS_NICE."""
    less = ["setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice"]
    add("c", [8, 8], "0", nice=-5)
    status = tool("run", "c", *RUN, before=less)
    test(status[0] and "nice -5" in status[1] and not threads(),
         "a nice level below the caller's is refused without CAP_SYS_NICE", status)
    status = tool("run", "c", *RUN)
    test(not status[0] and [t[2] for t in threads()] == [-5], "and given with it", threads())
    stop("c")
    remove("c")
    # by the handler itself, and by a thread of the caller's
    for side in (8, 32):
        add("c", [side, side], "0", nice=-5)
        for limit, given in ((24, False), (30, True)):
            status = tool("run", "c", *RUN, before=["prlimit", f"--nice={limit}", *less])
            test((not status[0] and [t[2] for t in threads()] == [-5]) if given else
                 ("nice -5" in status[1] and not threads()),
                 f"RLIMIT_NICE {limit}, {side}x{side}: {'given' if given else 'refused'}",
                 (status, threads()))
            refused("run-stop", {"fabric": "c"})
        remove("c")
    for own in (0, 7):
        add("c", [8, 8], "0", nice=8)
        status = tool("run", "c", *RUN, before=[*less, "nice", "-n", str(own)])
        test(not status[0] and [t[2] for t in threads()] == [8],
             f"one above the caller's is given, at nice {own}", (status, threads()))
        stop("c")
        remove("c")
    tool("fabric", "add", "c", "topology", "mesh", "dims", "8x8", before=["nice", "-n", "4"])
    start("c", "cp", "poisson", **ENDLESS)
    test({t[2] for t in threads()} == {4}, "the default is that of who makes it", threads())
    stop("c")
    remove("c")


def main():
    """All of it."""
    begin()
    if not make_group():
        skip("CPU control", "no cgroups (v2) of CPUs")
        finish()
    named()
    isolated()
    together()
    nice()
    copies()
    in_the_cgroup()
    kernel_threads()
    no_budget()
    gone(GROUP)
    finish()


main()
