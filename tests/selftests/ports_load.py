#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug late timeout=300
"""Ports under load: memberships come and go a thousand times a second, CPUs come and go, senders
flood. What is sent meanwhile arrives or is counted, and nobody else has to wait for it."""

import multiprocessing
import random
import socket
import subprocess
import time

from helpers import mcfab_nl as nl
from helpers import ports
from helpers.ports import sh, tool

NODES = 9
GROUP = "239.1.2.3"
MEMBERS = (1, 3, 8)
CHURNERS = (2, 4, 5, 6)
CPU1 = "/sys/devices/system/cpu/cpu1/online"
CHANGES = 100 if nl.DEBUG else 2000
SECONDS = 2 if nl.DEBUG else 4
PAUSE = 0.05 if nl.DEBUG else 0.002


def start():
    """A run for as long as it is not stopped."""
    status, _, err = tool("run", "f", "policy", "unicast", "workload", "ports", "detach")
    assert not status, err
    ports.ready("f")


def port(node):
    """What is known of a port."""
    status, found, err = tool("port", "show", "f")
    assert not status, err
    return next(entry for entry in found if entry["node"] == node)


class Stream:
    """Numbered frames from node 0 to the group, from a process of its own. The first one has been
    sent when this returns; they end when it is told."""

    def __init__(self):
        self.sockets = {node: ports.udp(node, GROUP, room=1 << 24) for node in MEMBERS}
        self.lost = port(0)["tx-copies-lost"]
        self.end = multiprocessing.Event()
        self.sent = multiprocessing.Value("i", 0)
        self.process = multiprocessing.Process(target=self.send)
        self.process.start()
        end = time.monotonic() + 60
        while not self.sent.value and time.monotonic() < end:
            time.sleep(0.01)

    def send(self):
        """The process."""
        sender = ports.udp(0)
        while not self.end.is_set():
            sender.sendto(self.sent.value.to_bytes(4, "big"), (GROUP, 5000))
            self.sent.value += 1
            time.sleep(PAUSE)

    def over(self):
        """Has each member got each frame once, in order? Return that and what came."""
        self.end.set()
        self.process.join()
        got = {}
        for node, sock in self.sockets.items():
            got[node] = [int.from_bytes(data, "big") for data in ports.drain(sock, 1)]
            sock.close()
        sent = list(range(self.sent.value))
        lost = port(0)["tx-copies-lost"] - self.lost
        why = (f"{self.sent.value} sent, {[len(frames) for frames in got.values()]} came, "
               f"{lost} copies lost")
        print("#", why)
        return sent and not lost and all(frames == sent for frames in got.values()), why


def heard(sender, nr, joined):
    """Does a frame to an address come to the nodes that have joined it, and to no other?"""
    before = {node: port(node)["rx-frames"] for node in CHURNERS}
    for _ in range(20):
        sender.send(ports.PacketMember.address(nr) + b"\x02\0\0\0\0\7\x88\xb5" + bytes(60))
    time.sleep(0.3 * ports.SLOW)
    return all((port(node)["rx-frames"] - before[node] >= 20) == (node in joined)
               for node in CHURNERS)


def churns(tap):
    """Joins and leaves, while a stream goes to a group that does not change."""
    rng = random.Random(1)
    members = {node: ports.PacketMember(node) for node in CHURNERS}
    stream = Stream()
    rates = []
    for _ in range(3):
        begun = time.monotonic()
        for _ in range(CHANGES):
            members[rng.choice(CHURNERS)].change(rng.randrange(50))
        rates.append(round(CHANGES / (time.monotonic() - begun)))
    print(f"# {rates} joins and leaves a second")
    if not nl.DEBUG:
        tap.check(max(rates) > 1000, "a thousand joins and leaves a second", f"{rates}")
    good, why = stream.over()
    tap.check(good, "a stream to others suffers nothing by that", why)
    with ports.inside(0):
        sender = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        sender.bind(("mcf0", 0x88b5))
    wrong = [nr for nr in range(0, 50, 7)
             if not heard(sender, nr, {node for node in CHURNERS if nr in members[node].joined})]
    tap.check(not wrong, "in the end exactly the members get what is sent", f"addresses {wrong}")
    sender.close()
    for member in members.values():
        member.socket.close()


