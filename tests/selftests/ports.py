#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=400
"""Network devices on nodes: what is refused, frames to one node, to a group, to all; each member
gets each frame once and untouched; ports, namespaces and runs that go under traffic."""

import hashlib
import random

from helpers import ports
from helpers.mcfab_nl import Tap
from helpers.ports import sh, tool

GROUP = "239.1.2.3"
LIST = "/tmp/mcfab-arrivals"
NODES = 9


def refused(tap):
    """Each wrong word is named, and nothing is made."""
    add = ("ip", "link", "add", "wrong", "type", "mcfab")
    for words, complaint in (
            (("fabric", "f", "node", str(NODES)), f"node {NODES} is not below {NODES}"),
            (("fabric", "f", "node", "0"), "node 0 has a port: one of another namespace"),
            (("fabric", "g", "node", "0"), "there is no fabric g"),
            (("fabric", "f"), "node is missing"),
            (("node", "0"), "fabric is missing"),
            (("fabric", "f", "node", "x"), "node is a number"),
            (("fabric", "f", "node", "-1"), "node is a number"),
            (("fabric", "f", "node"), "what follows is missing"),
            (("fabric", "f", "nodes", "0"), "nodes: unknown"),
            (("fabric", "f", "node", "0", "flood", "1"), "flood is on or off")):
        status, out = sh(*add, *words)
        tap.check(status and complaint in out, " ".join(words), out)
    status, out = sh("ip", "-n", "n1", "link", "set", "mcf1", "type", "mcfab", "node", "3")
    tap.check(status and "a port stays on its node" in out, "a port stays on its node", out)
    status, out = sh("ip", "link", "show", "wrong")
    tap.check(status, "nothing was made", out)


def payload(nr, size):
    """A frame's number, its check sum, and bytes that depend on the number."""
    body = random.Random(nr).randbytes(size)
    return nr.to_bytes(4, "big") + hashlib.md5(body).digest() + body


def intact(data):
    """The number of a frame, or None if a byte of it was touched."""
    good = hashlib.md5(data[20:]).digest() == data[4:20]
    return int.from_bytes(data[:4], "big") if good else None


def multicast(tap, policy, frames):
    """One sender, some members: each gets each frame once, in order; others get none."""
    members = [1, 3, 4, 8]
    sockets = {node: ports.udp(node, GROUP) for node in members}
    sockets[2] = ports.udp(2)
    sender = ports.udp(0)
    for nr in range(frames):
        sender.sendto(payload(nr, nr % 1400), (GROUP, 5000))
    good, why = True, ""
    for node, sock in sockets.items():
        got = [intact(data) for data in ports.drain(sock)]
        want = list(range(frames)) if node in members else []
        if got != want:
            good = False
            why += f"node {node} got {len(got)}: {got[:20]}\n"
    tap.check(good, f"{policy}: {frames} frames to a group, once and in order to each member",
              why)
    for sock in (*sockets.values(), sender):
        sock.close()


def unicast(tap):
    """Frames to one node, back and forth; a name that is looked for reaches all."""
    one, other = ports.udp(5), ports.udp(7)
    one.sendto(b"there", (ports.address(7), 5000))
    data, source = other.recvfrom(100)
    other.sendto(data + b" and back", source)
    data = one.recv(100)
    tap.check(data == b"there and back", "a datagram and its answer", str(data))
    status, out = sh("ip", "netns", "exec", "n2", "ping", "-c", "3", "-i", "0.2", "-W", "5",
                     ports.address(6))
    tap.check(not status and "3 received" in out, "ping", out)
    for address in ("02:00:00:00:77:06", ports.hardware(6)):
        status, out = sh("ip", "-n", "n6", "link", "set", "mcf6", "address", address)
        sh("ip", "-n", "n2", "neigh", "flush", "all")
        pinged = sh("ip", "netns", "exec", "n2", "ping", "-c", "1", "-W", "5", ports.address(6))
        tap.check(not status and not pinged[0], "a port that is up gets another address",
                  f"{out}{pinged[1]}")
    one.close()
    other.close()


