#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug late timeout=240
"""Ports in Linux bridges: a port is a member of what the bridge's other ports, and the bridge
itself, have joined; of what the bridge floods it gets all."""

import socket
import struct
import sys
import time

from helpers import mcfab_nl as nl
from helpers import ports
from helpers.ports import sh, tool

# Node 1 has a bridge with two legs to hosts; node 0 sends; node 2 listens to nothing.
NODES = 3
GROUP = "239.1.2.3"
OTHER = "239.7.7.7"
GROUP6 = "ff05::77"
STATIC = "239.9.9.9"


def ns_ip(space, lines):
    """A batch of commands of ip(8) in a namespace; all have to succeed."""
    status, out = sh("ip", "-n", space, "-batch", "-", stdin=lines)
    assert not status, out


def bridge(*words):
    """A command of bridge(8) in the bridge's namespace."""
    status, out = sh("bridge", "-n", "n1", *words)
    assert not status, out


def lay():
    """The bridge of node 1, and its hosts."""
    sh("ip", "netns", "add", "h0")
    sh("ip", "netns", "add", "h1")
    ns_ip("n1", """\
addr flush dev mcf1
link add br0 type bridge mcast_snooping 1 mcast_querier 0
link add leg0 type veth peer name eth0 netns h0
link add leg1 type veth peer name eth0 netns h1
link set leg0 master br0
link set leg1 master br0
link set leg0 up
link set leg1 up
link set br0 up
addr add 10.0.0.2/16 dev br0
""")
    for host in (0, 1):
        ns_ip(f"h{host}", f"""\
link set lo up
addr add 10.0.1.{host + 1}/16 dev eth0
link set eth0 up
route add 224.0.0.0/4 dev eth0
""")


def listener(host, group, family=socket.AF_INET):
    """A socket of a host that has joined a group."""
    with ports.inside_of(f"h{host}"):
        sock = socket.socket(family, socket.SOCK_DGRAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(("", 5000))
        if family == socket.AF_INET:
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
                            socket.inet_aton(group) + socket.inet_aton(f"10.0.1.{host + 1}"))
        else:
            index = socket.if_nametoindex("eth0")
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP,
                            socket.inet_pton(socket.AF_INET6, group) + struct.pack("I", index))
    return sock


def mac(group):
    """Ethernet's address of a group."""
    if ":" in group:
        return "33:33:" + ":".join(f"{byte:02x}" for byte in
                                   socket.inet_pton(socket.AF_INET6, group)[12:])
    a, b, c, d = socket.inet_aton(group)
    return f"01:00:5e:{b & 0x7f:02x}:{c:02x}:{d:02x}"


def joined(group):
    """Is the port in the bridge a member of a group?"""
    return mac(group) in sh("ip", "-n", "n1", "maddr", "show", "dev", "mcf1")[1]


def soon(what, want=True, seconds=15 * ports.SLOW):
    """Does it come about?"""
    end = time.monotonic() + seconds
    while bool(what()) != want:
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def received(node):
    """Frames that a port has received."""
    status, found, err = tool("port", "show", "f")
    assert not status, err
    return next(port["rx-frames"] for port in found if port["node"] == node)


def raw(dst, frames, proto=0x88b5, payload=b"x" * 60):
    """Node 0 sends frames as they are."""
    with ports.inside(0):
        sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        sock.bind(("mcf0", proto))
    for _ in range(frames):
        sock.send(bytes.fromhex(dst.replace(":", "")) + b"\x02\0\0\0\0\7" +
                  proto.to_bytes(2, "big") + payload)
    sock.close()


def arrivals(dst, node):
    """How many frames come to a node while 40 are sent to an address."""
    before = received(node)
    raw(dst, 40)
    time.sleep(0.3 * ports.SLOW)
    return received(node) - before


def gets(dst, node=1):
    """Do all frames to an address come to a node?"""
    return arrivals(dst, node) >= 40


def misses(dst, node=1):
    """Does none come? A few others, of the network stack itself, may."""
    return arrivals(dst, node) < 10


def snoops(tap):
    """With a querier the port is a member of what others have joined, and of nothing else."""
    sender = ports.udp(0)
    member = listener(0, GROUP)
    tap.check(soon(lambda: joined(GROUP)), "a host behind the bridge joins: so does the port", "")
    tap.check(soon(lambda: misses(mac(OTHER))), "of other groups the port gets nothing", "")
    tap.check(gets(mac(GROUP)) and misses(mac(GROUP), 2), "of this one it gets all", "")
    sender.sendto(b"stream", (GROUP, 5000))
    member.settimeout(5 * ports.SLOW)
    tap.check(member.recv(100) == b"stream", "and the host gets it", "")
    tap.check(gets("01:00:5e:00:00:55") and gets("01:1b:19:00:00:00"),
              "what a bridge floods comes, too", "")

    member6 = listener(1, GROUP6, socket.AF_INET6)
    tap.check(soon(lambda: joined(GROUP6)), "a host joins by MLD", "")
    member6.close()
    tap.check(soon(lambda: joined(GROUP6), False), "and leaves", "")
    member.close()
    tap.check(soon(lambda: joined(GROUP), False), "the last host leaves: so does the port", "")
    tap.check(misses(mac(GROUP)), "and it gets nothing any more", "")
    sender.close()


