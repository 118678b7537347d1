#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""In the VM: frames a second over ports, and over veth pairs in a bridge, in turn. The kernel's
pktgen sends them, nobody but the network stack takes them. And what ports cost that do nothing,
and how many changes of memberships they take."""

import os
import random
import statistics
import subprocess
import time

from helpers import ports
from helpers.ports import ip, must, sh

SECONDS = float(os.environ.get("SECONDS_EACH", 2))
PAIRS = int(os.environ.get("PAIRS", 5))
GROUP = "01:00:5e:01:02:03"
ROW = "{:>6} {:>6}  {:>10} {:>12} {:>11} {:>9}"


def write(space, path, *lines):
    """Lines into a file of pktgen, as seen in a namespace."""
    for line in lines:
        status, out = sh("ip", "netns", "exec", space, "sh", "-c",
                         f"echo '{line}' >/proc/net/pktgen/{path}")
        assert not status, f"{path}: {line}: {out}"


def received(space, device):
    """Frames that a device has received."""
    return int(sh("ip", "netns", "exec", space, "cat",
                  f"/sys/class/net/{device}/statistics/rx_packets")[1])


def rate(sender, receivers, size, mac):
    """Frames that come to each of the receivers in a second."""
    space, device = sender
    write(space, "kpktgend_0", "rem_device_all", f"add_device {device}")
    write(space, device, "count 0", f"pkt_size {size}", f"dst_mac {mac}", "dst 10.99.0.1")
    # "start" returns when "stop" has been written
    with subprocess.Popen(["ip", "netns", "exec", space, "sh", "-c",
                           "echo start >/proc/net/pktgen/pgctrl"]):
        return counted(space, receivers)


def counted(space, receivers):
    """Frames that come to each of the receivers in a second; then the sender stops."""
    time.sleep(0.3)
    before, begun = [received(*port) for port in receivers], time.monotonic()
    time.sleep(SECONDS)
    after, passed = [received(*port) for port in receivers], time.monotonic() - begun
    write(space, "pgctrl", "stop")
    return statistics.mean(b - a for a, b in zip(before, after)) / passed


def bridge(legs):
    """Namespaces b0, b1, ... with a veth pair each into one bridge."""
    ip(["link add br0 type bridge mcast_snooping 0"] + [f"netns add b{nr}" for nr in range(legs)])
    for nr in range(legs):
        ip([f"link add leg{nr} type veth peer name eth0 netns b{nr}",
            f"link set leg{nr} master br0", f"link set leg{nr} up"])
        sh("ip", "-n", f"b{nr}", "link", "set", "eth0", "up")
    sh("ip", "link", "set", "br0", "up")


def compare(nodes, size):
    """A line of the table: to one receiver by its address, or to a group of all others."""
    both = [[], []]
    for _ in range(PAIRS):
        for which, (letter, device) in enumerate((("n", "mcf"), ("b", "eth"))):
            names = [(f"{letter}{nr}", f"{device}{nr if letter == 'n' else 0}")
                     for nr in range(nodes)]
            mac = GROUP
            if nodes == 2:
                mac = sh("ip", "netns", "exec", names[1][0], "cat",
                         f"/sys/class/net/{names[1][1]}/address")[1].strip()
            both[which].append(rate(names[0], names[1:], size, mac))
    ratios = sorted(a / b for a, b in zip(*both))
    print(ROW.format(nodes, size, round(statistics.median(both[0])),
                     round(statistics.median(both[1])), f"{ratios[len(ratios) // 2]:.2f}",
                     f"{ratios[0]:.2f}-{ratios[-1]:.2f}"), flush=True)


def router_ns():
    """CPU time that the threads of the fabric have taken."""
    total = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm", encoding="ascii") as file:
                if not file.read().startswith("mcfab/"):
                    continue
            with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
                total += int(file.read().split()[0])
        except OSError:
            pass
    return total


def idle(count):
    """Microseconds of CPU time a second that a fabric with so many ports takes at rest."""
    must("fabric", "add", "i", "topology", "mesh", "dims", "32x32")
    ip([f"link add idle{nr} type mcfab fabric i node {nr}" for nr in range(count)])
    must("run", "i", "policy", "dp", "workload", "ports", "detach")
    time.sleep(2)
    before = router_ns()
    time.sleep(5)
    taken = (router_ns() - before) / 5 / 1000
    must("stop", "i")
    must("fabric", "del", "i")
    return taken


def joins(nodes, changes):
    """Joins and leaves a second on the ports of a fabric that carries frames."""
    must("fabric", "add", "f", "topology", "mesh", "dims", f"{nodes}x{nodes}", "startup", "0")
    nodes *= nodes
    ports.make("f", nodes)
    ports.run("f", "policy", "dp")
    members = [ports.PacketMember(node) for node in range(nodes)]
    draw = random.Random(1)
    begun = time.monotonic()
    for _ in range(changes):
        draw.choice(members).change(draw.randrange(50))
    taken = time.monotonic() - begun
    must("stop", "f")
    must("fabric", "del", "f")
    ports.remove(nodes)
    return changes / taken


def main():
    print(f"frames/s to each receiver; median of {PAIRS} readings of {SECONDS:g} s each, in turn")
    print(ROW.format("ports", "bytes", "fabric", "veth+bridge", "ratio", "range"))
    for nodes in map(int, filter(str.isdigit, os.environ.get("PORTS", "2 4 16").split())):
        must("fabric", "add", "f", "topology", "mesh", "dims",
             {2: "2x1", 4: "2x2", 16: "4x4"}[nodes], "startup", "0", "buffer", "8")
        ports.make("f", nodes)
        bridge(nodes)
        for nr in range(1, nodes):
            sh("ip", "-n", f"n{nr}", "maddr", "add", GROUP, "dev", f"mcf{nr}")
        ports.run("f", "policy", "dp")
        for size in (64, 512, 1500):
            compare(nodes, size)
        must("stop", "f")
        must("fabric", "del", "f")
        ports.remove(nodes)
        for nr in range(nodes):
            sh("ip", "netns", "del", f"b{nr}")
        sh("ip", "link", "del", "br0")
    print(f"{joins(3, 20000):.0f} joins and leaves a second on 9 ports", flush=True)
    for count in (2, 1000):
        print(f"{count} ports at rest on 1024 nodes: {idle(count):.0f} us of CPU time a second")


if __name__ == "__main__":
    main()
