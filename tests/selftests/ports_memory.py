#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=300
"""Memory of frames under way: the fabric bears it up to frames-mb, then senders' sockets do, and
frames without a socket are dropped and counted."""

import time

from helpers import mcfab_nl as nl
from helpers import ports
from helpers.ports import sh, tool

NODES = 4
LAST = NODES - 1
# The backlog of a full port, what one MiB has room for at the least, and some that are too many.
FRAMES = 1000 + 450 + 1000
BYTES = 1000
FAR = "10.9.0.2"        # behind node 0, which forwards what comes from there


def counts(node):
    """Counters of a port."""
    status, shown, err = tool("port", "show", "f")
    assert not status, err
    return next(port for port in shown if port["node"] == node)


def far_host():
    """A host whose frames node 0 forwards: they have no socket there."""
    ports.ip(["netns add far",
              "link add far0 netns n0 type veth peer name far1 netns far"])
    status, out = sh("sh", "-e", stdin=f"""
        ip -n n0 addr add 10.9.0.1/24 dev far0
        ip -n n0 link set far0 up
        ip -n far addr add {FAR}/24 dev far1
        ip -n far link set far1 up
        ip -n far route add default via 10.9.0.1
        ip netns exec n0 sysctl -qw net.ipv4.ip_forward=1
        ip netns exec n{LAST} sysctl -qw net.ipv4.conf.all.rp_filter=0
        ip -n n{LAST} route add 10.9.0.0/24 via {ports.address(0)}
        """)
    assert not status, out


def flood(sock):
    """Send numbered frames to the last node; return: how many the socket took."""
    for nr in range(FRAMES):
        try:
            sock.sendto(nr.to_bytes(4, "big") + bytes(BYTES), (ports.address(LAST), 5000))
        except TimeoutError:
            return nr
    return FRAMES


def start(*words):
    status, _, err = tool("run", "f", "policy", "unicast", "workload", "ports", *words, "detach")
    assert not status, err
    ports.ready("f")


def stop(tap):
    status, out, err = tool("stop", "f")
    tap.check(not status and out["state"] == "done", "the run ends", f"{out}{err}")


def sockets(tap, mb, most):
    """A sender is held up when the fabric bears no more, and not before."""
    start("frames-mb", str(mb))
    sender, sock = ports.udp(0, room=1 << 16), ports.udp(LAST, room=1 << 26)
    sender.settimeout(2)
    sender.setsockopt(ports.socket.SOL_SOCKET, ports.socket.SO_SNDBUF, 1 << 15)
    with ports.starved(LAST):
        sent = flood(sender)
    got = [int.from_bytes(data[:4], "big") for data in ports.drain(sock, 3)]
    why = f"{sent} of {FRAMES} could be sent while nobody took them, {len(got)} came"
    print(f"# frames-mb {mb}: {why}")
    tap.check((sent < FRAMES) == most and got == list(range(sent)),
              f"frames-mb {mb}: the sender {'waits' if most else 'does not wait'}", why)
    tap.check(not counts(0)["tx-no-memory"], "a frame with a socket is not dropped", "")
    stop(tap)
    sender.close()
    sock.close()


def without(tap):
    """Frames without a socket are dropped."""
    start("frames-mb", "1")
    before = counts(0)["tx-no-memory"]
    sock = ports.udp(LAST, room=1 << 26)
    with ports.inside_of("far"):
        sender = ports.socket.socket(ports.socket.AF_INET, ports.socket.SOCK_DGRAM)
    with ports.starved(LAST):
        sent = flood(sender)
        time.sleep(1)
    got = [int.from_bytes(data[:4], "big") for data in ports.drain(sock, 3)]
    dropped = counts(0)["tx-no-memory"] - before
    why = f"{sent} sent, {len(got)} came, {dropped} dropped"
    print(f"# {why}")
    tap.check(dropped and len(got) + dropped == sent and got == sorted(set(got)),
              "frames without a socket are dropped and counted", why)
    sender.close()
    stop(tap)
    sock.close()


def main():
    tap = nl.Tap()
    # buffers that have room for more than the fabric is to bear
    status, _, err = tool("fabric", "add", "f", "topology", "mesh", "dims", f"{NODES}x1",
                          "startup", "0", "buffer", "65535")
    assert not status, err
    ports.make("f", NODES, quiet=True)
    far_host()
    status, _, err = tool("run", "f", "policy", "unicast", "workload", "ports", "frames-mb", "0")
    tap.check(status == 1 and "frames-mb" in err, "frames-mb 0 is refused", err)
    sockets(tap, 1, True)
    sockets(tap, 64, False)
    without(tap)
    status, _, err = tool("fabric", "del", "f")
    tap.check(not status, "the fabric goes, with its ports", err)
    ports.remove(NODES)
    sh("ip", "netns", "del", "far")
    tap.finish()


if __name__ == "__main__":
    main()
