#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=300
"""up*-down* routing through netlink: what fabrics make of routing and root, tables against
the definition, generated networks, plans and runs."""

import time

from helpers import mcfab_nl as nl

tap = nl.Tap()
ynl = nl.client()


def refused(call, error, text, name):
    """A call that is refused with this error and text."""
    err = nl.refusal(call)
    said = err and f"{nl.error_name(err.error)} {err.nl_msg.extack}"
    tap.check(err and nl.error_name(err.error) == error and
              text in str((err.nl_msg.extack or {}).get("msg")), name, str(said))
    return err


def make(name, **more):
    """A fabric."""
    return ynl.do("fabric-new", {"name": name, **more})


def generate(name, switches=8, ports=8, hosts=32, **more):
    """A fabric of a random network."""
    return make(name, topology="irregular", hosts=hosts, switches=switches,
                **{"switch-ports": ports}, **more)


def graph(name):
    """(messages, links as a list)"""
    shown = ynl.dump("graph-get", {"fabric": name})
    return shown, [link for msg in shown for link in msg.get("link", [])]


def routes(name, **more):
    """(root message, switches, entries by (from, to, phase))"""
    shown = ynl.dump("route-get", {"fabric": name, **more})
    entries = [msg["entry"] for msg in shown if "entry" in msg]
    return (shown[0], [msg["switch"] for msg in shown if "switch" in msg],
            {(e["from"], e["to"], e["phase"]): (e["distance"], list(e["ports"]))
             for e in entries}, len(entries))


def wait(name):
    """How a run ends."""
    limit, state = time.monotonic() + 120, "running"
    while state == "running" and time.monotonic() < limit:
        time.sleep(0.1)
        state = ynl.do("run-get", {"fabric": name})["state"]
    return state


class Tree:
    """The definition of up*-down* routing, worked out from the links of a fabric."""

    def __init__(self, switches, links, root):
        self.ports = [{} for _ in range(switches)]
        for link in links:
            a, p = link["switch"], link["port"]
            b, q = link["peer-switch"], link["peer-port"]
            self.ports[a][p] = b
            self.ports[b][q] = a
        self.level = {root: 0}
        edge = [root]
        while edge:
            edge = [(sw, n) for sw in edge for n in self.ports[sw].values()]
            edge = [n for sw, n in edge if self.level.setdefault(n, self.level[sw] + 1) ==
                    self.level[sw] + 1]
            edge = sorted(set(edge))

    def up(self, a, b):
        """Does a channel from a to b go up?"""
        return (self.level[b], b) < (self.level[a], a)

    def steps(self, sw, phase):
        """(port, next place) that are legal"""
        for port, n in sorted(self.ports[sw].items()):
            if self.up(sw, n):
                if phase == "up":
                    yield port, (n, "up")
            else:
                yield port, (n, "down")

    def hops(self, start):
        """Shortest legal ways from a place to every switch."""
        seen, edge, far, count = {start}, [start], {start[0]: 0}, 0
        while edge:
            count += 1
            edge = [n for place in edge for _, n in self.steps(*place)]
            edge = [n for n in dict.fromkeys(edge) if n not in seen]
            seen.update(edge)
            for sw, _ in edge:
                far.setdefault(sw, count)
        return far

    def entries(self):
        """All routes, as routes() has them."""
        places = [(sw, phase) for sw in range(len(self.ports)) for phase in ("up", "down")]
        far = {place: self.hops(place) for place in places}
        return {(sw, to, phase): (n, [port for port, place in self.steps(sw, phase)
                                      if far[place].get(to) == n - 1])
                for sw, phase in places for to, n in far[sw, phase].items() if to != sw}


def check_tables(name, switches, what):
    """The whole dump against the definition."""
    root, shown, entries, count = routes(name)
    tree = Tree(switches, graph(name)[1], root["root"])
    want = tree.entries()
    tap.check(entries == want and count == len(want), f"{what}: routes", str(
        [(k, entries.get(k), want.get(k)) for k in want if entries.get(k) != want[k]][:3]))
    good = root["levels"] == max(tree.level.values()) + 1 and len(shown) == switches
    for sw in shown:
        nr = sw["switch"]
        ups = [(n, port) for port, n in tree.ports[nr].items()
               if tree.level[n] < tree.level[nr]]
        good &= sw["level"] == tree.level[nr]
        good &= (sw.get("parent"), sw.get("parent-port")) == (min(ups) if ups else (None, None))
        good &= {k["port"]: (k["peer-switch"], bool(k.get("up"))) for k in sw.get("link", [])} \
            == {port: (n, tree.up(nr, n)) for port, n in tree.ports[nr].items()}
    tap.check(good, f"{what}: tree and links", str(shown))
    return tree


