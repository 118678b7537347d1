# SPDX-License-Identifier: GPL-2.0
"""Network devices on the nodes of a fabric, each in a namespace of its own, and sockets there."""

import contextlib
import ctypes
import fcntl
import json
import os
import re
import socket
import struct
import subprocess
import sys
import time

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../.."))
PLUGIN = os.path.join(TOP, "tools/iproute2")
NO_IPV6 = "/proc/sys/net/ipv6/conf/all/disable_ipv6"
CLONE_NEWNET = 0x40000000
SOL_PACKET = 263
PACKET_ADD_MEMBERSHIP = 1
PACKET_DROP_MEMBERSHIP = 2
PACKET_MR_MULTICAST = 0
SO_RCVBUFFORCE = 33
SO_TIMESTAMPING = 37
IP_RECVERR = 11
SIOCGIFFLAGS = 0x8913
SIOCSHWTSTAMP = 0x89b0
IFF_RUNNING = 1 << 6
# hardware stamps of frames sent and received, as they are, numbered, the frame itself left out
STAMPS = 1 << 0 | 1 << 2 | 1 << 6 | 1 << 7 | 1 << 11
libc = ctypes.CDLL(None, use_errno=True)
# On the debug kernel everything takes longer.
SLOW = 4 if os.environ.get("MCFAB_DEBUG") else 1


def sh(*words, stdin=None):
    """Exit status and all output of a program."""
    done = subprocess.run(words, input=stdin, capture_output=True, text=True, check=False,
                          env={**os.environ, "IP_LIB_DIR": PLUGIN})
    return done.returncode, done.stdout + done.stderr


def tool(*words):
    """Exit status of mcastctl, its answer in JSON or text, what it complained of."""
    done = subprocess.run(["mcastctl", "-j", *words], capture_output=True, text=True, check=False)
    try:
        return done.returncode, json.loads(done.stdout), done.stderr
    except ValueError:
        return done.returncode, done.stdout, done.stderr


def must(*words):
    """What mcastctl answers. It has to succeed."""
    status, out, err = tool(*words)
    if status:
        sys.exit(f"mcastctl {' '.join(words)}: {err or out}")
    return out


def run(fabric, *words):
    """Start a run from ports, and wait until they have their carriers."""
    must("run", fabric, *words, "workload", "ports", "detach")
    ready(fabric)


def ready(fabric):
    """Wait until the ports that make() has made have their carriers, and until the kernel has
    started their queues, which it does up to a second later."""
    while not all(port["carrier"] for port in must("port", "show", fabric)):
        time.sleep(0.05)
    for port in must("port", "show", fabric):
        with inside(port["node"]), socket.socket() as sock:
            while not running(sock, port["node"]):
                time.sleep(0.05)
    # whoever has had RTNL since then knows that the queues have been started
    ip(["link set lo up"])


def ip(lines):
    """A batch of commands of ip(8), all of which have to succeed."""
    status, out = sh("ip", "-batch", "-", stdin="\n".join(lines) + "\n")
    assert not status, out


def address(node):
    """IPv4 address of the port of a node."""
    return f"10.0.{node // 200}.{node % 200 + 1}"


def hardware(node):
    """Hardware address of the port of a node, where make() gives it one."""
    return f"02:00:00:00:{node >> 8:02x}:{node & 0xff:02x}"


def make(fabric, nodes, mtu=1500, quiet=False):
    """A port on each of the first nodes of a fabric: mcfN in namespace nN. With @quiet there are no
    frames but those that are sent: no IPv6, no ARP, as all know all others. And no queue in front
    of a port drops what has to wait there, as fq_codel does."""
    ip([f"netns add n{node}" for node in range(nodes)] +
       [f"link add mcf{node} mtu {mtu} {f'address {hardware(node)} ' if quiet else ''}"
        f"netns n{node} type mcfab fabric {fabric} node {node}" for node in range(nodes)])
    script = ""
    for node in range(nodes):
        lines = ["link set lo up", f"addr add {address(node)}/16 dev mcf{node}",
                 f"link set mcf{node} up", f"route add 224.0.0.0/4 dev mcf{node}"]
        if quiet:
            with inside(node), open(NO_IPV6, "w", encoding="ascii") as file:
                file.write("1")
            lines += [f"neigh replace {address(other)} lladdr {hardware(other)} nud permanent "
                      f"dev mcf{node}" for other in range(nodes) if other != node]
            script += f"tc -n n{node} qdisc replace dev mcf{node} root pfifo\n"
        script += "\n".join((f"ip -n n{node} -batch - <<END", *lines, "END\n"))
    status, out = sh("sh", "-e", stdin=script)
    assert not status, out


