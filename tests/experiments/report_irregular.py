#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print the data of the irregular paper's figures on single multicasts, and what holds.

Usage: report_irregular.py NAME FOLDER

FOLDER holds X.SCHEME.DESTINATIONS-SETTING-TOPOLOGY.json, see points_irregular.sh. A
figure's value is the mean over networks of each one's mean completion; behind it is the
standard deviation over networks. The exit status says whether everything was measured,
not whether the paper's statements hold.
"""
import sys
from statistics import mean, stdev

from figures import compare, load

# What is varied, how x is shown.
EXPERIMENTS = {
    "irr-ratio": ("R", lambda x: f"{x / 1000:g}"),
    "irr-overhead": ("t_hs", str),
    "irr-hosts": ("hosts", str),
    "irr-ports": ("ports", str),
    "irr-switches": ("switches", str),
    "irr-length": ("flits", str),
    "irr-packet": ("mtu", lambda x: "4x128" if x == 512 else str(x)),
}
SCHEMES = ["ni", "path", "tree", "greedy", "ssr", "binomial"]
# What "unaffected" and "the same" mean here: at most so much more or less.
NEAR = 0.10
# Host overheads of which the paper does not say whether they are of messages or packets.
SETTINGS = {"default": "", "message": ", host-overhead message",
            "packet": ", host-overhead packet", "messageR2": ", host-overhead message, R 2",
            "packetR2": ", host-overhead packet, R 2"}


def case_name(case):
    """(destinations, setting) for people."""
    return f"{case[0]} destinations{SETTINGS[case[1]]}"


class Figures:
    """Completion in cycles by (x, scheme, destinations, setting)."""

    def __init__(self, name, points):
        what, self.show = EXPERIMENTS[name]
        self.what = what
        each = {}
        for (x, scheme, variant), point in points.items():
            dests, setting, _ = variant.split("-")
            each.setdefault((x, scheme, int(dests), setting), []).append(
                point["multicast"]["completion"]["mean-micro"] / 1e6)
        self.mean = {key: mean(values) for key, values in each.items()}
        self.spread = {key: stdev(values) if len(values) > 1 else 0
                       for key, values in each.items()}
        self.xs = sorted({key[0] for key in each})
        # (destinations, setting): the curves of a figure
        self.cases = sorted({key[2:] for key in each})

    def name(self, x, case):
        """A point for people."""
        return f"{self.what} {self.show(x)}, {case_name(case)}"

    def ratio(self, x, case, over, under):
        """How much longer a scheme takes than another one."""
        return self.mean[x, over, *case] / self.mean[x, under, *case]

    def table(self, case):
        """Print one figure's data."""
        print(f"\ncompletion in cycles, {case_name(case)}")
        print(f"{self.what:>8}" + "".join(f"{s:>15}" for s in SCHEMES))
        for x in self.xs:
            print(f"{self.show(x):>8}" + "".join(
                f"{self.mean[x, s, *case]:9.0f} ±{self.spread[x, s, *case]:<4.0f}"
                for s in SCHEMES))

    def below(self, less, more, xs, cases=None):
        """(where, less, more) for compare()."""
        return [(self.name(x, c), self.mean[x, less, *c], self.mean[x, more, *c])
                for c in cases or self.cases for x in xs]

    def grows(self, scheme, sign=1):
        """The same for neighbours on the x axis: (before, after), with @sign -1 reversed."""
        pairs = [(self.name(b, c), self.mean[a, scheme, *c], self.mean[b, scheme, *c])
                 for c in self.cases for a, b in zip(self.xs, self.xs[1:])]
        return [(w, a, b) if sign > 0 else (w, b, a) for w, a, b in pairs]

    def near(self, value, first):
        """Is @value of each case, at each x, within NEAR of what it is at @first?"""
        return [(self.name(x, c), abs(value(x, c) / value(first, c) - 1), NEAR)
                for c in self.cases for x in self.xs if x != first]


def unaffected(f, scheme, first):
    """Say whether a scheme's completion stays."""
    compare(f"{scheme} within {NEAR:.0%} of {f.what} {f.show(first)}",
            f.near(lambda x, c: f.mean[x, scheme, *c], first))


def ratio(f):
    """6.4.1"""
    low, high = [x for x in f.xs if x < 1000], [x for x in f.xs if x > 1000]
    compare("ni over path falls with R",
            [(f.name(b, c), f.ratio(b, c, "ni", "path"), f.ratio(a, c, "ni", "path"))
             for c in f.cases for a, b in zip(f.xs, f.xs[1:])])
    compare("path faster than ni for R < 1", f.below("path", "ni", low))
    compare("ni faster than path for R > 1", f.below("ni", "path", high))


