#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""In the VM: a storm of discovery, as of DDS. 16 participants join at the same time, each sends an
announcement to all others. How long until everybody knows everybody, by each policy?"""

import statistics
import time

from helpers import ports
from helpers.ports import must

NODES, ROUNDS, BYTES = 16, 10, 500
GROUP = "239.255.0.1"
# 1 ns of the fabric takes half a ms: what is sent within some ms is sent at the same time
PACE = "500000"
ROW = "{:<14} {:>8} {:>8} {:>8}  {:>8} {:>10}"


def storm(participants):
    """All announce; ns from the first announcement until the first, and the last, knows all."""
    for sock in participants.values():
        sock.sendto(bytes(BYTES), (GROUP, 5000))
    knows = []
    for sock in participants.values():
        sock.settimeout(30)
        knows.append(max(ports.taken(sock)[1] for _ in range(NODES - 1)))
    time.sleep(0.1)
    begun = min(ports.sent(sock)[0][1] for sock in participants.values())
    return min(knows) - begun, max(knows) - begun


def main():
    must("fabric", "add", "f", "topology", "torus", "dims", "4x4", "vcs", "2", "startup", "0",
         "buffer", "8")
    ports.make("f", NODES)
    print(ROW.format("all know all", "mean, ns", "least", "most", "first", "flit-hops"))
    for policy in ("unicast", "dp", "hcm-uniform", "t2w", "ttpm"):
        must("run", "f", "policy", policy, "workload", "ports", "pace", PACE, "detach")
        participants = {node: ports.stamped(ports.udp(node, GROUP), node)
                        for node in range(NODES)}
        rounds = [storm(participants) for _ in range(ROUNDS)]
        run = must("stop", "f")
        for sock in participants.values():
            sock.close()
        first, last = zip(*rounds)
        print(ROW.format(policy, f"{statistics.mean(last):.0f}", min(last), max(last),
                         f"{statistics.mean(first):.0f}", run["flit-hops"]), flush=True)
    ports.remove(NODES)
    must("fabric", "del", "f")


if __name__ == "__main__":
    main()
