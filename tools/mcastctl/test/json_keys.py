#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Every key that "mcastctl -j" prints is the name of an attribute of the netlink spec, in the
set of attributes that the command's answer has there.

Usage: json_keys.py MCASTCTL

The commands are those of tests/selftests/engines.batch and some more. Behind each a fabric of
its own is shown: so it is known what a command printed.
"""
import json
import os
import subprocess
import sys

import yaml

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
SPEC = os.path.join(TOP, "Documentation/netlink/specs/mcfab.yaml")
BATCH = os.path.join(TOP, "tests/selftests/engines.batch")
MARK = "mark"
# Commands and the sets of their answers; "stats show" by its view.
SETS = {
    "topology show": "topology", "topology show NAME": "graph", "policy show": "policy",
    "fabric add": "fabric", "fabric show": "fabric", "fabric node": "node", "plan": "plan",
    "verify": "verify",
    "run": "run", "stop": "run", "stats show": "stats", "stats show latency": "stats",
    "stats show channels": "link", "stats show heat": "link", "stats show routers": "node-load",
    "stats show sources": "source-load",
    "stats show batches": "batch", "stats show histogram": "bucket",
    "stats show deadlock": "deadlock", "group add": "group", "group join": "group",
    "group leave": "group", "group assign": "group", "group show": "group",
    "table show": "table-entry", "table check": "table", "table load": "table",
    "route show": "route", "link down": "fault", "link up": "fault", "link show": "fault",
}
# What is no answer of the kernel, but the tool's own: how to repeat a run.
REPEAT = {"mcastctl", "mcfab", "remarks", "commands"}
# Not in the batch: a run that is stopped, virtual lanes, lists of groups.
MORE = ["run m policy dp workload poisson rate 0.0001 dests 3 precision 0 batch-cycles 1000000000 "
        "detach", "stop m", "table show ib sl2vl", "table show ib mft", "group show ib",
        "group leave ib g members 4", "fabric show ring", "fabric node rand", "route show rand", "link show rand",
        "plan tree policy table from 0 to 1", "plan tree policy xy-union from 0 to 1",
        "plan rand policy kbinomial from h0 to h4 flits 32 mtu 20",
        "run h policy binomial workload poisson rate 0.0001 dests 3 batch-cycles 500 precision 0 "
        "multicast-fraction 10% warmup 0 fail 10:3:1,20:4,100:4:up",
        "stats show h", "stats show h latency", "stats show h heat",
        "run h policy binomial workload lone dests 1 pattern hotspot hotspots h1,h2 self",
        "stats show h"]


def read_spec():
    """Sets of attributes by name; an attribute's set of what is nested in it, or None."""
    with open(SPEC, encoding="utf-8") as f:
        return {s["name"]: {a["name"]: a.get("nested-attributes") for a in s["attributes"]}
                for s in yaml.safe_load(f)["attribute-sets"]}


def wrong(value, name, sets, where=""):
    """Where @value has keys that are no names of the set @name."""
    if isinstance(value, list):
        for one in value:
            yield from wrong(one, name, sets, where)
    if not isinstance(value, dict):
        return
    for key, inner in value.items():
        at = f"{where}.{key}"
        if name == "stats" and key == "repeat":
            own = {k: v for k, v in inner.items() if k not in REPEAT}
            yield from (f"{at}.{k}" for k in own if k not in ("fabric", "run"))
            yield from wrong(own.get("fabric"), "fabric", sets, f"{at}.fabric")
            yield from wrong(own.get("run"), "run", sets, f"{at}.run")
        elif key not in sets[name]:
            yield f"{at} (of {name})"
        else:
            yield from wrong(inner, sets[name][key] or name, sets, at)


def kind_of(line):
    """The command of a line in the words of SETS."""
    words = line.split()
    if words[0] in ("plan", "verify", "run", "stop"):
        return words[0]
    kind = " ".join(words[:2])
    if kind == "stats show" and len(words) > 3:
        kind += " " + words[3]
    if kind == "topology show" and len(words) > 2:
        kind += " NAME"
    return kind


def parsed(text):
    """What is JSON; None, it is text."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, (dict, list)) else None


def answers(mcastctl, lines):
    """Each command and an object or list that it printed."""
    text = [f"fabric add {MARK} topology ring dims 3"]
    for line in lines:
        text += [line, f"fabric show {MARK}"]
    got = subprocess.run([mcastctl, "-j", "-E", "user", "--force", "-b", "-"], check=False,
                         input="\n".join(text) + "\n", cwd=os.path.dirname(BATCH),
                         capture_output=True, text=True)
    printed = got.stdout.splitlines()[1:]
    for line in lines:
        while printed:
            one = parsed(printed.pop(0))
            if isinstance(one, dict) and one.get("name") == MARK:
                break
            if one is not None:
                yield line, one
        else:
            sys.exit(f"json_keys.py: the batch ended at: {line}: {got.stderr[-300:]}")


def main():
    """All of it."""
    sets = read_spec()
    with open(BATCH, encoding="utf-8") as f:
        lines = [line.strip() for line in f if line.strip() and not line.startswith("#")]
    # answers of their own: what many runs come to
    lines = [line for line in lines if not line.startswith("compare ") and "saturate" not in line]
    # help is the tool's own, and answers with its tables
    lines = [line for line in lines if "help" not in line.split()]
    # before what is there is taken away
    end = lines.index("group del ib g")
    lines[end:end] = MORE
    seen = {}
    for line, one in answers(os.path.abspath(sys.argv[1]), lines):
        seen.setdefault(kind_of(line), []).append((line, one))
    failed = 0
    tests = sorted(set(SETS) | set(seen))
    print("TAP version 13")
    print(f"1..{len(tests) + 1}")
    for i, kind in enumerate(tests):
        bad = [] if kind in SETS else ["there is no set for this command"]
        bad += [] if kind in seen else ["nothing was printed"]
        for line, one in seen.get(kind, []) if kind in SETS else []:
            bad += [f"{line}: {at}" for at in wrong(one, SETS[kind], sets)]
        failed += bool(bad)
        print(f"{'not ok' if bad else 'ok'} {i + 1} {kind}: {len(seen.get(kind, []))} answers")
        for text in bad[:20]:
            print(f"# {text}")
    # that the test would see others
    found = list(wrong([{"worm": [{"ident": 1}], "worms": 2}], "plan", sets))
    good = found == [".worm.ident (of plan-worm)", ".worms (of plan)"]
    failed += not good
    print(f"{'ok' if good else 'not ok'} {len(tests) + 1} keys that are no names are found")
    return 1 if failed else 0


sys.exit(main())
