#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=300
"""Runs are stopped within 100 ms whatever they do, many of them share the CPUs
without locking one up, and none stands in the way of the freezer or of suspend."""

import os
import time

from helpers.mcfab_nl import client, events
from helpers.life import (DEBUG, EMULATED, add, begin, busy, finish, note, parameter, refused,
                          remove, skip, start, state, stop, test, threads, wait)

# Seconds; an emulated machine is some 20 times slower, and not alone on its host.
LIMIT = 10 if DEBUG else 2 if EMULATED else 0.1
HEAVY = {"rate_ppb": 20000000, "dests": 10, "flits": 64, "warmup": 1000000000,
         "batches": 20, "batch_cycles": 1000000000}
ENDLESS = {"rate_ppb": 300000, "dests": 8, "flits": 16, "warmup": 1000000000,
           "batches": 20, "batch_cycles": 1000000000}
LOADS = [
    ("8x8, half load", [8, 8], {}, "cp", "poisson", ENDLESS),
    ("64x64, saturated", [64, 64], {}, "cp", "fixed",
     {"interval": 2000, "dests": 8, "flits": 64, "warmup": 1000000000}),
    ("32x32, 4 virtual channels", [32, 32], {"vcs": 4, "buffer": 4}, "qg", "fixed",
     {"interval": 5000, "dests": 20, "flits": 32, "warmup": 1000000000}),
    ("256x256, light load", [256, 256], {}, "dp", "poisson", {**ENDLESS, "rate_ppb": 1000}),
    ("256x256, lone multicasts to 20,000", [256, 256], {}, "qg", "lone",
     {"count": 100000, "dests": 20000}),
    ("32x32, idle for long", [32, 32], {}, "cp", "poisson", {**ENDLESS, "rate_ppb": 1}),
]


