#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=600
"""Plans of all policies through "mcastctl -j -b" on meshes from 6x6 to 32x32 and of
one to four dimensions: the object has exactly the promised keys in their order, every
destination is delivered once, worms only take channels that exist, and the predicted
times follow from the hops."""

import json
import os
import random
import subprocess
import sys
import tempfile

DEBUG = os.environ.get("MCFAB_DEBUG")
PLANS = 4 if DEBUG else 20

POLICIES = {"unicast": 0, "dp": 2, "mp": 2, "cp": 4, "qg": 16, "qg cover label": 16,
            "qg cover multipath": 16, "qg cover chain": 16, "qg td 0.2": 16}
MESHES = ["6x6", "7x5", "8x8", "10x10", "13x9", "16x16", "24x24", "32x32", "20", "4x5x6",
          "3x4x2x5", "2x2"]
KEYS = ["fabric", "policy", "source", "destinations", "summary", "worm", "arrivals"]
WORM_KEYS = ["id", "step", "round", "source", "after", "destinations", "hops"]
SUMMARY_KEYS = ["worms", "destinations", "steps", "traffic", "longest", "network-latency",
                "completion", "mean-destination-ucycles", "mean-worm-ucycles"]


class Bad(Exception):
    """A plan is not what it must be."""


def need(condition, text):
    if not condition:
        raise Bad(text)


def mcastctl(*args):
    done = subprocess.run(["mcastctl", *args], capture_output=True, text=True, check=False)
    need(done.returncode == 0, f"mcastctl {' '.join(args)}: {done.stderr.strip()}")
    return done.stdout


