#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print latency against load on irregular networks, saturation loads, and what holds.

Usage: report_irregular_load.py NAME FOLDER

FOLDER holds LOAD.SCHEME.DESTINATIONS-SETTING-TOPOLOGY.json, see points_irregular.sh; LOAD
is the effective applied load in 1/1000 flits for each node and cycle. A network's
saturation load is the greatest one measured at which the run, and all with less, came to
its end; beyond the first that did not nothing is measured. The exit status says whether
everything was measured, not whether the paper's statements hold.
"""
import sys
from statistics import mean

from figures import compare, load

# What is varied besides the load, how it is shown.
EXPERIMENTS = {
    "irr-load-ratio": ("R", lambda x: f"{x / 1000:g}"),
    "irr-load-switches": ("switches", str),
    "irr-load-length": ("flits", str),
    "irr-unicast": ("overheads", str),
}
# The unicast throughput that the paper found to be less.
PAPER_UNICAST = 0.18
# What "comparable" and "uniformly" mean here.
NEAR = 0.25


class Figures:
    """Latencies and saturation loads by (scheme, destinations, setting)."""

    def __init__(self, name, points):
        self.what, self.show = EXPERIMENTS[name]
        self.latency = {}	# (load, scheme, destinations, setting) -> [cycles]
        self.ni = {}		# the same -> [what network interfaces held]
        last = {}		# (scheme, destinations, setting, network) -> saturation load
        for (x, scheme, variant), point in points.items():
            dests, setting, network = (int(v) for v in variant.split("-"))
            series = scheme, dests, setting
            last.setdefault((*series, network), 0)
            if point["state"] != "done":
                continue
            last[*series, network] = max(last[*series, network], x / 1000)
            self.latency.setdefault((x, *series), []).append(
                point["multicast"]["completion"]["mean-micro"] / 1e6)
            if "ni" in point:
                self.ni.setdefault((x, *series), []).append(point["ni"])
        self.networks = {key[3] for key in last}
        self.each = {}
        for key, value in last.items():
            self.each.setdefault(key[:3], []).append(value)
        self.saturation = {key: mean(values) for key, values in self.each.items()}
        self.loads = sorted({key[0] for key in points})
        self.schemes = list(dict.fromkeys(
            s for s in ("ni", "path", "tree", "unicast", "adaptive")
            if any(key[0] == s for key in last)))
        self.degrees = sorted({key[1] for key in last})
        self.settings = sorted({key[2] for key in last})

    def at(self, x, *series):
        """Mean latency, None if any network is saturated."""
        values = self.latency.get((x, *series), [])
        return mean(values) if len(values) == len(self.networks) else None

    def name(self, dests, setting):
        """A curve for people."""
        return f"{self.what} {self.show(setting)}, {dests} destinations"

    def table(self, dests, setting):
        """Print one figure's data."""
        print(f"\nlatency in cycles, {self.name(dests, setting)}")
        print(f"{'load':>10}" + "".join(f"{s:>12}" for s in self.schemes))
        for x in self.loads:
            row = [self.at(x, s, dests, setting) for s in self.schemes]
            if any(v is not None for v in row):
                print(f"{x / 1000:10.3f}" + "".join(
                    f"{v:12.0f}" if v is not None else f"{'-':>12}" for v in row))

    def saturations(self):
        """Print them, the mean over networks, and by how much networks differ."""
        print(f"\nsaturation loads, networks: {len(self.networks)}")
        print(f"{'':28}" + "".join(f"{s:>20}" for s in self.schemes))
        for dests, setting in self.cases():
            each = [self.each[s, dests, setting] for s in self.schemes]
            print(f"{self.name(dests, setting):28}" + "".join(
                f"{mean(v):7.3f} {min(v):.3f}-{max(v):.3f}".rjust(20) if len(v) > 1
                else f"{v[0]:20.3f}" for v in each))

    def latencies(self, less, more, cases):
        """(where, less, more) for compare(), at loads that both carry."""
        pairs = []
        for dests, setting in cases:
            for x in self.loads:
                a, b = (self.at(x, s, dests, setting) for s in (less, more))
                if a is not None and b is not None:
                    pairs.append((f"{self.name(dests, setting)}, load {x / 1000:g}", a, b))
        return pairs

    def loads_of(self, less, more, cases):
        """The same of saturation loads: @less has the smaller one."""
        return [(self.name(*c), self.saturation[less, *c], self.saturation[more, *c])
                for c in cases]

    def cases(self, wanted=lambda setting: True):
        """(destinations, setting) of the settings that are wanted."""
        return [(d, s) for d in self.degrees for s in self.settings if wanted(s)]


