#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=300
"""Ports at their limits: paces that are too slow or too fast, a port that goes up with frames in
its ring, a name that is another namespace's, devices that no port can be, frames of a port that
went."""

import json
import socket

from helpers import ports
from helpers.mcfab_nl import Tap
from helpers.ports import sh, tool

RING = 256
SO_SNDBUFFORCE = 32


def paces(tap):
    """A pace is refused by which a cycle takes too long, or no time, and the argument is named."""
    for cycle_ps, good, bad, complaint in ((10 ** 9, "18000", "18500", "more than 18 s"),
                                           (1, "1", "0.999999", "less than 1 ps")):
        ports.cable("cycle-ps", str(cycle_ps))
        status, _, err = tool("run", "f", "policy", "unicast", "workload", "ports", "pace", bad,
                              "detach")
        tap.check(status and "pace" in err and complaint in err,
                  f"cycle-ps {cycle_ps}: pace {bad} is refused", err)
        ports.run("f", "policy", "unicast", "pace", good)
        status, out, err = tool("stop", "f")
        tap.check(not status and out["state"] == "done", f"... and pace {good} is not", f"{out}{err}")
        ports.cut()


def dropped(node):
    """Frames that the port of a node dropped before it sent them."""
    _, out = sh("ip", "-n", f"n{node}", "-s", "-j", "link", "show", f"mcf{node}")
    return json.loads(out)[0]["stats64"]["tx"]["dropped"]


def waiting(node):
    """Frames that wait in front of the port of a node."""
    _, out = sh("tc", "-n", f"n{node}", "-s", "-j", "qdisc", "show", "dev", f"mcf{node}")
    return json.loads(out)[0]["qlen"]


def full(tap):
    """A port whose ring is full goes down and up: what is sent then waits in front of it."""
    ports.cable("cycle-ps", str(10 ** 9))
    ports.unlimited(0)
    ports.run("f", "policy", "unicast")
    sender = ports.udp(0)
    for _ in range(4):
        sender.sendto(bytes(100), (ports.address(1), 5000))
    ports.must("stop", "f")
    # a cycle takes 10 s: nothing gets through
    ports.run("f", "policy", "unicast", "pace", "10000")
    # what waits is charged to the socket
    sender.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, 1 << 22)

    def send(count):
        for _ in range(count):
            sender.sendto(bytes(100), (ports.address(1), 5000))
        return dropped(0)

    lost = send(RING + 40)
    tap.check(lost == 0 and waiting(0) > 0,
              f"{RING + 40} frames wait in the ring, and in front of it", str((lost, waiting(0))))
    for state in ("down", "up"):
        status, out = sh("ip", "-n", "n0", "link", "set", "mcf0", state)
        assert not status, out
    for words in (("neigh", "replace", ports.address(1), "lladdr", ports.hardware(1), "nud",
                   "permanent", "dev", "mcf0"), ("route", "replace", "10.0.0.0/16", "dev", "mcf0")):
        status, out = sh("ip", "-n", "n0", *words)
        assert not status, out
    ports.ready("f")
    before = dropped(0)
    lost = send(20) - before
    tap.check(lost == 0, "frames wait in front of a ring that was full when its port came up",
              f"{lost} of 20 dropped")
    sender.close()
    ports.cut()


def names(tap):
    """The name of a port in another namespace is not told."""
    ports.cable()
    status, out = sh("ip", "link", "add", "x", "type", "mcfab", "fabric", "f", "node", "1")
    tap.check(status and "node 1 has a port: one of another namespace" in out,
              "a node that has a port in another namespace", out)
    ports.cut()


def makings(tap):
    """What ip(8) may ask for of any device, and a port cannot be: the node is free afterwards."""
    ports.cable()
    status, out = sh("ip", "-n", "n0", "link", "del", "mcf0")
    assert not status, out
    for words, complaint in ((("numtxqueues", "4"), "a port has one queue"),
                             (("numrxqueues", "2"), "a port has one queue"),
                             (("index", "1"), "File exists")):
        status, out = sh("ip", "link", "add", "x", *words, "type", "mcfab", "fabric", "f", "node",
                         "0")
        tap.check(status and complaint in out, f"a port with {' '.join(words)} is refused", out)
    status, out = sh("ip", "link", "add", "x", "type", "mcfab", "fabric", "f", "node", "0")
    tap.check(not status, "a port of the node can be made after all", out)
    ports.cut()


def remade(tap):
    """A port goes while frames whose time stamps a program waits for are in its ring, and another
    one takes its node: the stamps were those of the first."""
    ports.cable("cycle-ps", str(10 ** 9))
    ports.run("f", "policy", "unicast", "pace", "10000")
    sender = ports.stamped(ports.udp(0), 0)
    # the whole datagram comes with its stamp: SOF_TIMESTAMPING_OPT_TSONLY is off
    sender.setsockopt(socket.SOL_SOCKET, ports.SO_TIMESTAMPING, ports.STAMPS & ~(1 << 11))
    for _ in range(4):
        sender.sendto(bytes(100), (ports.address(1), 5000))
    status, out = sh("ip", "-n", "n0", "link", "del", "mcf0")
    assert not status, out
    ports.must("port", "add", "x", "fabric", "f", "node", "0")
    tool("stop", "f")
    tool("stop", "f")
    tap.check(not ports.sent(sender), "frames of a port that went get no stamps of the next one")
    sender.close()
    ports.cut()


def main():
    tap = Tap()
    for part in (paces, full, names, makings, remade):
        part(tap)
    tap.finish()


if __name__ == "__main__":
    main()
