#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=300
"""Memory of frames under way: the fabric bears it up to frames-mb, then senders' sockets do, and
frames without a socket are dropped and counted."""

import fcntl
import socket
import struct
import time

from helpers import mcfab_nl as nl
from helpers import ports
from helpers.ports import sh, tool

NODES = 4
LAST = NODES - 1
FAR = "10.9.0.2"        # behind node 0, which forwards what comes from there
# A cycle takes 10 ms. A short frame has left its node after 5, and is under way for 190.
SLOW = ("pace", "1000000")
LEFT, THERE = 0.8, 10
FRAMES = 5
SIOCOUTQ = 0x5411


def counts(node):
    """Counters of a port."""
    status, shown, err = tool("port", "show", "f")
    assert not status, err
    return next(port for port in shown if port["node"] == node)


def far_host():
    """A host whose frames node 0 forwards: they have no socket there."""
    ports.ip(["netns add far",
              "link add far0 netns n0 type veth peer name far1 netns far"])
    status, out = sh("sh", "-e", stdin=f"""
        ip -n n0 addr add 10.9.0.1/24 dev far0
        ip -n n0 link set far0 up
        ip -n far addr add {FAR}/24 dev far1
        ip -n far link set far1 up
        ip -n far route add default via 10.9.0.1
        ip netns exec n0 sysctl -qw net.ipv4.ip_forward=1
        ip netns exec n{LAST} sysctl -qw net.ipv4.conf.all.rp_filter=0
        ip -n n{LAST} route add 10.9.0.0/24 via {ports.address(0)}
        """)
    assert not status, out


def charged(sock):
    """Bytes of memory that the kernel charges to a socket for frames that it has sent."""
    return struct.unpack("i", fcntl.ioctl(sock, SIOCOUTQ, bytes(4)))[0]


def send(sock, numbers):
    """Numbered frames to the last node."""
    for nr in numbers:
        sock.sendto(bytes([nr]), (ports.address(LAST), 5000))


def start(*words):
    status, _, err = tool("run", "f", "policy", "unicast", "workload", "ports", *words, "detach")
    assert not status, err
    ports.ready("f")


def stop(tap):
    status, out, err = tool("stop", "f")
    tap.check(not status and out["state"] == "done", "the run ends", f"{out}{err}")


def charges(tap, mb):
    """When a frame has left its node the fabric bears it, or its socket does until it has come."""
    start("frames-mb", str(mb), *SLOW)
    sender, sock = ports.udp(0), ports.udp(LAST)
    sock.settimeout(THERE)
    send(sender, [0])
    time.sleep(LEFT)
    under_way, here = charged(sender), ports.drain(sock, 0.01)
    sock.settimeout(THERE)
    data = sock.recv(100)
    time.sleep(0.2)
    why = f"{under_way} bytes charged under way, {charged(sender)} afterwards, {here} {data}"
    print(f"# frames-mb {mb}: {why}")
    tap.check(not here and bool(under_way) == (mb == 0) and not charged(sender) and data == b"\0",
              f"frames-mb {mb}: {'the fabric bears' if mb else 'the socket is charged for'} a frame "
              "under way", why)
    tap.check(not counts(0)["tx-no-memory"], "a frame with a socket is not dropped", "")
    stop(tap)
    sender.close()
    sock.close()


def without(tap, mb):
    """Frames without a socket are dropped if the fabric bears too much."""
    start("frames-mb", str(mb), *SLOW)
    before = counts(0)["tx-no-memory"]
    sock = ports.udp(LAST)
    with ports.inside_of("far"):
        sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    send(sender, [0])
    time.sleep(LEFT)
    send(sender, range(1, FRAMES))
    got = ports.drain(sock, THERE)
    dropped = counts(0)["tx-no-memory"] - before
    why = f"{FRAMES} sent, {len(got)} came, {dropped} dropped"
    print(f"# frames-mb {mb}: {why}")
    tap.check(len(got) + dropped == FRAMES and dropped == (0 if mb else FRAMES - 1) and
              got[0] == b"\0",
              f"frames-mb {mb}: frames without a socket are {'sent' if mb else 'dropped and counted'}",
              why)
    sender.close()
    stop(tap)
    sock.close()


def main():
    tap = nl.Tap()
    status, _, err = tool("fabric", "add", "f", "topology", "mesh", "dims", f"{NODES}x1",
                          "startup", "0", "buffer", "200", "link-delay", "60",
                          "cycle-ps", "10000")
    assert not status, err
    ports.make("f", NODES, quiet=True)
    far_host()
    status, _, err = tool("run", "f", "policy", "unicast", "workload", "ports", "frames-mb", "-1")
    tap.check(status and "frames-mb -1" in err, "frames-mb -1 is refused", err)
    for mb in (64, 0):
        charges(tap, mb)
        without(tap, mb)
    status, _, err = tool("fabric", "del", "f")
    tap.check(not status, "the fabric goes, with its ports", err)
    ports.remove(NODES)
    sh("ip", "netns", "del", "far")
    tap.finish()


if __name__ == "__main__":
    main()