def both(f, better, worse, cases, where=""):
    """A scheme is better than another one: by latency, and by saturation load."""
    compare(f"{better} below {worse} in latency{where}", f.latencies(better, worse, cases))
    compare(f"{worse} saturates no later than {better}{where}",
            f.loads_of(worse, better, cases))


def ratio(f):
    """6.5.1"""
    low, high = f.cases(lambda s: s <= 1000), f.cases(lambda s: s > 1000)
    both(f, "path", "ni", low, ", R <= 1")
    both(f, "tree", "path", low, ", R <= 1")
    both(f, "ni", "path", high, ", R > 1")
    compare(f"ni as tree or better: saturation load at most {NEAR:.0%} less, R > 1",
            [(f.name(*c), (1 - NEAR) * f.saturation["tree", *c], f.saturation["ni", *c])
             for c in high])
    compare(f"ni as tree or better: latency at most {NEAR:.0%} more, R > 1",
            [(w, a, (1 + NEAR) * b) for w, a, b in f.latencies("ni", "tree", high)])


def switches(f):
    """6.5.2"""
    first, final = f.settings[0], f.settings[-1]
    compare("path saturates no later with more switches",
            [(f.name(d, b), f.saturation["path", d, b], f.saturation["path", d, a])
             for d in f.degrees for a, b in zip(f.settings, f.settings[1:])])
    lead = {(d, s): round(f.saturation["path", d, s] - f.saturation["ni", d, s], 4)
            for d, s in f.cases()}
    compare(f"path's saturation load no farther above ni's at {final} than at {first} switches",
            [(f"{d} destinations", lead[d, final], lead[d, first]) for d in f.degrees])
    compare(f"tree's saturation load within {NEAR:.0%} of that with {first} switches",
            [(f.name(d, s), abs(f.saturation["tree", d, s] / f.saturation["tree", d, first] - 1),
              NEAR) for d in f.degrees for s in f.settings[1:]])
    for other in "path", "ni":
        compare(f"{other} saturates at less than tree",
                [(w, a, b - 0.001) for w, a, b in f.loads_of(other, "tree", f.cases())])


def length(f):
    """6.5.3"""
    for other in "path", "ni":
        both(f, "tree", other, f.cases())
    lowest = f.loads[0]
    compare(f"ni over path in latency falls with the length, load {lowest / 1000:g}",
            [(f.name(d, b), *(f.at(lowest, "ni", d, s) / f.at(lowest, "path", d, s)
                              for s in (b, a)))
             for d in f.degrees for a, b in zip(f.settings, f.settings[1:])])
    both(f, "path", "ni", f.cases(lambda s: s == 1024), ", 1024 flits")


def unicast(f):
    """6.5"""
    for scheme in f.schemes:
        each = f.each[scheme, 1, 0]
        print(f"{scheme}: saturation load {min(each):.3f} to {max(each):.3f}, "
              f"mean {mean(each):.3f}")
        compare(f"{scheme} throughput less than {PAPER_UNICAST}",
                [(f"network {i + 1}", v, PAPER_UNICAST - 0.001) for i, v in enumerate(each)])


STATEMENTS = {"irr-load-ratio": ratio, "irr-load-switches": switches,
              "irr-load-length": length, "irr-unicast": unicast}


def network_interfaces(f):
    """Peak use and residence in NIs: at the least load, and at the last below saturation."""
    if not f.ni:
        return
    print("\nNIs that send on, packets at most in one and cycles from reception to last copy:")
    print(f"{'':28}{'load':>7}{'peak':>6}{'mean':>9}{'maximum':>9}")
    for dests, setting in f.cases():
        loads = [x for x in f.loads if f.at(x, "ni", dests, setting) is not None]
        for x in loads[:1] + loads[1:][-1:]:
            uses = f.ni.get((x, "ni", dests, setting), [])
            if not uses:
                continue
            packets = sum(u["packets"] for u in uses)
            residence = sum(u["packets"] * u["residence-micro"] for u in uses) / packets / 1e6
            print(f"{f.name(dests, setting):28}{x / 1000:7.3f}{max(u['peak'] for u in uses):6}"
                  f"{residence:9.0f}{max(u['residence-maximum'] for u in uses):9}")


def main():
    """All tables, then the statements."""
    name = sys.argv[1]
    points, reasons = load(sys.argv[2])
    bad = [k for k, p in points.items() if p is None or p["state"] not in ("done", "saturated", "cut")
           or p["bad-parts"] or p["bad-messages"]]
    if bad or not points:
        print(f"FAILED: {bad or 'nothing'} was not measured: {list(reasons)}")
        return 1
    f = Figures(name, points)
    for case in f.cases():
        f.table(*case)
    f.saturations()
    network_interfaces(f)
    print("\nWhat the paper says:")
    STATEMENTS[name](f)
    return 0


sys.exit(main())