def remove(nodes):
    """The namespaces, and the ports in them."""
    sh("ip", "-force", "-batch", "-",
       stdin="".join(f"netns del n{node}\n" for node in range(nodes)))


def cable(*words):
    """A fabric f of two nodes with a port on each, with nothing to say but what a test sends."""
    must("fabric", "add", "f", "topology", "mesh", "dims", "2x1", *words)
    make("f", 2, quiet=True)


def cut():
    """No cable any more, whatever is under way in it."""
    tool("stop", "f")
    tool("stop", "f")
    must("fabric", "del", "f")
    remove(2)


def inside(node):
    """This process is in the namespace of a node for a while."""
    return inside_of(f"n{node}")


@contextlib.contextmanager
def inside_of(space):
    """This process is in a namespace for a while."""
    own = os.open("/proc/self/ns/net", os.O_RDONLY)
    there = os.open(f"/run/netns/{space}", os.O_RDONLY)
    assert not libc.setns(there, CLONE_NEWNET), os.strerror(ctypes.get_errno())
    try:
        yield
    finally:
        libc.setns(own, CLONE_NEWNET)
        os.close(own)
        os.close(there)


def udp(node, group=None, port=5000, room=1 << 22):
    """A socket there; with a group it is a member."""
    with inside(node):
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, room)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF,
                        socket.inet_aton(address(node)))
        sock.bind(("", port))
        if group:
            join(sock, node, group)
    sock.settimeout(5 * SLOW)
    return sock


def member(node, group):
    """What IP_ADD_MEMBERSHIP takes."""
    return struct.pack("4s4s", socket.inet_aton(group), socket.inet_aton(address(node)))


def join(sock, node, group):
    """A socket of a node joins a group."""
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member(node, group))


def leave(sock, node, group):
    """It leaves the group."""
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_DROP_MEMBERSHIP, member(node, group))


class PacketMember:
    """A socket of a node that joins and leaves hardware addresses of groups, without a word to
    others."""

    def __init__(self, node):
        with inside(node):
            self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
            self.index = socket.if_nametoindex(f"mcf{node}")
        self.joined = set()

    def change(self, nr):
        """It joins group number @nr, or leaves it."""
        # struct packet_mreq
        group = struct.pack("iHH8s", self.index, PACKET_MR_MULTICAST, 6, self.address(nr))
        self.socket.setsockopt(SOL_PACKET, PACKET_DROP_MEMBERSHIP if nr in self.joined else
                               PACKET_ADD_MEMBERSHIP, group)
        self.joined ^= {nr}

    @staticmethod
    def address(nr):
        """Hardware address of group number @nr, below 256."""
        return bytes((0x01, 0x00, 0x5e, 0x44, 0, nr))


def drain(sock, seconds=0.5):
    """All datagrams that a socket has, and those that come within a time."""
    got = []
    sock.settimeout(seconds * SLOW)
    while True:
        try:
            got.append(sock.recv(65535))
        except TimeoutError:
            return got


def keep_all(node):
    """No queue in front of a port drops what has to wait there, as fq_codel does."""
    status, out = sh("tc", "-n", f"n{node}", "qdisc", "replace", "dev", f"mcf{node}", "root",
                     "pfifo")
    assert not status, out


def running(sock, node):
    """Has the kernel seen that the port of a node has a carrier?"""
    flags = fcntl.ioctl(sock, SIOCGIFFLAGS, struct.pack("40s", f"mcf{node}".encode()))
    return bool(struct.unpack_from("H", flags, 16)[0] & IFF_RUNNING)


