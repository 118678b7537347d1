#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=400
"""Every bad input is refused with its own message, at the attribute to blame, and
changes nothing: bad values, busy fabrics, malformed and truncated messages.
Random damage to good messages at the end."""

import os
import random
import struct
import time

from helpers.mcfab_nl import (Tap, Raw, client, error_name, refusal, request, u32s, u64s, nla,
                              DEBUG, NLA_F_NESTED, NLM_F_ACK, NLM_F_DUMP, NLM_F_REQUEST)

MESH = {"topology": "mesh", "dims": [4, 4]}
LONE = {"fabric": "e0", "policy": "dp", "workload": "lone", "dests": 3, "count": 1}
PLAN = {"fabric": "e0", "policy": "dp", "source": 0, "destinations": [u32s([1, 5])]}


def without(values, *names):
    """A request that lacks some attributes."""
    return {k: v for k, v in values.items() if k not in names}


def new(**values):
    """A request for a fabric e1, but for what is given."""
    return {"name": "e1", **MESH, **{k.replace("_", "-"): v for k, v in values.items()}}


def run(**values):
    """A request for a run on e0, but for what is given."""
    return {**LONE, **{k.replace("_", "-"): v for k, v in values.items()}}


A = {"class-name": "a", "rate-ppb": 1000, "dests": 3}
HALF = {"share-ppm": 500000, "dests": 3}


def load(classes, **values):
    """A request for a load on e0 with classes of traffic."""
    return {"fabric": "e0", "policy": "dp", "workload": "poisson", "traffic-class": classes,
            **{k.replace("_", "-"): v for k, v in values.items()}}


def plan(**values):
    """A request for a plan on e0, but for what is given."""
    return {**PLAN, **values}


def param(name, value):
    """A parameter of a policy."""
    return {"name": name, "value": value}


