#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=200
"""Nodes with hosts and network interfaces: what an irregular fabric is when nothing is said,
how long one message takes, who forwards, what is refused."""

import json
import math
import subprocess
import tempfile

from helpers.mcfab_nl import Tap

# a row of three switches, two hosts on each
GRAPH = """switch 0 ports 4
switch 1 ports 4
switch 2 ports 4
""" + "".join(f"host {h} switch {h // 2} port {2 + h % 2}\n" for h in range(6)) + """\
link 0 1 1 0
link 1 1 2 0
root 1
"""
T = 1000
WITNESS = "/tmp/mcfab-hosts-witness"


def mcastctl(*args):
    """Exit status, its answer in JSON or text, what it complained of."""
    done = subprocess.run(["mcastctl", "-j", *args], capture_output=True, text=True,
                          check=False)
    try:
        out = json.loads(done.stdout)
    except ValueError:
        out = done.stdout
    return done.returncode, out, done.stderr.strip()


def run(tap, what, *words):
    """Statistics of a run, or what went wrong."""
    status, out, err = mcastctl("run", "h", *words)
    status, stats, more = mcastctl("stats", "show", "h")
    tap.check(not status and isinstance(stats, dict) and stats.get("state") == "done" and
              not stats["bad-parts"] and not stats["bad-messages"],
              f"{what}: done, and its parts add up", f"{out} {err} {stats} {more}")
    return stats


def completion(stats):
    """Mean, which must be that of every message."""
    sample = stats["multicast"]["completion"]
    return sample["minimum"] if sample["minimum"] == sample["maximum"] else sample


def bus(flits):
    """5 ns a cycle, 266 MB/s."""
    return math.ceil(1000 * flits / 1330)


def defaults(tap):
    """The paper's switches and hosts."""
    want = {"node-model": "host", "startup": T, "host-receive": T, "ni-send": T,
            "ni-receive": T, "io-bus": 266, "host-overhead": "message", "vcs": 1, "buffer": 640,
            "vc-release": "sent", "switching": "wormhole", "inject": 1, "consume": 1,
            "inject-delay": 1, "route-delay": 2, "link-delay": 1, "consume-delay": 1,
            "cycle-ps": 5000}
    _, fabric, err = mcastctl("fabric", "show", "h")
    got = {key: fabric.get(key) for key in want} if isinstance(fabric, dict) else err
    tap.check(got == want, "defaults of an irregular fabric", str(got))


def one_message(tap):
    """t_hs, bus, t_ns, 3H + L, t_nr, bus, t_hr."""
    for source, dst, switches in ((0, 1, 1), (0, 2, 2), (1, 5, 3)):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(f"0 {source} {dst}\n")
            file.flush()
            stats = run(tap, f"{source} to {dst}", "policy", "unicast", "workload", "file",
                        file.name, "flits", "128")
            want = 4 * T + 2 * bus(128) + 3 * switches + 128
            tap.check(completion(stats) == want, f"it takes {want} cycles", str(completion(stats)))
            # the NI sends four packets one after the other, and receives the last one
            stats = run(tap, "in four packets", "policy", "unicast", "workload", "file", file.name,
                        "flits", "128", "mtu", "32")
            want = T + bus(32) + 4 * T + 3 * switches + 32 + T + bus(32) + T
            tap.check(completion(stats) == want, f"it takes {want} cycles", str(completion(stats)))
    parts = stats["multicast"]["parts"]
    tap.check(parts["startup"] == 2 * T and parts["interface"] == 5 * T + 2 * bus(32),
              "parts: start-up t_hs and t_hr, NI the rest of both ends", str(parts))


def forwarding(tap):
    """Three destinations: the tree is source, a, b below the source and c below a."""
    words = ("workload", "lone", "source", "0", "dests", "3", "count", "5", "flits", "32")
    one = T + bus(32)
    slow = run(tap, "binomial", "policy", "binomial", *words)
    tap.check(slow["multicast"]["startups-micro"] == 3000000, "hosts forward: three start-ups",
              str(slow["multicast"]["startups-micro"]))
    for forwarding_by in ("fpfs", "fcfs"):
        fast = run(tap, forwarding_by, "policy", "kbinomial", "k", "2", "forwarding",
                   forwarding_by, *words)
        tap.check(fast["multicast"]["startups-micro"] == 1000000, "NIs forward: one start-up",
                  str(fast["multicast"]["startups-micro"]))
        ni = fast.get("ni", {})
        tap.check(ni.get("packets") == 5 and ni.get("peak") == 1 and
                  ni.get("residence-maximum") == T and ni.get("residence-micro") == T * 1000000,
                  "the first child's NI holds each packet for t_ns", str(ni))
        faster = (slow["multicast"]["completion"]["mean-micro"] -
                  fast["multicast"]["completion"]["mean-micro"]) / 1e6
        # the way over the first child's host is saved: two overheads and the bus twice
        tap.check(faster > one, "and it is faster by a host's overheads and the bus", str(faster))