class Mesh:
    """Nodes and ports as readings of the papers have them."""

    def __init__(self, dims):
        self.radix = [int(k) for k in dims.split("x")]
        self.nodes = 1
        for k in self.radix:
            self.nodes *= k

    def coords(self, node):
        out = []
        for k in self.radix:
            out.append(node % k)
            node //= k
        return out

    def neighbour(self, node, port):
        """Ports 2d go up in dimension d, ports 2d + 1 down."""
        stride = 1
        for k in self.radix[:port // 2]:
            stride *= k
        at = self.coords(node)[port // 2]
        to = at + (1 if port % 2 == 0 else -1)
        need(0 <= to < self.radix[port // 2], f"no channel from {node} by port {port}")
        return node + (to - at) * stride


def check_worm(mesh, worm):
    """Return hops from the sender to each destination."""
    need(list(worm) == WORM_KEYS, f"keys of a worm: {list(worm)}")
    at = worm["source"]
    hops = {}
    left = list(worm["destinations"])
    for i, (a, b, vc, port) in enumerate(worm["hops"], 1):
        need(a == at, f"worm {worm['id']} jumps from {at} to {a}")
        need(mesh.neighbour(a, port) == b, f"port {port} of {a} does not lead to {b}")
        need(vc == 0, f"vc {vc} of a fabric with one")
        at = b
        # The header names them in order; one may be passed before it is its turn.
        if left and b == left[0]:
            hops[left.pop(0)] = i
    need(not left, f"worm {worm['id']} does not reach {left}")
    need(at == worm["destinations"][-1], "a worm goes on behind its last destination")
    return hops


def predict(plan, hops, prep, startup, flits, inject):
    """Arrivals without contention: rounds begin when the one before is delivered."""
    arrival = {}
    last = {}
    groups = {}
    for worm in plan["worm"]:
        groups.setdefault((worm["source"], worm["after"]), []).append(worm)
    for (source, after), worms in groups.items():
        begin = arrival[source] + startup if after is not None else prep + startup
        for number in sorted({w["round"] for w in worms}):
            now = [w for w in worms if w["round"] == number]
            need(len(now) <= inject, f"{len(now)} worms in a round")
            for worm in now:
                for node, n in hops[worm["id"]].items():
                    arrival[node] = begin + n + flits
                last[worm["id"]] = max(arrival[n] for n in worm["destinations"])
            begin = max(last[w["id"]] for w in now) + startup
    return arrival, last


def check_plan(mesh, plan, want, prep, flits):
    fabric, policy, source, dst, inject = want
    need(list(plan) == KEYS, f"keys of a plan: {list(plan)}")
    summary = plan["summary"]
    need(list(summary) == SUMMARY_KEYS, f"keys of a summary: {list(summary)}")
    need((plan["fabric"], plan["policy"], plan["source"]) == (fabric, policy, source), "head")
    need(plan["destinations"] == dst, "destinations are not those of the request")
    worms = plan["worm"]
    need((summary["worms"], summary["destinations"]) == (len(worms), len(dst)), "how many")
    need([w["id"] for w in worms] == list(range(len(worms))), "ids of worms")
    need([w["step"] for w in worms] == sorted(w["step"] for w in worms), "order of steps")
    delivered = []
    hops = {}
    for worm in worms:
        hops[worm["id"]] = check_worm(mesh, worm)
        delivered += worm["destinations"]
        if worm["after"] is None:
            need(worm["step"] == 1 and worm["source"] == source, "a worm of the source")
        else:
            before = worms[worm["after"]]
            need(worm["source"] in before["destinations"], "after does not deliver to sender")
            need(worm["step"] == before["step"] + 1, "step is not one more than after's")
    need(sorted(delivered) == sorted(dst), "each destination exactly once")
    need(summary["traffic"] == sum(len(w["hops"]) for w in worms), "traffic")
    need(summary["longest"] == max(len(w["hops"]) for w in worms), "longest")
    need(summary["steps"] == max(w["step"] for w in worms), "steps")

    arrival, last = predict(plan, hops, prep, 33, flits, inject)
    need(plan["arrivals"] == [[n, arrival[n]] for n in sorted(arrival)],
         f"arrivals {plan['arrivals']}, not {sorted(arrival.items())}")
    need(summary["completion"] == max(arrival.values()), "completion")
    mean = sum(arrival.values()) / len(arrival)
    need(abs(summary["mean-destination-ucycles"] - 1e6 * mean) < 2,
         f"mean over destinations is not {mean}")
    mean = sum(last.values()) / len(last)
    need(abs(summary["mean-worm-ucycles"] - 1e6 * mean) < 2, f"mean over worms is not {mean}")


def requests(mesh, draw):
    """Sources and destinations, from one to all nodes."""
    for i in range(PLANS):
        most = mesh.nodes - 1
        n = {0: 1, 1: most}.get(i, draw.randint(1, min(most, 80)))
        source, *dst = draw.sample(range(mesh.nodes), n + 1)
        yield source, dst, draw.choice([1, 8, 32, 100])


def run(dims, policy, folder):
    mesh = Mesh(dims)
    inject = 2 * len(mesh.radix)
    draw = random.Random(f"{dims} {policy}")
    asked = list(requests(mesh, draw))
    path = os.path.join(folder, "batch")
    with open(path, "w", encoding="utf-8") as batch:
        for source, dst, flits in asked:
            batch.write(f"plan p0 policy {policy} from {source} to"
                        f" {','.join(map(str, dst))} flits {flits}\n")
    lines = mcastctl("-j", "-b", path).splitlines()
    need(len(lines) == len(asked), f"{len(lines)} objects for {len(asked)} plans")
    for line, (source, dst, flits) in zip(lines, asked):
        want = ("p0", policy.split()[0], source, dst, inject)
        try:
            check_plan(mesh, json.loads(line), want, POLICIES[policy], flits)
        except Bad as error:
            raise Bad(f"{error} (from {source} to {dst})") from error


def main():
    failed = 0
    print(f"TAP version 13\n1..{len(MESHES) * len(POLICIES)}")
    number = 0
    with tempfile.TemporaryDirectory() as folder:
        for dims in MESHES:
            mcastctl("fabric", "add", "p0", "topology", "mesh", "dims", dims)
            for policy in POLICIES:
                number += 1
                try:
                    run(dims, policy, folder)
                    print(f"ok {number} {policy} on {dims}")
                except (Bad, ValueError, KeyError) as error:
                    failed += 1
                    print(f"# {error}\nnot ok {number} {policy} on {dims}")
                sys.stdout.flush()
            mcastctl("fabric", "del", "p0")
    return 1 if failed else 0


sys.exit(main())