# operation, request, errors, part of the message, attribute to blame
RANGE = ("ERANGE",)
CASES = [
    ("fabric-new", without(new(), "name"), ("EINVAL",), "missing", "name"),
    ("fabric-new", without(new(), "topology"), ("EINVAL",), "missing", "topology"),
    ("fabric-new", without(new(), "dims"), ("EINVAL",), "missing", "dims"),
    ("fabric-new", new(name=""), ("EINVAL",), "empty", ".name"),
    ("fabric-new", new(name="a b"), ("EINVAL",), "character", ".name"),
    ("fabric-new", new(name="a/b"), ("EINVAL",), "character", ".name"),
    ("fabric-new", new(name="n" * 32), ("EINVAL", "ERANGE"), "", ".name"),
    ("fabric-new", new(name="e0"), ("EEXIST",), "exists", ".name"),
    ("fabric-new", new(topology="moebius"), ("ENOENT",), "topology moebius", ".topology"),
    ("fabric-new", new(dims=[0]), ("EINVAL",), "no nodes", ".dims"),
    ("fabric-new", new(dims=[4, 0]), ("EINVAL",), "dimension 1", ".dims"),
    ("fabric-new", new(dims=[1024, 1025]), ("EINVAL",), "more than 1048576", ".dims"),
    ("fabric-new", new(dims=[65536, 65536]), ("EINVAL",), "more than 1048576", ".dims"),
    ("fabric-new", new(dims=[0xffffffff] * 8), ("EINVAL",), "more than 1048576", ".dims"),
    ("fabric-new", new(dims=[2] * 9), ("EINVAL",), "more than 8", ".dims"),
    ("fabric-new", new(dims=[65537]), ("EINVAL",), "more than 65536", ".dims"),
    ("fabric-new", new(topology="torus", dims=[4, 1]), ("EINVAL",), "link to itself", ".dims"),
    ("fabric-new", new(topology="ring"), ("EINVAL",), "one number", ".dims"),
    ("fabric-new", new(topology="star", dims=[9]), ("EINVAL",), "3 to 8 symbols", ".dims"),
    ("fabric-new", new(topology="star", dims=[2]), ("EINVAL",), "3 to 8 symbols", ".dims"),
    ("fabric-new", new(topology="hypercube", dims=[17]), ("EINVAL",), "1 to 16", ".dims"),
    ("fabric-new", new(vcs=0), RANGE, "range", ".vcs"),
    ("fabric-new", new(vcs=17), RANGE, "range", ".vcs"),
    ("fabric-new", new(buffer=0), RANGE, "range", ".buffer"),
    ("fabric-new", new(buffer=65536), RANGE, "range", ".buffer"),
    ("fabric-new", new(inject=0), RANGE, "range", ".inject"),
    ("fabric-new", new(inject=65), RANGE, "range", ".inject"),
    ("fabric-new", new(consume=0), RANGE, "range", ".consume"),
    ("fabric-new", new(link_delay=0), RANGE, "range", ".link-delay"),
    ("fabric-new", new(link_delay=65), RANGE, "range", ".link-delay"),
    ("fabric-new", new(consume_delay=0), RANGE, "range", ".consume-delay"),
    ("fabric-new", new(route_delay=65536), RANGE, "range", ".route-delay"),
    ("fabric-new", new(startup=10000001), RANGE, "range", ".startup"),
    ("fabric-new", new(cycle_ps=0), RANGE, "range", ".cycle-ps"),
    ("fabric-new", new(stall_limit=0), RANGE, "range", ".stall-limit"),
    ("fabric-new", new(nice=20), RANGE, "range", ".nice"),
    ("fabric-new", new(nice=-21), RANGE, "range", ".nice"),
    ("fabric-new", new(input_speedup=2), RANGE, "range", ".input-speedup"),
    ("fabric-new", new(pipeline="flit", route_delay=40, link_delay=40), ("ERANGE",),
     "pipeline flit", ".route-delay"),
    ("fabric-new", new(node_bandwidth="shared", replication="lockstep"), ("ENOTSUP", "EOPNOTSUPP"),
     "lockstep", ".node-bandwidth"),
    ("fabric-new", new(allocator="separable"), ("EINVAL",), "input-speedup 1", ".allocator"),
    ("fabric-new", new(allocator="islip"), ("EINVAL",), "islip needs input-speedup 1",
     ".allocator"),
    ("fabric-new", new(allocator=4), RANGE, "range", ".allocator"),
    ("fabric-new", new(router=0), RANGE, "range", ".router"),
    ("fabric-new", new(router=3), RANGE, "range", ".router"),
    ("fabric-new", new(router="booksim", allocator="separable", input_speedup=0), ("EINVAL",),
     "input-speedup 1", ".allocator"),
    ("fabric-new", new(router="booksim", replication="lockstep"), ("EINVAL", "EOPNOTSUPP"),
     "replication async", ".router"),
    ("fabric-new", new(switching=0), RANGE, "range", ".switching"),
    ("fabric-new", new(switching=4), RANGE, "range", ".switching"),
    ("fabric-new", new(link_arbitration="packet"), ("EINVAL",), "packet", ".link-arbitration"),
    ("fabric-new", new(cpus="zero"), ("EINVAL",), "list of CPUs", ".cpus"),
    ("fabric-new", new(cpus=""), ("EINVAL",), "no CPU", ".cpus"),
    ("fabric-new", new(cpus="0-99999"), ("EINVAL",), "no such CPU", ".cpus"),
    ("fabric-new", new(cpus="63"), ("EINVAL",), "no such CPU", ".cpus"),
    ("fabric-new", new(cpus="0," * 600), ("EINVAL", "ERANGE"), "", ".cpus"),
    ("fabric-new", {**new(), "id": 7}, ("EINVAL",), "", ".id"),

    ("fabric-del", {}, ("EINVAL",), "missing", "name"),
    ("fabric-del", {"name": "nowhere"}, ("ENOENT",), "no such fabric", ".name"),
    ("fabric-del", {"id": 4000000}, ("ENOENT",), "no such fabric", ".id"),
    ("fabric-del", {"id": 0}, RANGE, "range", ".id"),
    ("fabric-del", {"name": "busy"}, ("EBUSY",), "stop it first", ".name"),
    ("fabric-get", {"name": "nowhere"}, ("ENOENT",), "no such fabric", ".name"),

    ("node-get", {"fabric": "e0"}, ("EINVAL",), "missing", "node"),
    ("node-get", {"fabric": "e0", "node": 16}, ("EINVAL",), "not below 16", ".node"),
    ("node-get", {"fabric": "e0", "label": 16}, ("EINVAL",), "not below 16", ".label"),
    ("node-get", {"fabric": "e0", "node": 4, "label": 4}, ("EINVAL",), "different", ".label"),
    ("node-get dump", {"fabric": "nowhere"}, ("ENOENT",), "no such fabric", ".fabric"),
    ("node-get dump", {}, ("EINVAL",), "missing", "fabric"),

    ("policy-get", {}, ("EINVAL",), "missing", "name"),
    ("policy-get", {"name": "no-such"}, ("ENOENT",), "no such policy", ".name"),

    ("plan-get dump", without(PLAN, "policy"), ("EINVAL",), "missing", "policy"),
    ("plan-get dump", without(PLAN, "source"), ("EINVAL",), "missing", "source"),
    ("plan-get dump", without(PLAN, "fabric"), ("EINVAL",), "missing", "fabric"),
    ("plan-get dump", without(PLAN, "destinations"), ("EINVAL",), "missing", "destinations"),
    ("plan-get dump", plan(policy="no-such"), ("ENOENT",), "policy", ".policy"),
    ("verify dump", {"fabric": "e0"}, ("EINVAL",), "missing", "policy"),
    ("verify dump", {"fabric": "e0", "policy": "dp", "dests": 16}, ("ERANGE",), "15", ".dests"),
    ("plan-get dump", plan(source=16), ("EINVAL",), "not below 16", ".source"),
    ("plan-get dump", plan(source=1048577), RANGE, "range", ".source"),
    ("plan-get dump", plan(source=5), ("EINVAL",), "among", ".destinations"),
    ("plan-get dump", plan(destinations=[u32s([1, 2, 1])]), ("EINVAL",), "twice", ".destinations"),
    ("plan-get dump", plan(destinations=[u32s([1, 16])]), ("EINVAL",), "below", ".destinations"),
    ("plan-get dump", plan(destinations=[u32s([1]), u32s([2, 99])]), ("EINVAL",),
     "99 is not below 16", ".destinations"),
    ("plan-get dump", plan(destinations=[b"\1\0\0"]), ("EINVAL",), "numbers of 4 bytes",
     ".destinations"),
    ("plan-get dump", plan(destinations=[b""]), ("EINVAL",), "numbers of 4 bytes",
     ".destinations"),
    ("plan-get dump", plan(destinations=[u32s(range(1, 8002))]), ("EINVAL",), "split",
     ".destinations"),
    ("plan-get dump", plan(flits=0), RANGE, "range", ".flits"),
    ("plan-get dump", plan(param=[param("speed", "1")]), ("EINVAL",), "no parameter speed",
     ".param"),

    ("run-start", without(LONE, "policy"), ("EINVAL",), "missing", "policy"),
    ("run-start", without(LONE, "workload"), ("EINVAL",), "missing", "workload"),
    ("run-start", without(LONE, "dests"), ("EINVAL",), "dests", "dests"),
    ("run-start", run(fabric="nowhere"), ("ENOENT",), "no such fabric", ".fabric"),
    ("run-start", run(fabric="busy"), ("EBUSY",), "stop it first", ".fabric"),
    ("run-start", run(policy="no-such"), ("ENOENT",), "unknown policy", ".policy"),
    ("run-start", run(policy="../dp"), ("EINVAL",), "character", ".policy"),
    ("run-start", run(policy="qg", param=[param("td", "x")]), ("EINVAL",), "td", ".param"),
    ("run-start", run(policy="qg", param=[param("td", "1"), param("td", "2")]), ("EINVAL",),
     "twice", ".param"),
    ("run-start", run(policy="qg", param=[param("cover", "all")]), ("EINVAL",), "one of",
     ".param"),
    ("run-start", run(policy="qg", param=[{"name": "td"}]), ("EINVAL",), "name and a value",
     ".param"),
    ("run-start", run(param=[param(f"p{i}", "1") for i in range(17)]), ("EINVAL",),
     "more than 16", ".param"),
    ("run-start", run(policy="qg", param=[param("n" * 40, "1")]), ("EINVAL", "ERANGE"), "",
     ".param.name"),
    ("run-start", run(flits=0), RANGE, "range", ".flits"),
    ("run-start", run(flits=1048577), RANGE, "range", ".flits"),
    ("run-start", run(lengths=[0]), RANGE, "range", ".lengths"),
    ("run-start", run(lengths=[4, 1048577]), RANGE, "range", ".lengths"),
    ("run-start", run(lengths=[4] * 17), ("EINVAL",), "more than 16 lengths", ".lengths"),
    ("run-start", run(lengths=[4, 8], flits=4), ("EINVAL",), "in place of flits", ".lengths"),
    ("run-start", run(lengths=[4, 8], headers="on"), ("ENOTSUP",), "headers on", ".lengths"),
    ("run-start", run(lengths=[4, 8], weights=[1]), ("EINVAL",), "1 weights for 2", ".weights"),
    ("run-start", run(lengths=[4, 8], weights=[1, 0]), RANGE, "range", ".weights"),
    ("run-start", run(weights=[1]), ("EINVAL",), "without lengths", ".weights"),
    ("run-start", load(classes=[{"rate-ppb": 1000, "dests": 3}]), ("EINVAL",), "class-name",
     ".traffic-class"),
    ("run-start", load(classes=[A, A]), ("EEXIST",), "two classes a", ".traffic-class.class-name"),
    ("run-start", load(classes=[{**A, "dests": 16}]), ("EINVAL",), "at most 15",
     ".traffic-class.dests"),
    ("run-start", load(classes=[{**A, "pattern": 99}]), RANGE, "", ".traffic-class.pattern"),
    ("run-start", load(classes=[{**A, "workload": "burst"}]), ("EINVAL",), "means nothing",
     ".traffic-class.rate-ppb"),
    ("run-start", load(classes=[{**A, "share-ppm": 5}]), ("EINVAL",), "no rate of the run",
     ".traffic-class.share-ppm"),
    ("run-start", load(rate_ppb=1000, classes=[without(A, "rate-ppb")]), ("EINVAL",), "share is missing",
     ".traffic-class"),
    ("run-start", load(rate_ppb=1000, classes=[{**HALF, "class-name": "a"},
                                               {**HALF, "class-name": "b", "share-ppm": 1}]),
     ("EINVAL",), "add up to 0.500001", ".traffic-class"),
    ("run-start", load(dests=3, classes=[A]), ("EINVAL",), "of a class", ".dests"),
    ("run-start", load(classes=[{**A, "class-name": f"c{i}"} for i in range(9)]), ("EINVAL",),
     "more than 8 classes", ".traffic-class"),
    ("run-start", run(dests=16), ("EINVAL",), "at most 15", ".dests"),
    ("run-start", run(dests=0), RANGE, "range", ".dests"),
    ("run-start", run(source=16), ("EINVAL",), "not below 16", ".source"),
    ("run-start", run(count=0), RANGE, "range", ".count"),
    ("run-start", run(workload=9), RANGE, "range", ".workload"),
    ("run-start", run(rate_ppb=5), ("EINVAL",), "means nothing", ".rate-ppb"),
    ("run-start", run(interval=5), ("EINVAL",), "means nothing", ".interval"),
    ("run-start", run(network=True), ("EINVAL",), "means nothing", ".network"),
    ("run-start", run(batches=30), ("EINVAL",), "means nothing", ".batches"),
    ("run-start", without(run(workload="poisson"), "count"), ("EINVAL",), "rate", "rate-ppb"),
    ("run-start", run(workload="poisson", rate_ppb=0), RANGE, "range", ".rate-ppb"),
    ("run-start", run(workload="poisson", rate_ppb=1000000001), RANGE, "range", ".rate-ppb"),
    ("run-start", run(workload="poisson", rate_ppb=1000, multicast_fraction_ppm=1000001), RANGE,
     "range", ".multicast-fraction-ppm"),
    ("run-start", run(workload="poisson", rate_ppb=1000, batches=19), RANGE, "range",
     ".batches"),
    ("run-start", run(workload="fixed"), ("EINVAL",), "interval", "interval"),
    ("run-start", run(workload="fixed", interval=0), RANGE, "range", ".interval"),
    ("run-start", without(run(workload="burst", fraction_ppm=0), "count"), RANGE, "range",
     ".fraction-ppm"),
    ("run-start", without(run(workload="file"), "count", "dests"), ("ENOENT",), "uploaded",
     ".workload"),
    ("run-start", run(max_cycles=0), RANGE, "range", ".max-cycles"),
    ("run-start", run(node_busy=4), RANGE, "range", ".node-busy"),
    ("run-start", run(rounds=0), RANGE, "range", ".rounds"),
    ("run-stop", {"fabric": "nowhere"}, ("ENOENT",), "no such fabric", ".fabric"),
    ("run-get", {}, ("EINVAL",), "missing", "fabric"),

    ("upload-begin", {"fabric": "e0"}, ("EINVAL",), "missing", "type"),
    ("upload-begin", {"fabric": "e0", "type": 3}, RANGE, "range", ".type"),
    ("upload-begin", {"fabric": "e0", "type": "destinations"}, ("EINVAL",), "missing",
     "destinations-total"),
    ("upload-begin", {"fabric": "e0", "type": "destinations", "destinations-total": 16},
     ("EINVAL",), "more destinations than 15", ".destinations-total"),
    ("upload-begin", {"fabric": "e0", "type": "destinations", "destinations-total": 0},
     RANGE, "range", ".destinations-total"),
    ("upload-begin", {"fabric": "e0", "type": "destinations", "destinations-total": 2,
                      "messages-total": 1}, ("EINVAL",), "no messages", ".messages-total"),
    ("upload-begin", {"fabric": "e0", "type": "messages", "destinations-total": 2},
     ("EINVAL",), "missing", "messages-total"),
    ("upload-begin", {"fabric": "e0", "type": "messages", "destinations-total": 2,
                      "messages-total": 3}, ("EINVAL",), "destination", ".messages-total"),
    ("upload-begin", {"fabric": "e0", "type": "messages", "destinations-total": 2,
                      "messages-total": 2, "class": [{"name": f"c{i}"} for i in range(9)]},
     ("EINVAL",), "more than 8 classes", ".class"),
    ("upload-begin", {"fabric": "e0", "type": "messages", "destinations-total": 2,
                      "messages-total": 2, "class": [{"name": "a b"}]},
     ("EINVAL",), "character", ".class.name"),
    ("upload-begin", {"fabric": "e0", "type": "destinations", "destinations-total": 2,
                      "class": [{"name": "a"}]}, ("EINVAL",), "no classes", ".class"),
    ("upload-begin", {"fabric": "e0", "type": "messages", "destinations-total": 536870912,
                      "messages-total": 3}, RANGE, "range", ".destinations-total"),
    ("upload-begin", {"fabric": "busy", "type": "messages", "destinations-total": 2,
                      "messages-total": 1}, ("EBUSY",), "stop it first", ".fabric"),
    ("upload-append", {"fabric": "e0", "type": "messages", "sources": [u32s([1])]},
     ("ENOENT",), "announced", ".type"),
    ("upload-append", {"fabric": "up", "type": "messages"}, ("EINVAL",), "missing",
     "destinations"),
    ("upload-append", {"fabric": "up", "type": "messages", "sources": [u32s([1, 2, 3])]},
     ("EINVAL",), "1 more than the 2", ".sources"),
    ("upload-append", {"fabric": "up", "type": "messages", "sources": [u32s([16])]},
     ("EINVAL",), "node 16", ".sources"),
    ("upload-append", {"fabric": "up", "type": "messages", "cycles": [b"1234567"]},
     ("EINVAL",), "8 bytes", ".cycles"),
    ("upload-append", {"fabric": "up", "type": "messages", "counts": [u32s([0])]},
     ("EINVAL",), "no destinations", ".counts"),
    ("upload-append", {"fabric": "up", "type": "messages", "counts": [u32s([4])]},
     ("EINVAL",), "more destinations", ".counts"),
    ("upload-append", {"fabric": "up", "type": "messages",
                       "counts": [u32s([2, 0xffffffff])]},
     ("EINVAL",), "more destinations", ".counts"),
    ("upload-append", {"fabric": "up", "type": "messages", "sources": [u32s([1])],
                       "destinations": [u32s([99])]}, ("EINVAL",), "node 99", ".destinations"),
    ("upload-discard", {"fabric": "e0", "type": "messages"}, ("ENOENT",), "announced",
     ".type"),
    ("upload-get", {"fabric": "e0", "type": "messages"}, ("ENOENT",), "announced", ".type"),

    ("stats-get", {"fabric": "nowhere"}, ("ENOENT",), "no such fabric", ".fabric"),
    ("stats-reset", {"fabric": "busy"}, ("EBUSY",), "stop it first", ".fabric"),
    ("link-get dump", {"fabric": "nowhere"}, ("ENOENT",), "no such fabric", ".fabric"),
    ("histogram-get dump", {}, ("EINVAL",), "missing", "fabric"),
    ("deadlock-get", {"fabric": "e0"}, ("ENODATA",), "did not end in a deadlock", None),
]


