#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=600
"""Tori, rings, hypercubes and star graphs through mcastctl: nodes as the tool shows and
takes them, plans of all policies that serve them, whose worms only take channels that
exist, runs under load, and what is refused."""

import json
import os
import random
import subprocess
import sys

PLANS = 3 if os.environ.get("MCFAB_DEBUG") else 12

# topology, dims, vcs, ports a node has
NETWORKS = [("torus", "5x6", 2, 4), ("torus", "2x3x4", 2, 6), ("torus", "8x8", 4, 4),
            ("ring", "9", 2, 2), ("hypercube", "5", 1, 5), ("star", "4", 4, 3),
            ("star", "5", 6, 4)]

# labels close to a cycle on all of these but the hypercube, a mesh
CYCLE = ["hcm-uniform", "hcm-fixed", "rg"]


def policies(topology, dims):
    if topology == "hypercube":
        return ["unicast", "dp"]
    return ["unicast", "dp", *CYCLE] + ["hcm-multipath"] * (dims.count("x") == 1)


REFUSALS = [
    ("fabric add x topology torus dims 4x1", "dimension 1 needs 2 nodes"),
    ("fabric add x topology ring dims 4x4", "a ring has one number"),
    ("fabric add x topology hypercube dims 17", "1 to 16 dimensions, not 17"),
    ("fabric add x topology star dims 9", "3 to 8 symbols, not 9"),
    ("fabric add x topology star dims 2", "3 to 8 symbols, not 2"),
    ("plan s policy unicast from 0 to 1", "need vcs 4, the fabric has 1"),
    ("plan t policy unicast from 0 to 1", "need vcs 2, the fabric has 1"),
    ("plan t policy qg from 0 to 1", "policy qg: cannot serve topology torus"),
    ("plan s policy mp from 0 to 1", "policy mp: cannot serve topology star"),
    ("plan s policy dp from (231) to 1", "3 symbols"),
    ("plan s policy dp from (2,3,1,5) to 1", "symbols of fabric s go from 1 to 4"),
    ("plan s policy dp from (2214) to 1", "2 occurs twice"),
    ("plan s policy dp from 24 to 1", "24"),
    ("plan t policy dp from (5,0) to 1", "coordinate 0 of fabric t goes from 0 to 3"),
    ("plan t policy dp wrap 2 from 1 to 2", "on or off"),
    ("plan t policy hcm-uniform from 0 to 1", "need vcs 2, the fabric has 1"),
    ("plan s policy rg from 0 to 1", "need vcs 2, the fabric has 1"),
    ("plan s policy hcm-multipath from 0 to 1", "cannot serve topology star"),
    ("plan o policy hcm-fixed from 0 to 1", "the last dimension has to be even, not 5"),
    ("plan m policy hcm-fixed from 0 to 1", "cannot serve topology mesh"),
    ("plan r policy hcm-multipath from 0 to 1", "needs a torus of 2 dimensions, not 1"),
    ("plan t policy t2w from 0 to 1", "wrap links need vcs 2, the fabric has 1"),
    ("plan t policy tasnem from 0 to 1", "wrap links need vcs 2, the fabric has 1"),
    ("plan s policy ttpm from 0 to 1", "policy ttpm: cannot serve topology star"),
    ("plan c policy gttpm from 0 to 1", "needs a torus of 2 dimensions, the fabric has 3"),
]

number = 0
failed = 0


def test(good, name, why=""):
    global number, failed
    number += 1
    if not good:
        failed += 1
        print(f"# {why}")
    print(f"{'ok' if good else 'not ok'} {number} {name}")
    sys.stdout.flush()


def mcastctl(*args):
    return subprocess.run(["mcastctl", *args], capture_output=True, text=True, check=False)


