#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=400
"""Links and switches that fail: each link of a network of 16 switches in turn under load,
what is shown and named, failures at cycles of a run, and everything that is refused."""

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


def generate(name, **more):
    """A random network of 16 switches, 48 hosts."""
    return ynl.do("fabric-new", {"name": name, "topology": "irregular", "switches": 16,
                                 "switch-ports": 8, "hosts": 48, "startup": 100, **more})


def run(name, policy="kbinomial", **more):
    """Begin traffic."""
    what = {"fabric": name, "policy": policy, "workload": "poisson", "dests": 7,
            "rate-ppb": 200000, "flits": 64, "warmup": 0, "precision-ppm": 0, "batches": 20,
            "batch-cycles": 1000000000}
    return ynl.do("run-start", {**what, **more})


def status(name):
    """The run, and what was dropped."""
    got = ynl.do("run-get", {"fabric": name})
    return got, got.get("dropped", {})


def wait(name):
    """How a run ends."""
    limit, state = time.monotonic() + 240, "running"
    while state == "running" and time.monotonic() < limit:
        time.sleep(0.1)
        state = ynl.do("run-get", {"fabric": name})["state"]
    return state


def fault(name, state, switch, port=None):
    """Take down, or mend."""
    what = {"fabric": name, "switch": switch, "state": state}
    if port is not None:
        what["port"] = port
    return ynl.do("fault-set", what)


def shown(name):
    """(sum, links, switches, unreachable nodes)"""
    got = ynl.dump("fault-get", {"fabric": name})
    return (got[0], [m for m in got[1:] if "port" in m],
            [m["switch"] for m in got[1:] if "switch" in m and "port" not in m],
            [m["unreachable"] for m in got[1:] if "unreachable" in m])


class Net:
    """What links join, worked out from the network's description."""

    def __init__(self, name):
        got = ynl.dump("graph-get", {"fabric": name})
        self.links = [link for msg in got for link in msg.get("link", [])]
        hosts = [host for msg in got for host in msg.get("host", [])]
        self.hosts = [{**host, "host": i} for i, host in enumerate(hosts)]

    def lost(self, down=(), switch=None):
        """Hosts outside the greatest part when these links, or this switch, are down."""
        join = {}
        for i, link in enumerate(self.links):
            a, b = link["switch"], link["peer-switch"]
            if i not in down and switch not in (a, b):
                join.setdefault(a, set()).add(b)
                join.setdefault(b, set()).add(a)
        best, parts = set(), []
        left = {host["switch"] for host in self.hosts} - {switch}
        while left:
            part, edge = set(), [left.pop()]
            while edge:
                sw = edge.pop()
                part.add(sw)
                edge += join.get(sw, set()) - part
            left -= part
            parts.append({h["host"] for h in self.hosts if h["switch"] in part})
        best = max(parts, key=len)
        return sorted(h["host"] for h in self.hosts if h["host"] not in best)


def each_link():
    """One after the other down and up again while traffic is under way."""
    net = Net("n")
    named = wrong = 0
    run("n")
    for i, link in enumerate(net.links):
        total = fault("n", "down", link["switch"], link["port"])
        time.sleep(0.02)
        _, links, switches, nodes = shown("n")
        good = (total["links"] == 1 and total["switches"] == 0 and len(links) == 1 and
                not switches and nodes == net.lost({i}) and total["nodes"] == len(nodes) and
                (links[0]["switch"], links[0]["port"]) in
                ((link["switch"], link["port"]), (link["peer-switch"], link["peer-port"])))
        wrong += not good
        named += len(nodes)
        fault("n", "up", link["peer-switch"], link["peer-port"])
    tap.check(not wrong, f"each of {len(net.links)} links down and up, shown and named",
              f"{wrong} wrong")
    for sw in range(16):
        fault("n", "down", sw)
        time.sleep(0.02)
        _, _, switches, nodes = shown("n")
        wrong += switches != [sw] or nodes != net.lost(switch=sw)
        named += len(nodes)
        fault("n", "up", sw)
    tap.check(not wrong and named, "each switch down and up, shown and named",
              f"{wrong} wrong, {named} named")
    got, dropped = status("n")
    tap.check(got["state"] == "running", "the run goes on", str(got))
    # a worm counts at once, its copies when its tail has come: no comparison while it runs
    tap.check(dropped.get("aborted", 0) > 0 and dropped.get("link", 0) > 0,
              "aborted worms are counted", str(dropped))
    tap.check(dropped.get("unreachable", 0) > 0, "destinations left out are counted",
              str(dropped))
    before, limit = got["messages"], time.monotonic() + 60
    while got["messages"] <= before and time.monotonic() < limit:
        time.sleep(0.1)
        got = ynl.do("run-get", {"fabric": "n"})
    tap.check(got["messages"] > before and got["state"] == "running", "messages go on", str(got))
    got = ynl.do("run-stop", {"fabric": "n"})
    tap.check(got["state"] == "stopped", "it can be stopped", str(got))


