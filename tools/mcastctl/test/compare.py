#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What "compare" says of policies is what single runs say, with the intervals of its seeds.

Usage: compare.py MCASTCTL
"""
import json
import math
import os
import subprocess
import sys

from harness import ENGINE, MCASTCTL, batch, finish, ok

MESH = "fabric add f topology mesh dims 8x8"
LONE = "workload lone count 40 dests 8"
LOAD = "workload poisson rate 0.0003 dests 8 multicast-fraction 0.5 batch-cycles 200"
# 97.5 % quantiles of Student's t by degrees of freedom, as printed in tables.
STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776}
# Words that are refused, and what is said of them.
REFUSED = [
    (f"policy dp {LONE}", "policy dp: at least two are compared, with commas"),
    (f"policy dp mp {LONE}", 'policy 1 dp: "mp" is neither a parameter of it nor a keyword'),
    (f"policy dp, mpp {LONE}", "policy 2 mpp: "),
    (f"policy dpp,mp {LONE}", "policy 1 dpp: "),
    (f"policy dp,,mp {LONE}", "policy 2: a name is missing behind the comma"),
    (f"policy dp,mp, {LONE}", "policy 3: a name is missing behind the comma"),
    (f"policy ,mp {LONE}", "policy 1: a name is missing"),
    ("policy", "policy 1: a name is missing"),
    ("policy " + ",".join(["dp"] * 17) + f" {LONE}", "policy: more than 16"),
    (f"{LONE} policy dp, mp", "policy A, B, ... is missing behind the fabric"),
    ("", "policy A, B, ... is missing behind the fabric"),
    ("policy dp, mp", "workload is missing"),
    (f"policy qg td, mp {LONE}", "td: a value is missing"),
    (f"policy qg td 0.5 td 0.6, mp {LONE}", "td is given twice"),
    (f"policy qg td x, mp {LONE}", "td x: "),
    (f"policy dp td 0.5, mp {LONE}", 'policy 1 dp: "td" is neither'),
    (f"policy dp, mp td 0.5 {LONE}", 'policy 2 mp: "td" is neither'),
    (f"policy dp, mp policy cp {LONE}", "policy is given twice"),
    (f"policy dp, mp {LONE} detach", 'unknown argument "detach"'),
    (f"policy dp, mp {LONE} saturate", 'unknown argument "saturate"'),
    (f"policy dp, mp {LONE} fail 10:3:1", 'unknown argument "fail"'),
    (f"policy dp, mp {LONE} seeds 0", "seeds 0: out of range (1 to 1000)"),
    (f"policy dp, mp {LONE} seeds 1001", "seeds 1001: out of range (1 to 1000)"),
    (f"policy dp, mp {LONE} seeds x", "seeds x: not a whole number"),
    (f"policy dp, mp {LONE} seed 18446744073709551615", "seed 18446744073709551615: 5 seeds"),
    (f"policy dp, mp {LOAD} precision 0.05", "precision 0.05: not with compare"),
    (f"policy dp, mp {LOAD} warmup auto", "warmup auto: not with compare"),
    ("policy dp, mp workload lone dests 64", "dests 64"),
    (f"policy dp, t2w {LONE}", "policy 2 t2w, seed 1: no run; nothing is compared"),
    ("policy dp, mp workload file none", "none"),
]
def compare(words, fabric=MESH):
    """The object of a comparison."""
    status, out, err = batch([fabric, f"compare f {words}"], "-j")
    if status:
        sys.exit(f"compare.py: {words}: {err}")
    return json.loads(out[1])


def interval(values):
    """Mean and half of the interval."""
    n = len(values)
    mean = sum(values) / n
    square = sum((v - mean) ** 2 for v in values) / (n - 1)
    return mean, STUDENT[n - 1] * math.sqrt(square / n)


def unit_of(metric):
    """What the names of its values end with."""
    return next(key[len("mean"):] for key in metric["means"][0] if key.startswith("mean-"))


def values_of(found, metric, number):
    """A policy's values of a metric, one for each seed."""
    key = metric["metric"] + unit_of(metric)
    return [run[key] for run in found["policies"][number - 1]["runs"]]


