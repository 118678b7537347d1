#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug late timeout=400
"""Programs that know nothing of fabrics, each in the namespace of a port: ping, iperf, socat,
avahi, a program that joins many groups, one behind a Linux bridge. What they report has to be what
they would report of a network without losses."""

import fcntl
import hashlib
import json
import os
import random
import re
import shutil
import socket
import struct
import tempfile
import time

from helpers import mcfab_nl as nl
from helpers import ports
from helpers import programs
from helpers.ports import sh, tool

NODES = 9
# behind the bridge of node 8: a member of groups, and a leg without members
BRIDGED, BEHIND, ASIDE = 8, 9, 10
SIOCGIFFLAGS, IFF_RUNNING, IFA_F_TENTATIVE = 0x8913, 0x40, 0x40
NEEDED = ("avahi-browse", "avahi-daemon", "bridge", "dbus-daemon", "iperf", "ping", "socat")
EVERY = {**{f"239.2.0.{nr + 1}": nr for nr in range(12)},
         **{f"ff15::2:{nr + 1}": nr for nr in range(12, 24)}}
SERVICE = """\
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group>
<name>fabric {node}</name>
<service><type>_mcfab._udp</type><port>{port}</port><txt-record>node={node}</txt-record></service>
</service-group>
"""
DAEMON = """\
[server]
host-name=node{node}
allow-interfaces=mcf{node}
enable-dbus=yes
"""
BUS = """\
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
<listen>unix:path={folder}/bus</listen>
<policy context="default">
<allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
</policy>
</busconfig>
"""


def address6(node):
    """IPv6 address of the port of a node."""
    return f"fd00::{node + 1:x}"


def ip_of(node, lines):
    """A batch of commands of ip(8) in the namespace of a node; all have to succeed."""
    status, out = sh("ip", "-n", f"n{node}", "-batch", "-", stdin=lines)
    assert not status, out


def lay():
    """A fabric with ports. No queue in front of the one that sends most drops frames."""
    ports.must("fabric", "add", "f", "topology", "mesh", "dims", "3x3", "startup", "0", "buffer",
               "8", "flit-bytes", "32")
    ports.make("f", NODES)
    for node in range(NODES):
        ip_of(node, f"addr add {address6(node)}/64 dev mcf{node} nodad\n")
        with ports.inside(node), open("/proc/sys/net/ipv4/icmp_echo_ignore_broadcasts", "w",
                                      encoding="ascii") as file:
            file.write("0")
    status, out = sh("tc", "-n", "n0", "qdisc", "replace", "dev", "mcf0", "root", "pfifo")
    assert not status, out


def usable(node):
    """Has a port a carrier, and are its addresses checked?"""
    name = f"mcf{node}"
    with ports.inside(node), socket.socket() as sock:
        flags = fcntl.ioctl(sock, SIOCGIFFLAGS, struct.pack("16s24x", name.encode()))
        with open("/proc/thread-self/net/if_inet6", encoding="ascii") as file:
            addresses = [line.split() for line in file]
    return struct.unpack_from("H", flags, 16)[0] & IFF_RUNNING and \
        not any(words[5] == name and int(words[4], 16) & IFA_F_TENTATIVE for words in addresses)


def begin(policy):
    """A run of a policy. Wait until all ports can be used."""
    ports.must("run", "f", "policy", policy, "workload", "ports", "detach")
    for node in range(NODES):
        assert programs.wait(lambda: usable(node)), node


def lost():
    """What the fabric itself says that it lost."""
    return {port["node"]: {key: port[key] for key in
                           ("tx-copies-lost", "tx-no-memory", "rx-overruns", "rx-too-long")
                           if port[key]} for port in ports.must("port", "show", "f")}


def ping(tap):
    """Whoever has joined a group answers a ping to it, and nobody else."""
    members = (1, 3, 4, 8)
    for group, what, addr in (
            ("239.1.1.1", "UDP4-RECV:6000,ip-add-membership=239.1.1.1", ports.address),
            ("ff15::1:1", "UDP6-RECV:6000,ipv6-join-group=[ff15::1:1]", address6)):
        children = [programs.start(node, "socat", "-u", f"{what}:mcf{node}", "STDOUT")
                    for node in members]
        joined = [programs.has_joined(child, group) for child in children]
        status, out = programs.run(0, "ping", "-n", "-c", "4", "-i", "1", "-I", "mcf0", group)
        # ping ends with the first answer to the last one
        answers = [answer for answer in re.findall(r"from ([\da-f.:]+): icmp_seq=(\d+) ", out)
                   if int(answer[1]) < 4]
        want = sorted((addr(node), str(seq)) for node in members for seq in (1, 2, 3))
        print(f"# ping {group}: {len(answers)} answers to 3")
        tap.check(not status and all(joined) and sorted(answers) == want,
                  f"ping {group}: each member answers each once", f"{joined} {out}")
        duplicates = int((re.findall(r"\+(\d+) duplicates", out) or (0,))[0])
        most = 4 * (len(members) - 1)
        tap.check(most - len(members) < duplicates <= most,
                  f"ping {group}: all answers but the first of each are duplicates", out)
        for child in children:
            programs.end(child)
    status, out = programs.run(0, "ping", "-n", "-c", "3", "-i", "0.3", ports.address(8))
    tap.check(not status and "3 received" in out and "DUP" not in out, "ping to one node", out)