def by_hand(tap):
    """Entries made by bridge(8), of ports and of the bridge itself."""
    for device, *flags in (("leg0", "permanent"), ("br0",)):
        bridge("mdb", "add", "dev", "br0", "port", device, "grp", STATIC, *flags)
        tap.check(soon(lambda: joined(STATIC)), f"an entry of {device}: the port is a member", "")
        bridge("mdb", "del", "dev", "br0", "port", device, "grp", STATIC)
        tap.check(soon(lambda: joined(STATIC), False), f"it goes: the port is none", "")
    bridge("mdb", "add", "dev", "br0", "port", "mcf1", "grp", STATIC, "permanent")
    time.sleep(1.5)
    tap.check(not joined(STATIC), "its own entries do not concern the port", "")
    bridge("mdb", "del", "dev", "br0", "port", "mcf1", "grp", STATIC)
    bridge("mdb", "add", "dev", "br0", "port", "leg1", "grp", STATIC, "permanent")
    assert soon(lambda: joined(STATIC))
    ns_ip("n1", "link set leg1 nomaster\n")
    tap.check(soon(lambda: joined(STATIC), False), "entries go with their port", "")
    ns_ip("n1", "link set leg1 master br0\n")


def floods(tap):
    """When does the port get all?"""
    stray = mac(OTHER)
    tap.check(misses(stray), "nobody asks for a group", "")
    bridge("link", "set", "dev", "leg0", "mcast_router", "2")
    tap.check(soon(lambda: gets(stray)), "another port is a multicast router: all comes", "")
    bridge("link", "set", "dev", "leg0", "mcast_router", "1")
    tap.check(soon(lambda: misses(stray)), "it is none any more", "")
    bridge("link", "set", "dev", "mcf1", "mcast_router", "2")
    time.sleep(1.5)
    tap.check(misses(stray), "the router is behind the port itself: nothing comes", "")
    bridge("link", "set", "dev", "mcf1", "mcast_router", "1")
    ns_ip("n1", "link set br0 type bridge mcast_snooping 0\n")
    tap.check(soon(lambda: gets(stray)), "no snooping: all comes", "")
    ns_ip("n1", "link set br0 type bridge mcast_snooping 1\n")
    # until hosts have told the bridge once more what they have joined, and nothing else changes
    time.sleep(4 * ports.SLOW)
    tap.check(soon(lambda: misses(stray)), "the bridge snoops again", "")
    ns_ip("n1", "link set mcf1 allmulticast on\n")
    tap.check(soon(lambda: gets(stray)), "allmulti asks for all", "")
    ns_ip("n1", "link set mcf1 allmulticast off\n")
    tap.check(soon(lambda: misses(stray)), "and does not any more", "")


def reports(tap):
    """Reports of node 0 reach the bridge, so that it learns who is behind the port."""
    sock = ports.udp(0, GROUP)
    def seen():
        return GROUP in sh("bridge", "-n", "n1", "mdb", "show", "dev", "br0")[1]
    tap.check(soon(seen), "a report comes to the bridge, and its entry names the port",
              sh("bridge", "-n", "n1", "mdb", "show", "dev", "br0")[1])
    tap.check(not joined(GROUP), "the port does not become a member by it", "")
    sock.close()


def main():
    tap = nl.Tap()
    status, _, err = tool("fabric", "add", "f", "topology", "mesh", "dims", "2x2")
    assert not status, err
    ports.make("f", NODES)
    ports.keep_all(0)
    status, _, err = tool("run", "f", "policy", "unicast", "workload", "ports", "detach")
    assert not status, err
    ports.ready("f")
    lay()
    tap.check(misses(mac(OTHER)), "a port in no bridge gets no group", "")
    ns_ip("n1", "link set mcf1 master br0\n")
    tap.check(soon(lambda: gets(mac(OTHER))), "without a querier bridges flood: all comes", "")
    ns_ip("n1", """\
link set br0 type bridge mcast_query_response_interval 100 mcast_last_member_interval 20
link set br0 type bridge mcast_querier 1
""")
    snoops(tap)
    by_hand(tap)
    floods(tap)
    reports(tap)
    ns_ip("n1", "link set mcf1 nomaster\n")
    tap.check(misses(mac(OTHER)) and not joined(STATIC), "out of the bridge nothing is left", "")
    ns_ip("n1", "link set mcf1 master br0\n")
    time.sleep(1.5)
    tool("stop", "f")
    status, _, err = tool("fabric", "del", "f")
    tap.check(not status, "a fabric goes whose port is in a bridge", err)
    for host in (0, 1):
        sh("ip", "netns", "del", f"h{host}")
    ports.remove(NODES)
    tap.finish()


if __name__ == "__main__":
    sys.exit(main())
