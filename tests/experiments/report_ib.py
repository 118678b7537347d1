#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print the data of the union paper's figures and whether its three remarks hold.

Usage: report_ib.py FOLDER

A figure shows, for a share of destinations and a way of using virtual lanes, the time
from cycle 0 to the last delivery of all sources. FOLDER holds the statistics of the
runs as SIZE.POLICY.SHARE-LANES-KIND.json. The exit status says whether everything was
measured, not whether the remarks hold.
"""
import sys

from figures import compare, load

UNION, UNICAST = "xy-union", "xy-unicast"
LANES = ["1-shared"] + [f"{n}-{kind}" for n in (2, 4)
                        for kind in ("shared", "free", "dedicated")]


def time_us(point):
    """The last delivery, in us."""
    return point["multicast"]["completion"]["maximum"] * point["cycle-ps"] / 1e6


class Figures:
    """Times by (size, policy, share, lanes)."""

    def __init__(self, points):
        self.times = {}
        for (size, policy, variant), point in points.items():
            share, lanes = variant.split("-", 1)
            self.times[size, policy, int(share), lanes] = time_us(point)
        self.sizes = sorted({key[0] for key in self.times})
        self.shares = sorted({key[2] for key in self.times})

    def table(self, share):
        """Print the data of one share of destinations."""
        for policy in UNION, UNICAST:
            print(f"\n{policy} to {share} % of the nodes, time to the last delivery in us")
            print(f"{'bytes':>8}" + "".join(f"{lanes:>13}" for lanes in LANES))
            for size in self.sizes:
                print(f"{size:8}" + "".join(
                    f"{self.times[size, policy, share, lanes]:13.2f}" for lanes in LANES))

    def speedup(self, size, share, lanes):
        """Unicast's time over multicast's."""
        return self.times[size, UNICAST, share, lanes] / self.times[size, UNION, share, lanes]


def remarks(figures):
    """The paper's three remarks, point by point."""
    times, sizes, shares = figures.times, figures.sizes, figures.shares
    speedup = figures.speedup
    print("\nWhat the paper says (of several cases; the number of sources is another run's):")
    compare("remark 1, multicast is faster than unicast",
            [(f"{s} bytes, {d} %, {n}", times[s, UNION, d, n], times[s, UNICAST, d, n])
             for s in sizes for d in shares for n in LANES])
    compare("remark 2, the speed-up grows with the message",
            [(f"{a} to {b} bytes, {d} %, {n}", speedup(a, d, n), speedup(b, d, n))
             for a, b in zip(sizes, sizes[1:]) for d in shares for n in LANES])
    compare("remark 2, the speed-up grows with the group",
            [(f"{s} bytes, {n}", speedup(s, shares[0], n), speedup(s, shares[-1], n))
             for s in sizes for n in LANES])
    for policy in UNION, UNICAST:
        for kind in "shared", "free":
            compare(f"remark 3, more {kind} lanes are faster, {policy}",
                    [(f"{s} bytes, {d} %, {b} lanes after {a}", times[s, policy, d, f"{b}-{kind}"],
                      times[s, policy, d, f"{a}-{kind}" if a > 1 else "1-shared"])
                     for s in sizes for d in shares for a, b in ((1, 2), (2, 4))])
            compare(f"remark 3, {kind} lanes are faster than dedicated ones, {policy}",
                    [(f"{s} bytes, {d} %, {n} lanes", times[s, policy, d, f"{n}-{kind}"],
                      times[s, policy, d, f"{n}-dedicated"])
                     for s in sizes for d in shares for n in (2, 4)])
    lows = [speedup(s, d, n) for s in sizes for d in shares for n in LANES]
    print(f"speed-up: {min(lows):.1f} to {max(lows):.1f}")


def main():
    """All tables, then the remarks."""
    points, reasons = load(sys.argv[1])
    bad = [k for k, p in points.items() if p is None or p["state"] != "done" or
           p["multicast"]["all"].get("incomplete", 0)]
    if bad or not points:
        print(f"FAILED: {bad or 'nothing'} was not measured to the end: {list(reasons)}")
        return 1
    figures = Figures(points)
    for share in figures.shares:
        figures.table(share)
    remarks(figures)
    return 0


sys.exit(main())