def near(a, b):
    """Equal but for the quantile's digits and for the last one printed."""
    return abs(a - b) <= 2 + 3e-4 * abs(b)


def wrong(found):
    """What of means, differences and verdicts is not what the values of the runs give."""
    for metric in found["metrics"]:
        unit, name = unit_of(metric), metric["metric"]
        for one in metric["means"]:
            mean, half = interval(values_of(found, metric, one["number"]))
            if not near(one["mean" + unit], mean) or not near(one["half-width" + unit], half):
                yield f"{name}: {one}, not {mean} {half}"
        for pair in metric["pairs"]:
            first, second = (values_of(found, metric, pair[k]) for k in ("first", "second"))
            differences = [b - a for a, b in zip(first, second)]
            mean, half = interval(differences)
            verdict = pair["verdict"]
            right = verdict == "same" if not any(differences) else \
                verdict == ("undecided" if abs(mean) <= half else
                            "lower" if mean < 0 else "higher")
            if not right or not near(pair["difference" + unit], mean) or \
                    not near(pair["half-width" + unit], half):
                yield f"{name}: {pair}, not {mean} {half}"


def test_itself():
    for words in (LONE, LOAD):
        found = compare(f"policy qg td 0.5, qg td 0.5 {words} seeds 3")
        bad = [pair for m in found["metrics"] for pair in m["pairs"]
               if pair["verdict"] != "same" or pair["difference" + unit_of(m)] or
               pair["half-width" + unit_of(m)]]
        ok(f"no difference between a policy and itself: {words}", found["metrics"] and not bad,
           bad)
        ok("both are best", all(m["best"] == [1, 2] for m in found["metrics"]))


def test_sign():
    """mp, with up to four worms of shorter paths, is faster than dp, with two."""
    found = compare(f"policy dp,mp {LONE} seeds 5")
    verdict = {m["metric"]: m["pairs"][0]["verdict"] for m in found["metrics"]}
    ok("mp is faster than dp and more even", verdict["completion"] == verdict["destination"] ==
       verdict["cv-tail"] == "lower", verdict)
    ok("mp sends more worms", verdict["worms"] == "higher", verdict)
    best = {m["metric"]: m["best"] for m in found["metrics"]}
    ok("who is best", best["completion"] == [2] and best["worms"] == [1], best)
    back = compare(f"pol mp , dp {LONE} seeds 5")
    for one, other in zip(found["metrics"], back["metrics"]):
        a, b = one["pairs"][0], other["pairs"][0]
        key = "difference" + unit_of(one)
        if a[key] != -b[key] or {a["verdict"], b["verdict"]} not in (
                {"lower", "higher"}, {"same"}, {"undecided"}):
            ok("the other way round", False, (a, b))
            return
    ok("the other way round", True)


def test_runs():
    """The values are those of single runs, with the seed of the fabric and of the run."""
    words = "flits 16 seeds 3 seed 7"
    for traffic, more, paths in (
            (LONE, "", {"completion-micro": ("completion", "mean-micro"),
                        "completion-p99-micro": ("completion-quantiles", "p99"),
                        "cv-tail-micro": ("cv-tail", "mean-micro"),
                        "additional-micro": ("additional", "mean-micro")}),
            (LOAD, "precision 0 warmup 1000", {"destination-micro": ("mean-destination", "mean-micro"),
                                               "accepted-ppb": (None, "accepted-ppb")})):
        found = compare(f"policy dp, qg td 0.5, mp {traffic} {words}")
        ok(f"intervals of three policies: {traffic}", not list(wrong(found)), list(wrong(found)))
        offered = []
        for number, policy in enumerate(("dp", "qg td 0.5", "mp")):
            lines = [f"{MESH} seed 9"]
            for own in ("seed 7", "seed 8", ""):
                lines += [f"run f policy {policy} {traffic} flits 16 {more} {own}", "stats show f"]
            stats = [json.loads(line) for line in batch(lines, "-j")[1][2::2]]
            runs = found["policies"][number]["runs"]
            ok(f"{policy}: hashes of single runs", [r["hash"] for r in runs] ==
               [s["hash"] for s in stats] and [r["seed"] for r in runs] == [7, 8, 9])
            for key, (sample, name) in paths.items():
                scale = 1 if name.endswith(("micro", "ppb")) else 10 ** 6
                values = [(s["multicast"][sample] if sample else s)[name] * scale for s in stats]
                ok(f"{policy}: {key} of single runs", [r[key] for r in runs] == values,
                   (runs, values))
            offered.append([(s["offered-ppb"], s["multicast"]["measured"]["messages"],
                             [s["unicast"]["measured"][k] for k in ("messages", "flits")]
                             if "unicast" in s else None) for s in stats])
        if traffic == LOAD:
            ok("all policies send the same messages",
               offered[0] == offered[1] == offered[2] and len({o[0] for o in offered[0]}) == 3,
               offered)