def napi_thread(node):
    """The thread in which the network stack takes the frames of a port."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm", encoding="ascii") as file:
                if file.read().startswith(f"napi/mcf{node}-"):
                    return int(pid)
        except OSError:
            pass
    raise RuntimeError(f"no thread of port {node}")


@contextlib.contextmanager
def starved(node):
    """For a while the thread of a port gets what another process leaves it of a CPU, that is very
    little."""
    cpu = max(os.sched_getaffinity(0))
    pid = napi_thread(node)
    os.sched_setaffinity(pid, {cpu})
    os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))
    with subprocess.Popen((sys.executable, "-c", "while True: pass"),
                          preexec_fn=lambda: os.sched_setaffinity(0, {cpu})) as hog:
        try:
            yield
        finally:
            hog.kill()


def unlimited(node):
    """All frames wait in the port, where their time stamps count it, and none in front of it. BQL
    would let in a few at first; a kernel without CONFIG_BQL has no limit, and no folder for it."""
    status, out = sh("ip", "netns", "exec", f"n{node}", "sh", "-e", stdin=f"""
        cd /sys/class/net/mcf{node}/queues/tx-0
        [ ! -d byte_queue_limits ] || echo {1 << 20} >byte_queue_limits/limit_min""")
    assert not status, out


def stamped(sock, node):
    """The socket is told the hardware time stamps of its frames from now on."""
    # struct hwtstamp_config: frames sent are stamped, and all that are received
    config = ctypes.create_string_buffer(struct.pack("iii", 0, 1, 1))
    with inside(node):
        fcntl.ioctl(sock, SIOCSHWTSTAMP,
                    struct.pack("16sP", f"mcf{node}".encode(), ctypes.addressof(config)))
    sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING, STAMPS)
    return sock


def taken(sock, flags=0):
    """The next datagram of a socket and its hardware time stamp in nanoseconds, or None. With
    MSG_ERRQUEUE the stamp is that of a datagram that was sent; its number comes first."""
    data, control, _, _ = sock.recvmsg(2000, 500, flags)
    stamp = None
    for level, kind, value in control:
        if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPING):
            sec, nsec = struct.unpack("qq", value[32:48])
            stamp = sec * 1000000000 + nsec
        elif (level, kind) == (socket.SOL_IP, IP_RECVERR):
            # ee_data of struct sock_extended_err
            data = struct.unpack_from("I", value, 12)[0]
    return data, stamp


def all_taken(sock, flags=0):
    """All that taken() has to say without waiting."""
    got = []
    sock.settimeout(0)
    while True:
        try:
            got.append(taken(sock, flags))
        except BlockingIOError:
            return got


def sent(sock):
    """Number and time stamp of each datagram that a socket has sent."""
    return all_taken(sock, socket.MSG_ERRQUEUE)


def ptp4l(node, *words):
    """ptp4l(8) on the port of a node, with many messages; what it prints is a pipe."""
    return subprocess.Popen(
        ["ip", "netns", "exec", f"n{node}", "ptp4l", "-i", f"mcf{node}", "-m", "-2",
         "--logSyncInterval=-3", "--logMinDelayReqInterval=-3", "--logAnnounceInterval=-1",
         "--summary_interval=-3", "--tx_timestamp_timeout=1000",
         # where a run is far behind its pace, a clock that seems to jump is none that is wrong
         f"--sanity_freq_limit={200000000 if SLOW == 1 else 0}",
         f"--uds_address=/tmp/mcfab-ptp-{node}", *words], stdout=subprocess.PIPE, text=True)


def ptp_ends(master, slave, state="s2"):
    """Both end; the offsets from its master that the slave measured while its clock was in this
    state (s2: in step)."""
    slave.terminate()
    master.terminate()
    out = slave.communicate()[0]
    master.communicate()
    return [int(ns) for ns in re.findall(rf"master offset\s+(-?\d+) {state}", out)], out
