#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=240
"""Requests that take long hold up nobody: others' generic netlink, even when a writer waits
for its lock; they show how far they are, can be stopped, and leave nothing behind then."""

import os
import signal
import struct
import subprocess
import time

from helpers.life import begin, ksft, note, refused, remove, test, ynl
from helpers.mcfab_nl import client, events, nla, u32s
from helpers.others import LIMIT, Crowd, Later, building, fabric, idle, jobs, unhindered, until

BIG = {"topology": "hypercube", "dims": [13], "routing": "updown"}
GOOD = {"topology": "hypercube", "dims": [10], "routing": "updown"}
# of a mesh with a LID for each node
SIDE = 48
# of a network namespace at a time
MOST = 16
ears = client()


def nodes(numbers):
    """A list of nodes."""
    return [u32s(list(numbers))]


def made():
    """A fabric is made, removed while that is under way, given up."""
    add = Later("fabric-new", name="c", **BIG)
    test(building("c"), "a fabric that takes long is shown in state building", fabric("c"))
    unhindered("fabric-new")
    test(until(lambda: fabric("c").get("build-total", 0)), "progress is shown", fabric("c"))
    before = fabric("c").get("build-done", 0)
    test(until(lambda: fabric("c").get("build-done", 0) > before), "and grows", fabric("c"))
    test(refused("fabric-new", {"name": "c", **BIG}) == ("EEXIST", "a fabric of this name exists"),
         "its name is taken")
    test(refused("run-start", {"fabric": "c", "policy": "unicast", "workload": "lone"}) ==
         ("EBUSY", "the fabric is being built"), "nothing can run on it yet")
    at = time.monotonic()
    ynl.do("fabric-del", {"name": "c"})
    took = time.monotonic() - at
    test(took < LIMIT and not fabric("c"), "removed at once", f"{took} s")
    test(add.refusal() == ("ECANCELED", "stopped before it was done"),
         "who wanted it is told so", add.refusal())
    test(until(lambda: not jobs()), "nobody works on it any more")

    with subprocess.Popen(["mcastctl", "fabric", "add", "c", "topology", "hypercube",
                           "dims", "13", "routing", "updown"]) as child:
        test(building("c"), "once more by another process")
        child.send_signal(signal.SIGKILL)
        child.wait()
        # which may be at the moment when big tables are cleared
        test(until(lambda: not fabric("c") and not jobs()),
             "when that is killed, nothing is left", fabric("c"))


def told():
    """Events, answers and errors are those of requests that do not take long."""
    ears.ntf_subscribe("mgmt")
    add = Later("fabric-new", name="g", **GOOD)
    add.join()
    test(add.answer and add.answer["state"] == "idle" and add.answer["nodes"] == 1024,
         "the answer shows what was made", add.error or add.answer)
    got = [(e["name"], e["msg"]["state"]) for e in events(ears, "fabric-change-ntf")]
    test(got == [("fabric-add-ntf", "building"), ("fabric-change-ntf", "idle")],
         "events: building, then built", got)
    for dims, last in ((4, 15), (11, 2047)):
        request = Later("fabric-new", name="h", topology="hypercube", dims=[dims],
                        routing="updown", root=4000)
        test(request.refusal() == ("ERANGE", "there is no switch 4000 to be the root, "
                                   f"the last is {last}") and
             request.error.nl_msg.extack.get("bad-attr") == ".root",
             f"a root that is not among {last + 1} switches is refused",
             (request.refusal(), request.error and request.error.nl_msg.extack))
    test(not fabric("h"), "and leaves no fabric")
    events(ears, "fabric-del-ntf")

    order()
    down = Later("fault-set", fabric="g", switch=5, port=1, state="down")
    unhindered("fault-set")
    test(not down.refusal() and down.answer["links"] == 1, "a link is down", down.refusal())


def order():
    """A run's start is told of before its end, however short it is."""
    # a run that has to load it is prepared by a thread, which is told of, too
    ynl.do("policy-get", {"name": "unicast"})
    ynl.do("fabric-new", {"name": "o", "topology": "mesh", "dims": [2, 2]})
    names = []
    for _ in range(10):
        ynl.do("run-start", {"fabric": "o", "policy": "unicast", "workload": "lone", "dests": 1,
                             "count": 1})
        names += [e["name"] for e in events(ears, "run-finished-ntf")]
    ynl.do("fabric-del", {"name": "o"})
    names += [e["name"] for e in events(ears, "fabric-del-ntf")]
    test(names == ["fabric-add-ntf"] + 10 * ["fabric-change-ntf", "run-finished-ntf"] +
         ["fabric-del-ntf"], "events: a fabric is there before it goes, a run starts before it ends",
         names)


