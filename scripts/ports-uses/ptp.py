#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""In the VM: PTP over a congested fabric. A master at one end of a row of switches, a slave at the
other; datagrams of 1400 bytes go the same way as the master's messages, and none go back. How wrong
does the slave measure its clock, which is right, by what load?"""

import multiprocessing
import statistics
import time

from helpers import ports
from helpers.ports import must

NODES, SECONDS = 4, 30
BYTES = 1400
# A flit of 16 bytes takes 40 us, so a datagram takes 3.7 ms, in real time, too.
CYCLE_PS = 40_000_000
FLITS = 1 + -(-(BYTES + 42) // 16)
ROW = "{:<6} {:>8} {:>9} {:>8} {:>9} {:>8} {:>8} {:>8}"


def sender(load, end, sent):
    """Datagrams from node 1 to the last node that fill this part of its channels."""
    sock = ports.udp(1)
    gap = FLITS * CYCLE_PS * 1e-12 / load
    due = time.monotonic()
    while not end.is_set():
        sock.sendto(bytes(BYTES), (ports.address(NODES - 1), 5000))
        sent.value += 1
        due += gap
        time.sleep(max(0, due - time.monotonic()))


def measure(load):
    """Offsets in us that the slave measures, and datagrams sent."""
    ports.run("f", "policy", "unicast", "pace", "1")
    receiver = ports.udp(NODES - 1)
    end, sent = multiprocessing.Event(), multiprocessing.Value("i", 0)
    master = ports.ptp4l(0)
    slave = ports.ptp4l(NODES - 1, "-s", "--free_running=1",
                         "--freq_est_interval=0")
    process = multiprocessing.Process(target=sender, args=(load, end, sent)) if load else None
    time.sleep(3)
    if process:
        process.start()
    time.sleep(SECONDS)
    end.set()
    if process:
        process.join()
    offsets = ports.ptp_ends(master, slave, "s0")[0]
    receiver.close()
    must("stop", "f")
    # the first were measured before there was any load
    return [ns / 1000 for ns in offsets[len(offsets) // 3:]], sent.value


def main():
    must("fabric", "add", "f", "topology", "mesh", "dims", f"{NODES}x1", "startup", "0", "buffer",
         "8", "cycle-ps", str(CYCLE_PS))
    ports.make("f", NODES)
    print(ROW.format("load", "reached", "datagrams", "offsets", "mean, us", "median", "least",
                     "most"))
    for load in (0, 0.3, 0.6, 0.9):
        offsets, sent = measure(load)
        reached = sent * FLITS * CYCLE_PS * 1e-12 / SECONDS
        print(ROW.format(load, f"{reached:.2f}", sent, len(offsets), *(f"{value:.0f}" for value in (
            statistics.mean(offsets), statistics.median(offsets), min(offsets), max(offsets)))),
              flush=True)
    ports.remove(NODES)
    must("fabric", "del", "f")


if __name__ == "__main__":
    main()