# networks that are generated
made = generate("a", **{"topology-seed": 7})
tap.check(made["nodes"] == 32 and made["routers"] == 8 and made["ports"] == 8 and
          made["channels"] == 2 * ((8 * 8 - 32) * 80 // 200), "a network of 32 hosts", str(made))
tap.check(made["routing"] == "updown" and "root" in made, "routes updown by default", str(made))
tree_a = check_tables("a", 8, "generated")
least = min(max(Tree(8, graph("a")[1], sw).level.values()) for sw in range(8))
best = [sw for sw in range(8) if max(Tree(8, graph("a")[1], sw).level.values()) == least][0]
tap.check(made["root"] == best, "the root is the switch with the least eccentricity",
          f"{made['root']}, not {best}")
tap.check(graph("a")[0][0]["root"] == best, "and part of the graph")
generate("b", **{"topology-seed": 7})
tap.check(graph("a")[0][1:] == [{**m, "fabric-id": made["id"]} for m in graph("b")[0][1:]],
          "the same seed makes the same network")
ynl.do("fabric-del", {"name": "b"})
generate("b", **{"topology-seed": 8})
tap.check(graph("a")[1] != graph("b")[1], "another seed another one")
ynl.do("fabric-del", {"name": "b"})
made = generate("b", connectivity=100, root=3, vcs=2)
tap.check(made["channels"] == 32 and made["root"] == 3, "with all ports and a root", str(made))
check_tables("b", 8, "from root 3")
ynl.do("fabric-del", {"name": "b"})
for size in (24,) if nl.DEBUG else (24, 64):
    generate("b", switches=size, hosts=4 * size)
    check_tables("b", size, f"{size} switches")
    ynl.do("fabric-del", {"name": "b"})

# parts of the tables
root_msg, shown_some, some, n = routes("a", **{"from": 2, "to": 5})
tap.check(not shown_some and set(some) <= {(2, 5, "up"), (2, 5, "down")} and n == len(some) and
          (2, 5, "up") in some, "routes from one switch to one", str(some))
some = routes("a", to=5)[2]
tap.check({k for k in routes("a")[2] if k[1] == 5} == set(some), "routes to one switch")
some = routes("a", **{"from": 5})[2]
tap.check({k for k in routes("a")[2] if k[0] == 5} == set(some), "routes from one switch")
refused(lambda: routes("a", to=8), "ENOENT", "there is no switch 8, the last is 7",
        "routes to a switch that is not there")

# what cannot be
for name, error, text, wish in (
        ("too few ports", "EINVAL", "too few ports: 64", {"hosts": 51}),
        ("too few links", "EINVAL", "connectivity 40 makes 6 links, to join the switches takes 7",
         {"connectivity": 40}),
        ("connectivity of more than all", "ERANGE", "out of range", {"connectivity": 101}),
        ("no switches", "ERANGE", "out of range", {"switches": 0}),
        ("a root that is not there", "ERANGE", "there is no switch 8 to be the root",
         {"root": 8}),
        ("a root without a tree", "EINVAL", "only routing updown has one",
         {"root": 1, "routing": "policy"})):
    refused(lambda w=wish: generate("c", **w), error, text, name)
made = generate("c", addressing="lid")
tap.check(made["addressing"] == "lid" and made["ports"] == 9,
          "a subnet, in which port 0 is the switch itself", str(made))
ynl.do("fabric-del", {"name": "c"})
refused(lambda: make("c", topology="irregular", switches=4), "EINVAL", "switch-ports is missing",
        "half a wish")
refused(lambda: make("c", topology="mesh", dims=[3, 3], hosts=4), "EINVAL",
        "only networks of topology irregular are generated", "a mesh cannot be generated")
ynl.do("graph-begin", {"fabric": "c", "switches": 1, "hosts": 2})
refused(lambda: generate("c"), "EEXIST", "a graph was announced", "what is announced comes first")
ynl.do("graph-discard", {"fabric": "c"})
refused(lambda: ynl.do("graph-discard", {"fabric": "c"}), "ENOENT", "no graph was announced",
        "what was generated in vain is gone")

# other topologies have it when asked for, and only then
made = make("m", topology="mesh", dims=[4, 4])
tap.check(made["routing"] == "policy" and "root" not in made, "a mesh without a word", str(made))
refused(lambda: routes("m"), "ENOTSUP", "make it with routing updown", "it has no routes")
ynl.do("fabric-del", {"name": "m"})
refused(lambda: make("m", topology="mesh", dims=[4, 4], root=3), "EINVAL",
        "only routing updown has one", "a root on a mesh without routing")
refused(lambda: make("m", topology="mesh", dims=[4, 4], addressing="lid", root=3), "EINVAL",
        "only routing updown has one", "nor with LIDs")
for topology, dims, root in (("mesh", [4, 4], 5), ("torus", [4, 3], 0), ("star", [4], 0)):
    made = make("m", topology=topology, dims=dims, routing="updown")
    entries = routes("m")[2]
    nodes = made["nodes"]
    tap.check(made["root"] == root and
              len([k for k in entries if k[2] == "up"]) == nodes * (nodes - 1),
              f"{topology} with routes", str(made))
    ynl.do("run-start", {"fabric": "m", "policy": "unicast", "workload": "lone", "dests": 3,
                         "count": 5})
    tap.check(wait("m") == "done", f"{topology} with a run over them")
    ynl.do("fabric-del", {"name": "m"})

# what is too big says so, and is made without
BIG = {"switches": 24000, "ports": 4, "hosts": 100, "connectivity": 100}
refused(lambda: generate("big", **BIG), "ENOMEM", "routing updown needs 2198 MiB",
        "tables of 24 000 switches")

# plans: shortest legal paths, nearest first
plan = ynl.dump("plan-get", {"fabric": "a", "policy": "unicast", "source": 9,
                             "destinations": nl.u32s([n for n in range(32) if n != 9])})
router = {node["node"]: node["router"] for node in ynl.dump("node-get", {"fabric": "a"})}
far = tree_a.hops((router[9], "up"))
worms = [msg["worm"] for msg in plan if "worm" in msg]
dests = [d for w in worms for d in w["destinations"]]
tap.check(dests == sorted(dests, key=lambda d: (far[router[d]], d)) and len(dests) == 31,
          "nearest first, then lowest id", str(dests))
good = True
for w, to in zip(worms, dests):
    hops = [tuple(w["hops"][i:i + 4]) for i in range(0, len(w["hops"]), 4)]
    host = 1 << 31
    good &= w["hops-total"] == len(hops) == far[router[to]] + 2
    good &= hops[0][:2] == (9 | host, router[9]) and hops[-1][:2] == (router[to], to | host)
    good &= all(a[1] == b[0] for a, b in zip(hops, hops[1:]))
    way = [tree_a.up(a, b) for a, b, _, _ in hops[1:-1]]
    good &= way == sorted(way, reverse=True)
    good &= all(tree_a.ports[a][port] == b for a, b, _, port in hops[1:-1])
tap.check(good, "from the host on shortest legal paths to hosts", str(worms[-1]))

# a run with background unicasts; the memory of routes is the fabric's
before = ynl.do("fabric-get", {"name": "a"})["bytes"]
tap.check(before > 4 * 8 * 8, "memory of routes counts", str(before))
for adaptive in ("off", "on"):
    ynl.do("run-start", {"fabric": "a", "policy": "unicast", "workload": "poisson",
                         "param": [{"name": "adaptive", "value": adaptive}], "dests": 3,
                         "rate-ppb": 200000, "multicast-fraction-ppm": 500000, "warmup": 20000,
                         "batch-cycles": 1000, "batches": 20, "precision-ppm": 0})
    tap.check(wait("a") == "done", f"load with adaptive {adaptive}")
ynl.do("fabric-del", {"name": "a"})
make("p", topology="torus", dims=[4, 4], vcs=2)
refused(lambda: ynl.do("run-start", {"fabric": "p", "policy": "unicast", "workload": "lone",
                                     "dests": 2, "param": [{"name": "adaptive",
                                                            "value": "on"}]}),
        "ENOTSUP", "adaptive needs a fabric with routing updown", "adaptive without routes")
ynl.do("fabric-del", {"name": "p"})
generate("p", routing="policy")
refused(lambda: ynl.do("run-start", {"fabric": "p", "policy": "unicast", "workload": "lone",
                                     "dests": 2}),
        "ENOTSUP", "topology irregular needs routing updown", "irregular without routes")
ynl.do("fabric-del", {"name": "p"})

tap.finish()
