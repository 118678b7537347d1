#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print the data of an experiment and whether its paper's claims hold.

Usage: report.py NAME FOLDER

FOLDER holds X.POLICY.HEADERS.json (statistics of a run) or .refused (why there is
none). The exit status says whether everything was measured, not whether the claims
hold: what a paper says is compared with, and where it does not hold that is shown.
"""
import sys

from figures import load

METRICS = {
    "completion": ("completion in ns", lambda g, ps: g["completion-interval"]["mean-ucycles"]
                   / 1e6 * ps / 1e3),
    "latency": ("network latency in hops", lambda g, ps: g["network-latency"]["mean-micro"]
                / 1e6),
    "traffic": ("network traffic in channels", lambda g, ps: g["traffic-micro"] / 1e6),
}
# What is varied, what is shown, and the claims: who is said to be below whom, in what.
EXPERIMENTS = {
    "hcm-torus": ("destinations", ["completion"],
                  [("hcm-uniform", "dp", "completion"), ("hcm-fixed", "dp", "completion")]),
    "hcm-star": ("destinations", ["completion"],
                 [("hcm-uniform", "dp", "completion"), ("hcm-fixed", "dp", "completion")]),
    "tasnem-size": ("torus", ["latency", "traffic", "completion"],
                    [("tasnem", other, metric) for metric in ("latency", "traffic")
                     for other in ("t2w", "hcm-uniform", "hcm-multipath")]),
    "tasnem-dests": ("destinations", ["latency", "traffic", "completion"],
                     [("tasnem", other, metric) for metric in ("latency", "traffic")
                      for other in ("t2w", "hcm-uniform", "hcm-multipath")]),
}


# The one reason for a gap; any other refusal is a failure.
GAP = "no cycle of labels"


def value(point, metric):
    """A figure of a point, None where there is none."""
    return point and METRICS[metric][1](point["multicast"], point["cycle-ps"])


def table(points, headers, metric, what):
    """Print one figure's data."""
    xs = sorted({x for x, _, _ in points})
    policies = sorted({p for _, p, _ in points})
    print(f"\n{METRICS[metric][0]}, headers {headers}")
    print(f"{what:>12}" + "".join(f"{p:>15}" for p in policies))
    for x in xs:
        row = [value(points.get((x, p, headers)), metric) for p in policies]
        print(f"{x:12}" + "".join(f"{v:15.1f}" if v is not None else f"{'-':>15}" for v in row))


def claim(points, headers, less, more, metric):
    """Say where a policy is below another one, and where it is not."""
    holds, fails = [], []
    for x in sorted({x for x, _, h in points if h == headers}):
        a, b = (value(points.get((x, p, headers)), metric) for p in (less, more))
        if a is not None and b is not None:
            (holds if a < b else fails).append(f"{x} ({100 * (a / b - 1):+.1f} %)")
    if not holds and not fails:
        print(f"{less} below {more} in {METRICS[metric][0]}, headers {headers}: not measured")
        return
    verdict = "holds" if not fails else "DOES NOT HOLD" if not holds else "holds only in part"
    print(f"{less} below {more} in {METRICS[metric][0]}, headers {headers}: {verdict}")
    if fails:
        print("  not at " + ", ".join(fails))
    if holds and fails:
        print("  but at " + ", ".join(holds))


def main():
    """All tables, then the claims."""
    what, metrics, claims = EXPERIMENTS[sys.argv[1]]
    points, reasons = load(sys.argv[2])
    bad = [k for k, p in points.items() if p and
           (p["state"] != "done" or p["multicast"]["all"].get("incomplete", 0))]
    for headers in "off", "on":
        for metric in metrics:
            table(points, headers, metric, what)
    for reason, where in sorted(reasons.items()):
        print(f"\nno value at {', '.join(map(str, sorted(set(where))))}: {reason}")
    print("\nWhat the paper says:")
    for headers in "off", "on":
        for less, more, metric in claims:
            claim(points, headers, less, more, metric)
    bad += [reason for reason in reasons if GAP not in reason]
    if bad or not any(points.values()):
        print(f"\nFAILED: {bad or 'nothing'} was not measured to the end")
        return 1
    return 0


sys.exit(main())
