#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The Python module: it gives what mcastctl prints, refuses what the library refuses, and does so
with arrays of numpy and without.

Usage: python.py; MCFAB_LIBRARY says which library, default that of "make lib". Prints TAP.
"""
import array
import importlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("MCFAB_LIBRARY", str(TOP / "build/lib/libmcfab.so.0"))
sys.path.insert(0, str(TOP / "libmcfab/python"))
RUN = "policy mp workload lone count 200 dests 10"


def tool(*commands):
    """What mcastctl answers to the last command, as JSON."""
    out = subprocess.run([TOP / "tools/mcastctl/mcastctl", "--engine", "user", "-j", "-b", "-"],
                         input="\n".join(commands), capture_output=True, text=True, check=False)
    assert not out.returncode, out.stderr
    return json.loads(out.stdout.strip().splitlines()[-1])


def load(with_numpy):
    """The module, as if numpy was there or not."""
    sys.modules.pop("mcfab", None)
    if not with_numpy:
        sys.modules["numpy"] = None
    return importlib.import_module("mcfab")


def refused(mcfab, call, why):
    """Does a call raise the library's error, with this text?"""
    try:
        call()
    except mcfab.Error as error:
        assert str(error) == why, f"{error}, not {why}"
        return
    raise AssertionError(f"not refused: {why}")


def runs(mcfab):
    """A run has the hash that mcastctl has, and columns that fit its statistics."""
    there = tool("fabric add f topology mesh dims 16x16", "run f " + RUN, "stats show f")
    with mcfab.Fabric("topology mesh dims 16x16") as fabric:
        assert fabric.get("nodes") == 256 and fabric.get("dims.1") == 16
        assert fabric.get("topology") == "mesh" and fabric.get("switching") == "wormhole"
        assert fabric.run(RUN) == "done"
        assert fabric.progress("hash") == int(there["hash"]), "another hash"
        flits = fabric.column("link", "flits")
        assert len(flits) == 960 and sum(flits) == fabric.stats("balance.flits") > 0
        micro = fabric.stats("multicast.completion.mean-micro")
        assert fabric.stats("multicast.completion.mean") == micro / 1e6
        refused(mcfab, lambda: fabric.run("policy nix workload lone dests 3"),
                "policy nix: unknown policy nix")
        refused(mcfab, lambda: fabric.stats("multicast.nix"),
                "name multicast.nix: stats has no such value")
    return type(flits)


def graphs(mcfab):
    """A graph with rates has the hash of its file."""
    options = "topology irregular node-model queue buffer 64"
    run = "policy multidrop workload lone count 50 dests 3 flits 32"
    graph = mcfab.Graph([5, 4, 4], [(0, 1), (0, 2), (1, 0, 7), (1, 1), (2, 2, 3, 5), (2, 0)],
                        [(0, 3, 1, 2, 2, 0, 1, 4), (1, 3, 2, 1), (0, 4, 2, 3, 5, 6)])
    text = """switch 0 ports 5
switch 1 ports 4
switch 2 ports 4
host 0 switch 0 port 1
host 1 switch 0 port 2
host 2 switch 1 port 0 rate 1/7 1/1
host 3 switch 1 port 1
host 4 switch 2 port 2 rate 1/3 1/5
host 5 switch 2 port 0
link 0 3 1 2 delay 2 1 rate 1/1 1/4
link 1 3 2 1
link 0 4 2 3 delay 5 6
"""
    with tempfile.NamedTemporaryFile("w", suffix=".topo") as file:
        file.write(text)
        file.flush()
        there = tool(f"fabric add f {options} file {file.name}", "run f " + run, "stats show f")
    with mcfab.Fabric(options, graph) as fabric:
        assert fabric.get("nodes") == 6 and fabric.run(run) == "done"
        assert fabric.progress("hash") == int(there["hash"]), "another hash"
    refused(mcfab, lambda: mcfab.Graph([4], [(0, -1)], []), "hosts -1: out of range")
    refused(mcfab, lambda: mcfab.Fabric(options, mcfab.Graph([4], [(0, 1), (1, 1)], [])),
            "topology irregular: host 1: there is no switch 1")


def plans(mcfab):
    """The worms of the plan in README.md."""
    with mcfab.Fabric("topology mesh dims 16x16") as fabric:
        plan = fabric.plan("policy mp", 35, [17, 40, 153, 200])
        assert [(w.source, w.after, w.hops, list(w.dests)) for w in plan.worms] == [
            (35, None, 17, [40, 153, 200]), (35, None, 3, [17])]
        nodes, cycles = plan.arrivals
        assert dict(zip(map(int, nodes), map(int, cycles))) == {17: 70, 40: 72, 153: 80, 200: 84}
        assert plan.get("completion") == 84
        refused(mcfab, lambda: fabric.plan("policy mp", 35, [-1]), "dests -1: out of range")


def nets(mcfab):
    """A network that is stepped is the run of the list of its messages."""
    pushed = []
    with mcfab.Fabric("topology mesh dims 8x8 startup 0") as fabric:
        with fabric.net("policy dp flits 6") as net:
            for node in range(63):
                dests = [(node + 7) % 64, (node + 20) % 64]
                assert net.push(node, dests, 6, cookie=node)
                pushed.append((net.cycle + 1, node, dests, 6))
                net.step(node % 3 + 1)
            came = list(net.pop_all())
            while net.busy:
                net.step(1000, until_delivery=True)
                came += net.pop_all()
            assert net.pop() is None
            refused(mcfab, lambda: net.push(3, [3], 6), "dests[0] 3: it is the source")
        assert sorted((d.cookie, d.node) for d in came) == sorted(
            (node, dest) for _, node, dests, _ in pushed for dest in dests)
        stepped = fabric.progress("hash")
        refused(mcfab, net.step, "the network is closed")
        assert fabric.run_list("policy dp", pushed) == "done"
        assert fabric.progress("hash") == stepped, "the list has another hash"


def main():
    """All tests with numpy, if it is there, and without; TAP."""
    try:
        numpy = importlib.import_module("numpy")
    except ImportError:
        numpy = None
    number = bad = 0
    print("TAP version 13\n1..8")
    for with_numpy in (True, False):
        for test in (runs, graphs, plans, nets):
            number += 1
            name = f"{number} {test.__name__} {'with' if with_numpy else 'without'} numpy"
            if with_numpy and not numpy:
                print(f"ok {name} # SKIP numpy is not installed")
                continue
            try:
                kind = test(load(with_numpy))
                assert kind in (None, numpy.ndarray if with_numpy else array.array), kind
                print(f"ok {name}")
            except (AssertionError, KeyError, ValueError) as error:
                print(f"# {type(error).__name__}: {error}\nnot ok {name}")
                bad += 1
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
