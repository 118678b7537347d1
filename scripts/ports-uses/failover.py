#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""In the VM: failover of a multicast tree. A stream goes from a corner of a mesh with up*/down*
routing to members all over it, and one after the other each link of a switch in its midst fails
and is mended. What is lost, and for how long does a member get nothing, by each policy?"""

import threading
import time

from helpers import ports
from helpers.ports import must

NODES = 16
GROUP = "239.0.0.9"
MEMBERS = (3, 5, 6, 9, 10, 12, 15)
RATE, BYTES = 100, 1000
# A flit of 16 bytes takes 1 us, and in real time four times as long, so that emulated CPUs keep up.
CYCLE_PS, PACE = 1_000_000, 4
ROW = "{:<11} {:>6} {:>7} {:>7} {:>6} {:>10} {:>10}"


def failures():
    """Each link of a switch to another fails, and is mended after half a second."""
    for number in range(4):
        time.sleep(0.7 * PACE)
        must("link", "down", "f", "switch", "5", "port", str(number))
        time.sleep(0.5 * PACE)
        must("link", "up", "f", "switch", "5", "port", str(number))


def gaps(stamps):
    """The longest time between two frames of a member, in ms."""
    return max(later - earlier for earlier, later in zip(stamps, stamps[1:])) / 1e6


def stream(policy):
    """A line of the table."""
    ports.run("f", "policy", policy, "pace", str(PACE))
    members = {node: ports.stamped(ports.udp(node, GROUP), node) for node in MEMBERS}
    sender = ports.udp(0)
    lost = must("port", "show", "f")[0]["tx-copies-lost"]
    helper = threading.Thread(target=failures)
    helper.start()
    begun, sent = time.monotonic(), 0
    while helper.is_alive():
        sender.sendto(bytes(BYTES), (GROUP, 5000))
        sent += 1
        time.sleep(max(0, begun + sent / RATE * PACE - time.monotonic()))
    helper.join()
    time.sleep(0.5)
    got = {node: [stamp for _, stamp in ports.all_taken(sock)] for node, sock in members.items()}
    lost = must("port", "show", "f")[0]["tx-copies-lost"] - lost
    run = must("stop", "f")
    for sock in (*members.values(), sender):
        sock.close()
    came = sum(map(len, got.values()))
    longest = {node: gaps(stamps) for node, stamps in got.items()}
    worst = max(longest, key=longest.get)
    print(ROW.format(policy, sent, sent * len(MEMBERS), came, lost, f"{longest[worst]:.1f}",
                     f"{run['flit-hops'] / sent:.0f}"), flush=True)
    assert came + lost == sent * len(MEMBERS), "copies are neither there nor counted as lost"


def main():
    must("fabric", "add", "f", "topology", "mesh", "dims", "4x4", "startup", "0", "buffer", "128",
         "routing", "updown", "cycle-ps", str(CYCLE_PS))
    ports.make("f", NODES)
    ports.keep_all(0)
    print(ROW.format("policy", "sent", "copies", "came", "lost", "gap, ms", "flit-hops"))
    for policy in ("unicast", "binomial", "kbinomial", "multidrop"):
        stream(policy)
    ports.remove(NODES)
    must("fabric", "del", "f")


if __name__ == "__main__":
    main()