def state(ynl):
    """All that a refused request must leave alone."""
    runs = [{k: r[k] for k in ("fabric", "state", "run", "policy") if k in r}
            for r in ynl.dump("run-get", {})]
    return [ynl.dump("fabric-get", {}), runs,
            ynl.do("upload-get", {"fabric": "up", "type": "messages"})]


def blamed(err):
    """What the extack points at: ".name" present but bad, "name" missing."""
    extack = err.nl_msg.extack or {}
    return extack.get("bad-attr") or extack.get("miss-type")


def bad_values(tap, ynl):
    """The table above."""
    before = state(ynl)
    for operation, values, codes, text, attr in CASES:
        shown = str({k: v for k, v in values.items() if k != "fabric"})[:70]
        name = f"{operation} {shown}".replace("#", "")
        err = refusal(lambda: request(ynl, operation, values))
        if not tap.check(err, name, "was accepted"):
            continue
        extack = err.nl_msg.extack or {}
        code = error_name(err.error)
        good = (code in codes and text in extack.get("msg", "") and extack.get("msg") and
                (attr is None or blamed(err) == attr))
        tap.check(good, f"{name}: message", f"{code} {extack}")
        after = state(ynl)
        tap.check(before == after, f"{name}: nothing changed", f"{before} {after}")
        before = after


