#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=400
"""The kernel's own YNL client drives the family from our spec: the command line
tool for one of each kind of request, its library for what depends on answers."""

import json
import os
import subprocess
import sys
import time

from helpers.mcfab_nl import Tap, client, events, refusal, u32s, u64s, DEBUG, KSRC, SPEC

CLI = [sys.executable, os.path.join(os.path.dirname(os.path.realpath(__file__)),
                                    "helpers/fast_yaml.py"),
       os.path.join(KSRC, "tools/net/ynl/cli.py"), "--spec", SPEC, "--output-json"]


def cli(*args):
    """The command line tool's answer."""
    done = subprocess.run([*CLI, *args], capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stdout + done.stderr
    try:
        return json.loads(done.stdout)
    except ValueError:
        return None


def command_line(tap):
    """One of each kind of request through cli.py, spec checked against the schema."""
    made = cli("--do", "fabric-new", "--json",
               '{"name": "y0", "topology": "mesh", "dims": [6, 6], "vcs": 2, "seed": 5}')
    tap.check(isinstance(made, dict) and made.get("name") == "y0" and made["nodes"] == 36 and
              made["dims"] == [6, 6] and made["vcs"] == 2 and made["state"] == "idle" and
              made["port-name"] == ["+x", "-x", "+y", "-y"] and made["seed"] == 5,
              "cli.py: fabric-new answers with what it made", str(made))
    shown = cli("--no-schema", "--dump", "fabric-get")
    tap.check(shown == [made], "cli.py: the dump shows the same", str(shown))
    shown = cli("--no-schema", "--do", "policy-get", "--json", '{"name": "qg"}')
    tap.check(isinstance(shown, dict) and shown.get("serves") == ["mesh"] and
              {p["name"] for p in shown["param"]} >= {"td", "cover"},
              "cli.py: policy-get loads and describes a policy", str(shown))
    shown = cli("--no-schema", "--dump", "topology-get")
    tap.check([t["name"] for t in shown] == ["mesh", "torus", "star", "ring", "hypercube", "irregular"] and
              all(t["title"] for t in shown), "cli.py: topology-get", str(shown))
    shown = cli("--no-schema", "--do", "fabric-new", "--json",
                '{"name": "y1", "topology": "mesh", "dims": [0]}')
    tap.check(isinstance(shown, str) and "has no nodes" in shown and ".dims" in shown,
              "cli.py: a refusal, with its attribute", str(shown))
    shown = cli("--no-schema", "--do", "fabric-del", "--json", '{"name": "y0"}')
    tap.check(shown is None, "cli.py: fabric-del", str(shown))


def wait(ynl, fabric, limit=60):
    """The run when it has ended."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        now = ynl.do("run-get", {"fabric": fabric})
        if now["state"] != "running":
            return now
        time.sleep(0.05)
    return now


def nodes(tap, ynl):
    """Coordinates, labels and neighbours of a 3-D mesh."""
    dims = [3, 4, 5]
    ynl.do("fabric-new", {"name": "n", "topology": "mesh", "dims": dims})
    shown = ynl.dump("node-get", {"fabric": "n"})
    good = [n["node"] for n in shown] == list(range(60))
    for n in shown:
        x, y, z = n["coord"]
        good &= n["node"] == x + 3 * (y + 4 * z)
        near = {b["router"] for b in n["neighbour"]}
        want = {x + dx + 3 * (y + dy + 4 * (z + dz))
                for dx, dy, dz in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1),
                                   (0, 0, -1))
                if 0 <= x + dx < 3 and 0 <= y + dy < 4 and 0 <= z + dz < 5}
        good &= near == want
        good &= all(b["channel"] == n["router"] * 6 + b["port"] for b in n["neighbour"])
    tap.check(good, "node-get: ids, coordinates, neighbours")
    by_label = sorted(shown, key=lambda n: n["label"])
    good = [n["label"] for n in by_label] == list(range(60))
    for a, b in zip(by_label, by_label[1:]):
        good &= b["node"] in {x["router"] for x in a["neighbour"]}
    tap.check(good, "node-get: labels follow a Hamiltonian path")
    one = ynl.do("node-get", {"fabric": "n", "label": 17})
    tap.check(one == by_label[17], "node-get: a node by its label", str(one))
    ynl.do("fabric-del", {"name": "n"})


def join(parts):
    """The worms of a plan from its messages."""
    worms = []
    good = "summary" in parts[0]
    arrivals = []
    for part in parts[1:]:
        if "arrivals" in part:
            arrivals += part["arrivals"]
            continue
        worm = part["worm"]
        if worm["id"] == len(worms):
            worms.append({**worm, "destinations": [], "hops": []})
        mine = worms[-1]
        good &= worm["id"] == len(worms) - 1
        if "destinations" in worm:
            good &= worm["destination-offset"] == len(mine["destinations"])
            good &= len(worm["destinations"]) <= 8000
            mine["destinations"] += worm["destinations"]
        if "hops" in worm:
            good &= worm["hop-offset"] == len(mine["hops"]) // 4
            good &= len(worm["hops"]) <= 8000
            mine["hops"] += worm["hops"]
    for worm in worms:
        good &= len(worm["destinations"]) == worm["destinations-total"]
        good &= len(worm["hops"]) == 4 * worm["hops-total"]
    return good, parts[0]["summary"], worms, arrivals


def check_plan(tap, what, parts, source, wanted):
    """A plan's parts fit together and do what was asked for."""
    good, summary, worms, arrivals = join(parts)
    tap.check(good, f"{what}: the parts fit together")
    got = sorted(d for w in worms for d in w["destinations"])
    tap.check(got == sorted(wanted), f"{what}: each destination once")
    hops = sum(w["hops-total"] for w in worms)
    tap.check(hops == summary["traffic"] and len(worms) == summary["worms"] and
              max(w["step"] for w in worms) == summary["steps"], f"{what}: the summary",
              str(summary))
    good = True
    for worm in worms:
        at = worm["source"]
        good &= "after" in worm or at == source
        if "after" in worm:
            good &= at in worms[worm["after"]]["destinations"]
        path = worm["hops"]
        visited = {at}
        for i in range(0, len(path), 4):
            good &= path[i] in visited
            visited.add(path[i + 1])
        good &= set(worm["destinations"]) <= visited
    tap.check(good, f"{what}: worms go from their senders to their destinations")
    listed = arrivals[::2]
    cycles = arrivals[1::2]
    tap.check(listed == sorted(wanted) and max(cycles) == summary["completion"] and
              abs(sum(cycles) * 1000000 // len(cycles) -
                  summary["mean-destination-ucycles"]) <= 1,
              f"{what}: arrivals")


def plans(tap, ynl):
    """Small plans of all policies, and one that takes many messages."""
    ynl.do("fabric-new", {"name": "p", "topology": "mesh", "dims": [6, 6]})
    wanted = [3, 35, 17, 20, 8, 9, 30]
    for policy in ("unicast", "dp", "mp", "cp", "qg"):
        parts = ynl.dump("plan-get", {"fabric": "p", "policy": policy, "source": 14,
                                      "destinations": [u32s(wanted[:3]), u32s(wanted[3:])]})
        check_plan(tap, f"plan {policy}", parts, 14, wanted)
    one = ynl.dump("plan-get", {"fabric": "p", "policy": "qg", "source": 14,
                                "param": [{"name": "td", "value": "0.5"}], "flits": 1,
                                "prep": 0, "destinations": [u32s(wanted)]})
    tap.check(one[0]["summary"]["completion"] <
              parts[0]["summary"]["completion"] - 31, "plan: flits and prep count")
    ynl.do("fabric-del", {"name": "p"})

    # An odd number of destinations at the end of a chunk, more than 65,535 bytes.
    side = 64 if DEBUG else 128
    ynl.do("fabric-new", {"name": "p", "topology": "mesh", "dims": [side, side]})
    wanted = [n for n in range(side * side) if n != 77]
    ynl.do("upload-begin", {"fabric": "p", "type": "destinations",
                            "destinations-total": len(wanted)})
    for i in range(0, len(wanted), 8000):
        answer = ynl.do("upload-append", {"fabric": "p", "type": "destinations",
                                          "destinations": [u32s(wanted[i:i + 8000])]})
    tap.check(answer.get("complete") and answer["destinations-count"] == len(wanted),
              "a long destination set goes up in parts", str(answer))
    for policy in ("dp", "cp"):
        parts = ynl.dump("plan-get", {"fabric": "p", "policy": policy, "source": 77})
        tap.check(len(parts) > 5, f"long plan {policy}: {len(parts)} messages")
        check_plan(tap, f"long plan {policy}", parts, 77, wanted)
    ynl.do("upload-discard", {"fabric": "p", "type": "destinations"})
    err = refusal(lambda: ynl.dump("plan-get", {"fabric": "p", "policy": "dp", "source": 77}))
    tap.check(err is not None, "nothing is left of a discarded set")
    ynl.do("fabric-del", {"name": "p"})


def check_stats(tap, what, stats, messages, destinations):
    """What must hold of the statistics of any run that delivered everything."""
    cls = stats["multicast"]
    tap.check(cls["all"]["messages"] == messages and cls["all"]["incomplete"] == 0 and
              cls["all"]["deliveries"] == destinations, f"{what}: totals", str(cls["all"]))
    tap.check(sum(cls["parts"].values()) == cls["tail"]["sum"],
              f"{what}: the parts of the latency add up", str(cls["parts"]))
    tail = cls["tail"]
    tap.check(tail["mean-micro"] == round(tail["sum"] * 1000000 / tail["count"]) and
              tail["minimum"] <= tail["maximum"] and
              tail["squares"] * tail["count"] >= tail["sum"] ** 2, f"{what}: derived numbers",
              str(tail))
    tap.check(not stats["bad-parts"] and not stats["bad-messages"], f"{what}: no bug counted")


def runs(tap, ynl):
    """Lone, loaded and listed traffic; events; statistics."""
    listener = client()
    listener.ntf_subscribe("mgmt")
    ynl.do("fabric-new", {"name": "r", "topology": "mesh", "dims": [8, 8]})
    lone = {"fabric": "r", "policy": "dp", "workload": "lone", "count": 200, "dests": 10}
    started = ynl.do("run-start", lone)
    tap.check(started["run"] == 1 and started["workload"] == "lone" and
              started["count"] == 200 and started["expected"] == 200, "run-start answers",
              str(started))
    ended = wait(ynl, "r")
    tap.check(ended["state"] == "done" and ended["deliveries"] == 2000 and "hash" in ended,
              "a lone run ends", str(ended))
    got = events(listener, "run-finished-ntf")
    names = [e["name"] for e in got]
    tap.check(names[:1] == ["fabric-add-ntf"] and "fabric-change-ntf" in names and
              names[-1:] == ["run-finished-ntf"], "events of a run", str(names))
    tap.check(got[-1]["msg"].get("hash") == ended["hash"] and got[-1]["msg"]["run"] == 1,
              "the event carries the result", str(got[-1]))
    stats = ynl.do("stats-get", {"fabric": "r"})
    tap.check(stats["hash"] == ended["hash"] and stats["policy"] == "dp", "stats-get: the run")
    check_stats(tap, "lone", stats, 200, 2000)
    interval = stats["multicast"]["completion-interval"]
    tap.check(interval["observations"] == 200 and
              interval["mean-ucycles"] == stats["multicast"]["completion"]["mean-micro"],
              "lone: an interval over messages", str(interval))

    links = ynl.dump("link-get", {"fabric": "r"})
    tap.check(len(links) == 2 * 2 * 7 * 8 == stats["balance"]["channels"] and
              sum(x["flits"] for x in links) == stats["balance"]["flits"] == stats["flit-hops"],
              "link-get: every flit that crossed a channel",
              f'{sum(x["flits"] for x in links)} {stats["balance"]} {stats["flit-hops"]}')
    tap.check(stats["flit-hops"] == 32 * stats["multicast"]["all"]["traffic"],
              "flits times traffic are flit-hops")
    loads = ynl.dump("node-load-get", {"fabric": "r"})
    tap.check(len(loads) == 64 and sum(x["flits-in"] for x in loads) ==
              sum(x["flits-out"] for x in loads) == stats["flit-hops"], "node-load-get")
    buckets = ynl.dump("histogram-get", {"fabric": "r"})
    tap.check(sum(b["count"] for b in buckets if b["type"] == "tail") == 2000 and
              sum(b["count"] for b in buckets if b["type"] == "completion") == 200,
              "histogram-get: every value in a bucket")

    ynl.do("run-start", lone)
    again = wait(ynl, "r")
    tap.check(again["hash"] == ended["hash"] and again["run"] == 2, "the same run again",
              str(again))
    ynl.do("stats-reset", {"fabric": "r"})
    stats = ynl.do("stats-get", {"fabric": "r"})
    tap.check("hash" not in stats and "multicast" not in stats and stats["state"] == "idle",
              "stats-reset", str(stats))

    # Message 1 is of the same source, and waits for it in the queue.
    ynl.do("upload-begin", {"fabric": "r", "type": "messages", "messages-total": 3,
                            "destinations-total": 6})
    ynl.do("upload-append", {"fabric": "r", "type": "messages", "cycles": [u64s([0, 0, 9])],
                             "sources": [u32s([0, 0, 5])], "counts": [u32s([2, 3, 1])]})
    ynl.do("upload-append", {"fabric": "r", "type": "messages",
                             "destinations": [u32s([1, 2, 3, 4, 5, 6])]})
    ynl.do("run-start", {"fabric": "r", "policy": "cp", "workload": "file", "flits": 8})
    ended = wait(ynl, "r")
    tap.check(ended["state"] == "done" and ended["messages"] == 3, "a list of messages runs",
              str(ended))
    check_stats(tap, "file", ynl.do("stats-get", {"fabric": "r"}), 3, 6)

    load = {"fabric": "r", "policy": "dp", "workload": "poisson", "rate-ppb": 200000,
            "dests": 4, "multicast-fraction-ppm": 500000, "batch-cycles": 2000, "precision-ppm": 0}
    ynl.do("run-start", load)
    ended = wait(ynl, "r")
    stats = ynl.do("stats-get", {"fabric": "r"})
    tap.check(ended["state"] == "done" and stats["batches"] == 96 and "unicast" in stats,
              "a loaded run ends", f"{ended} {stats.get('batches')}")
    batches = ynl.dump("batch-get", {"fabric": "r"})
    counted = sum(b["messages"] for b in batches if b["class"] == "multicast")
    tap.check(counted == stats["multicast"]["measured"]["messages"] and
              len(batches) == 192, "batch-get", f"{counted} {len(batches)}")
    cells = stats["load"]
    offered = cells["generated-flits"]
    cycles = cells["end"] - cells["start"]
    tap.check(stats["window-end"] - stats["window-start"] == 20 * 2000 and
              0 <= 20 * 2000 - cycles < 200 and
              abs(stats["offered-ppb"] - offered * 1000000000 / (64 * cycles)) <= 1 and
              stats["effective-ppb"] > stats["offered-ppb"] > 0, "offered and effective load",
              f"{cycles} {offered} {stats['offered-ppb']}")

    ynl.do("run-start", {**load, "batches": 1000, "batch-cycles": 100000000,
                         "max-cycles": 900000000000})
    time.sleep(0.3)
    begin = time.monotonic()
    ended = ynl.do("run-stop", {"fabric": "r"})
    took = time.monotonic() - begin
    tap.check(ended["state"] == "stopped" and "hash" not in ended, "a run is stopped",
              str(ended))
    # at once, as far as a person goes, on a machine that others use
    tap.check(took < 10, f"soon: within {took:.2f} s")
    ynl.do("fabric-del", {"name": "r"})
    got = events(listener, "fabric-del-ntf")
    tap.check(got[-1]["name"] == "fabric-del-ntf" and got[-1]["msg"]["name"] == "r",
              "the removal is told", str([e["name"] for e in got]))


def dumps(tap, ynl):
    """Dumps of many messages are whole."""
    for i in range(60):
        ynl.do("fabric-new", {"name": f"d{i}", "topology": "mesh", "dims": [2] * 8,
                              "cpus": "0"})
    shown = ynl.dump("fabric-get", {})
    tap.check([f["name"] for f in shown] == [f"d{i}" for i in range(60)] and
              [f["id"] for f in shown] == sorted(f["id"] for f in shown),
              "60 fabrics in one dump")
    tap.check(len(ynl.dump("run-get", {})) == 60, "and their runs")
    tap.check(shown[0]["port-name"][-1] == "-7" or len(shown[0]["port-name"]) == 16,
              "eight dimensions have sixteen ports")
    for i in range(60):
        ynl.do("fabric-del", {"name": f"d{i}"})
    side = 64 if DEBUG else 256
    ynl.do("fabric-new", {"name": "d", "topology": "mesh", "dims": [side, side]})
    shown = ynl.dump("node-get", {"fabric": "d"})
    tap.check([n["node"] for n in shown] == list(range(side * side)),
              f"{side * side} nodes in one dump")
    ynl.do("fabric-del", {"name": "d"})


def main():
    """All of it."""
    tap = Tap()
    command_line(tap)
    ynl = client()
    for part in (nodes, plans, runs, dumps):
        part(tap, ynl)
    tap.check(not ynl.dump("fabric-get", {}), "no fabric is left")
    tap.finish()


main()
