#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A trace of flows through a leaf-spine network, for mcfab and for others.

Usage: leaf-spine.py FOLDER [LOAD [FLOWS [SEED]]]

32 leaves with 32 hosts each, 32 spines, one link from each leaf to each spine. Each host starts
FLOWS (10) flows of 10 to 100 packets, half of them to one partner, half to hosts at random, so that
its link carries LOAD (0.3) on average. A packet has 65 flits of 64 bytes, a cycle is 5.12 ns: links
of 100 Gbit/s, packets of 4,160 bytes.

Writes network.topo, packets.list (a message for each packet) and flows.list (a message for each
flow, for mtu 65), and flows.cm: the same flows as a matrix of connections, times in ps and sizes
in bytes, 4,096 for each packet.
"""
import os
import random
import sys

LEAVES = SPINES = PER_LEAF = 32
HOSTS = LEAVES * PER_LEAF
FLITS = 65
PAYLOAD = 4096
CYCLE_PS = 5120
LEAST, MOST = 10, 100  # packets of a flow


def partners(rnd):
    """A permutation of the hosts in which none is its own partner."""
    while True:
        order = list(range(HOSTS))
        rnd.shuffle(order)
        if all(order[host] != host for host in range(HOSTS)):
            return order


def make_flows(rnd, load, per_host):
    """(start cycle, source, destination, packets), in the order of their starts."""
    partner = partners(rnd)
    span = per_host * (LEAST + MOST) / 2 * FLITS / load
    flows = []
    for source in range(HOSTS):
        for _ in range(per_host):
            start = int(rnd.random() * span)
            dst = partner[source] if rnd.random() < 0.5 else source
            while dst == source:
                dst = rnd.randrange(HOSTS)
            flows.append((start, source, dst, rnd.randint(LEAST, MOST)))
    return sorted(flows)


def network():
    """Ports of a leaf: 1 to 32 hosts, 33 to 64 spines."""
    for leaf in range(LEAVES):
        yield f"switch {leaf} ports {1 + PER_LEAF + SPINES}"
    for spine in range(SPINES):
        yield f"switch {LEAVES + spine} ports {1 + LEAVES}"
    for host in range(HOSTS):
        yield f"host {host} switch {host // PER_LEAF} port {1 + host % PER_LEAF}"
    for leaf in range(LEAVES):
        for spine in range(SPINES):
            yield f"link {leaf} {1 + PER_LEAF + spine} {LEAVES + spine} {1 + leaf}"


def packets(flows):
    """A packet follows the one before it as soon as the host's link is free of that."""
    sent = sorted((start + k * FLITS, nr, source, dst)
                  for nr, (start, source, dst, count) in enumerate(flows) for k in range(count))
    for cycle, _, source, dst in sent:
        yield f"{cycle} {source} {dst}"


def matrix(flows):
    yield f"Nodes {HOSTS}"
    yield f"Connections {len(flows)}"
    for start, source, dst, count in flows:
        yield f"{source}->{dst} start {start * CYCLE_PS} size {count * PAYLOAD}"


def main():
    if not 2 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    folder = sys.argv[1]
    load = float(sys.argv[2]) if len(sys.argv) > 2 else 0.3
    per_host = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    rnd = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    flows = make_flows(rnd, load, per_host)
    os.makedirs(folder, exist_ok=True)
    for name, lines in (("network.topo", network()), ("packets.list", packets(flows)),
                        ("flows.list", (f"{start} {source} flits={count * FLITS} {dst}"
                                        for start, source, dst, count in flows)),
                        ("flows.cm", matrix(flows))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.writelines(line + "\n" for line in lines)


if __name__ == "__main__":
    main()