def made(*args):
    done = mcastctl("-j", *args)
    if done.returncode:
        raise ValueError(f"mcastctl {' '.join(args)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def neighbours(name):
    """(router, port) to router, as the kernel shows them."""
    table = {}
    for node in made("fabric", "node", name):
        for n in node.get("neighbour", []):
            table[node["node"], n["port"]] = n["router"]
    return table


def links(name, is_boundary):
    """Kinds of links and networks of channels, by the labels."""
    nodes = made("fabric", "node", name)
    label = {n["node"]: n["label"] for n in nodes}
    wrong, count = [], 0
    for node in nodes:
        for n in node["neighbour"]:
            a, b = label[node["node"]], label[n["router"]]
            boundary = is_boundary(a, b, len(nodes))
            kind = "boundary" if boundary else "path" if abs(a - b) == 1 else "shortcut"
            count += boundary
            if n["link"] != kind or bool(n.get("high")) != ((b > a) != boundary):
                wrong.append((a, b, n))
    test(not wrong and count, f"{name}: boundary links, shortcuts, high network",
         str(wrong[:3]))


def check_plan(table, plan, source, dst, vcs):
    got = []
    for worm in plan["worm"]:
        at, left = worm["source"], list(worm["destinations"])
        if at not in [source, *got]:
            return f"{at} sends what it has not got"
        for a, b, vc, port in worm["hops"]:
            if a != at or table.get((a, port)) != b or vc >= vcs:
                return f"no channel from {a} by port {port}, vc {vc}, to {b}"
            at = b
            if left and left[0] == b:
                got.append(left.pop(0))
        if left:
            return f"{left} not reached"
    return "" if sorted(got) == sorted(dst) else f"{got} instead of {dst}"


def network(topology, dims, vcs, degree):
    name = f"{topology} {dims}"
    fabric = made("fabric", "add", "n", "topology", topology, "dims", dims, "vcs", str(vcs))
    test(fabric["degree"] == degree and fabric["inject"] == degree, f"{name}: degree",
         f"{fabric['degree']}, inject {fabric['inject']}")
    table = neighbours("n")
    draw = random.Random(name)
    for policy in policies(topology, dims):
        why = ""
        for _ in range(PLANS):
            count = draw.randint(1, min(20, fabric["nodes"] - 1))
            source, *dst = draw.sample(range(fabric["nodes"]), count + 1)
            plan = made("plan", "n", "policy", policy, "from", str(source), "to",
                        ",".join(map(str, dst)))
            why = why or check_plan(table, plan, source, dst, vcs)
        test(not why, f"{name}: plans of {policy}", why)
        done = mcastctl("run", "n", "policy", policy, "workload", "poisson", "rate", "0.001",
                        "dests", "3", "batches", "20", "batch-cycles", "500", "precision", "0")
        test(not done.returncode, f"{name}: a load under {policy}", done.stderr.strip())
    # one worm is in nobody's way
    done = mcastctl("run", "n", "policy", "dp", "workload", "lone", "count", "50", "dests", "1")
    stats = made("stats", "show", "n")
    stats = stats[0] if isinstance(stats, list) else stats
    test(not done.returncode, f"{name}: lone messages", f"{done.stderr.strip()} {stats}"[:300])
    mcastctl("fabric", "del", "n")


def star_nodes():
    shown = mcastctl("fabric", "node", "s", "(2314)").stdout.split()
    test("(2314)" in shown and "#4" in shown, "a permutation is shown as one", str(shown))
    ids = [made("fabric", "node", "s", word)[0]["node"]
           for word in ("(2314)", "(2,3,1,4)", "2.3.1.4", "#4", "l4", "8")]
    test(ids == [8] * 6, "six ways to write a node", str(ids))
    labels = [made("fabric", "node", "s", f"({p})")[0]["label"] for p in
              (1432, 2134, 3124, 2314, 1243, 4123, 3412, 3421, 2341, 3241, 2413)]
    test(labels == [17, 1, 2, 4, 7, 9, 12, 19, 21, 22, 11],
         "labels of the 4-star are the paper's", str(labels))


def main():
    print("TAP version 13")
    try:
        for one in NETWORKS:
            network(*one)
        made("fabric", "add", "s", "topology", "star", "dims", "4")
        made("fabric", "add", "t", "topology", "torus", "dims", "4x4")
        made("fabric", "add", "o", "topology", "torus", "dims", "4x5", "vcs", "2")
        made("fabric", "add", "m", "topology", "mesh", "dims", "4x4", "vcs", "2")
        made("fabric", "add", "r", "topology", "ring", "dims", "8", "vcs", "2")
        made("fabric", "add", "c", "topology", "torus", "dims", "3x3x3", "vcs", "2")
        star_nodes()
        links("s", lambda a, b, n: abs(a - b) > (n + 1) // 2)
        links("t", lambda a, b, n: abs(a - b) > n // 2)
        for words, want in REFUSALS:
            done = mcastctl(*words.split())
            test(done.returncode and want in done.stderr, f"refused: {words}",
                 f"{done.returncode} {done.stderr.strip()}")
        for policy, serves in (("dp", ["mesh", "torus", "star"]), ("qg", ["mesh"]),
                               ("rg", ["torus", "star"]), ("hcm-multipath", ["torus"])):
            shown = made("policy", "show", policy)
            shown = shown[0] if isinstance(shown, list) else shown
            test(shown["serves"] == serves, f"policy {policy} serves {serves}", str(shown))
        big = made("fabric", "add", "big", "topology", "torus", "dims", "1000x1000")
        test(big["nodes"] == 1000000 and big["channels"] == 4000000, "a torus of 1000x1000",
             str(big))
    except (ValueError, KeyError, IndexError) as error:
        test(False, "the tool answers", repr(error))
    for name in ("n", "s", "t", "o", "m", "r", "c", "big"):
        mcastctl("fabric", "del", name)
    print(f"1..{number}")
    return 1 if failed else 0


sys.exit(main())