def test_unsteady():
    """A run that does not end well is no result to compare."""
    mesh = "fabric add f topology mesh dims 4x4 startup 0"
    heavy = "prep 0 workload poisson rate 0.11 dests 1 flits 5 batch-cycles 500 seeds 2"
    found = compare(f"policy unicast, unicast, dp {heavy}", mesh)
    state = [{r["state"] for r in p["runs"]} for p in found["policies"]]
    metric = {m["metric"]: m for m in found["metrics"]}
    completion, accepted = metric["completion"], metric["accepted"]
    ok("all are saturated", state == [{"saturated"}] * 3, state)
    ok("latencies are not compared", {p["verdict"] for p in completion["pairs"]} ==
       {"incomparable"} and not completion["best"] and
       not any("difference-micro" in p for p in completion["pairs"]) and
       not any(m["comparable"] for m in completion["means"]), completion)
    ok("accepted loads of saturated runs are", [p["verdict"] for p in accepted["pairs"]] ==
       ["same", "lower", "lower"] and accepted["best"] == [1, 2], accepted)
    cut = compare(f"policy unicast, dp {heavy} max-cycles 3000", mesh)
    ok("cut", [{r["state"] for r in p["runs"]} for p in cut["policies"]] == [{"cut"}] * 2 and
       all(p["verdict"] == "incomparable" for m in cut["metrics"] for p in m["pairs"]), cut)
    heavy = "prep 0 workload poisson rate 0.03 dests 1 flits 5 batch-cycles 200 seeds 2"
    status, out, err = batch([f"{MESH} startup 0", f"compare f policy unicast, dp {heavy}"])
    text = "\n".join(out)
    ok("steady and saturated, in the table", not status and not err and " 2 done\n" in text and
       " 2 saturated\n" in text and "? " in text and text.count("incomparable") > 5 and
       not any("best" in line for line in out if "?" in line or "incomparable" in line) and
       "  lower " in text and "NOT A STEADY STATE" in text, text + err)


def test_text():
    status, out, err = batch([MESH, f"compare f policy dp, mp {LONE}",
                              f"compare f policy dp, mp {LONE} seeds 1",
                              "run f policy dp workload poisson rate 0.0001 dests 3 precision 0 "
                              "batch-cycles 1000000000 detach",
                              f"compare f policy dp, mp {LONE}", "stop f"])
    text = "\n".join(out)
    ok("text", "2 policies on f, workload lone, 5 seeds from 1 on\n" in text and
       "\n 1  dp      5 done\n" in text and " lower " in text and " best" in text, text + err)
    ok("one seed has no interval", "one seed: no intervals" in text and " undecided " in text, text)
    ok("a fabric that is running", status == 1 and err.count("Error:") == 1 and "f: " in err, err)


def test_file(folder="/tmp"):
    """The messages of a file are the same for every seed: one run each."""
    path = os.path.join(folder, f"compare-{os.getpid()}.txt")
    with open(path, "w", encoding="utf-8") as f:
        f.write("0 0 5,9\n10 3 1,2,60\n")
    found = compare(f"policy dp,mp workload file {path}")
    again = batch([MESH, f"compare f policy dp,mp workload file {path} seeds 2"])
    os.unlink(path)
    ok("a file", found["seeds"] == 1 and "seed" not in found["policies"][0]["runs"][0] and
       "half-width-micro" not in found["metrics"][0]["pairs"][0], found)
    ok("and several seeds", again[0] == 2 and "seeds 2: workload file" in again[2], again)