def malformed(tap, ynl):
    """What no client sends."""
    raw = Raw(ynl.nlproto.family_id)
    ops = ynl.ops
    fabric_new = struct.pack("=BBH", ops["fabric-new"].req_value, 1, 0)
    node_get = struct.pack("=BBH", ops["node-get"].req_value, 1, 0)
    run_start = struct.pack("=BBH", ops["run-start"].req_value, 1, 0)
    topology = struct.pack("=BBH", ops["topology-get"].req_value, 1, 0)
    name = nla(2, b"e2\0")
    body = name + nla(3, b"mesh\0") + nla(4, struct.pack("=I", 4))
    start = nla(2, b"e0\0") + nla(3, b"dp\0") + nla(10, struct.pack("=I", 1)) + \
        nla(12, struct.pack("=I", 3))
    dump = NLM_F_REQUEST | NLM_F_ACK | NLM_F_DUMP
    cases = [
        ("no genetlink header", b"", {}),
        ("half a genetlink header", fabric_new[:2], {}),
        ("reserved field in use", fabric_new[:2] + b"\1\0" + body, {}),
        ("unknown command", struct.pack("=BBH", 250, 1, 0) + body, {}),
        ("command 0", struct.pack("=BBH", 0, 1, 0) + body, {}),
        ("a notification as a request",
         struct.pack("=BBH", ops["run-get"].req_value + 1, 1, 0) + body, {}),
        ("trailing bytes", fabric_new + body + b"\5\0\7", {}),
        ("attribute shorter than its header", fabric_new + struct.pack("=HH", 3, 2) + body, {}),
        ("attribute of length 0", fabric_new + struct.pack("=HH", 0, 2) + body, {}),
        ("attribute longer than the message",
         fabric_new + nla(3, b"mesh\0") + struct.pack("=HH", 400, 2) + b"e2\0\0", {}),
        ("unknown attribute", fabric_new + body + nla(200, b"\0\0\0\0"), {}),
        ("attribute 0", fabric_new + body + nla(0, b"\0\0\0\0"), {}),
        ("two bytes for a number", fabric_new + body + nla(5, b"\1\0"), {}),
        ("five bytes for a number", fabric_new + body + nla(5, b"\1\0\0\0\0"), {}),
        ("two bytes for a long number", fabric_new + body + nla(22, b"\1\0"), {}),
        ("name without an end", fabric_new + nla(2, b"e222") + nla(3, b"mesh\0") +
         nla(4, struct.pack("=I", 4)), {}),
        ("topology without an end", fabric_new + name + nla(3, b"mesh") +
         nla(4, struct.pack("=I", 4)), {}),
        ("no nest flag", run_start + start + nla(4, nla(1, b"a\0") + nla(2, b"1\0")), {}),
        ("nest with a cut attribute",
         run_start + start + nla(4 | NLA_F_NESTED, struct.pack("=HH", 40, 1) + b"abc\0"), {}),
        ("nest with trailing bytes", run_start + start +
         nla(4 | NLA_F_NESTED, nla(1, b"a\0") + nla(2, b"1\0") + b"\1\2"), {}),
        ("unknown attribute in a nest", run_start + start +
         nla(4 | NLA_F_NESTED, nla(1, b"a\0") + nla(2, b"1\0") + nla(9, b"")), {}),
        ("empty nest", run_start + start + nla(4 | NLA_F_NESTED), {}),
        ("payload in a flag", run_start + start + nla(17, b"\1\0\0\0"), {}),
        ("a dump of what has none", fabric_new + body, {"flags": dump}),
        ("one of what is only dumped", topology, {}),
        ("a dump with a bad attribute", node_get + name + nla(200, b"\0\0\0\0"), {"flags": dump}),
    ]
    before = state(ynl)
    for what, payload, more in cases:
        code = raw.send(payload, **more)
        tap.check(code > 0, f"refused: {what}", error_name(code))
    tap.check(state(ynl) == before, "malformed messages change nothing")
    # The good ones do work, or nothing above says anything.
    tap.check(raw.send(fabric_new + body) == 0, "the same message undamaged")
    tap.check(refusal(lambda: ynl.do("fabric-del", {"name": "e2"})) is None, "and its fabric")
    return raw


