#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=300
"""Ports that are full, and links that fail under traffic: what is lost is counted, carriers follow
the links of their nodes, and traffic goes on."""

import time

from helpers import mcfab_nl as nl
from helpers import ports
from helpers.ports import sh, tool

GROUP = "239.1.2.3"
NODES = 9
FRAMES = 5000 if nl.DEBUG else 12000


def start(*words):
    status, _, err = tool("run", "f", *words, "detach")
    assert not status, err


def counts(node):
    """Counters of a port."""
    return ports_of()[node]


def ports_of():
    """All ports of the fabric, by node."""
    status, all_ports, err = tool("port", "show", "f")
    assert not status, err
    return {port["node"]: port for port in all_ports}


def flood(sender, dst, frames, first=0):
    """Send numbered frames; return: the next number, if the socket takes no more."""
    for nr in range(first, frames):
        try:
            sender.sendto(nr.to_bytes(4, "big"), (dst, 5000))
        except TimeoutError:
            return nr
    return frames


def full(tap, drops):
    """A port whose frames nobody takes holds back the network, or drops."""
    start("policy", "unicast", "workload", "ports", *(("rx-limit", "100") if drops else ()))
    sender, sock = ports.udp(0), ports.udp(8, room=1 << 26)
    sender.sendto(b"first", (ports.address(8), 5000))
    sock.recv(100)
    before = counts(8)
    with ports.starved(8):
        sent = flood(sender, ports.address(8), FRAMES)
        time.sleep(1)
    # the pressure of a full port may have reached the socket
    print(f"# {sent} frames could be sent before")
    flood(sender, ports.address(8), FRAMES, sent)
    got = [int.from_bytes(data, "big") for data in ports.drain(sock, 3)]
    after = counts(8)
    dropped = after["rx-overruns"] - before["rx-overruns"]
    held = after["rx-holds"] - before["rx-holds"]
    why = f"{len(got)} of {FRAMES} came, {dropped} dropped, {held} times full"
    print(f"# {why}")
    if drops:
        tap.check(dropped and not held and len(got) + dropped == FRAMES,
                  "rx-limit: what a full port drops is counted", why)
    else:
        tap.check(held and not dropped and got == list(range(FRAMES)),
                  "a full port holds back the network, and loses nothing", why)
    status, out, err = tool("stop", "f")
    tap.check(not status and out["state"] == "done", "the run ends", f"{out}{err}")
    sender.close()
    sock.close()


def carrier(node):
    """Has a port a carrier, by what ip(8) shows?"""
    return "NO-CARRIER" not in sh("ip", "-n", f"n{node}", "link", "show", f"mcf{node}")[1]


def carrier_becomes(node, on):
    """Wait until a port has a carrier, or has none. Return: did that happen?"""
    deadline = time.monotonic() + 10 * ports.SLOW
    while carrier(node) != on and time.monotonic() < deadline:
        time.sleep(0.1)
    return carrier(node) == on


def cable(tap):
    """In a fabric of two nodes the interface at the other end decides, as with a cable."""
    status, _, err = tool("fabric", "add", "f", "topology", "mesh", "dims", "2x1")
    assert not status, err
    ports.make("f", 2, quiet=True)
    ports.run("f", "policy", "unicast")
    for end in 0, 1:
        sh("ip", "-n", f"n{end}", "link", "set", f"mcf{end}", "down")
        tap.check(carrier_becomes(1 - end, False),
                  f"end {end} of a cable is switched off: the other has no carrier", "")
        sh("ip", "-n", f"n{end}", "link", "set", f"mcf{end}", "up")
        tap.check(carrier_becomes(1 - end, True),
                  f"end {end} is switched on: the other has its carrier", "")
    sh("ip", "-n", "n1", "link", "del", "mcf1")
    tap.check(carrier_becomes(0, False), "one end removed: the other has no carrier", "")
    tool("stop", "f")
    status, _, err = tool("fabric", "del", "f")
    tap.check(not status, "the cable goes", err)
    ports.remove(2)


def fails(tap, policy):
    """A link and a switch fail and are mended while a group gets a stream."""
    start("policy", policy, "workload", "ports")
    members = [1, 3, 4, 8]
    sockets = {node: ports.udp(node, GROUP) for node in members}
    sender = ports.udp(0)
    ports.ready("f")
    flood(sender, GROUP, 100)
    status, out = sh("mcastctl", "link", "down", "f", "switch", "4")
    tap.check(not status, f"{policy}: a switch fails", out)
    flood(sender, GROUP, 100)
    tap.check(carrier_becomes(4, False) and carrier(3),
              f"{policy}: its port, and no other, has no carrier", "")
    status, out = sh("mcastctl", "link", "up", "f", "switch", "4")
    tap.check(not status, f"{policy}: it is mended", out)
    tap.check(carrier_becomes(4, True), f"{policy}: the port has its carrier again", "")
    flood(sender, GROUP, 100)
    got = {node: len(ports.drain(sock, 1)) for node, sock in sockets.items()}
    lost = counts(0)["tx-copies-lost"]
    why = f"{got}, {lost} copies lost"
    print(f"# {why}")
    tap.check(lost and sum(got.values()) + lost == 300 * len(members) and got[4] >= 100,
              f"{policy}: each copy comes or is counted as lost, and traffic goes on", why)
    status, out, err = tool("stop", "f")
    tap.check(not status and out["state"] == "done", f"{policy}: the run ends", f"{out}{err}")
    for sock in (*sockets.values(), sender):
        sock.close()


def main():
    tap = nl.Tap()
    cable(tap)
    for policy in (None, "binomial", "multidrop"):
        words = ("routing", "updown") if policy else ()
        status, _, err = tool("fabric", "add", "f", "topology", "mesh", "dims", "3x3", "startup",
                              "0", "buffer", "96", *words)
        assert not status, err
        # full ports are for the test's own frames
        ports.make("f", NODES, quiet=True)
        if policy:
            fails(tap, policy)
        else:
            full(tap, False)
            full(tap, True)
        status, _, err = tool("fabric", "del", "f")
        tap.check(not status, "the fabric goes, with its ports", err)
        ports.remove(NODES)
    tap.finish()


if __name__ == "__main__":
    main()