def latency():
    """How long it takes to stop a run."""
    for name, dims, fabric, policy, workload, run in LOADS:
        if DEBUG and dims[0] > 32:
            continue
        for cpus in ("1", "0-1"):
            took, ended, begun = [], 0, []
            add("s", dims, cpus, **fabric)
            for i in range(3 if DEBUG else 5):
                at = time.monotonic()
                start("s", policy, workload, **run)
                begun.append(time.monotonic() - at)
                ended += not busy(0.1 + 0.3 * i, "s")
                took.append(stop("s"))
            test(state("s")["state"] in ("stopped", "cut") and not threads(),
                 f"{name}, CPUs {cpus}: stopped, no threads left", state("s"))
            took.sort()
            note(f"{name}, CPUs {cpus}: median {took[len(took) // 2] * 1e3:.1f} ms, "
                 f"most {took[-1] * 1e3:.1f} ms, started in {max(begun) * 1e3:.0f} ms, "
                 f"{ended} had ended")
            # The host of an emulated machine has its own pauses: not the worst one.
            test(took[len(took) // 2] < LIMIT, f"{name}, CPUs {cpus}: within {LIMIT} s", took)
            remove("s")


def twice():
    """Stop what does not run; remove what does."""
    add("s", [8, 8], "0-1")
    first = refused("run-stop", {"fabric": "s"})
    start("s", "cp", "poisson", **ENDLESS)
    error = refused("fabric-del", {"name": "s"})
    test(error and error[0] == "EBUSY" and state("s")["state"] == "running",
         "a fabric that runs is not removed", error)
    error = refused("run-start", {"fabric": "s", "policy": "cp", "workload": "lone", "dests": 1})
    test(error and error[0] == "EBUSY" and state("s")["run"] == 1, "nor does it start again",
         error)
    stop("s")
    second = refused("run-stop", {"fabric": "s"})
    test(first == second and state("s")["state"] == "stopped",
         "stopping what does not run changes nothing", (first, second))
    remove("s")


def order():
    """A run's end is told of before its fabric's, however soon that is removed."""
    ears = client()
    ears.ntf_subscribe("mgmt")
    rounds = 10 if DEBUG else 50
    heard = []
    for _ in range(rounds):
        add("o", [4, 4], "0")
        start("o", "cp", "lone", count=1, dests=3)
        while refused("fabric-del", {"name": "o"}):
            pass
        heard += [e["name"] for e in events(ears, "fabric-del-ntf")]
    there, ends, late = False, 0, 0
    for name in heard:
        there = name == "fabric-add-ntf" or (there and name != "fabric-del-ntf")
        ends += name == "run-finished-ntf"
        late += name == "run-finished-ntf" and not there
    test(ends == rounds and not late, "a run ends before its fabric is gone", (ends, late))


def many():
    """Eight fabrics on two CPUs: same results, and the machine stays usable."""
    run = {"rate_ppb": 1000000, "dests": 4, "flits": 16, "warmup": 200, "batches": 20,
           "batch_cycles": 10 if DEBUG else 50, "precision_ppm": 0}
    names = [f"m{i}" for i in range(8)]
    for name in names:
        add(name, [6, 6], "0-1", seed=int(name[1]) % 2)
        start(name, "mp", "poisson", **run)
    slow, waits = 0, 0
    while any(state(name)["state"] == "running" for name in names):
        at = time.monotonic()
        time.sleep(0.01)
        slow = max(slow, time.monotonic() - at)
        waits += 1
    ends = [wait(name) for name in names]
    note(f"8 runs of 2 threads: {max(e['wall-ns'] for e in ends) / 1e9:.1f} s, "
         f"a sleep of 10 ms took {slow * 1e3:.0f} ms at most")
    test(all(e["state"] == "done" for e in ends) and len({e["hash"] for e in ends}) == 2 and
         len({e["hash"] for e in ends[::2]}) == 1, "eight fabrics at once have their results",
         ends)
    for name in names:
        remove(name)


def long_run():
    """No soft lockup, no hung task; the panic would be noticed."""
    with open("/proc/sys/kernel/watchdog_thresh", "r+", encoding="ascii") as f:
        before = f.read()
        f.seek(0)
        f.write("20" if DEBUG else "4")
    add("l", [32, 32] if DEBUG else [128, 128], "0-1")
    for policy in ("cp", "unicast"):
        start("l", policy, "fixed", **{"interval": 3000, "dests": 30, "flits": 64,
                                       "warmup": 1000000000})
        busy(15, "l")
        note(f"{policy}: cycle {state('l')['cycle']}, {state('l')['state']}")
        stop("l")
    remove("l")
    with open("/proc/sys/kernel/watchdog_thresh", "w", encoding="ascii") as f:
        f.write(before)
    with open("/dev/kmsg", "rb", buffering=0) as f:
        os.set_blocking(f.fileno(), False)
        found = []
        try:
            while line := f.read(8192):
                if b"lockup" in line or b"blocked for more than" in line:
                    found.append(line)
        except BlockingIOError:
            pass
    test(not found, "no soft lockup under long runs", found)


def power(level, into):
    """Go through suspend as far as a level, back at once."""
    path = "/sys/power/pm_test"
    try:
        with open(path, "w", encoding="ascii") as f:
            f.write(level)
    except OSError as err:
        skip(f"suspend, {level}", err)
        return
    add("p", [8, 8], "0-1")
    run = {"rate_ppb": 400000, "dests": 6, "flits": 16, "warmup": 100, "batches": 20,
           "batch_cycles": 20 if DEBUG else 100, "precision_ppm": 0}
    start("p", "cp", "poisson", **run)
    result = wait("p")["hash"]
    start("p", "cp", "poisson", **ENDLESS)
    before = state("p")["cycle"]
    try:
        with open("/sys/power/state", "w", encoding="ascii") as f:
            f.write(into)
        went = True
    except OSError as err:
        note(err)
        went = False
    # Progress is noted every thousand cycles or so.
    end = time.monotonic() + 60
    while state("p")["cycle"] <= before and time.monotonic() < end:
        time.sleep(0.1)
    test(went and state("p")["state"] == "running" and state("p")["cycle"] > before,
         f"suspend, {level}: the run waits and goes on", state("p"))
    test([t[1] for t in threads()] == ["0-1"] * 2, f"suspend, {level}: threads are where they were",
         threads())
    stop("p")
    start("p", "cp", "poisson", **run)
    test(wait("p").get("hash") == result, f"suspend, {level}: same hash afterwards", state("p"))
    remove("p")
    with open(path, "w", encoding="ascii") as f:
        f.write("none")


def spinning():
    """The barrier also works when nobody spins, or for long."""
    run = {"rate_ppb": 1000000, "dests": 4, "flits": 16, "warmup": 200, "batches": 20,
           "batch_cycles": 10, "precision_ppm": 0}
    before = parameter("spin_us")
    add("b", [6, 6], "0-1")
    hashes = set()
    for us in ("0", "20", "2000", "4294967295"):
        parameter("spin_us", us)
        start("b", "mp", "poisson", **run)
        end = wait("b")
        note(f"spin_us {us}: {end['wall-ns'] / end['cycle'] / 1e3:.1f} us per cycle")
        hashes.add(end["hash"])
    parameter("spin_us", before)
    test(len(hashes) == 1, "same hash however long threads spin", hashes)
    remove("b")


def main():
    """All of it."""
    begin()
    twice()
    order()
    latency()
    many()
    spinning()
    long_run()
    power("freezer", "mem")
    # A VM whose files and consoles are virtio devices does not always survive this.
    if os.environ.get("MCFAB_SUSPEND"):
        power("processors", "mem")
    finish()


main()
