#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=800
"""What of a run is throttled by its cgroup holds up nobody, nor who stops it, nor does a reader
that is."""

import contextlib
import os
import subprocess
import time

from helpers.cgroup import (ENDLESS, GROUP, RUN, TOOL, inside, make_group, pids, throttled,
                            write)
from helpers.life import (CPU, add, begin, busy, finish, note, online, remove, skip, start, state,
                          stop, test, wait, ynl)
from helpers.mcfab_nl import nla
from helpers.others import LIMIT, Crowd, Later, building, fabric, unhindered, until


def took(work):
    """Seconds."""
    at = time.monotonic()
    work()
    return time.monotonic() - at


def another_user():
    """Commands of somebody who has nothing to do with the run."""
    add("o", [4, 4], "0")
    start("o", "cp", "lone", dests=3)
    while state("o")["state"] == "running":
        pass
    ynl.do("stats-get", {"fabric": "o"})
    remove("o")


REQUESTS = {
    "run-get": lambda: state("t"),
    "stats-get": lambda: ynl.do("stats-get", {"fabric": "t"}),
    "batch-get": lambda: ynl.dump("batch-get", {"fabric": "t"}),
    "fabric-get": lambda: ynl.dump("fabric-get", {}),
    "another user": another_user,
    "CPU off and on": lambda: (online(1, False), online(1, True)),
}


def measure(rounds):
    """The longest that each request takes, in so many rounds over a few seconds."""
    most = dict.fromkeys(REQUESTS, 0.0)
    for _ in range(rounds):
        for name, work in REQUESTS.items():
            if name != "CPU off and on" or os.access(CPU % 1, os.W_OK):
                most[name] = max(most[name], took(work))
        time.sleep(0.13)
    return most


def compare():
    """Requests without a run and with one that is throttled: (name, seconds, seconds) of each."""
    rounds = 8
    idle = measure(rounds)
    status = inside([TOOL, "run", "t", "policy", "cp", "workload", "poisson", "rate", "0.0003",
                     "dests", "8", "flits", "16", "warmup", "1000000000", "detach"])
    # only now: the tool has to start, too
    write(f"{GROUP}/cpu.max", "1000 100000")
    before = throttled()
    running = not status[0] and state("t")["state"] == "running"
    most = measure(rounds)
    always = throttled() > before + rounds
    write(f"{GROUP}/cpu.max", "max 100000")
    stop("t")
    test(running and always, "a run with 1 % of a CPU, throttled all the time", status)
    return [(name, idle[name], most[name]) for name in REQUESTS]


def throttled_run():
    """A run with 1 % of a CPU: requests take what they take without it, and 100 ms."""
    add("t", [64, 64], "0-1")
    start("t", "cp", "poisson", **{**ENDLESS, "rate_ppb": 20000})
    busy(0.5)
    stop("t")
    slow = set(REQUESTS)
    # whoever waits for the run does so every time, for a busy machine only once
    for attempt in range(3):
        for name, idle, most in compare():
            note(f"{name}: {idle * 1e3:.1f} ms at most without a run, "
                 f"{most * 1e3:.1f} ms with one that is throttled")
            # an emulated machine is slow: what an idle one takes is not the run's doing
            if most < 0.1 + 2 * idle:
                slow.discard(name)
        if not slow:
            break
        note(f"attempt {attempt + 1}: slow are {slow}")
    for name in REQUESTS:
        test(name not in slow, f"{name}: not held up by it", name)
    remove("t")


@contextlib.contextmanager
def crawl():
    """What is in the cgroup stands still, but for a moment now and then."""
    enter = f"echo $$ > {GROUP}/cgroup.procs && while :; do :; done"
    # they want what there is of the budget, too
    hogs = [subprocess.Popen(["sh", "-c", enter]) for _ in range(4)]
    # not in the middle of exec(): then nobody could join a cgroup until it goes on
    time.sleep(2)
    before = throttled()
    write(f"{GROUP}/cpu.max", "1000 1000000")
    until(lambda: throttled() > before)
    try:
        yield
    finally:
        write(f"{GROUP}/cpu.max", "max 100000")
        for hog in hogs:
            hog.kill()
            hog.wait()


def others(what, pending):
    """Nobody waits for a request that waits for what is throttled."""
    unhindered(what)
    for name, work in {
            "another user's run": another_user,
            "stats-get": lambda: ynl.do("stats-get", {"fabric": "s"}),
            "group-get": lambda: ynl.dump("group-get", {"fabric": "s"}),
            "stop of another fabric": lambda: ynl.do("run-stop", {"fabric": "s"}),
    }.items():
        seconds = min(took(work) for _ in range(2))
        test(seconds < (5 if name == "another user's run" else 1) * LIMIT,
             f"{what}: {name} does not wait", seconds)
    test(pending(), f"{what}: it was under way all the time")


