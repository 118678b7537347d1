#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=420
"""Graphs of irregular networks through netlink: up in parts, back as they were, refused
where they are wrong, gone with their namespace."""

import ctypes
import os
import time

from helpers import mcfab_nl as nl

CLONE_NEWNET = 0x40000000
LIMIT = "/sys/module/mcfab/parameters/max_memory_mb"

tap = nl.Tap()
ynl = nl.client()

SWITCHES = [{"ports": 5, "guid": 0x5a0000000000000a, "lid": 30, "name": "left"},
            {"ports": 4, "lid": 0xbfff}, {"ports": 65, "guid": 7}]
HOSTS = [{"switch": 0, "port": 4, "guid": 2 ** 64 - 1, "lid": 1, "name": "one [x]"},
         {"switch": 2, "port": 64, "flit-cycles": 3, "flit-cycles-back": 64}, {"switch": 0, "port": 1, "node-guid": 99, "node-port": 2},
         {"switch": 2, "port": 0, "node-guid": 99, "node-port": 1, "name": "x" * 64}]
LINKS = [{"switch": 0, "port": 2, "peer-switch": 1, "peer-port": 3},
         {"switch": 2, "port": 7, "peer-switch": 0, "peer-port": 3, "delay": 64,
          "flit-cycles": 2, "flit-cycles-back": 64},
         {"switch": 1, "port": 1, "peer-switch": 2, "peer-port": 9, "delay": 1, "delay-back": 5},
         {"switch": 1, "port": 2, "peer-switch": 2, "peer-port": 8}]


def begin(name="i0", **more):
    ynl.do("graph-begin", {"fabric": name, "switches": len(SWITCHES), "hosts": len(HOSTS),
                           "links": len(LINKS), **more})


def append(name="i0", switch=(), host=(), link=()):
    parts = {"switch": list(switch), "host": list(host), "link": list(link)}
    ynl.do("graph-append", {"fabric": name, **{k: v for k, v in parts.items() if v}})


def upload(name="i0", switch=None, host=None, link=None):
    switch, host, link = switch or SWITCHES, host or HOSTS, LINKS if link is None else link
    ynl.do("graph-begin", {"fabric": name, "switches": len(switch), "hosts": len(host),
                           "links": len(link)})
    append(name, switch, host, link)


def make(name="i0", **more):
    return ynl.do("fabric-new", {"name": name, "topology": "irregular", **more})


def refused(call, error, text, name):
    err = nl.refusal(call)
    said = err and f"{nl.error_name(err.error)} {err.nl_msg.extack}"
    tap.check(err and nl.error_name(err.error) == error and
              text in str((err.nl_msg.extack or {}).get("msg")), name, str(said))


# in parts, out of order
begin(root=2)
append(link=LINKS[:1], host=HOSTS[:3])
append(switch=SWITCHES)
refused(make, "EINVAL", "lacks 0 switches, 1 hosts, 3 links", "a graph with gaps is refused")
refused(lambda: append(host=HOSTS), "EINVAL", "more than the 4 announced", "too many hosts")
refused(lambda: append(link=[{"switch": 0, "port": 2, "peer-switch": 1}]), "EINVAL",
        "a switch and a port at both ends", "half a link")
refused(append, "EINVAL", "is missing", "nothing to append")
for what in "delay", "delay-back", "flit-cycles", "flit-cycles-back":
    refused(lambda w=what: append(link=[{**LINKS[0], w: 65}]), "ERANGE", "range",
            f"{what} above 64")
for what in "flit-cycles", "flit-cycles-back":
    refused(lambda w=what: append(host=[{**HOSTS[0], w: 65}]), "ERANGE", "range",
            f"a host's {what} above 64")
append(host=HOSTS[3:], link=LINKS[1:])
refused(lambda: make(**{"vc-release": "drained"}), "ENOTSUP", "need vc-release sent",
        "rates of hosts' links without buffers at their ends")
refused(lambda: make(dims=[4]), "EINVAL", "has no dims", "dims beside a graph")
made = make(vcs=2)
tap.check(made["nodes"] == 4 and made["routers"] == 3 and made["ports"] == 65 and
          made["channels"] == 8 and made["degree"] == 1 and made["inject"] == 1 and
          made["consume"] == 1 and "dims" not in made, "a fabric is made of it", str(made))
refused(lambda: append(switch=SWITCHES[:1]), "ENOENT", "no graph was announced",
        "the graph is the fabric's now")
refused(begin, "EEXIST", "a fabric of this name exists", "no second graph for it")

shown = ynl.dump("graph-get", {"fabric": "i0"})
got = {kind: [part for msg in shown for part in msg.get(kind, [])]
       for kind in ("switch", "host", "link")}
tap.check(shown[0]["switches"] == 3 and shown[0]["hosts"] == 4 and shown[0]["links"] == 4 and
          shown[0]["root"] == 2, "its counts and root", str(shown[0]))
for kind, want in (("switch", SWITCHES), ("host", HOSTS), ("link", LINKS)):
    tap.check(got[kind] == want, f"every {kind} as it came", f"{got[kind]} {want}")

nodes = ynl.dump("node-get", {"fabric": "i0"})
tap.check([n["router"] for n in nodes] == [0, 2, 0, 2] and
          not any("label" in n or "coord" in n for n in nodes), "nodes hang on switches",
          str(nodes))
