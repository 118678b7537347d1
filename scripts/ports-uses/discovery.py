#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""In the VM: a storm of discovery, as of DDS. 16 participants join at the same time, each sends an
announcement to all others. How long until everybody knows everybody, by each policy?"""

import statistics
import time

from helpers import ports
from helpers.ports import must

NODES, ROUNDS, BYTES = 16, 5, 500
GROUP = "239.255.0.1"
# A cycle of 0.1 us takes 0.4 ms: what is sent within some ms is sent at the same time.
CYCLE_PS, PACE = "100000", "4000"
ROW = "{:<14} {:>8} {:>8} {:>8}  {:>8} {:>10}"


def storm(participants):
    """All announce; us from the first announcement until the first, and the last, knows all."""
    for sock in participants.values():
        sock.sendto(bytes(BYTES), (GROUP, 5000))
    knows = []
    for sock in participants.values():
        sock.settimeout(30)
        knows.append(max(ports.taken(sock)[1] for _ in range(NODES - 1)))
    time.sleep(0.1)
    begun = min(ports.sent(sock)[0][1] for sock in participants.values())
    return (min(knows) - begun) / 1000, (max(knows) - begun) / 1000


def main():
    must("fabric", "add", "f", "topology", "torus", "dims", "4x4", "vcs", "2", "startup", "0",
         "buffer", "8", "cycle-ps", CYCLE_PS)
    ports.make("f", NODES)
    print(ROW.format("all know all", "mean, us", "least", "most", "first", "flit-hops"))
    for policy in ("unicast", "dp", "hcm-uniform", "t2w", "ttpm"):
        must("run", "f", "policy", policy, "workload", "ports", "pace", PACE, "detach")
        participants = {node: ports.stamped(ports.udp(node, GROUP), node)
                        for node in range(NODES)}
        rounds = [storm(participants) for _ in range(ROUNDS)]
        run = must("stop", "f")
        for sock in participants.values():
            sock.close()
        first, last = zip(*rounds)
        print(ROW.format(policy, f"{statistics.mean(last):.1f}", f"{min(last):.1f}",
                         f"{max(last):.1f}", f"{statistics.mean(first):.1f}", run["flit-hops"]),
              flush=True)
    ports.remove(NODES)
    must("fabric", "del", "f")


if __name__ == "__main__":
    main()