def to_the_end():
    """A run that comes to its end leaves nothing behind: the engine checks that."""
    for policy in ("ssr", "multidrop", "bitstring", "binomial", "unicast"):
        run("n", policy, count=20, **{"rate-ppb": 400000})
        fault("n", "down", 3)
        fault("n", "down", 5, next(link["port"] for link in Net("n").links
                                   if link["switch"] == 5 and link["peer-switch"] != 3))
        state = wait("n")
        got, dropped = status("n")
        tap.check(state == "done" and got["messages"] > 0, f"{policy} comes to its end",
                  f"{got} {dropped}")
        tap.check(dropped.get("link", 0) >= dropped.get("aborted", 0),
                  f"{policy}: every aborted worm lost a copy", str(dropped))
        for msg in shown("n")[1]:
            fault("n", "up", msg["switch"], msg["port"])
        fault("n", "up", 3)


def at_cycles():
    """Failures of a run's own: the same bits with any shards, and gone afterwards."""
    faults = [{"at": 3000, "switch": 2, "state": "down"},
              {"at": 4000, "switch": 7, "port": Net("n").links[0]["port"], "state": "down"},
              {"at": 6000, "switch": 2, "state": "up"}]
    link = next(l for l in Net("n").links if l["switch"] == 7 or l["peer-switch"] == 7)
    faults[1]["port"] = link["port"] if link["switch"] == 7 else link["peer-port"]
    ends = []
    for name in ("n", "two"):
        run(name, "multidrop", count=8, fault=faults, **{"rate-ppb": 400000})
        refused(lambda: fault(name, "down", 1), "EBUSY", "failures of its own",
                f"no other failure meanwhile ({name})")
        state = wait(name)
        got, dropped = status(name)
        ends.append((state, got.get("hash"), dropped))
        tap.check(got.get("fault") == faults, f"the run shows its failures ({name})",
                  str(got.get("fault")))
    tap.check(ends[0] == ends[1] and ends[0][0] == "done" and ends[0][2].get("aborted"),
              "failures at cycles: the same by one thread and two", str(ends))
    tap.check(shown("n")[0]["links"] == 0 and shown("n")[0]["switches"] == 0,
              "and all is up afterwards", str(shown("n")))


def plans():
    """Plans go around what is down, or are refused."""
    ynl.do("fabric-new", {"name": "mesh", "topology": "mesh", "dims": [4, 4],
                          "routing": "updown"})
    fault("mesh", "down", 5)
    got = ynl.dump("plan-get", {"fabric": "mesh", "policy": "unicast", "source": 4,
                                "destinations": nl.u32s([6])})
    tap.check(got and "summary" in got[0], "a plan around a switch", str(got))
    refused(lambda: ynl.dump("plan-get", {"fabric": "mesh", "policy": "unicast", "source": 4,
                                          "destinations": nl.u32s([6, 5])}),
            "EHOSTUNREACH", "no link that is up leads from 4 to destination 5",
            "a destination that is cut off")
    refused(lambda: ynl.dump("plan-get", {"fabric": "mesh", "policy": "dp", "source": 4,
                                          "destinations": nl.u32s([6])}),
            "EHOSTUNREACH", "policy dp would cross links that are down",
            "a policy with its own routing")
    dead = [(m["switch"]["switch"], l["peer-switch"])
            for m in ynl.dump("route-get", {"fabric": "mesh"}) if "switch" in m
            for l in m["switch"]["link"] if l.get("dead")]
    tap.check(sorted(dead) == [(1, 5), (4, 5), (5, 1), (5, 4), (5, 6), (5, 9), (6, 5), (9, 5)],
              "routes tell which links are dead", str(dead))
    entries = [m["entry"] for m in ynl.dump("route-get", {"fabric": "mesh"}) if "entry" in m]
    tap.check(entries and not any(5 in (e["from"], e["to"]) for e in entries),
              "no route to or from what is cut off")
    ynl.do("run-start", {"fabric": "mesh", "policy": "dp", "workload": "lone", "dests": 3,
                         "count": 50})
    state = wait("mesh")
    got, dropped = status("mesh")
    tap.check(state == "done" and dropped.get("link", 0) > 0,
              "a policy with its own routing loses copies", f"{got}")


