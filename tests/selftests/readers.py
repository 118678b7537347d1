#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=240
"""Whoever only looks holds up nobody: root's stop is as fast beside four unprivileged readers,
and what sources have waiting costs neither of them anything. Nor does a look do harm, whatever
root changes meanwhile."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time

from helpers.life import (EMULATED, add, begin, finish, note, remove, start, state, stop, test,
                          wait, ynl)
from helpers.mcfab_nl import TOP, u32s

# Seconds; an emulated machine is some 20 times slower, and not alone on its host.
LIMIT = 5 if EMULATED else 0.1
READERS = 4
SIDE = 40
AS_NOBODY = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
folder = tempfile.mkdtemp(prefix="mcfab-readers-")
os.chmod(folder, 0o755)
# where anybody may read it
TOOL = shutil.copy(os.path.join(TOP, "tools/mcastctl/mcastctl"), folder)


@contextlib.contextmanager
def readers(command):
    """Processes of nobody's that show something over and over."""
    # refused while a run is being prepared
    loop = [*AS_NOBODY, "sh", "-c", f"while :; do {TOOL} {command} >/dev/null 2>&1; done"]
    children = []
    try:
        for _ in range(READERS):
            children.append(subprocess.Popen(loop, start_new_session=True))
        time.sleep(1)
        yield
    finally:
        for child in children:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def stopped(name, times, run):
    """Seconds that it takes to stop a run, each time."""
    took = []
    for _ in range(times):
        start(name, *run[0], **run[1])
        time.sleep(0.3)
        took.append(stop(name))
    return sorted(took)


def tables():
    """Root stops a run while nobody dumps all multicast tables of a network."""
    add("r", [SIDE, SIDE], "0", addressing="lid")
    ynl.do("group-new", {"fabric": "r", "name": "g",
                         "members": [u32s(list(range(0, SIDE * SIDE, 7)))]})
    ynl.do("group-assign", {"fabric": "r", "name": "g"})
    run = (("unicast", "poisson"), {"rate_ppb": 100000, "dests": 3, "warmup": 1000000000})
    alone = stopped("r", 5, run)
    test(not subprocess.run([*AS_NOBODY, TOOL, "table", "dump", "r", "mft"], check=False,
                            stdout=subprocess.DEVNULL).returncode, "tables: nobody reads them")
    with readers("table dump r mft"):
        beside = stopped("r", 5, run)
    note(f"tables: stop took {alone[2] * 1e3:.1f} ms alone, {beside[2] * 1e3:.1f} ms beside "
         f"{READERS} readers, {beside[-1] * 1e3:.1f} ms at most")
    test(beside[2] < LIMIT, "tables: root's stop does not wait for readers", beside)
    remove("r")


def changes():
    """Root makes and removes groups, by threads, while nobody dumps all multicast tables."""
    add("c", [SIDE, SIDE], "0", addressing="lid")
    ynl.do("group-new", {"fabric": "c", "name": "keep", "members": [u32s([1, 2, 3])]})
    ynl.do("group-assign", {"fabric": "c", "name": "keep", "source": 0})
    members = ",".join(map(str, range(0, SIDE * SIDE, 7)))
    batch = os.path.join(folder, "changes")
    with open(batch, "w", encoding="ascii") as f:
        print(f"group add c g members {members}", file=f)
        for source in range(0, 200, 3):
            print(f"group assign c g source {source}", file=f)
        print("group assign c g", "group join c g members 1", "group del c g", sep="\n", file=f)
    rounds, errors = 0, ""
    end = time.monotonic() + 40
    with readers("table dump c mft"):
        while time.monotonic() < end and not errors:
            errors = subprocess.run([TOOL, "-b", batch], check=False, capture_output=True,
                                    text=True).stderr
            rounds += 1
    note(f"changes: {rounds} rounds")
    test(not errors, "changes: beside readers of tables", errors)
    left = ynl.do("group-get", {"fabric": "c", "name": "keep"})
    test(left["lids-total"] == 1, "changes: the rest is what it was", left)
    remove("c")


def queues():
    """Each of 65,536 sources has a backlog that grows in every cycle."""
    add("q", [256, 256], "0")
    start("q", "unicast", "poisson", rate_ppb=1000000000, dests=1, warmup=1000000000)
    end = time.monotonic() + 20
    looks = []
    while time.monotonic() < end and state("q")["state"] == "running":
        at = time.monotonic()
        subprocess.run([*AS_NOBODY, TOOL, "stats", "show", "q"], stdout=subprocess.DEVNULL,
                       check=True)
        looks.append(time.monotonic() - at)
        time.sleep(0.1)
    took = stop("q")
    looks.sort()
    at = wait("q")
    note(f"queues: cycle {at['cycle']}, {at['messages']} messages; {len(looks)} looks, median "
         f"{looks[len(looks) // 2] * 1e3:.1f} ms, most {looks[-1] * 1e3:.1f} ms; "
         f"stopped in {took * 1e3:.1f} ms")
    test(at["state"] == "stopped" and at["cycle"] > 100, "queues: the run goes on", at)
    test(looks[len(looks) // 2] < 2 * LIMIT, "queues: nobody's look at statistics", looks[-3:])
    test(took < LIMIT, "queues: root's stop", took)
    remove("q")


begin()
tables()
changes()
queues()
shutil.rmtree(folder)
finish()
