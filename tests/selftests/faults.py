#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=400
"""Every allocation of every request fails once: the request is refused and says why,
nothing has changed, nothing is lost (the runner looks for leaks), and then it works."""

import os
import threading

from helpers.mcfab_nl import u32s
from helpers.life import (DEBUG, NlError, add, begin, finish, note, parameter, refused, remove,
                          skip, start, state, stop, test, threads, wait, ynl)

FAILSLAB = "/sys/kernel/debug/failslab"
MOST = 600
MUTE = []       # refusals without a text
RUN = {"fabric": "f", "policy": "qg", "workload": "poisson", "rate-ppb": 100000, "dests": 4,
       "multicast-fraction-ppm": 500000, "flits": 8, "warmup": 1000000000}


def setup():
    """Fail allocations that may sleep, too, if the module asks for them."""
    def put(name, value):
        with open(f"{FAILSLAB}/{name}", "w", encoding="ascii") as f:
            f.write(str(value))

    with open("/proc/modules", encoding="ascii") as f:
        spans = [(int(w[5], 16), int(w[1])) for w in map(str.split, f)
                 if w[0].startswith("mcfab")]
    put("ignore-gfp-wait", "N")
    put("verbose", 0)
    put("stacktrace-depth", 64)
    put("require-start", hex(min(s[0] for s in spans)))
    put("require-end", hex(max(s[0] + s[1] for s in spans)))


def nth(work):
    """Let each allocation of this fail in turn; how many there were, what was refused."""
    path = f"/proc/self/task/{threading.get_native_id()}/fail-nth"
    outcome = {}
    for n in range(1, MOST):
        fd = os.open(path, os.O_RDWR)
        os.write(fd, str(n).encode())
        try:
            work()
            result = "done"
        except NlError as err:
            result = f"{err.error}"
            if not (err.nl_msg.extack or {}).get("msg"):
                MUTE.append((n, result))
        except OSError as err:
            result = f"send {err.errno}"
        left = int(os.pread(fd, 16, 0).split(b"\0")[0])
        os.write(fd, b"0")
        os.close(fd)
        yield n, result, left != 0
        outcome[result] = outcome.get(result, 0) + 1
        if left:
            note(outcome)
            return


def names():
    """Fabrics there are."""
    return [f["name"] for f in ynl.dump("fabric-get", {})]


def fabric_new():
    """Make a fabric."""
    count, good = 0, True
    for count, result, through in nth(lambda: add("f", [4, 4], "0-1", vcs=2)):
        there = names()
        # The answer may get lost although the fabric was made.
        good &= there == (["f"] if result == "done" else []) or result.startswith("send")
        if not good:
            note((count, result, there))
        if not through and there:
            remove("f")
    test(good and count > 5, f"fabric-new: {count - 1} allocations", count)


def irregular_new():
    """Make an irregular fabric: where that fails, its graph still waits."""
    def stage():
        ynl.do("graph-begin", {"fabric": "i", "switches": 1, "hosts": 2})
        ynl.do("graph-append", {"fabric": "i", "switch": [{"ports": 3}],
                                "host": [{"switch": 0, "port": port} for port in (1, 2)]})

    count, good = 0, True
    stage()
    for count, result, through in nth(lambda: ynl.do(
            "fabric-new", {"name": "i", "topology": "irregular", "cpus": "0-1"})):
        made = "i" in names()
        good &= made == (result == "done") or result.startswith("send")
        # ENOENT: there was no graph
        good &= abs(int(result)) != 2 if result.lstrip("-").isdigit() else True
        if made:
            remove("i")
        if made and not through:
            stage()
        if not good:
            note((count, result, made))
    test(good and count > 5, f"fabric-new of a graph: {count - 1} allocations", count)


def generated_new():
    """Make a fabric of a network that is generated."""
    wish = {"name": "g", "topology": "irregular", "switches": 3, "switch-ports": 4, "hosts": 4,
            "cpus": "0-1"}
    count, good = 0, True
    for count, result, through in nth(lambda: ynl.do("fabric-new", wish)):
        made = "g" in names()
        good &= made == (result == "done") or result.startswith("send")
        if not good:
            note((count, result, made))
        if made:
            remove("g")
    test(good and count > 20, f"fabric-new of a generated graph: {count - 1} allocations", count)


