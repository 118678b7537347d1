#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""In the VM: ptp4l between two nodes of a torus while a stream loads the channels between them,
and before. How far is the clock off?"""

import statistics
import threading
import time

from helpers import ports
from helpers.ports import must

NODES, MASTER, SLAVE = 16, 5, 7
STREAM = (4, 7)         # over the channels 5 > 6 > 7, as Sync messages
BURST, GAP = 6, 0.03    # frames at once, seconds between two bursts
SECONDS, SETTLED = 40, 80
ROW = "{:<20} {:>8} {:>10} {:>10} {:>10}"


def stream(stop):
    """Bursts of frames until somebody says stop."""
    source, sink = STREAM
    sock = ports.udp(source)
    while not stop.wait(GAP):
        for _ in range(BURST):
            sock.sendto(bytes(1400), (ports.address(sink), 5000))
    sock.close()


def measure(load):
    """Offsets of the slave in ns once its clock is in step."""
    stop = threading.Event()
    thread = threading.Thread(target=stream, args=(stop,))
    if load:
        thread.start()
    master, slave = ports.ptp4l(MASTER), ports.ptp4l(SLAVE, "-s")
    time.sleep(SECONDS)
    offsets, out = ports.ptp_ends(master, slave)
    stop.set()
    if load:
        thread.join()
    assert len(offsets) > SETTLED, out
    return offsets[SETTLED:]


def main():
    must("fabric", "add", "f", "topology", "torus", "dims", "4x4", "vcs", "2", "startup", "0",
         "buffer", "8", "cycle-ps", "20000")
    ports.make("f", NODES)
    print(ROW.format("offset of the clock", "samples", "mean, ns", "std. dev.", "most"))
    for load in (False, True):
        must("run", "f", "policy", "unicast", "workload", "ports", "pace", "1", "detach")
        offsets = measure(load)
        must("stop", "f")
        print(ROW.format("under load" if load else "idle", len(offsets),
                         f"{statistics.mean(offsets):.0f}", f"{statistics.pstdev(offsets):.0f}",
                         max(map(abs, offsets))), flush=True)
    ports.remove(NODES)
    must("fabric", "del", "f")


if __name__ == "__main__":
    main()