def refusals(tap):
    """What contradicts itself or the model."""
    for words, want in (
            (("ni-ratio", "2", "ni-send", "5"), "ni-ratio"),
            (("ni-send", "10000001"), "ni-send"),
            (("host-receive", "x"), "host-receive"),
            (("io-bus", "1000001"), "io-bus"),
            (("ni-memory", "65536"), "ni-memory"),
            (("ni-memory", "1"), "ni-memory means something with node-model host only"),
            (("node-model", "none"), "node-model"),
            (("host-overhead", "flit"), "host-overhead"),
            (("ni-ratio", "0"), "ni-ratio")):
        status, out, err = mcastctl("fabric", "add", "r", "topology", "mesh", "dims", "2x2",
                                    *words)
        tap.check(status and want in err, f"refused: {' '.join(words)}", f"{status} {out} {err}")
    for words, want in ((("node-busy", "injected"), "node-busy"),
                        (("rounds", "delivered"), "rounds")):
        status, out, err = mcastctl("run", "h", "policy", "unicast", "workload", "lone", "dests",
                                    "1", *words)
        tap.check(status and want in err, f"refused: {' '.join(words)}", f"{status} {out} {err}")
    status, out, err = mcastctl("fabric", "show", "r")
    tap.check(status, "and there is no such fabric", str(out))


def ratio(tap):
    """R sets the overheads of network interfaces."""
    mcastctl("fabric", "add", "r", "topology", "mesh", "dims", "2x2", "node-model", "host",
             "startup", "1000", "ni-ratio", "0.5")
    _, fabric, err = mcastctl("fabric", "show", "r")
    tap.check(fabric.get("ni-send") == 2 * T and fabric.get("ni-receive") == 2 * T and
              fabric.get("host-receive") == T, "ni-ratio 0.5: twice the host's overhead",
              f"{fabric} {err}")
    mcastctl("fabric", "del", "r")


def memory(tap):
    """Two packets are to go on to each other's hosts, whose interfaces have room for one."""
    mcastctl("fabric", "add", "m", "topology", "irregular", "switches", "4", "hosts", "8", "ports",
             "8", "topology-seed", "3", "ni-memory", "1", "startup", "10", "stall-limit", "3000",
             "buffer", "8")
    _, fabric, err = mcastctl("fabric", "show", "m")
    tap.check(fabric.get("ni-memory") == 1, "ni-memory is shown", f"{fabric} {err}")
    status, verdict, err = mcastctl("verify", "m", "policy", "kbinomial", "flits", "64", "witness",
                                    WITNESS)
    blocked = verdict.get("blocked", [])
    tap.check(status == 3 and blocked and any(w.get("memory") for w in blocked),
              "interfaces wait for room in each other", f"{status} {verdict} {err}")
    status, out, err = mcastctl("run", "m", "policy", "kbinomial", "replay", WITNESS)
    tap.check(not status and out.get("state") == "deadlocked" and "ni-memory 1" in err,
              "and do so again in a run, with a warning", f"{status} {out} {err}")
    status, out, err = mcastctl("run", "m", "policy", "kbinomial", "forwarding", "fcfs", "flits",
                                "64", "mtu", "16", "workload", "burst", "dests", "3")
    tap.check(status == 1 and "mtu 16" in err and "fcfs needs ni-memory" in err,
              "refused: fcfs without room for a message", f"{status} {out} {err}")
    mcastctl("fabric", "del", "m")


def main():
    tap = Tap()
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(GRAPH)
        file.flush()
        status, out, err = mcastctl("fabric", "add", "h", "topology", "irregular", "file",
                                    file.name)
        tap.check(not status, "a fabric of three switches and six hosts", f"{out} {err}")
    defaults(tap)
    one_message(tap)
    forwarding(tap)
    refusals(tap)
    ratio(tap)
    memory(tap)
    mcastctl("fabric", "del", "h")
    tap.finish()


main()