def report(lines):
    """Numbers of the last report in CSV of iperf: bytes, bits per second, datagrams lost, all
    datagrams, out of order."""
    for line in reversed(lines.splitlines()):
        words = line.split(",")
        if len(words) >= 9:
            return [float(word) for word in
                    (words[7], words[8], *(words[10:12] + words[13:14] if words[13:] else ()))]
    return []


def iperf(tap):
    """A stream to three members that count what is missing; bytes from one node to another."""
    group, members, packets = "239.1.1.2", (2, 5, 6), 200
    servers = {node: programs.start(node, "iperf", "-s", "-u", "-B", f"{group}%mcf{node}", "-y",
                                    "C") for node in members}
    joined = [programs.has_joined(server, group) for server in servers.values()]
    status, out = programs.run(0, "iperf", "-c", group, "-u", "-b", "1M", "-l", "1000", "-n",
                               str(packets * 1000), "-y", "C")
    tap.check(not status and all(joined), "iperf: a stream to a group", f"{joined} {out}")
    for node, server in servers.items():
        out = programs.end_report(server)
        got = report(out)
        print(f"# iperf of node {node}: bytes, bit/s, lost, of, out of order: {got}")
        tap.check(len(got) == 5 and got[0] >= packets * 1000 and got[3] >= packets and
                  got[2] == got[4] == 0, f"iperf of node {node}: all came, in order", out)
    size = 400000
    server = programs.start(7, "iperf", "-s", "-y", "C")
    ready = programs.listens(server, 5001)
    status, out = programs.run(1, "iperf", "-c", ports.address(7), "-n", str(size), "-l", "8000",
                               "-y", "C")
    sent = report(out)
    out += programs.end_report(server)
    got = report(out)
    print(f"# iperf by TCP: sent {sent}, came {got}: bytes, bit/s")
    tap.check(ready and not status and sent and got and sent[0] == got[0] == size and
              sent[1] > 0 and got[1] > 0, "iperf by TCP: all bytes came", out)