def test_fabrics():
    """The same messages on several fabrics: each run is that of the fabric alone."""
    others = [MESH, "fabric add g topology mesh dims 8x8 buffer 32 seed 9",
              "fabric add t topology torus dims 8x8 vcs 2"]
    what = f"policy dp, dp on g,hcm-uniform on t,dp {LONE} seeds 2"
    status, out, err = batch(others + [f"compare f {what}"], "-j")
    found = json.loads(out[-1])
    hashes = [[run["hash"] for run in p["runs"]] for p in found["policies"]]
    ok("fabrics are named", status == 0 and [p.get("fabric") for p in found["policies"]] ==
       [None, "g", "t", None], err)
    ok("the same policy, the same run", hashes[0] == hashes[3] != hashes[2])
    for fabric, policy, want in (("g", "dp", hashes[1]), ("t", "hcm-uniform", hashes[2])):
        status, out, err = batch(others + [f"run {fabric} policy {policy} {LONE} seed {seed}"
                                           for seed in (1, 2)], "-j")
        ok(f"{policy} on {fabric}", [json.loads(line)["hash"] for line in out[3:]] == want, err)
    one = batch(others + [f"compare f policy dp on g, dp {LONE} seeds 1"], "-j")
    ok("one seed is the same on both", [p["runs"][0]["hash"] for p in
                                        json.loads(one[1][-1])["policies"]] ==
       [hashes[1][0], hashes[0][0]], one[2])
    small = others + ["fabric add s topology mesh dims 4x4"]
    for words, said in (("policy dp, dp on s", "policy 2 on s: it has 16 nodes, f has 64"),
                        ("policy dp, dp on x", "fabric x: no such fabric"),
                        ("policy dp on, dp", "policy 1 dp on: the name of a fabric is missing"),
                        ("policy dp, dp on g h", '"h"')):
        status, out, err = batch(small + [f"compare f {words} {LONE}"])
        ok(f"refused: {words}", status and said in err and not out[4:], err)


def test_tables():
    """Tables of two fabrics: as policy table on both."""
    fabrics = [f"fabric add {name} topology irregular switches 8 ports 6 hosts 16 topology-seed 2 "
               "addressing lid routing minhop" for name in ("a", "b")]
    change = "table set b switch 0 lid 1 ports 1"
    words = "workload burst dests 3 seeds 2"
    status, out, err = batch(fabrics + [change, f"table compare a b {words}",
                                        f"compare a policy table, table on b {words}"], "-j")
    one, other = [json.loads(line) for line in out[-2:]]
    ok("table compare is compare with policy table", status == 0 and
       one["metrics"] == other["metrics"] and one["policies"][1]["fabric"] == "b", err)
    for words, said in (("a", "the fabric with the other tables is missing"),
                        ("a workload burst", "the fabric with the other tables is missing"),
                        ("a c workload burst", "fabric c: no such fabric"),
                        ("a b", "workload is missing")):
        status, out, err = batch(fabrics + [f"table compare {words}"])
        ok(f"refused: table compare {words}", status and said in err, err)


def test_words():
    for words, said in REFUSED:
        status, out, err = batch([MESH, f"compare f {words}"])
        ok(f"refused: {words}", status in (1, 2) and not out[1:] and said in err and
           err.count("Error:") == 1, err)
    shown = subprocess.run([MCASTCTL, "compare", "help"], check=False, capture_output=True,
                           text=True)
    ok("help", "seeds N" in shown.stdout and "detach" not in shown.stdout)
    for words, offered in (("com", ["compare"]), ("compare f policy dp, mp seeds", ["seeds"]),
                           ("compare f policy dp, qg td 0.5, xy-un", ["xy-unicast", "xy-union"])):
        shown = subprocess.run([*ENGINE, "complete", *words.split()], check=False,
                               capture_output=True, text=True)
        ok(f"completion: {words}", sorted(shown.stdout.split()) == offered, shown.stdout)


def main():
    print("TAP version 13")
    test_itself()
    test_sign()
    test_runs()
    test_unsteady()
    test_text()
    test_file()
    test_fabrics()
    test_tables()
    test_words()
    return finish()


sys.exit(main())
