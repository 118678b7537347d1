#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""In the VM: a link of a multicast tree fails during a stream, and is mended. Switches copy along
up*-down* routes. How many copies are lost, and when do packets come again?"""

import struct
import time

from helpers import ports
from helpers.ports import must

NODES, SENDER = 16, 5
MEMBERS = (0, 2, 3, 8, 10, 13, 15)
GROUP = "239.1.2.3"
PACKETS, GAP = 300, 0.01        # a packet each 10 ms
DOWN, UP = 100, 200             # before these packets
BURST = 8                       # packets that are sent at once before them, to be under way then
ROW = "{:<24} {:>8} {:>8} {:>8} {:>6} {:>12}"


def busiest():
    """Switch and port of the channel that most flits have crossed."""
    most = max(must("stats", "show", "f", "channels"), key=lambda channel: channel["flits"])
    return ("switch", str(most["from"]), "port", str(most["port"]))


def play(sender):
    """Send the stream; a link fails and is mended in the midst of bursts. The link, and how many
    copies its ports call lost after each part."""
    link, lost = None, []
    for nr in range(PACKETS):
        sender.sendto(struct.pack("I", nr) + bytes(1396), (GROUP, 5000))
        if nr + 1 in (DOWN, UP):
            lost.append(counted())
            link = link or busiest()
            must("link", "down" if nr + 1 == DOWN else "up", "f", *link)
        # the last packets before a change are sent at once
        elif not any(change - BURST <= nr < change for change in (DOWN, UP)):
            time.sleep(GAP)
    return link, lost


def counted():
    """Copies that came to no port."""
    return sum(port["tx-copies-lost"] for port in must("port", "show", "f"))


def main():
    must("fabric", "add", "f", "topology", "torus", "dims", "4x4", "routing", "updown", "startup",
         "0", "buffer", "8", "cycle-ps", "10000000")
    ports.make("f", NODES)
    must("run", "f", "policy", "bitstring", "workload", "ports", "pace", "1", "detach")
    members = {node: ports.stamped(ports.udp(node, GROUP), node) for node in MEMBERS}
    sender = ports.stamped(ports.udp(SENDER), SENDER)
    link, _ = play(sender)
    run = must("stop", "f")
    time.sleep(1)
    sent = dict(ports.sent(sender))
    came = {node: {struct.unpack_from("I", data)[0]: stamp for data, stamp in ports.all_taken(sock)}
            for node, sock in members.items()}
    print(f"the link of {' '.join(link)} is down from packet {DOWN} to {UP}")
    print(ROW.format("packets", "sent", "copies", "came", "lost", "longest, ms"))
    for what, first, last in (("before", 0, DOWN), ("link down", DOWN, UP),
                              ("link up again", UP, PACKETS)):
        got = [stamp - sent[nr] for stamps in came.values() for nr, stamp in stamps.items()
               if first <= nr < last]
        copies = (last - first) * len(MEMBERS)
        print(ROW.format(what, last - first, copies, len(got), copies - len(got),
                         f"{max(got) / 1e6:.2f}"))
    print(f"the ports count {counted()} lost copies, the run {run.get('dropped')}")
    ports.remove(NODES)
    must("fabric", "del", "f")


if __name__ == "__main__":
    main()