def prepared():
    """A run is prepared, and stopped before it begins."""
    run = {"policy": "unicast", "workload": "lone", "dests": 1, "count": 20000000}
    ynl.do("fabric-new", {"name": "f", "topology": "mesh", "dims": [8, 8]})
    start = Later("run-start", fabric="f", **run)
    test(building("f"), "a run that takes long to prepare is shown so", fabric("f"))
    test(ynl.do("run-get", {"fabric": "f"})["state"] == "building", "in what shows runs, too")
    test(refused("run-start", {"fabric": "f", **run}) ==
         ("EBUSY", "a run is being prepared: stop it first"), "another one is refused")
    at = time.monotonic()
    after = ynl.do("run-stop", {"fabric": "f"})
    took = time.monotonic() - at
    test(took < LIMIT and after["state"] == "idle", "stopped at once", (took, after))
    test(start.refusal() == ("ECANCELED", "stopped before it was done"),
         "who started it is told so", start.refusal())

    # its preparation may be over before the last look
    start = Later("run-start", fabric="f", **run)
    building("f")
    unhindered("run-start")
    ynl.do("run-stop", {"fabric": "f"})
    start.refusal()
    ynl.do("run-start", {"fabric": "f", "policy": "unicast", "workload": "lone", "dests": 1,
                         "count": 20000})
    test(until(lambda: ynl.do("run-get", {"fabric": "f"})["state"] == "done"),
         "the next one runs", ynl.do("run-get", {"fabric": "f"}))


def u32(kind, value):
    """An attribute that is a number."""
    return nla(kind, struct.pack("=I", value))


def crowd():
    """So many requests of a namespace at a time, and no more; they are given up together."""
    names = [f"w{i}" for i in range(MOST + 1)]
    for name in names:
        ynl.do("fabric-new", {"name": name, "topology": "mesh", "dims": [4, 4], "cpus": "0"})
    asked = Crowd()
    # fabric, policy, workload lone, count, dests
    last = [asked.ask("run-start", nla(2, name.encode() + b"\0") + nla(3, b"unicast\0") +
                      u32(11, 1) + u32(12, 6000000) + u32(13, 1)) for name in names][-1]
    first = asked.told()
    test(first[:2] == (last, "EBUSY") and
         b"16 requests that take long are under way already" in first[2],
         "one request more than a namespace may have at a time is refused, and no other", first)
    states = [f["state"] for f in ynl.dump("fabric-get", {}) if f["name"] in names]
    test(states.count("building") == MOST, f"{MOST} are under way", states)
    asked.close()
    test(until(lambda: not jobs(), 120), "when their socket is closed they end", jobs())
    test(until(lambda: all(fabric(name)["state"] == "idle" for name in names)),
         "and nothing is left of them")
    test(not refused("run-start", {"fabric": "w0", "policy": "unicast", "workload": "lone",
                                   "dests": 1, "count": 20000}), "then there is room again")
    for name in names:
        refused("run-stop", {"fabric": name})
        remove(name)


def reading(what, command, claims=True):
    """Others do not notice what a process computes that reads a dump; killed, it ends."""
    again = ["sh", "-c", f"while mcastctl {command} >/dev/null; do :; done"]
    with subprocess.Popen(again, start_new_session=True, stdout=subprocess.DEVNULL) as child:
        if claims:
            test(building("l"), f"{what}: the fabric is shown in state building", fabric("l"))
        unhindered(what)
        test(child.poll() is None, f"{what}: goes well")
        os.killpg(child.pid, signal.SIGKILL)
    test(until(lambda: fabric("l")["state"] == "idle", 10), f"{what}: killed, it ends")


