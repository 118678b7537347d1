#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=300
"""Big forwarding tables hold up nobody who uses generic netlink: to make them for a fabric with
LIDs or for a policy, to look for entries, to make room for what is loaded, to forget it, to
remove the fabric. Its memory is there for the next one."""

import struct
import threading
import time

from helpers.life import EMULATED, begin, ksft, note, refused, test, ynl
from helpers.mcfab_nl import NLM_F_DUMP, NLM_F_REQUEST, Raw, client, events, nla, u32s
from helpers.others import LIMIT, Later, building, fabric, jobs, unhindered, until

MESH = {"topology": "mesh", "dims": [64, 64]}
STOPPED = ("ECANCELED", "stopped before it was done")
# half a gigabyte of tables, which are empty
BIG = {"topology": "irregular", "switches": 11000, "switch-ports": 8, "hosts": 37000,
       "addressing": "lid"}
# in which multicast LIDs are looked for
WIDE = {**BIG, "hosts": 11000}
PARAMETER = "/sys/module/mcfab/parameters/max_memory_mb"
ears = client()


class Reader(threading.Thread):
    """Dumps multicast tables over and over; what is shown of them does not matter."""

    def __init__(self, name):
        super().__init__()
        self.raw = Raw(ynl.nlproto.family_id)
        attrs = ynl.attr_sets["table"]
        self.request = struct.pack("=BBH", ynl.ops["table-get"].req_value, 1, 0) + \
            nla(attrs["fabric"].value, name.encode() + b"\0") + \
            nla(attrs["kind"].value, struct.pack("=I", 2))
        self.parts = 0
        self.stop = False
        self.start()

    def run(self):
        while not self.stop:
            self.raw.sock.send(self.raw.message(self.request, NLM_F_REQUEST | NLM_F_DUMP))
            while not self.stop:
                self.parts += 1
                if struct.unpack_from("=H", self.raw.sock.recv(1 << 16), 4)[0] == 3:
                    break
        self.raw.sock.close()


def lids():
    """A mesh with LIDs is made."""
    add = Later("fabric-new", name="c", addressing="lid", **MESH)
    test(building("c"), "LIDs: the fabric is shown in state building", fabric("c"))
    test(until(lambda: (fabric("c") or {}).get("build-done", 0)), "LIDs: progress is shown")
    at = time.monotonic()
    ynl.do("fabric-del", {"name": "c"})
    took = time.monotonic() - at
    test(took < LIMIT and not fabric("c"), "LIDs: removed at once", took)
    test(add.refusal() == STOPPED, "LIDs: who wanted it is told so", add.refusal())
    add = Later("fabric-new", name="c", addressing="lid", **MESH)
    unhindered("LIDs")
    refused("fabric-del", {"name": "c"})
    add.refusal()
    test(until(lambda: not jobs()), "LIDs: nobody works on it any more")


def implied():
    """A policy of tables is run on a mesh without LIDs."""
    run = {"policy": "xy-union", "workload": "lone", "count": 10, "dests": 3}
    ynl.do("fabric-new", {"name": "c", "switching": "cut-through", "buffer-packets": 1, **MESH})
    # loads the module
    ynl.do("policy-get", {"name": "xy-union"})
    start = Later("run-start", fabric="c", **run)
    test(building("c"), "policy: the fabric is shown in state building", fabric("c"))
    at = time.monotonic()
    ynl.do("run-stop", {"fabric": "c"})
    took = time.monotonic() - at
    test(took < LIMIT, "policy: stopped at once", took)
    test(start.refusal() == STOPPED, "policy: who started it is told so", start.refusal())
    start = Later("run-start", fabric="c", **run)
    unhindered("policy")
    ynl.do("run-stop", {"fabric": "c"})
    start.refusal()
    ynl.do("fabric-del", {"name": "c"})


def looking():
    """Entries are looked for that are not there, up to the last multicast LID."""
    ynl.do("fabric-new", {"name": "w", **WIDE})
    ynl.do("group-new", {"fabric": "w", "name": "g", "members": [u32s([1, 2])], "lid": 0xfffe})
    reader = Reader("w")
    unhindered("table-get")
    reader.stop = True
    reader.join()
    note(f"table-get: {reader.parts} parts were read")
    test(reader.parts > 10, "table-get: the dump has many parts", reader.parts)
    ynl.do("fabric-del", {"name": "w"})


def states(op, **attrs):
    """States that are told of while a request is served, and its refusal."""
    ears.check_ntf()
    ears.async_msg_queue = []
    request = Later(op, **attrs)
    why = request.refusal()
    ears.check_ntf()
    got = [e["msg"]["state"] for e in events(ears, "fabric-change-ntf", 1)]
    return got, why


def memory(mib):
    """The bound; what it was."""
    with open(PARAMETER, "r+", encoding="ascii") as f:
        before = f.read()
        f.seek(0)
        f.write(str(mib))
    return before


def loading():
    """Tables are loaded and forgotten; their fabric goes, and the next one takes its place."""
    ears.ntf_subscribe("mgmt")
    ynl.do("fabric-new", {"name": "b", **BIG})
    test(states("table-begin", fabric="b") == ([], None), "loading: begun at once")
    entry = [{"kind": "lft", "switch": 0, "lid": 1, "ports": b"\0"}]
    got = states("table-append", fabric="b", entry=entry)
    test(got[0][:1] == ["building"] and not got[1], "loading: a thread makes room", got)
    got = states("table-append", fabric="b", entry=entry)
    test(got == ([], None), "loading: of which there is enough then", got)
    got = states("table-abort", fabric="b")
    test(got[0][:1] == ["building"] and not got[1], "loading: a thread gives it back", got)

    before = memory(800)
    at = time.monotonic()
    ynl.do("fabric-del", {"name": "b"})
    took = time.monotonic() - at
    again = refused("fabric-new", {"name": "b", **BIG})
    memory(before)
    note(f"loading: the fabric was removed in {took * 1e3:.1f} ms")
    test(took < LIMIT / 10, "loading: the fabric is removed at once", took)
    test(not again, "loading: one as big takes its place", again)
    ynl.do("fabric-del", {"name": "b"})


begin()
note(f"the limit is {LIMIT:.2f} s, {'emulated' if EMULATED else 'not emulated'}")
lids()
implied()
looking()
loading()
ksft.set_plan(ksft.ksft_test_number - 1)
ksft.finished()