def throttled_stop():
    """Who stops a run that has no CPU time is answered late, others at once."""
    add("s", [8, 8], "0", addressing="lid")
    start("s", "unicast", "lone", dests=3)
    wait("s")
    add("t", [64, 64], "0-1", addressing="lid")
    ynl.do("group-new", {"fabric": "t", "name": "g", "members": b"\1\0\0\0"})
    status = inside([TOOL, "run", "t", "policy", "unicast", "workload", "poisson", "rate",
                     "0.00003", "dests", "8", "warmup", "1000000000", "detach"])
    with crawl():
        asked = Later("run-stop", fabric="t")
        time.sleep(0.2)
        seconds = took(lambda: ynl.dump("group-get", {"fabric": "t"}))
        test(not status[0] and seconds < LIMIT,
             "stop: another user's look at groups of the fabric does not wait", (status, seconds))
        others("stop", asked.is_alive)
        with subprocess.Popen([TOOL, "stop", "t"]) as killed:
            time.sleep(1)
            killed.kill()
        test(killed.returncode < 0, "stop: who asks once more waits, and can be killed",
             killed.returncode)
        crowd = Crowd()
        last = [crowd.ask("run-stop", nla(2, b"t\0")) for _ in range(64)][-1]
        told = crowd.told()
        test(told[:2] == (last, "EBUSY") and b"64 requests wait for others already" in told[2],
             "stop: 64 may wait in a namespace, one does already", told)
        crowd.close()
        test(asked.is_alive() and state("t")["state"] == "running", "stop: it has not ended yet")
    test(not asked.refusal() and asked.answer["state"] == "stopped",
         "stop: answered when the run stands", (asked.refusal(), asked.answer))
    test(took(lambda: stop("t")) < LIMIT, "stop: nothing is left of those who waited")
    remove("t")


def throttled_job():
    """The same for who removes a fabric that is being made without CPU time."""
    enter = f"echo $$ > {GROUP}/cgroup.procs && exec \"$@\""
    with subprocess.Popen(["sh", "-c", enter, "sh", TOOL, "fabric", "add", "b", "topology",
                           "hypercube", "dims", "12", "routing", "updown"],
                          stderr=subprocess.DEVNULL) as child:
        test(building("b"), "del: a fabric is being made in the cgroup")
        with crawl():
            asked = Later("fabric-del", name="b")
            others("del", asked.is_alive)
        test(not asked.refusal() and not fabric("b"), "del: answered when it is gone",
             asked.refusal())
        test(child.wait(), "del: who made it is told")
    remove("s")


def throttled_namespace():
    """A namespace goes, and with it a run that has no CPU time: nobody waits for that."""
    inner = ["ip", "netns", "exec", "gone", TOOL]
    subprocess.run(["ip", "netns", "add", "gone"], check=True)
    subprocess.run([*inner, "fabric", "add", "n", "topology", "mesh", "dims", "64x64", "cpus",
                    "0-1"], check=True)
    status = inside([*inner, "run", "n", *RUN])
    with crawl():
        with subprocess.Popen([*inner, "stop", "n"], stderr=subprocess.DEVNULL) as asked:
            time.sleep(1)
            before = (pids(), asked.poll())
            subprocess.run(["ip", "netns", "del", "gone"], check=True)
            asked.kill()
        time.sleep(1)
        seconds = min(took(lambda: subprocess.run(["unshare", "--net", "true"], check=True))
                      for _ in range(2))
        unhindered("namespace")
        test(before[0] and before[1] is None and set(pids()) == set(before[0]),
             "namespace: its run had no time to end", (status, before, pids()))
        test(seconds < 5 * LIMIT, "namespace: others make one at once", seconds)
    test(until(lambda: not pids()), "namespace: the run ends when it has time", pids())


def readers(number):
    """Processes of the cgroup that show statistics all the time."""
    batch = "/tmp/mcfab-readers.batch"
    write(batch, "stats show t\n" * 50000)
    enter = f"echo $$ > {GROUP}/cgroup.procs && exec {TOOL} -b {batch}"
    return [subprocess.Popen(["sh", "-c", enter], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL) for _ in range(number)]


def throttled_readers():
    """Readers with 1 % of a CPU do not slow a run."""
    run = {"rate_ppb": 300000, "dests": 8, "flits": 16, "warmup": 100, "batches": 20,
           "batch_cycles": 30000, "precision_ppm": 0}
    add("t", [8, 8], "0")
    alone, loaded, hashes = [], [], set()
    for _ in range(2):
        start("t", "cp", "poisson", **run)
        end = wait("t")
        alone.append(end["wall-ns"] / 1e9)
        hashes.add(end["hash"])
    started = readers(3)
    time.sleep(1)
    write(f"{GROUP}/cpu.max", "1000 100000")
    for _ in range(2):
        start("t", "cp", "poisson", **run)
        end = wait("t")
        loaded.append(end["wall-ns"] / 1e9)
        hashes.add(end["hash"])
    alive = [r.poll() is None for r in started]
    write(f"{GROUP}/cpu.max", "max 100000")
    for r in started:
        r.kill()
        r.wait()
    note(f"{alone} s without readers, {loaded} s with three that are throttled")
    test(all(alive) and len(hashes) == 1, "readers read all the time", alive)
    test(min(loaded) < 1.5 * max(alone) + 0.2, "throttled readers do not slow a run",
         (alone, loaded))
    remove("t")


def main():
    """All of it."""
    begin()
    if not make_group():
        skip("throttled runs", "no cgroups (v2) of CPUs")
        finish()
    throttled_run()
    throttled_stop()
    throttled_job()
    throttled_namespace()
    throttled_readers()
    os.rmdir(GROUP)
    finish()


main()