def killed():
    """A change of a group whose process is killed has changed nothing."""
    before = (ynl.do("group-get", {"fabric": "l", "name": "g"}), fabric("l")["bytes"])
    for change in ("join l g members 2", "leave l g members 1"):
        with subprocess.Popen(["mcastctl", "group", *change.split()],
                              stderr=subprocess.DEVNULL) as child:
            test(building("l"), f"group {change}: it takes long", fabric("l"))
            test(until(lambda: fabric("l").get("build-done", 0)), "progress is shown", fabric("l"))
            at = time.monotonic()
            child.send_signal(signal.SIGKILL)
            child.wait()
        test(until(lambda: fabric("l")["state"] == "idle", 10), "killed, it ends")
        note(f"within {(time.monotonic() - at) * 1e3:.0f} ms")
        after = (ynl.do("group-get", {"fabric": "l", "name": "g"}), fabric("l")["bytes"])
        test(after == before, "and nothing has changed", (before, after))


def tables():
    """Plans, checks of tables and changes of groups in a network with LIDs."""
    ynl.do("fabric-new", {"name": "l", "topology": "mesh", "dims": [SIDE, SIDE],
                          "addressing": "lid"})
    reading("table-check", "table check l")
    reading("verify", "verify l policy unicast samples 1000000000", claims=False)
    ynl.do("group-new", {"fabric": "l", "name": "g", "members": nodes(range(0, SIDE * SIDE, 7))})
    assign = Later("group-assign", fabric="l", name="g")
    test(building("l"), "group-assign: the fabric is shown in state building", fabric("l"))
    test(refused("group-join", {"fabric": "l", "name": "g", "members": nodes([1])}) ==
         ("EBUSY", "a group is being changed: try again later"), "group-assign: no other change")
    unhindered("group-assign")
    test(not assign.refusal() and assign.answer["lids-total"] == SIDE * SIDE,
         "group-assign: all sources have LIDs", assign.refusal() or assign.answer)
    join = Later("group-join", fabric="l", name="g", members=nodes([1]))
    unhindered("group-join")
    test(not join.refusal() and join.answer["members-total"] == -(-SIDE * SIDE // 7) + 1,
         "group-join: the answer comes when it is done", join.refusal() or join.answer)
    killed()
    change = Later("table-set", fabric="l", entry=[{"kind": "lft", "switch": 0, "lid": SIDE,
                                                    "ports": b"\1"}])
    unhindered("table-set")
    test(not change.refusal(), "table-set: acknowledged when it is done", change.refusal())
    ynl.do("group-del", {"fabric": "l", "name": "g"})
    ynl.do("fabric-del", {"name": "l"})
    ynl.do("fabric-new", {"name": "l", "topology": "mesh", "dims": [256, 256]})
    reading("plan", "plan l policy qg from 0 to 1-65535", claims=False)
    ynl.do("fabric-del", {"name": "l"})


def gone():
    """Namespaces end and the module is unloaded, whatever is under way: the last test."""
    subprocess.run(["ip", "netns", "add", "jobs"], check=True)
    with subprocess.Popen(["ip", "netns", "exec", "jobs", "mcastctl", "fabric", "add", "c",
                           "topology", "hypercube", "dims", "13", "routing", "updown"],
                          stderr=subprocess.DEVNULL) as child:
        test(until(jobs), "a fabric is made in a namespace")
        subprocess.run(["ip", "netns", "del", "jobs"], check=True)
        child.kill()
        child.wait()
    test(until(lambda: not jobs(), 10), "its end is the end of that")

    add = Later("fabric-new", name="c", **BIG)
    building("c")
    with open("/proc/modules", encoding="ascii") as f:
        loaded = [line.split()[0] for line in f if line.startswith("mcfab")]
    for name in ("f", "g"):
        refused("run-stop", {"fabric": name})
        refused("fabric-del", {"name": name})
    for name in sorted(loaded, key=lambda name: name == "mcfab"):
        subprocess.run(["rmmod", name], check=False)
    test(not os.path.exists("/sys/module/mcfab") and not jobs(), "the module is unloaded")
    test(add.refusal() == ("ECANCELED", "stopped before it was done"), "the caller is told so",
         add.refusal())
    subprocess.run(["modprobe", "mcfab"], check=True)


begin()
note(f"a round trip takes {idle * 1e6:.0f} us; the limit is {LIMIT:.2f} s")
made()
told()
prepared()
crowd()
tables()
gone()
ksft.set_plan(ksft.ksft_test_number - 1)
ksft.finished()
