#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=300
"""Frames as unusual senders make them, and what a frame may not take along through the fabric."""

import errno
import os
import socket
import time

from helpers import ports, xdp
from helpers.mcfab_nl import Tap
from helpers.ports import sh

# for local experiments, IEEE 802
ETHERTYPE = 0x88b5
SO_PRIORITY = 12
# the kernel's own
ENOTSUPP = 524


def must(*words):
    """A program that has to succeed."""
    status, out = sh(*words)
    assert not status, f"{' '.join(words)}: {out}"


def pieces(tap):
    """A frame whose header is in two pieces is delivered as it was sent."""
    ports.cable()
    ports.run("f", "policy", "unicast")
    with ports.inside(1):
        receiver = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETHERTYPE))
    with ports.inside(0):
        sender = xdp.Sender("mcf0")
    receiver.settimeout(5)
    frame = b"".join((bytes.fromhex((ports.hardware(1) + ports.hardware(0)).replace(":", "")),
                      ETHERTYPE.to_bytes(2, "big"), bytes(range(200))))
    for first in (4, 13, 14):
        sender.send((frame[:first], frame[first:50], frame[50:]))
        got = receiver.recv(2000)
        tap.check(got == frame, f"a frame of which the first piece has {first} bytes", got.hex())
    sender.close()
    receiver.close()
    ports.cut()


def shared(tap):
    """pktgen may not send one frame several times: it would be in two places at once."""
    must("modprobe", "pktgen")
    ports.cable()

    def pktgen(file, line):
        return sh("ip", "netns", "exec", "n0", "sh", "-c",
                  f"echo '{line}' >/proc/net/pktgen/{file}")

    status, out = pktgen("kpktgend_0", "add_device mcf0")
    assert not status, out
    status, out = pktgen("mcf0", "count 10")
    assert not status, out
    status, out = pktgen("mcf0", "clone_skb 10")
    tap.check(status, "frames of pktgen that are to be sent 10 times are refused", out)
    pktgen("kpktgend_0", "rem_device_all")
    ports.cut()


def consoles(tap):
    """A console of the kernel, which sends with interrupts off, is refused."""
    must("modprobe", "netconsole")
    ports.cable()
    must("mount", "-t", "configfs", "configfs", "/sys/kernel/config")
    console = "/sys/kernel/config/netconsole/port"
    os.mkdir(console)
    error = 0
    with ports.inside(0):
        try:
            for name, value in (("dev_name", "mcf0"), ("local_ip", ports.address(0)),
                                ("remote_ip", ports.address(1)), ("enabled", "1")):
                with open(f"{console}/{name}", "w", encoding="ascii") as file:
                    file.write(value)
        except OSError as refused:
            error = refused.errno
    tap.check(error in (errno.EOPNOTSUPP, ENOTSUPP), "a netconsole on a port is refused", str(error))
    os.rmdir(console)
    must("umount", "/sys/kernel/config")
    ports.cut()


def priorities(tap):
    """A frame does not bring the priority of its sender's socket to another namespace."""
    must("modprobe", "-a", "sch_ingress", "cls_basic", "em_meta", "act_gact")
    ports.cable()
    ports.run("f", "policy", "unicast")
    sender, receiver = ports.udp(0), ports.udp(1)
    sender.setsockopt(socket.SOL_SOCKET, SO_PRIORITY, 6)
    must("tc", "-n", "n1", "qdisc", "add", "dev", "mcf1", "clsact")

    def passes(priority):
        must("tc", "-n", "n1", "filter", "replace", "dev", "mcf1", "ingress", "protocol", "all",
             "pref", "1", "handle", "1", "basic", "match", f"meta(priority eq {priority})",
             "action", "drop")
        sender.sendto(b"x", (ports.address(1), 5000))
        return len(ports.drain(receiver)) == 1

    tap.check(passes(6), "a frame of priority 6 does not come with priority 6")
    tap.check(not passes(0), "it comes with priority 0, as from a wire")
    sender.close()
    receiver.close()
    ports.cut()


def connections(tap):
    """A namespace goes while a frame of one of its connections is under way."""
    must("modprobe", "-a", "sch_ingress", "cls_matchall", "act_ct")
    ports.cable("cycle-ps", str(10 ** 9))
    # a cycle takes 10 s: nothing gets through
    ports.run("f", "policy", "unicast", "pace", "10000")
    must("tc", "-n", "n0", "qdisc", "add", "dev", "mcf0", "clsact")
    must("tc", "-n", "n0", "filter", "add", "dev", "mcf0", "egress", "protocol", "ip", "matchall",
         "action", "ct", "commit")
    # a report of IGMP has no socket, which would hold the namespace until it has left its node;
    # it comes to ports that ask for all multicasts
    must("ip", "-n", "n1", "link", "set", "mcf1", "allmulticast", "on")
    ports.udp(0, "239.1.2.3").close()
    while int(ports.must("port", "show", "f")[0]["tx-frames"]) == 0:
        time.sleep(0.01)
    # the kernel removes one namespace after the other: one that held up the first would be seen at
    # the second
    gone = True
    for left in (1, 0):
        must("ip", "netns", "del", f"n{1 - left}")
        end = time.monotonic() + 10
        while len(ports.must("port", "show", "f")) > left and time.monotonic() < end:
            time.sleep(0.1)
        gone = gone and len(ports.must("port", "show", "f")) == left
    tap.check(gone, "a namespace goes though a frame of its connections is under way")
    ports.cut()


def main():
    tap = Tap()
    for part in (pieces, shared, consoles, priorities, connections):
        part(tap)
    tap.finish()


if __name__ == "__main__":
    main()
