#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What "run ... saturate" finds is where the verdicts of single runs change, and its words.

Usage: saturate.py MCASTCTL
"""
import json
import os
import pty
import signal
import subprocess
import sys
import time

from harness import ENGINE, MCASTCTL, batch, finish, ok

WINDOW = "batch-cycles 500"
# Fabric, run without a rate, and the tolerance in 1e-6, if it is not the standard one.
CASES = [
    ("topology mesh dims 4x4 startup 0", "policy unicast prep 0 workload poisson dests 1 flits 5",
     20000, ""),
    ("topology mesh dims 4x4 startup 0", "policy qg prep 0 workload poisson dests 3 flits 8",
     50000, "tolerance 5% rate 0.003"),
    ("topology torus dims 4x4 vcs 2 startup 0", "policy unicast workload poi dests 1 flits 5",
     10000, "tolerance 0.01 rate 0.4"),
    ("topology mesh dims 4x4 startup 0", "policy cp prep 0 workload poisson dests 3 flits 8",
     100000, "tolerance 10% rate 0.1"),
    ("topology mesh dims 4x4 startup 0", "policy dp prep 0 workload bernoulli dests 3 flits 8",
     20000, "rate 0.002"),
    ("topology mesh dims 4x4 startup 0 vcs 2", "policy mp prep 0 workload poisson dests 4 flits 4",
     50000, "tolerance 5%"),
    ("topology torus dims 4x4 vcs 2 startup 0",
     "policy hcm-uniform prep 0 workload poisson dests 3 flits 8", 20000, "rate 0.01"),
]
LOADS = ["offered-ppb", "accepted-ppb", "effective-ppb", "delivered-ppb"]
BASE = "policy unicast workload poisson dests 1"
# Words that are refused, and what is said of them.
REFUSED = [
    (f"{BASE} saturat tolerence 2%", 'unknown argument "tolerence"; did you mean "tolerance"?'),
    (f"{BASE} saturrate", 'did you mean "saturate"?'),
    (f"{BASE} saturate tolerance 0", "tolerance 0: out of range (0.1% to 50%)"),
    (f"{BASE} saturate tolerance 2", "tolerance 2: out of range (0.1% to 50%)"),
    (f"{BASE} saturate tolerance x", "tolerance x: not a decimal number"),
    (f"{BASE} saturate tolerance", "tolerance: X is missing"),
    (f"{BASE} rate 0.01 tolerance 2%", "tolerance: only with saturate"),
    (f"{BASE} saturate saturate", "saturate is given twice"),
    (f"{BASE} saturate detach", "detach: not with saturate"),
    (f"{BASE} saturate count 9", "count: not with saturate"),
    (f"{BASE} saturate precision 0.05", "precision 0.05: not with saturate"),
    (f"{BASE} saturate warmup auto", "warmup auto: not with saturate"),
    (f"{BASE} saturate rate 0", "rate 0: the search has to begin above 0"),
    (f"{BASE} saturate rate 2", "rate 2: out of range"),
    (f"{BASE} saturate max-cycles 3000", "max-cycles 3000: the window ends at cycle 125000"),
    ("policy unicast workload burst dests 1 saturate", "workload burst has no rate"),
    ("policy unicast workload lone dests 1 saturate", "workload lone has no rate"),
    ("policy unicast workload fixed interval 9 dests 1 saturate", "workload fixed has no rate"),
    ("policy unicast workload file none saturate", "workload file has no rate"),
    (BASE, "rate is missing"),
    ("policy unicast workload poisson saturate", "dests is missing"),
]
def verdicts(fabric, run, rates, probe, warmup):
    """Verdicts of single runs with the window of a probe; a run that is cut has none."""
    lines = [f"fabric add f {fabric}"]
    for rate in rates:
        lines += [f"run f {run} rate {rate / 1e9:.9f} warmup {warmup} precision 0 {WINDOW} "
                  f"batches {probe['window'] // 500} max-cycles {8 * (warmup + probe['window'])}",
                  "stats show f"]
    out = batch(lines, "-j")[1]
    return [json.loads(line)["saturation"]["verdict"] for line in out[2::2]]


def checked(found, tolerance):
    """What is wrong with the object of a search."""
    low, high = found["steady"], found["saturated"]
    probes = found["probes"]
    bad = [f"{end} {probe['verdict']}" for end, probe in (("steady", low), ("saturated", high))
           if probe["verdict"] != end or probe not in probes]
    if not low["rate-ppb"] < high["rate-ppb"] <= low["rate-ppb"] * (1 + tolerance / 1e6):
        bad.append(f"{low['rate-ppb']} to {high['rate-ppb']}")
    if found["tolerance-ppm"] != tolerance or found["distance-ppm"] > tolerance:
        bad.append("tolerance")
    bad += [f"{load} of {probe['rate-ppb']}" for probe in (low, high) for load in LOADS
            if not probe.get(load)]
    longest = max(p["window"] for p in probes)
    for probe in probes:
        if probe["window"] < longest:
            continue
        if probe["verdict"] == "steady" and probe["rate-ppb"] > low["rate-ppb"]:
            bad.append(f"steady at {probe['rate-ppb']}")
        if probe["verdict"] == "saturated" and probe["rate-ppb"] < high["rate-ppb"]:
            bad.append(f"saturated at {probe['rate-ppb']}")
    return bad


def test_bracket(fabric, run, tolerance, words):
    name = f"{fabric}: {run} {words}"
    lines = [f"fabric add f {fabric}", f"run f {run} {WINDOW} saturate {words}", "stats show f"]
    status, out, err = batch(lines, "-j")
    if status or len(out) != 3:
        ok(name, False, err)
        return
    found, last = json.loads(out[1]), json.loads(out[2])
    bad = checked(found, tolerance)
    ok(f"{name}: a bracket", found["found"] and not bad, bad)
    low, high = found["steady"], found["saturated"]
    ok(f"{name}: the last run is the steady one",
       last["hash"] == low["hash"] and last["run"] == found["run"] and
       last["repeat"]["run"]["rate-ppb"] == low["rate-ppb"])
    # Around the bracket, beyond a margin of what the verdicts cannot tell.
    margin = max(0.03, 2 * found["resolution-ppm"] / 1e6)
    below = [round(low["rate-ppb"] * (1 - margin) * k / 8) for k in range(2, 9)]
    above = [round(high["rate-ppb"] * (1 + margin) * (1 + k / 20)) for k in range(6)]
    got = verdicts(fabric, run, below + [low["rate-ppb"]], low, found["warmup"])
    ok(f"{name}: steady below", got == ["steady"] * 8, (below, got))
    got = verdicts(fabric, run, above, low, found["warmup"])
    ok(f"{name}: not steady above, and saturated at first",
       got and got[0] == "saturated" and "steady" not in got, (above, got))
    again = json.loads(batch(lines, "-j")[1][1])
    other = batch([lines[0] + " seed 2", lines[1]], "-j")[1][1]
    ok(f"{name}: the same again", again == found)
    ok(f"{name}: another seed is another search", json.loads(other)["probes"] != found["probes"])


def test_text():
    fabric, run = CASES[0][:2]
    status, out, err = batch([f"fabric add f {fabric}", f"run f {run} {WINDOW} saturate"])
    text = "\n".join(out)
    ok("text", not status and not err and "\nsteady " in text and "\nsaturated " in text and
       out[0].startswith("saturation between ") and "tolerance 2 %" in text, text + err)


def test_words():
    for words, said in REFUSED:
        status, out, err = batch(["fabric add f topology mesh dims 4x4", f"run f {words}"])
        ok(f"refused: {words}", status in (1, 2) and not out[1:] and said in err and
           "probe" not in err, err)
    shown = subprocess.run([MCASTCTL, "run", "help"], check=False, capture_output=True, text=True)
    ok("help", '"saturate" looks for' in shown.stdout and "  tolerance X" in shown.stdout)
    shown = subprocess.run([MCASTCTL, "complete", "run", "f", "policy", "unicast", "sat"],
                           check=False, capture_output=True, text=True)
    ok("completion", shown.stdout == "saturate\n", shown.stdout)


def test_unknown():
    """A run that is cut and a window that is too short are taken for nothing."""
    make = "fabric add f topology mesh dims 4x4 startup 0"
    run = f"run f {CASES[0][1]} batch-cycles 1 saturate tolerance 50%"
    found = json.loads(batch([make, run], "-j")[1][1])
    first = found["probes"][0]
    ok("a window that is too short is prolonged", first["verdict"] == "unknown" and
       first["state"] == "done" and found["probes"][1]["rate-ppb"] == first["rate-ppb"] and
       found["probes"][1]["window"] == 2 * first["window"], found)
    # None of them can end.
    status, out, err = batch([make, f"run f {CASES[0][1]} {WINDOW} rate 1e-6 saturate "
                                    "fail 1:0 max-cycles 12501"], "-j")
    ok("what the module refuses is said once", status == 1 and err.count("Error:") == 1, err)
    status, out, err = batch([make, f"run f {CASES[0][1]} {WINDOW} rate 0.5 saturate "
                                    "max-cycles 12501"], "-j")
    found = json.loads(out[1])
    verdict = {p["verdict"] for p in found["probes"] if p["state"] == "cut"}
    ok("cut is not saturated", verdict == {"unknown"}, err)
    ok("an error if nothing else is known", found["found"] or
       (status == 1 and "unknown" in err and "after " in err and "saturated" not in found), err)


def test_interrupt():
    """Ctrl-C stops the run, and what is known is said; a terminal has a line for each probe."""
    lines = ["fabric add f topology mesh dims 16x16",
             f"run f {BASE} batch-cycles 100000 saturate rate 0.0005"]
    ours, theirs = pty.openpty()
    with subprocess.Popen([*ENGINE, "-b", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=theirs) as p:
        os.close(theirs)
        p.stdin.write(("\n".join(lines) + "\n").encode())
        p.stdin.close()
        said = b""
        while b"probe 1: rate 0.0005, steady, accepted " not in said:
            said += os.read(ours, 4096)
        time.sleep(0.3)
        p.send_signal(signal.SIGINT)
        try:
            while more := os.read(ours, 4096):
                said += more
        except OSError:
            pass
        status = p.wait()
    ok("an interrupt", status == 1 and b"was stopped" in said and
       b": steady at rate 0.0" in said[said.rindex(b"after "):], said[-300:])


def main():
    print("TAP version 13")
    # with sanitizers a search takes long, and one shows all that they look for
    for case in CASES[:1] if str(MCASTCTL).endswith("-asan") else CASES:
        test_bracket(*case)
    test_text()
    test_words()
    test_unknown()
    test_interrupt()
    return finish()


sys.exit(main())