def damage(tap, ynl, raw):
    """Good messages with random damage: no harm, whatever the answer."""
    rng = random.Random(1)
    ops = ynl.ops
    good = []
    for operation, values, *_ in CASES:
        op = ops[operation.partition(" ")[0]]
        if op.name in ("run-stop", "fabric-del") or values.get("fabric") == "busy":
            continue
        if "destinations" in values and len(values["destinations"][0]) > 4000:
            continue
        msg = ynl._encode_message(op, dict(values), [], 1)
        flags = NLM_F_REQUEST | NLM_F_ACK | (NLM_F_DUMP if " " in operation else 0)
        good.append((msg[16:], flags))
    count = 600 if DEBUG else 4000
    for _ in range(count):
        payload, flags = rng.choice(good)
        payload = bytearray(payload)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(4, len(payload)) if len(payload) > 4 else 0
            payload[at] = rng.choice((0, 1, 2, 4, 8, 0x7f, 0x80, 0xff, rng.randrange(256)))
        if rng.random() < 0.2:
            payload = payload[:rng.randrange(len(payload) + 1)]
        raw.send(bytes(payload), flags)
        # What came of it must not slow down what follows.
        if _ % 50 == 0:
            for fabric in ynl.dump("fabric-get", {}):
                if fabric["name"] not in ("e0", "busy", "up"):
                    clean(ynl, fabric["id"])
    tap.check(True, f"{count} damaged messages did no harm")