def refusals():
    """Everything that cannot be."""
    ynl.do("fabric-new", {"name": "plain", "topology": "mesh", "dims": [4, 4]})
    refused(lambda: fault("plain", "down", 1), "ENOTSUP", "routing updown only",
            "a fabric without the routing")
    refused(lambda: ynl.dump("fault-get", {"fabric": "plain"}), "ENOTSUP",
            "routing updown only", "nothing to show there")
    refused(lambda: fault("n", "down", 16), "ENOENT", "there is no switch 16, the last is 15",
            "no such switch")
    refused(lambda: fault("n", "down", 1, 8), "ENOENT", "there is no port 8, the last is 7",
            "no such port")
    ports = {link[end] for link in Net("n").links for end, sw in
             (("port", "switch"), ("peer-port", "peer-switch")) if link[sw] == 1}
    ports |= {host["port"] for host in Net("n").hosts if host["switch"] == 1}
    free = sorted(set(range(8)) - ports)
    if free:
        refused(lambda: fault("n", "down", 1, free[0]), "ENOENT",
                f"nothing is on port {free[0]} of switch 1", "an open port")
    refused(lambda: fault("n", "up", 1), "EALREADY", "switch 1 is up already", "up already")
    host = Net("n").hosts[0]
    fault("n", "down", host["switch"], host["port"])
    tap.check(shown("n")[3] == [host["host"]] and shown("n")[1][0].get("host") == host["host"],
              "the link of a host", str(shown("n")))
    refused(lambda: fault("n", "down", host["switch"], host["port"]), "EALREADY",
            f"the link on port {host['port']} of switch {host['switch']} is down already",
            "down already")
    fault("n", "up", host["switch"], host["port"])
    refused(lambda: ynl.do("fault-set", {"fabric": "n", "state": "down"}), "EINVAL",
            "switch is missing", "no switch")
    refused(lambda: ynl.do("fault-set", {"fabric": "n", "switch": 1}), "EINVAL",
            "state is missing", "no state")
    refused(lambda: run("n", fault=[{"at": 9, "switch": 1, "state": "down"},
                                    {"at": 8, "switch": 1, "state": "up"}]), "EINVAL",
            "a failure at cycle 8 comes after a later one", "failures out of order")
    refused(lambda: run("n", fault=[{"at": 9, "switch": 1, "state": "up"}]), "EALREADY",
            "switch 1 is up already", "a failure that is none")
    refused(lambda: run("n", fault=[{"at": 9, "switch": 1}]), "EINVAL",
            "a cycle, a switch and a state", "half a failure")
    many = [{"at": i + 1, "switch": 1, "state": "up" if i % 2 else "down"} for i in range(17)]
    refused(lambda: run("n", fault=many), "EINVAL", "more than 16 failures", "too many")
    refused(lambda: ynl.do("run-start", {"fabric": "n", "policy": "ssr", "workload": "lone",
                                         "dests": 3, "fault": many[:1]}), "EINVAL",
            "a network that does not change", "failures and lone multicasts")
    refused(lambda: ynl.do("run-start", {"fabric": "plain", "policy": "dp",
                                         "workload": "burst", "dests": 3, "fault": many[:1]}),
            "ENOTSUP", "routing updown only", "failures without the routing")
    ynl.do("run-start", {"fabric": "n", "policy": "ssr", "workload": "lone", "dests": 40,
                         "count": 10000000})
    refused(lambda: fault("n", "down", 1), "EBUSY", "lone multicasts are under way",
            "lone multicasts under way")
    ynl.do("run-stop", {"fabric": "n"})
    tap.check(shown("n")[0]["links"] == 0 and shown("n")[0]["switches"] == 0,
              "after all of these everything is up", str(shown("n")))


generate("n", cpus="0")
generate("two", cpus="0,1")
each_link()
to_the_end()
at_cycles()
plans()
refusals()
for fabric in ("n", "two", "mesh", "plain"):
    ynl.do("fabric-del", {"name": fabric})
tap.finish()