def overhead(f):
    """6.4.2"""
    for a, b in ("path", "ni"), ("ni", "tree"), ("path", "tree"):
        compare(f"{a} over {b} within {NEAR:.0%} of that at the default t_hs",
                f.near(lambda x, c, a=a, b=b: f.ratio(x, c, a, b), 1000))


def hosts(f):
    """6.4.3"""
    unaffected(f, "tree", f.xs[0])
    compare("path slower with more hosts", f.grows("path"))
    compare("path loses more than ni", [
        (f.name(x, c), f.mean[x, "ni", *c] / f.mean[f.xs[0], "ni", *c],
         f.mean[x, "path", *c] / f.mean[f.xs[0], "path", *c])
        for c in f.cases for x in f.xs[1:]])


def ports(f):
    """6.4.4"""
    compare("path faster on larger switches", f.grows("path", -1))
    compare("path as tree on 32-port switches, within 1 %",
            [(f.name(32, c), abs(f.ratio(32, c, "path", "tree") - 1), 0.01) for c in f.cases])
    unaffected(f, "tree", f.xs[0])
    unaffected(f, "ni", f.xs[0])


def switches(f):
    """6.4.5"""
    compare("path slower with more switches", f.grows("path"))
    unaffected(f, "tree", f.xs[0])
    unaffected(f, "ni", f.xs[0])


def length(f):
    """6.4.6"""
    short, long = [x for x in f.xs if x <= 512], [x for x in f.xs if x > 512]
    for setting in sorted({c[1] for c in f.cases}):
        cases = [c for c in f.cases if c[1] == setting]
        where = SETTINGS[setting]
        compare(f"path not slower than ni up to 512 flits{where}",
                f.below("path", "ni", short, cases))
        compare(f"ni faster than path beyond 512 flits{where}",
                f.below("ni", "path", long, cases))


def packet(f):
    """6.4.7"""
    sizes = [x for x in f.xs if x != 512]
    for setting in sorted({c[1] for c in f.cases}):
        cases = [c for c in f.cases if c[1] == setting]
        where = SETTINGS[setting]
        compare(f"ni over path falls with more packets{where}",
                [(f.name(a, c), f.ratio(a, c, "ni", "path"), f.ratio(b, c, "ni", "path"))
                 for c in cases for a, b in zip(sizes, sizes[1:])])
        compare(f"ni over path for 4 packets of 32 within {NEAR:.0%} of 4 of 128{where}",
                [(f.name(32, c), abs(f.ratio(32, c, "ni", "path") /
                                     f.ratio(512, c, "ni", "path") - 1), NEAR) for c in cases])


STATEMENTS = {"irr-ratio": ratio, "irr-overhead": overhead, "irr-hosts": hosts,
              "irr-ports": ports, "irr-switches": switches, "irr-length": length,
              "irr-packet": packet}


def share(f, less, more):
    """Which of two path schemes is faster: reported, nothing is expected."""
    ratios = [f.ratio(x, c, less, more) for c in f.cases for x in f.xs]
    wins = sum(r < 1 for r in ratios)
    print(f"{less} faster than {more} at {wins} of {len(ratios)} points, takes "
          f"{min(ratios):.3f} to {max(ratios):.3f} of its time, mean {mean(ratios):.3f}")


def main():
    """All tables, then the statements."""
    name = sys.argv[1]
    points, reasons = load(sys.argv[2])
    bad = [k for k, p in points.items() if p is None or p["state"] != "done" or
           p["bad-parts"] or p["bad-messages"] or p["multicast"]["all"].get("incomplete", 0)]
    if bad or not points:
        print(f"FAILED: {bad or 'nothing'} was not measured to the end: {list(reasons)}")
        return 1
    f = Figures(name, points)
    for case in f.cases:
        f.table(case)
    print("\nWhat the paper says:")
    for scheme in "ni", "path":
        compare(f"tree not slower than {scheme}", f.below("tree", scheme, f.xs))
    STATEMENTS[name](f)
    print("\nNot expected, only reported (path is less-greedy):")
    share(f, "path", "greedy")
    share(f, "path", "ssr")
    share(f, "ni", "binomial")
    return 0


sys.exit(main())