def clean(ynl, number):
    """Stop and remove a fabric."""
    refusal(lambda: ynl.do("run-stop", {"fabric-id": number}))
    refusal(lambda: ynl.do("fabric-del", {"id": number}))


def charged(group):
    """Kernel memory that is charged to a cgroup."""
    with open(f"{group}/memory.stat", encoding="ascii") as stat:
        for line in stat:
            if line.startswith("kernel "):
                return int(line.split()[1])
    return None


def leaks(tap, ynl):
    """Refusing again and again costs no memory; our memory is charged to us."""
    group = "/sys/fs/cgroup/mcfab-errors"
    try:
        with open("/sys/fs/cgroup/cgroup.subtree_control", "w", encoding="ascii") as control:
            control.write("+memory")
        os.makedirs(group, exist_ok=True)
        with open(f"{group}/cgroup.procs", "w", encoding="ascii") as procs:
            procs.write(str(os.getpid()))
    except OSError as err:
        print(f"# no memory controller: {err}")
        return
    rounds = 3 if DEBUG else 20
    requests = [c for c in CASES if not c[1].get("cpus")]

    def once():
        for operation, values, *_ in requests:
            refusal(lambda: request(ynl, operation, values))

    once()
    time.sleep(0.5)
    before = charged(group)
    for _ in range(rounds):
        once()
    time.sleep(0.5)
    grown = charged(group) - before
    # Charges are taken in batches per CPU.
    tap.check(grown < 300000, f"{rounds * len(requests)} refusals leak nothing", f"{grown} bytes")

    before = charged(group)
    ynl.do("fabric-new", {"name": "big", "topology": "mesh", "dims": [256, 256]})
    grown = charged(group) - before
    tap.check(grown > 65536 * 4 * 8, "a fabric is charged to its maker's cgroup",
              f"{grown} bytes")
    ynl.do("fabric-del", {"name": "big"})
    time.sleep(0.5)
    left = charged(group) - before
    tap.check(left < 300000, "and given back", f"{left} bytes")
    with open("/sys/fs/cgroup/cgroup.procs", "w", encoding="ascii") as procs:
        procs.write(str(os.getpid()))


