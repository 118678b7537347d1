#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=300
"""Policies on up*-down* routes: each module is loaded by its name, plans multicasts on an
irregular fabric and on a mesh, runs lone ones; bad values of parameters are named."""

import os
import random
import struct
import time

from helpers import mcfab_nl as nl

tap = nl.Tap()
ynl = nl.client()
HOST = 1 << 31      # in hops: a host, not a switch

POLICIES = [("binomial", {}), ("binomial", {"adaptive": "on"}),
            ("kbinomial", {}), ("kbinomial", {"k": "1", "forwarding": "fcfs"}),
            ("ssr", {"schedule": "greedy"}), ("ssr", {"schedule": "less-greedy"}),
            ("multidrop", {"schedule": "greedy"}), ("multidrop", {"adaptive": "on"}),
            ("bitstring", {}), ("bitstring", {"adaptive": "on"})]
NAMES = sorted({name for name, _ in POLICIES})
GROUPS = 2 if nl.DEBUG else 10
COUNT = 20 if nl.DEBUG else 200

# two hosts on each of ten switches
LINKS = [(5, 0), (5, 3), (5, 4), (0, 3), (0, 6), (0, 1), (3, 7), (3, 1), (4, 2), (4, 7), (4, 9),
         (6, 8), (7, 8), (2, 8)]
ROOT = 5


def numbers(attribute):
    """A binary attribute of a plan as a list, however the client decodes it."""
    if isinstance(attribute, (bytes, bytearray)):
        return list(struct.unpack(f"={len(attribute) // 4}I", attribute))
    return list(attribute)


def levels(links, root):
    """Links to the root."""
    level = {root: 0}
    queue = [root]
    for at in queue:
        for a, b in links:
            for here, there in ((a, b), (b, a)):
                if here == at and there not in level:
                    level[there] = level[at] + 1
                    queue.append(there)
    return level


def params(values):
    return [{"name": k, "value": v} for k, v in values.items()]


def plan(fabric, policy, values, source, dst, **more):
    """Worms of a plan as (id, sender, after, destinations, hops between switches)."""
    worms = {}
    for msg in ynl.dump("plan-get", {"fabric": fabric, "policy": policy, "source": source,
                                     "destinations": [nl.u32s(dst)],
                                     "param": params(values), **more}):
        for part in [msg["worm"]] if "worm" in msg else []:
            worm = worms.setdefault(part["id"], [part["source"], part.get("after"), [], []])
            worm[2] += numbers(part.get("destinations", b""))
            hops = numbers(part.get("hops", b""))
            worm[3] += [tuple(hops[i:i + 4]) for i in range(0, len(hops), 4)]
    return worms


def wrong(worms, source, dst, links, root):
    """What is not right with a plan, or an empty string."""
    level = levels(links, root)
    joined = {frozenset(link) for link in links}
    have = {source}
    for number, (sender, _, to, hops) in sorted(worms.items()):
        if sender not in have:
            return f"worm {number}: {sender} sends what it has not got"
        have.update(to)
        down = {}
        for a, b, _, _ in hops:
            if a >= HOST or b >= HOST:
                continue
            if frozenset((a, b)) not in joined:
                return f"worm {number}: no link joins {a} and {b}"
            up = (level[b], b) < (level[a], a)
            if up and down.get(a):
                return f"worm {number}: up from {a} to {b} after it went down"
            down[b] = not up
    got = sorted(n for worm in worms.values() for n in worm[2])
    return "" if got == sorted(dst) else f"{got} got it, not {sorted(dst)}"


def finish(fabric):
    for _ in range(3000):
        now = ynl.do("run-get", {"fabric": fabric})
        if now["state"] != "running":
            return now
        time.sleep(0.1)
    return now


def policies_on(fabric, nodes, links, root):
    """Plans and lone runs of all policies."""
    draw = random.Random(fabric)
    for policy, values in POLICIES:
        name = " ".join([fabric, policy, *(f"{k} {v}" for k, v in values.items())])
        why = ""
        for _ in range(GROUPS):
            source, *dst = draw.sample(range(nodes), draw.randint(2, nodes))
            why = why or wrong(plan(fabric, policy, values, source, dst), source, dst, links,
                               root)
        tap.check(not why, f"{name}: plans", why)
        tap.check(os.path.isdir(f"/sys/module/mcfab_{policy}"), f"{name}: its module is there")
        ynl.do("run-start", {"fabric": fabric, "policy": policy, "workload": "lone", "dests": 7,
                             "count": COUNT, "param": params(values)})
        done = finish(fabric)
        tap.check(done["state"] == "done" and done["deliveries"] == 7 * COUNT,
                  f"{name}: lone multicasts", str(done))


