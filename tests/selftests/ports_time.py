#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug late timeout=400
"""Time on ports: hardware time stamps are simulated time, to the cycle; clocks can be set and
adjusted; a run keeps its pace."""

import re
import socket
import time

from helpers import ports
from helpers.mcfab_nl import DEBUG, Tap
from helpers.ports import sh, tool

NODES = 4
CYCLE_PS = 2500
# On the debug kernel a run is far behind its pace, by turns, and so are all clocks.
CYCLES_OFF = 10000 if DEBUG else 100
FLITS = 1 + -(-(14 + 20 + 8 + 100) // 16)


def stamp(sock, flags=0):
    """The hardware time stamp of the next frame, or of the last frame sent, in nanoseconds."""
    for _ in range(100):
        try:
            return ports.taken(sock, flags)[1]
        except BlockingIOError:
            time.sleep(0.05)
    return None


def delays(tap, what, cycle_ps):
    """A lone frame takes as long as the plan says."""
    sender = ports.stamped(ports.udp(0), 0)
    receivers = {node: ports.stamped(ports.udp(node), node) for node in (1, 2, 3)}
    _, plan, _ = tool("plan", "f", "policy", "dp", "from", "0", "to", "3", "flits", str(FLITS))
    # addresses are asked for before
    for node in receivers:
        sender.sendto(b"?", (ports.address(node), 5000))
        receivers[node].recv(100)
        stamp(sender, socket.MSG_ERRQUEUE)
    sender.sendto(bytes(100), (ports.address(3), 5000))
    received = stamp(receivers[3])
    sent = stamp(sender, socket.MSG_ERRQUEUE)
    cycles = plan["summary"]["completion"]
    got = received - sent if received and sent else None
    # each stamp is rounded down to a nanosecond
    tap.check(got is not None and abs(got - cycles * cycle_ps / 1000) < 1,
              f"{what}: a frame takes the {cycles} cycles of its plan", f"{got} ns; {plan}")
    for sock in (sender, *receivers.values()):
        sock.close()


def phc(node):
    """The device of a port's clock."""
    _, out = sh("ip", "netns", "exec", f"n{node}", "ethtool", "-T", f"mcf{node}")
    found = re.search(r"PTP Hardware Clock: (\d+)", out)
    return f"/dev/ptp{found.group(1)}" if found else out


def clocks(tap):
    """They are set, adjusted, and read."""
    clock = phc(2)
    status, out = sh("phc_ctl", clock, "set", "1000.5", "get")
    found = re.search(r"clock time is (\d+)", out)
    tap.check(not status and found and found.group(1) in ("1000", "1001"), "phc_ctl set", out)
    status, out = sh("phc_ctl", clock, "adj", "10.0", "get")
    found = re.search(r"clock time is (\d+)", out)
    tap.check(not status and found and 1010 <= int(found.group(1)) < 1100, "phc_ctl adj", out)
    status, out = sh("phc_ctl", clock, "freq", "50000", "freq")
    tap.check(not status and "50000" in out, "phc_ctl freq", out)


def ptp(tap):
    """ptp4l pulls in a clock that is 1 ms and 50 ppm wrong."""
    sh("phc_ctl", phc(3), "set", "freq", "50000", "adj", "0.001")
    master, slave = ports.ptp4l(0), ports.ptp4l(3, "-s")
    time.sleep(40)
    offsets, out = ports.ptp_ends(master, slave)
    last = offsets[-20:]
    tap.check(len(last) == 20 and max(map(abs, last)) < CYCLES_OFF * CYCLE_PS // 1000,
              f"ptp4l: below {CYCLES_OFF} cycle times "
              f"({max(map(abs, last), default=None)} ns of the last 20)",
              f"{offsets[:10]} ... {last}; {out[-600:]}")


def main():
    tap = Tap()
    status, _, err = tool("fabric", "add", "f", "topology", "mesh", "dims", "2x2", "startup", "0",
                          "buffer", "8", "cycle-ps", str(CYCLE_PS))
    assert not status, err
    ports.make("f", NODES)
    for what, words in (("free", ()), ("pace", ("pace", "1"))):
        status, _, err = tool("run", "f", "policy", "dp", "workload", "ports", *words, "detach")
        tap.check(not status, f"{what}: a run", err)
        ports.ready("f")
        delays(tap, what, CYCLE_PS)
        if words:
            clocks(tap)
            ptp(tap)
        slip = tool("stats", "show", "f")[1].get("slip")
        tap.check(sum(slip["histogram"]) == slip["deliveries"] > 0 and
                  slip["mean-ns"] <= slip["maximum-ns"] if words else slip is None,
                  f"{what}: how far it was behind its pace", str(slip))
        status, out, err = tool("stop", "f")
        tap.check(not status and out["state"] == "done", f"{what}: stopped", f"{out} {err}")
    status, _, err = tool("fabric", "del", "f")
    tap.check(not status, "the fabric goes", err)
    ports.remove(NODES)
    tap.finish()


if __name__ == "__main__":
    main()
