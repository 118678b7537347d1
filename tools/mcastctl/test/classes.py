#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Classes of traffic: what is shown of each, what is refused, and by which name.

Usage: classes.py MCASTCTL
"""
import json
import re
import sys
import tempfile

from harness import batch, finish, ok

FABRIC = "fabric add f topology mesh dims 8x8"
WINDOW = "warmup 2000 batch-cycles 500 precision 0"
RUN = f"run f policy dp flits 5 workload poisson rate 0.004 {WINDOW}"
CLASSES = ("class req share 0.75 multicast-fraction 0 pattern transpose "
           "class inv share 0.25 dests 6 lengths 1 workload bernoulli")
# What is said of classes, and the error.
REFUSED = [
    ("rate 0.001 class a dests 3", "class a: share is missing, as the run has a rate"),
    ("rate 0.001 class a share 0.5 dests 3 class b share 0.4 dests 2",
     "class b: the shares of the classes add up to 0.900000, not 1"),
    ("class a rate 0.001 dests 3 class a rate 0.001 dests 3", "there are two classes a"),
    ("dests 3 class a rate 0.001 dests 3", "dests 3: with classes of traffic this is said of a class"),
    ("flits 8 lengths 1,2 class a rate 0.001 dests 3", "lengths 1,2: with classes of traffic"),
    ("class a rate 0.001 dests 64", "class a: dests 64: dests must be at most 63"),
    ("class a rate 0.001 dests 3 share 0.5", "class a: share 0.5: there is no rate of the run"),
    ("rate 0.1 class a rate 0.001 dests 3 share 1", "class a: share 1: share is in place of a rate"),
    ("class a rate 0.001 dests 3 class", "class: NAME is missing"),
    ("class a rate 0.001 destz 3", 'unknown argument "destz"; did you mean "dests"?'),
    ("class a rate 0.001 flits 3", 'unknown argument "flits"'),
    ("class a rate 0.001 dests 3 multicast-fraction 0.5",
     "class a: multicast-fraction 0.5: multicast-fraction is 0 or 1: a mixture is two classes"),
    ("class a rate 0.001 dests 3 class b workload burst dests 3",
     "class b: workload burst: only loads have classes"),
    ("class b workload file", "class b: workload file: only loads have classes"),
    ("class a rate 0 dests 3", "class a: rate 0: out of range"),
    ("class a rate 0.001 dests 3 hotspots 4", "class a: hotspots 4: hotspots means nothing without"),
    ("class a rate 0.001 dests 3 source (9,9)", "source (9,9): coordinate 1"),
    ("class a rate 0.001", "class a: dests must be at least 1"),
    ("class a dests 3", "class a: rate must be at least"),
    ("class a/b rate 0.001 dests 3", "class a/b: class may have visible ASCII"),
    ("class " + "x" * 40 + " rate 0.001 dests 3", "longer than 31 characters"),
    (" ".join(f"class c{i} rate 0.001 dests 3" for i in range(9)), "class c8: more than 8 classes"),
    ("headers on class a rate 0.1 dests 1 class b rate 0.001 dests 3 lengths 4,8",
     "class b: lengths 4,8: messages of several lengths are not modelled with headers on"),
    ("class a rate 0.001 dests 3 weights 1", "class a: weights 1: weights mean nothing"),
]


def by_name(stats):
    return {c["name"]: c for c in stats["traffic-class"]}


def shown():
    """One run: text, JSON, and what adds up."""
    status, out, err = batch([FABRIC, f"{RUN} {CLASSES}", "stats show f"], "-j")
    ok("a run with two classes", status == 0 and len(out) == 3, err)
    run, stats = json.loads(out[1]), json.loads(out[2])
    ok("the run shows its classes",
       [(c["class-name"], c["workload"], c["rate-ppb"]) for c in run["traffic-class"]] ==
       [("req", "poisson", 3000000), ("inv", "bernoulli", 1000000)], run)
    ok("no other classes", "multicast" not in stats and "unicast" not in stats)
    req, inv = by_name(stats)["req"], by_name(stats)["inv"]
    for kind in ("generated", "asked", "accepted", "delivered"):
        ok(f"{kind} flits add up",
           req["load"][f"{kind}-flits"] + inv["load"][f"{kind}-flits"] ==
           stats["load"][f"{kind}-flits"] > 0)
    ok("unicasts have one destination",
       req["stats"]["all"]["messages"] == req["stats"]["all"]["destinations"])
    ok("multicasts have six", 6 * inv["stats"]["all"]["messages"] ==
       inv["stats"]["all"]["destinations"])
    ok("messages add up", req["stats"]["all"]["messages"] + inv["stats"]["all"]["messages"] ==
       stats["messages"])
    offered = {"req": 3e-3 * 5, "inv": 1e-3 * 1}
    for name, want in offered.items():
        got = by_name(stats)[name]["offered-ppb"] / 1e9
        ok(f"{name} offers its share", abs(got / want - 1) < 0.15, f"{got} not {want}")
    text = "\n".join(batch([FABRIC, f"{RUN} {CLASSES}", "stats show f latency",
                            "stats show f histogram", "stats show f batches",
                            "stats show f openmetrics"])[1])
    for part in ("class req:\n  load in flits", "class inv latency, in cycles",
                 "\nreq +tail ", "\ninv +0 ", 'class="inv",of="completion"'):
        ok(f"shown: {part!r}", re.search(part, text))


def alone():
    """A class alone is the same run, and so is the first of several, as far as it is alone."""
    one = "class all rate 0.001 dests 4"
    hashes = [json.loads(batch([FABRIC, f"run f policy dp workload poisson {how} {WINDOW}{more}",
                                "stats show f"], "-j")[1][-1])["hash"]
              for how, more in (("rate 0.001 dests 4", ""), ("", f" {one}"))]
    ok("one class is the run without classes", hashes[0] == hashes[1], hashes)


def listed():
    """Classes of a list: what a line says is counted for its class."""
    with tempfile.NamedTemporaryFile("w", suffix=".messages") as f:
        f.write("".join(f"{10 * i} {i % 64} flits={1 + i % 3} class={'abc'[i % 3]} "
                        f"{(i + 7) % 64},{(i + 9) % 64}\n" for i in range(300)))
        f.flush()
        for window, messages in ("", 100), (" warmup 1000 batch-cycles 50 precision 0", 34):
            stats = json.loads(batch([FABRIC, f"run f policy dp workload file {f.name}{window}",
                                      "stats show f"], "-j")[1][-1])
            got = {c["name"]: c["stats"] for c in stats["traffic-class"]}
            counts = [c["measured"]["messages"] for c in got.values()]
            ok(f"a list of three classes{window}", list(got) == ["a", "b", "c"] and
               all(messages - 1 <= n <= messages for n in counts), counts)
            flits = [c["measured"]["flits"] for c in got.values()]
            ok(f"its lengths{window}", flits == [counts[0], 2 * counts[1], 3 * counts[2]], flits)


def others():
    """Commands that run it."""
    tail = f"workload poisson batch-cycles 200 {CLASSES}"
    out = batch([FABRIC, f"run f policy unicast flits 5 saturate tolerance 20% {tail}"], "-j")[1]
    found = json.loads(out[-1])
    ok("saturate keeps the mixture", found["steady"]["rate-ppb"] < found["saturated"]["rate-ppb"],
       found)
    out = batch([FABRIC, f"compare f policy dp, dp, mp seeds 2 rate 0.004 {tail}"], "-j")
    ok("compare takes classes", out[0] == 0, out)


def main():
    print("TAP version 13")
    shown()
    alone()
    listed()
    others()
    for words, error in REFUSED:
        status, out, err = batch([FABRIC, f"run f policy dp workload poisson {words}", "fabric show"])
        ok(f"refused: {error}", status != 0 and error in err and "run 1" not in "\n".join(out), err)
    return finish()


sys.exit(main())
