#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=300
"""CPUs come and go under a run: its threads, which are bound to none, run on those that are
left, the result is the same."""

import os
import random
import threading
import time

from helpers.life import (CPU, DEBUG, add, begin, busy, finish, note, online, refused, remove, skip,
                          start, state, stop, test, threads, wait, ynl)

DIMS = [8, 8]
RUN = {"rate_ppb": 400000, "dests": 8, "flits": 16, "warmup": 500, "batches": 20,
       "precision_ppm": 0}
NICE = 7


def begin_run(cycles):
    """Start the usual run on fabric h."""
    start("h", "cp", "poisson", batch_cycles=cycles // 20, **RUN)


def reference(cpus):
    """Hash of a run nobody disturbs, and a number of cycles that gives time to."""
    cycles = 2000
    while True:
        add("h", DIMS, cpus)
        begin_run(cycles)
        end = wait("h")
        remove("h")
        if end["state"] != "done" or end["wall-ns"] > (8 if DEBUG else 3) * 10**9:
            note(f"{cycles} cycles on CPUs {cpus}: {end['wall-ns'] / 1e9:.1f} s")
            return cycles, end["hash"]
        cycles *= 2


def placed(*want):
    """The router threads are these: CPUs allowed; all at the nice level."""
    got = threads()
    good = [t[1] for t in got] == list(want) and all(t[2] == NICE for t in got)
    if not good:
        note(got)
    return good


def off_and_on(cycles, result):
    """CPU 1 off and on again, several times in a run."""
    add("h", DIMS, "0-1", nice=NICE)
    begin_run(1000 * cycles)
    test(placed("0-1", "0-1"), "two threads, each on both CPUs, at the nice level")
    good, before = True, state("h")["cycle"]
    for change in range(6):
        online(1, change % 2)
        busy(0.15)
        good &= placed("0-1", "0-1")
    test(good, "placement and nice level after each change")
    end = time.monotonic() + 60
    while state("h")["cycle"] <= before and time.monotonic() < end:
        busy(0.1)
    test(state("h")["cycle"] > before, "the run goes on", state("h"))
    stop("h")
    begin_run(cycles)
    changes = 0
    while busy(0.05, "h"):
        online(1, changes % 2)
        changes += 1
    online(1, True)
    end = wait("h")
    note(f"{changes} changes")
    test(changes and end["state"] == "done" and end["hash"] == result, "same hash after hot-plug",
         end)
    remove("h")


def lone_cpu(cycles, result):
    """The only CPU of a fabric goes."""
    add("h", DIMS, "1", nice=NICE)
    begin_run(1000 * cycles)
    good = placed("1")
    before = state("h")["cycle"]
    online(1, False)
    busy(1)
    test(good and state("h")["cycle"] > before, "the only CPU goes: the run goes on elsewhere")
    online(1, True)
    ynl.do("fabric-set", {"name": "h", "cpus": "1"})
    test(placed("1"), "the CPU comes back, and the thread when it is asked to")
    stop("h")
    begin_run(cycles)
    online(1, False)
    end = wait("h")
    online(1, True)
    test(end["state"] == "done" and end["hash"] == result, "same hash", end)
    remove("h")


def before_the_run(cycles, result):
    """A CPU that is away when the run starts; changes while idle."""
    add("h", DIMS, "0-1", nice=NICE)
    online(1, False)
    test(not threads(), "a CPU goes while a fabric is idle: no threads")
    begin_run(cycles)
    good = placed("0-1")
    online(1, True)
    test(good and placed("0-1"), "starts with a thread for each CPU there is, keeps them")
    end = wait("h")
    test(end["state"] == "done" and end["hash"] == result, "same hash", end)
    remove("h")
    add("h", DIMS, "1", nice=NICE)
    online(1, False)
    error = refused("run-start", {"fabric": "h", "policy": "cp", "workload": "lone", "dests": 1})
    test(error and error[0] == "EINVAL" and "CPUs 1 " in error[1] and not threads(),
         "does not start if none of its CPUs is there", error)
    error = refused("fabric-new", {"name": "h2", "topology": "mesh", "dims": DIMS, "cpus": "1"})
    online(1, True)
    test(error and error[0] == "EINVAL" and "online" in error[1],
         "a new fabric on an offline CPU is refused", error)
    remove("h")


def storm(cycles):
    """Starts and stops of several fabrics against a CPU that comes and goes."""
    over = threading.Event()
    changes = [0]

    def plug():
        while not over.is_set():
            changes[0] += 1
            online(1, changes[0] % 2 == 0)
            time.sleep(random.random() / 50)
        online(1, True)

    names = [f"s{i}" for i in range(4)]
    for name in names:
        add(name, DIMS, "0-1")
    plugger = threading.Thread(target=plug)
    plugger.start()
    rounds, wrong = 0, []
    end = time.monotonic() + (20 if DEBUG else 8)
    while time.monotonic() < end:
        for name in names:
            start(name, "qg", "poisson", batch_cycles=cycles, **RUN)
        time.sleep(random.random() / 10)
        for name in names:
            stop(name)
            if state(name)["state"] != "stopped":
                wrong.append(state(name))
        rounds += 1
    over.set()
    plugger.join()
    note(f"{rounds * len(names)} runs, {changes[0]} changes of the CPU")
    test(not wrong and not threads(), "starts and stops while a CPU comes and goes", wrong)
    for name in names:
        remove(name)


def main():
    """All of it."""
    begin()
    if not os.access(CPU % 1, os.W_OK):
        skip("hot-plug", "there is no CPU 1 that can go")
        finish()
    random.seed(1)
    off_and_on(*reference("0-1"))
    cycles, result = reference("0")
    lone_cpu(cycles, result)
    before_the_run(cycles, result)
    storm(cycles)
    finish()


main()