def main():
    """All of it."""
    tap = Tap()
    ynl = client()
    ynl.do("fabric-new", {"name": "e0", **MESH})
    ynl.do("fabric-new", {"name": "busy", "topology": "mesh", "dims": [8, 8],
                          "cpus": "0", "nice": 19})
    ynl.do("fabric-new", {"name": "up", **MESH})
    ynl.do("upload-begin", {"fabric": "up", "type": "messages", "messages-total": 2,
                            "destinations-total": 3})
    ynl.do("upload-append", {"fabric": "up", "type": "messages", "cycles": [u64s([0])]})
    ynl.do("run-start", {"fabric": "busy", "policy": "dp", "workload": "poisson", "dests": 4,
                         "rate-ppb": 10000, "precision-ppm": 0, "batches": 1000,
                         "batch-cycles": 100000000, "max-cycles": 900000000000})
    bad_values(tap, ynl)
    raw = malformed(tap, ynl)
    leaks(tap, ynl)
    damage(tap, ynl, raw)
    run_now = ynl.do("run-stop", {"fabric": "busy"})
    tap.check(run_now["state"] == "stopped", "the busy fabric ran all the time", str(run_now))
    for fabric in ynl.dump("fabric-get", {}):
        clean(ynl, fabric["id"])
    tap.check(not ynl.dump("fabric-get", {}), "no fabric is left")
    tap.finish()


main()