def counters(tap):
    """What ethtool and ip show."""
    status, out = sh("ip", "-n", "n4", "-d", "link", "show", "mcf4")
    tap.check(not status and "mcfab fabric f node 4 flood off" in out, "ip -d link show", out)
    status, out = sh("ip", "netns", "exec", "n4", "ethtool", "-i", "mcf4")
    tap.check(not status and "driver: mcfab" in out and "bus-info: f:4" in out, "ethtool -i", out)
    status, out = sh("ip", "netns", "exec", "n4", "ethtool", "-S", "mcf4")
    tap.check(not status and "rx_overruns: 0" in out, "ethtool -S", out)


def replay(tap, first, policy, *words):
    """The log of a run, as a list, makes the same run again."""
    status, out = sh("mcastctl", "stats", "show", "f", "arrivals")
    with open(LIST, "w", encoding="ascii") as file:
        file.write(out)
    lines = out.count("\n")
    tap.check(not status and lines == first["messages"], f"{policy}: all messages are noted",
              f"{lines} of {first['messages']}: {out[:200]}")
    status, again, err = tool("run", "f", "policy", policy, *words, "workload", "file", LIST)
    tap.check(not status and again["hash"] == first["hash"] and
              again["messages"] == first["messages"], f"{policy}: the log makes the same run",
              f"{again} {err}")


def go(tap):
    """Ports, namespaces and the run go while frames are under way."""
    sender = ports.udp(0)
    sock = ports.udp(1, GROUP)
    for nr in range(200):
        sender.sendto(payload(nr, 1000), (GROUP, 5000))
        if nr == 100:
            sh("ip", "-n", "n1", "link", "del", "mcf1")
    for nr in range(200):
        sender.sendto(payload(nr, 1000), ("10.0.255.255", 5000))
        if nr == 100:
            sh("ip", "netns", "del", "n8")
    sock.close()
    status, out = sh("ip", "link", "add", "mcf1", "netns", "n1", "type", "mcfab", "fabric", "f",
                     "node", "1")
    tap.check(not status, "a node whose port went gets another one", out)
    for nr in range(500):
        sender.sendto(payload(nr, 1000), (GROUP, 5000))
    status, _, err = tool("fabric", "del", "f")
    tap.check(status == 1 and "run" in err, "a fabric with a run stays", err)
    status, out, err = tool("stop", "f")
    tap.check(not status and out["state"] == "done", "the run is stopped under traffic", f"{out}{err}")
    status, out, err = tool("fabric", "del", "f")
    tap.check(not status, "the fabric goes, with its ports", err)
    status, out = sh("ip", "-n", "n0", "link", "show", "mcf0")
    tap.check(status, "there is no port any more", out)
    sender.close()


def main():
    tap = Tap()
    status, _, err = tool("fabric", "add", "f", "topology", "mesh", "dims", "3x3", "startup", "0",
                          "buffer", "8")
    assert not status, err
    ports.make("f", NODES)
    ports.keep_all(0)
    refused(tap)
    for policy, *words in (("dp",), ("unicast", "mtu", "16"), ("mp",), ("cp",), ("qg",)):
        status, out, err = tool("run", "f", "policy", policy, *words, "workload", "ports", "log",
                                "100000", "detach")
        tap.check(not status, f"{' '.join((policy, *words))}: a run from ports", err)
        multicast(tap, policy, 100)
        if policy == "dp":
            unicast(tap)
            counters(tap)
        if policy != "qg":
            status, out, err = tool("stop", "f")
            tap.check(not status and out["state"] == "done" and out.get("hash"),
                      f"{policy}: stopped, all has arrived", f"{out} {err}")
            replay(tap, out, policy, *words)
    go(tap)
    ports.remove(NODES)
    tap.finish()


if __name__ == "__main__":
    main()