def digest(name):
    """Of the bytes of a file."""
    try:
        with open(name, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return None


def socat(tap, folder):
    """A file to the members of a group, by UDP; a file to one node, by TCP."""
    group, members = "239.1.1.3", (1, 4, 7, 8)
    name = os.path.join(folder, "file")
    with open(name, "wb") as file:
        file.write(random.Random(1).randbytes(60 * 1400 + 123))
    copies = {node: f"{name}-{node}" for node in members}
    getters = {node: programs.start(
        node, "socat", "-u", f"UDP4-RECV:6100,reuseaddr,ip-add-membership={group}:mcf{node}",
        f"CREATE:{copy}") for node, copy in copies.items()}
    joined = [programs.has_joined(getter, group) for getter in getters.values()]
    status, out = programs.run(0, "socat", "-u", "-b", "1400", f"OPEN:{name}",
                               f"UDP4-DATAGRAM:{group}:6100")
    tap.check(not status and all(joined), "socat: a file to a group", f"{joined} {out}")
    programs.wait(lambda: all(digest(copy) == digest(name) for copy in copies.values()), 10)
    # a frame that came twice would follow
    time.sleep(0.3)
    for node, copy in copies.items():
        out = programs.end(getters[node])
        size = os.path.getsize(copy) if os.path.exists(copy) else 0
        tap.check(digest(copy) == digest(name), f"socat of node {node}: the file came whole",
                  f"{size} bytes of {os.path.getsize(name)} {out}")
    with open(name, "wb") as file:
        file.write(random.Random(2).randbytes(300000))
    copy = f"{name}-tcp"
    getter = programs.start(2, "socat", "-u", "TCP4-LISTEN:6101,reuseaddr", f"CREATE:{copy}")
    ready = programs.listens(getter, 6101)
    status, out = programs.run(6, "socat", "-u", f"OPEN:{name}", f"TCP4:{ports.address(2)}:6101")
    programs.wait(lambda: getter.poll() is not None)
    out += programs.end(getter, None if getter.poll() is not None else 15)
    tap.check(ready and not status and not getter.returncode and digest(copy) == digest(name),
              "socat by TCP: the file came whole", out)


def groups_of(node):
    """Which of 24 groups a node joins. Each family has a group of all nodes and one of none."""
    return [group for group, nr in EVERY.items()
            if nr % 12 == 0 or nr % 12 > 1 and (nr + nr // 3 * node) % 3 == 0]


def counted(child):
    """What groups.py counted."""
    out = programs.end(child, None)
    try:
        return json.loads(out.splitlines()[-1])
    except (IndexError, ValueError):
        return {"got": {}, "frames": {}, "failed": out}


def joins(tap):
    """Members of some of many groups get what is for these, each packet once, and nothing else
    comes even to their ports."""
    packets = 3
    children = {node: programs.join(node, f"mcf{node}", groups_of(node))
                for node in (1, 2, 3, 7, 8)}
    for child in children.values():
        child.stdout.readline()
    status, out = programs.send(0, "mcf0", packets, EVERY)
    tap.check(not status, f"{packets} packets to each of {len(EVERY)} groups", out)
    time.sleep(0.5 * ports.SLOW)
    total = 0
    for node, child in children.items():
        count = counted(child)
        want = groups_of(node)
        total += sum(count["frames"].values())
        tap.check(count["got"] == {group: list(range(packets)) for group in want},
                  f"node {node}: each packet of {len(want)} groups, once and in order",
                  f"{want}: {count}")
        tap.check(count["frames"] == {group: packets for group in want},
                  f"node {node}: no frame that was not asked for", f"{want}: {count}")
    print(f"# {packets * len(EVERY)} packets, {total} copies")


def avahi_of(node, folder):
    """A daemon of avahi that publishes a service; it has a bus and folders of its own."""
    folder = os.path.join(folder, f"avahi-{node}")
    os.mkdir(folder)
    for name, text in (("bus.conf", BUS), ("daemon.conf", DAEMON), ("a.service", SERVICE)):
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(text.format(node=node, folder=folder, port=7000 + node))
    env = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={folder}/bus"}
    bus = programs.own("dbus-daemon", "--nofork", f"--config-file={folder}/bus.conf")
    programs.wait(lambda: os.path.exists(f"{folder}/bus"))
    # ip(8) gives each program mounts of its own
    daemon = programs.start(node, "sh", "-c", f"""\
mount -t tmpfs run /run && mount -t tmpfs services /etc/avahi/services &&
cp {folder}/a.service /etc/avahi/services &&
exec avahi-daemon -f {folder}/daemon.conf --no-drop-root --no-chroot --no-rlimits""", env=env)
    return bus, daemon, env


def browse(node, env, others):
    """What avahi-browse resolves, until it has found all others, by IPv4 and IPv6."""
    browser = programs.start(node, "timeout", "40", "avahi-browse", "--parsable", "--resolve",
                             "_mcfab._udp", env=env)
    found, lines = set(), []
    for line in browser.stdout:
        lines.append(line)
        words = line.strip().split(";")
        if words[0] == "=" and words[1] == f"mcf{node}":
            found.add((words[2], *words[6:]))
        if len({entry for entry in found if entry[1] in others}) == 2 * len(others):
            break
    return found, "".join(lines) + programs.end(browser)


def avahi(tap, folder):
    """Daemons find each other's services."""
    nodes = (1, 5, 6)
    daemons = {node: avahi_of(node, folder) for node in nodes}
    for node, (_, daemon, env) in daemons.items():
        joined = programs.has_joined(daemon, "224.0.0.251")
        others = [f"node{other}.local" for other in nodes if other != node]
        found, out = browse(node, env, others)
        for other in nodes:
            if other == node:
                continue
            entries = {entry[0]: entry[1:] for entry in found if entry[1] == f"node{other}.local"}
            print(f"# avahi of node {node}: {entries}")
            # a service that was heard of by one protocol may have the address of the other
            good = [entries.get(protocol) in
                    ((f"node{other}.local", addr, str(7000 + other), f'"node={other}"')
                     for addr in (ports.address(other), address6(other)))
                    for protocol in ("IPv4", "IPv6")]
            tap.check(joined and all(good),
                      f"avahi of node {node} finds the service of node {other}", out)
    for node, (bus, daemon, _) in daemons.items():
        out = programs.end(daemon)
        tap.check(not daemon.returncode, f"avahi of node {node} ends", out)
        programs.end(bus)


def lay_bridge():
    """A bridge of the last node's port and two legs. It is the querier, and knows soon who has
    joined what. A bridge that becomes the querier floods for one response interval, the one that
    it has at that moment: it gets the short one, of one second, by an earlier command."""
    ports.ip([f"netns add n{node}" for node in (BEHIND, ASIDE)])
    ip_of(BRIDGED, f"""\
addr flush dev mcf{BRIDGED} scope global
link add br0 type bridge mcast_snooping 1 mcast_query_response_interval 100 \
mcast_startup_query_interval 100 mcast_startup_query_count 9 mcast_igmp_version 3 \
mcast_mld_version 2
link set br0 type bridge mcast_querier 1
link add leg{BEHIND} type veth peer name eth0 netns n{BEHIND}
link add leg{ASIDE} type veth peer name eth0 netns n{ASIDE}
link set mcf{BRIDGED} master br0
link set leg{BEHIND} master br0 up
link set leg{ASIDE} master br0 up
link set br0 up
addr add {ports.address(BRIDGED)}/16 dev br0
""")
    for node in (BEHIND, ASIDE):
        ip_of(node, f"""\
link set lo up
link set eth0 up
addr add {ports.address(node)}/16 dev eth0
addr add {address6(node)}/64 dev eth0 nodad
""")


def snooped():
    """Port and group of all that a bridge knows of members."""
    _, out = sh("bridge", "-n", f"n{BRIDGED}", "mdb", "show")
    return set(re.findall(r"port (\S+) grp (\S+)", out))


def bridge(tap):
    """A program behind a bridge that snoops gets what it has joined."""
    lay_bridge()
    packets, groups, other = 40, ("239.3.0.1", "ff15::3:1"), "239.3.0.2"
    status, out = programs.run(0, "ping", "-n", "-c", "2", "-i", "0.2", "-W", "5",
                               ports.address(BEHIND))
    tap.check(not status and "2 received" in out, "ping to a node behind a bridge", out)
    children = {BEHIND: programs.join(BEHIND, "eth0", groups),
                ASIDE: programs.join(ASIDE, "eth0", ()),
                3: programs.join(3, "mcf3", groups[:1]),
                4: programs.join(4, "mcf4", (other,))}
    for child in children.values():
        child.stdout.readline()

    # the last is of an IPv6 address of node 4: it says that only when it is asked
    known = {(f"leg{BEHIND}", groups[0]), (f"leg{BEHIND}", groups[1]), (f"mcf{BRIDGED}", other),
             (f"mcf{BRIDGED}", "ff02::1:ff00:5")}
    tap.check(programs.wait(lambda: snooped() >= known),
              "the bridge asks for members, and knows those on both sides", str(snooped()))
    # by now it does not flood any more
    time.sleep(2 * ports.SLOW)
    status, out = programs.send(0, "mcf0", packets, groups)
    tap.check(not status, f"{packets} packets to each of {len(groups)} groups", out)
    time.sleep(0.5 * ports.SLOW)
    for node, name, want in ((BEHIND, "the program behind the bridge", groups),
                             (ASIDE, "another leg of the bridge", ()),
                             (3, "a node that has joined one of them", groups[:1]),
                             (4, "a node that has joined another group", ())):
        count = counted(children[node])
        good = count["got"] == {group: list(range(packets)) for group in want} and \
            count["frames"] == {group: packets for group in want} and "failed" not in count
        frames = sum(count["frames"].values())
        print(f"# {name}: {frames} frames")
        tap.check(good, f"{name} gets {len(want)} of {len(groups)} groups, once each packet",
                  str(count))


def main():
    tap = nl.Tap()
    for program in NEEDED:
        tap.check(shutil.which(program), f"{program} is installed", "see scripts/deps.sh")
    lay()
    with tempfile.TemporaryDirectory(prefix="mcfab-") as folder:
        parts = [("dp", ping), ("mp", iperf), ("unicast", socat, folder), ("mp", joins),
                 ("dp", avahi, folder), ("cp", bridge)]
        if nl.DEBUG:
            # the other programs are much work, and little of it is the module's
            parts = [part for part in parts if part[1] in (joins, bridge)]
        for policy, part, *words in parts:
            since = time.monotonic()
            begin(policy)
            before = lost()
            try:
                part(tap, *words)
            finally:
                programs.end_all()
            after = lost()
            tap.check(after == before, f"{part.__name__}: {policy}: nothing was lost",
                      f"{before} {after}")
            out = ports.must("stop", "f")
            tap.check(out["state"] == "done", f"{part.__name__}: {policy}: the run ends", str(out))
            print(f"# {part.__name__}: {policy}: {time.monotonic() - since:.1f} s, "
                  f"{out['messages']} messages", flush=True)
    ports.remove(NODES + 2)
    status, _, err = tool("fabric", "del", "f")
    tap.check(not status, "the fabric goes", err)
    tap.finish()


if __name__ == "__main__":
    main()