tap.check({(n["port"], n["router"]) for n in nodes[0]["neighbour"]} == {(2, 1), (3, 2)},
          "with their neighbours", str(nodes[0]))
refused(lambda: ynl.do("node-get", {"fabric": "i0", "label": 1}), "EINVAL",
        "topology irregular has no labels", "a node by its label")
for policy in ("dp", "mp", "cp", "qg", "hcm-uniform", "rg", "ttpm", "tasnem"):
    refused(lambda p=policy: ynl.do("run-start", {"fabric": "i0", "policy": p,
                                                  "workload": "lone", "dests": 2}),
            "ENOTSUP", f"policy {policy} cannot serve topology irregular",
            f"policy {policy} is refused")
ynl.do("fabric-del", {"name": "i0"})
ynl.do("fabric-new", {"name": "m0", "topology": "mesh", "dims": [3, 3]})
refused(lambda: ynl.dump("graph-get", {"fabric": "m0"}), "ENOTSUP",
        "topology mesh is not made of a graph", "a mesh has no graph")
ynl.do("fabric-del", {"name": "m0"})


# what is wrong with a graph as a whole
def changed(what, nr, **fields):
    parts = {"switch": SWITCHES, "host": HOSTS, "link": LINKS}
    return {what: [dict(e, **fields) if i == nr else e for i, e in enumerate(parts[what])]}


refused(make, "ENOENT", "none was announced", "no graph at all")
for part, text in ((changed("host", 1, port=65), "host 1: switch 2 has no port 65"),
                   (changed("host", 1, switch=3), "host 1: there is no switch 3"),
                   (changed("host", 1, port=7), "link 1: port 7 of switch 2 is taken"),
                   (changed("host", 2, port=4), "host 2: port 4 of switch 0 is taken"),
                   (changed("link", 0, **{"peer-switch": 0, "peer-port": 0}), "to itself"),
                   (changed("host", 1, lid=30), "host 1: lid 30 is another's"),
                   (changed("host", 1, guid=7), "guid 0x0000000000000007 is given twice"),
                   (changed("switch", 1, name='a"b'), "switch 1: its name has a character"),
                   ({"link": LINKS[:1]}, "switch 2: no links lead there")):
    upload(**part)
    err = nl.refusal(make)
    said = err and (err.nl_msg.extack or {}).get("msg")
    tap.check(err and text in str(said), f"refused: {text}", str(said))
refused(lambda: append(host=HOSTS[:1]), "EINVAL", "more than", "a refused graph is still there")
ynl.do("graph-discard", {"fabric": "i0"})
refused(lambda: ynl.do("graph-discard", {"fabric": "i0"}), "ENOENT", "no graph was announced",
        "a graph is discarded once")
refused(lambda: begin(switches=0), "ERANGE", "range", "no switches")
refused(lambda: begin(hosts=1 << 21), "ERANGE", "range", "too many hosts for any fabric")
refused(lambda: append(name="none", switch=SWITCHES), "ENOENT", "no graph was announced",
        "nothing was announced")

# not without end
for i in range(16):
    begin(name=f"g{i}")
begin(name="g3")
refused(lambda: begin(name="g16"), "ENOSPC", "discard one first", "too many graphs")
for i in range(16):
    ynl.do("graph-discard", {"fabric": f"g{i}"})


def leave_behind(hosts):
    """In a namespace that goes: a graph that no fabric took. Returns 0 if there was room."""
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1]
    ctypes.CDLL(None).unshare(CLONE_NEWNET)
    err = nl.refusal(lambda: nl.client().do("graph-begin", {"fabric": "x", "switches": 1,
                                                           "hosts": hosts}))
    os._exit(1 if err else 0)


with open(LIMIT, encoding="ascii") as f:
    before = f.read()
with open(LIMIT, "w", encoding="ascii") as f:
    f.write("48")
rounds = 0
deadline = time.monotonic() + 150
while rounds < 4 and time.monotonic() < deadline:
    # 24 MiB each: the next one has room when the last namespace has gone
    if leave_behind(250000) == 0:
        rounds += 1
    else:
        time.sleep(0.2)
with open(LIMIT, "w", encoding="ascii") as f:
    f.write(before)
tap.check(rounds == 4, "graphs go with their namespaces", str(rounds))

# a big one, whose dump takes many parts
BIG = 500 if nl.DEBUG else 5000
switches = [{"ports": 8, "name": f"switch {i}"} for i in range(BIG)]
hosts = [{"switch": (7 * i) % BIG, "port": 5, "lid": i + 1} for i in range(BIG)]
links = [{"switch": i, "port": 1, "peer-switch": i + 1, "peer-port": 2} for i in range(BIG - 1)]
ynl.do("graph-begin", {"fabric": "i1", "switches": BIG, "hosts": BIG, "links": BIG - 1})
for i in range(0, BIG, 250):
    append("i1", switches[i:i + 250], hosts[i:i + 250], links[i:i + 250])
# of such a long line, tables of routes and the search for a root would take their time
make("i1", routing="policy")
shown = ynl.dump("graph-get", {"fabric": "i1"})
tap.check(len(shown) == 3 * BIG and
          [h for msg in shown for h in msg.get("host", [])] == hosts and
          [k for msg in shown for k in msg.get("link", [])] == links, "a long dump",
          str(len(shown)))
ynl.do("fabric-del", {"name": "i1"})

tap.finish()