def cpus(tap):
    """A CPU goes and comes back under traffic."""
    stream = Stream()
    for state in "010101":
        with open(CPU1, "w", encoding="ascii") as file:
            file.write(state)
        time.sleep(0.5)
    good, why = stream.over()
    tap.check(good, "CPUs come and go under traffic: all copies come", why)


def lateness(seconds):
    """How late a process is that sleeps 5 ms: in 99 of 100 cases, and at most; in ms."""
    late = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        before = time.monotonic()
        time.sleep(0.005)
        late.append((time.monotonic() - before - 0.005) * 1000)
    late.sort()
    return late[len(late) * 99 // 100], late[-1]


def flooder(space, destination):
    """Send as much as the socket takes."""
    with ports.inside_of(space):
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        while True:
            sock.sendto(bytes(1000), (destination, 5000))


def flooded(pairs):
    """Readings while processes flood: of lateness, and of a run of another fabric, in seconds."""
    processes = [multiprocessing.Process(target=flooder, args=pair, daemon=True) for pair in pairs]
    for process in processes:
        process.start()
    readings = [lateness(SECONDS)]
    begun = time.monotonic()
    status, _, err = tool("run", "g", "policy", "dp", "workload", "poisson", "rate", "0.0003",
                          "dests", "4", "flits", "32", "batch-cycles", "1000", "precision", "0")
    assert not status, err
    readings.append(time.monotonic() - begun)
    for process in processes:
        process.kill()
        process.join()
    print(f"# {len(pairs)} floods: late by {readings[0][0]:.1f} ms (99 %), {readings[0][1]:.1f} ms "
          f"at most; another fabric's run took {readings[1]:.2f} s")
    return readings


def floods(tap):
    """Compared with the same floods over veth, of which this module knows nothing."""
    status, _, err = tool("fabric", "add", "g", "topology", "mesh", "dims", "4x4")
    assert not status, err
    for nr in range(2):
        sh("ip", "netns", "add", f"v{nr}")
    sh("ip", "-n", "v0", "link", "add", "veth0", "type", "veth", "peer", "name", "veth0", "netns",
       "v1")
    for nr in range(2):
        sh("ip", "-n", f"v{nr}", "addr", "add", f"10.9.0.{nr + 1}/24", "dev", "veth0")
        sh("ip", "-n", f"v{nr}", "link", "set", "veth0", "up")
    time.sleep(1)
    calm = flooded([])
    veth = flooded([("v0", "10.9.0.2")] * 2)
    ours = flooded([("n0", GROUP), ("n4", GROUP)])
    tap.check(ours[0][0] < 2 * veth[0][0] + 20 or nl.DEBUG,
              "floods over ports disturb no more than over veth",
              f"calm {calm}, veth {veth}, ports {ours}")
    tap.check(ours[1] < 3 * veth[1] + 1 or nl.DEBUG, "another fabric's run goes on beside them",
              f"calm {calm}, veth {veth}, ports {ours}")
    for nr in range(2):
        sh("ip", "netns", "del", f"v{nr}")
    tool("fabric", "del", "g")


def unloads(tap):
    """The module goes while programs send to its ports."""
    status, out = sh("rmmod", "mcfab_unicast")
    tap.check(status and "in use" in out, "a policy stays while frames go by it", out)
    with subprocess.Popen(["ip", "netns", "exec", "n0", "ping", "-q", "-f", "-b", "10.0.255.255"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as ping:
        status, _, err = tool("stop", "f")
        tap.check(not status, "the run is stopped", err)
        status, out = sh("sh", "-c", "awk '/^mcfab_/ { print $1 }' /proc/modules | "
                         "xargs -rn 1 rmmod; rmmod mcfab")
        tap.check(not status, "the module goes, with its ports", out)
        ping.kill()
    tap.check(sh("ip", "-n", "n0", "link", "show", "mcf0")[0], "there is no port any more", "")


def main():
    tap = nl.Tap()
    status, _, err = tool("fabric", "add", "f", "topology", "mesh", "dims", "3x3")
    assert not status, err
    ports.make("f", NODES)
    ports.keep_all(0)
    start()
    churns(tap)
    cpus(tap)
    floods(tap)
    unloads(tap)
    ports.remove(NODES)
    tap.finish()


if __name__ == "__main__":
    main()
