#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=800
"""Threads of a run belong to whoever starts it: they stay in its cgroups, its cpuset and its
CPU budget, and get neither CPUs nor a nice level that it could not have. They are kernel
threads, which a cgroup cannot kill or freeze. What of a run is throttled holds up nobody, nor
who stops it, nor does a reader that is."""

import contextlib
import errno
import os
import statistics
import subprocess
import time

from helpers.life import (CPU, EMULATED, add, begin, busy, finish, note, online, refused, remove,
                          skip, start, state, stop, test, threads, wait, ynl)
from helpers.mcfab_nl import TOP, nla
from helpers.others import LIMIT, Crowd, Later, building, fabric, unhindered, until

ROOT = "/sys/fs/cgroup"
GROUP = f"{ROOT}/mcfab-cpu"
ISOLATED = f"{ROOT}/mcfab-isolated"
TOOL = os.path.join(TOP, "tools/mcastctl/mcastctl")
ENDLESS = {"rate_ppb": 300000, "dests": 8, "flits": 16, "warmup": 1000000000,
           "batches": 20, "batch_cycles": 1000000000}
RUN = ["policy", "cp", "workload", "poisson", "rate", "0.0003", "dests", "8", "flits", "16",
       "warmup", "1000000000", "detach"]


def write(path, text):
    """All of a file."""
    with open(path, "w", encoding="ascii") as f:
        f.write(str(text))


def read(path):
    """What is in a file."""
    with open(path, encoding="ascii") as f:
        return f.read()


def make_group():
    """A cgroup with CPUs and a budget; False where there are none."""
    try:
        write(f"{ROOT}/cgroup.subtree_control", "+cpu +cpuset")
        os.mkdir(GROUP)
    except OSError as err:
        note(err)
        return False
    return True


def inside(words, before=(), group=GROUP):
    """Run a program in a cgroup: (status, what it printed)."""
    enter = f"echo $$ > {group}/cgroup.procs && exec \"$@\""
    done = subprocess.run([*before, "sh", "-c", enter, "sh", *words], check=False,
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def tool(*words, before=()):
    """The tool, outside of the cgroup: (status, what it printed)."""
    done = subprocess.run([*before, TOOL, *words], check=False, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def pids():
    """The router threads."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if read(f"/proc/{pid}/comm").startswith("mcfab/"):
                found.append(int(pid))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def used():
    """Seconds of CPU time the cgroup has used."""
    return int(read(f"{GROUP}/cpu.stat").split("usage_usec ")[1].split()[0]) / 1e6


def throttled():
    """How often the cgroup was."""
    return int(read(f"{GROUP}/cpu.stat").split("nr_throttled ")[1].split()[0])


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
    throttled_run()
    throttled_stop()
    throttled_job()
    throttled_namespace()
    throttled_readers()
    os.rmdir(GROUP)
    finish()


main()