def run_start():
    """Start a run; a policy is loaded already."""
    count, good = 0, True
    before = state("f")
    for count, result, through in nth(lambda: ynl.do("run-start", RUN)):
        if result != "done" and not through:
            now = state("f")
            good &= now == before and not threads()
            if now != before:
                note((count, result, now))
        else:
            refused("run-stop", {"fabric": "f"})
            before = state("f")
    test(good and count > 20, f"run-start: {count - 1} allocations", count)


def seen(name):
    """What there is to see of a fabric with LIDs."""
    return (ynl.do("fabric-get", {"name": name}), ynl.dump("group-get", {"fabric": name}),
            ynl.dump("table-get", {"fabric": name, "kind": "mft"}))


def group_lids():
    """Multicast LIDs that a refused run, plan or request was to use are not there."""
    add("l", [4, 4], addressing="lid")
    ynl.do("group-new", {"fabric": "l", "name": "g", "members": u32s([1, 2, 3])})
    run = {"fabric": "l", "policy": "xy-union", "workload": "poisson", "rate-ppb": 1000,
           "group": "g"}
    plan = {"fabric": "l", "policy": "table", "source": 0, "group": "g"}
    for name, work in (("plan", lambda: ynl.dump("plan-get", plan)),
                       ("run", lambda: ynl.do("run-start", run)),
                       ("group-assign", lambda: ynl.do("group-assign",
                                                       {"fabric": "l", "name": "g"}))):
        count, good = 0, True
        before = seen("l")
        for count, result, through in nth(work):
            if result == "done" or through:
                refused("run-stop", {"fabric": "l"})
                before = seen("l")
                continue
            now = seen("l")
            if now != before:
                note((name, count, result, now[0], before[0]))
            good &= now == before
        test(good and count > 0, f"{name} of a group: {count - 1} allocations", count)
    remove("l")


def dump(name, request):
    """A dump that computes: it is refused, or complete."""
    count, good = 0, True
    want = ynl.dump(name, request)

    def work():
        nonlocal good
        good &= ynl.dump(name, request) == want

    for count, _, _ in nth(work):
        pass
    test(good and 5 < count < MOST - 1, f"{name}: {count - 1} allocations", count)


def dumps():
    """A plan; a proof; a cycle, of which crowds of messages find no deadlock."""
    dump("plan-get", {"fabric": "f", "policy": "qg", "source": 0,
                      "destinations": u32s([5, 10, 15])})
    dump("verify", {"fabric": "f", "policy": "qg", "samples": 10, "unicasts": True})
    dump("verify", {"fabric": "f", "policy": "qg", "dests": 2, "consume": 3, "crowds": 1})


def others():
    """The rest of what takes memory."""
    for op, attrs in (("upload-begin", {"fabric": "f", "type": "messages", "messages-total": 5,
                                        "destinations-total": 9}),
                      ("graph-begin", {"fabric": "i", "switches": 2, "hosts": 2}),
                      ("stats-get", {"fabric": "f"}), ("run-get", {"fabric": "f"}),
                      ("policy-get", {"name": "qg"})):
        count = 0
        for count, _, _ in nth(lambda: ynl.do(op, attrs)):     # pylint: disable=W0640
            pass
        test(0 < count < MOST - 1, f"{op}: {count - 1} allocations", count)


def main():
    """All of it."""
    begin()
    if not DEBUG or not os.path.exists(FAILSLAB):
        skip("faults", "this kernel cannot inject faults")
        finish()
    # Load what is needed first: loading is the kernel's own business.
    add("f", [6, 6])
    start("f", "qg", "lone", dests=3)
    wait("f")
    remove("f")
    for policy in ("xy-union", "table"):
        ynl.do("policy-get", {"name": policy})
    setup()
    used = parameter("max_memory_mb")
    fabric_new()
    irregular_new()
    generated_new()
    run_start()
    dumps()
    group_lids()
    others()
    test(not MUTE, "every refusal says why", MUTE)
    start("f", "qg", "lone", dests=3)
    test(wait("f")["state"] == "done", "afterwards it works")
    remove("f")
    parameter("max_memory_mb", 1)
    test(refused("fabric-new", {"name": "g", "topology": "mesh", "dims": [4, 4], "cpus": "0"})
         is None, "all that was counted is given back")
    parameter("max_memory_mb", used)
    finish()


main()