def refused(fabric, policy, values, error, text, dst=(1,), **more):
    err = nl.refusal(lambda: plan(fabric, policy, values, 0, list(dst), **more))
    said = err and f"{nl.error_name(err.error)} {err.nl_msg.extack}"
    tap.check(err and nl.error_name(err.error) == error and
              text in str((err.nl_msg.extack or {}).get("msg")),
              f"refused: {fabric} {policy} {values} {more or ''}", str(said))


used = [2] * 10
joined_by = []
for one, other in LINKS:
    joined_by.append({"switch": one, "port": used[one], "peer-switch": other,
                      "peer-port": used[other]})
    used[one] += 1
    used[other] += 1
ynl.do("graph-begin", {"fabric": "u0", "switches": 10, "hosts": 20, "links": len(LINKS),
                       "root": ROOT})
ynl.do("graph-append", {"fabric": "u0", "switch": [{"ports": 8}] * 10,
                        "host": [{"switch": i // 2, "port": i % 2} for i in range(20)],
                        "link": joined_by})
ynl.do("fabric-new", {"name": "u0", "topology": "irregular", "buffer": 64})
ynl.do("fabric-new", {"name": "m0", "topology": "mesh", "dims": [4, 4], "buffer": 64,
                      "routing": "updown", "root": 6})
ynl.do("fabric-new", {"name": "x0", "topology": "mesh", "dims": [4, 4], "buffer": 64})

policies_on("u0", 20, LINKS, ROOT)
MESH = [(n, n + 1) for n in range(16) if n % 4 < 3] + [(n, n + 4) for n in range(12)]
policies_on("m0", 16, MESH, 6)

# Fig. 7: three packets to three destinations go down a line, one packet down a tree
line = plan("u0", "kbinomial", {}, 18, [0, 1, 2], flits=48, mtu=16)
tree = plan("u0", "kbinomial", {}, 18, [0, 1, 2], flits=48)
tap.check(len({w[0] for w in line.values()}) == 3, "mtu: a line for three packets", str(line))
tap.check(len({w[0] for w in tree.values()}) == 2, "no mtu: a tree for one", str(tree))

for name in NAMES:
    refused("x0", name, {}, "ENOTSUP", "needs routing updown")
    refused("u0", name, {"adaptive": "2"}, "EINVAL", "parameter adaptive is on or off")
for name in ("ssr", "multidrop", "bitstring"):
    refused("u0", name, {}, "ENOTSUP", "needs buffer 65, a packet, not 64", flits=65)
    refused("u0", name, {"small-buffers": "some"}, "EINVAL", "small-buffers")
    tap.check(plan("u0", name, {"small-buffers": "allow"}, 0, [1], flits=65),
              f"{name}: small-buffers allow")
    tap.check(plan("u0", name, {}, 0, [1], flits=65, mtu=64), f"{name}: packets that fit")
for name in ("ssr", "multidrop"):
    refused("u0", name, {"schedule": "lazy"}, "EINVAL", "schedule")
refused("u0", "kbinomial", {"k": "6"}, "ERANGE", "k of 20 nodes is 1 to 5, or 0")
refused("u0", "kbinomial", {"k": "21"}, "ERANGE", "parameter k is from 0 to 20")
refused("u0", "kbinomial", {"forwarding": "lifo"}, "EINVAL", "forwarding")
refused("u0", "bitstring", {"adaptive": "on"}, "EINVAL", "messages of one packet, not 2",
        flits=32, mtu=16)

# headers as long as their encodings: 12 bits for each of 10 switches, a bit for each host
for name, longest in (("ssr", 63), ("multidrop", 49), ("bitstring", 62)):
    tap.check(plan("u0", name, {}, 0, list(range(1, 13)), flits=longest, headers="on"),
              f"{name}: a header that fits")
    refused("u0", name, {}, "ENOTSUP", "needs buffer 65, a packet, not 64", dst=range(1, 13),
            flits=longest + 1, headers="on")
ynl.do("fabric-new", {"name": "p1", "topology": "irregular", "switches": 32, "hosts": 128,
                      "switch-ports": 8, "buffer-packets": 1})
for name in ("ssr", "multidrop", "bitstring"):
    ynl.do("run-start", {"fabric": "p1", "policy": name, "workload": "burst", "dests": 2,
                         "headers": "on"})
    tap.check(finish("p1")["state"] == "done", f"{name}: buffers of a packet, whatever its header")

for gone in ("u0", "m0", "x0", "p1"):
    ynl.do("fabric-del", {"name": gone})
tap.finish()
