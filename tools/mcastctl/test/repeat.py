#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What "stats show" says of a run is enough to repeat it: the same hash again.

Usage: repeat.py MCASTCTL
"""
import json
import os
import subprocess
import sys
import tempfile

MCASTCTL = os.path.abspath(sys.argv[1])
CASES = [
    ("topology mesh dims 8x8 seed 7",
     "policy qg td 0.2 workload poisson rate 0.0001 dests 5 multicast-fraction 10% "
     "batch-cycles 500 precision 0"),
    ("topology torus dims 8x8 vcs 2 startup 5", "policy t2w workload lone count 50 dests 5 flits 20"),
    ("topology irregular switches 16 ports 8 hosts 64 routing updown",
     "policy kbinomial workload lone count 20 dests 5"),
    ("topology mesh dims 4x4 addressing lid",
     "policy xy-union workload burst dests 3 fraction 0.5"),
    ("topology mesh dims 6x6 buffer 4 switching vct pipeline flit allocator separable "
     "input-speedup 1 route-delay 2",
     "policy unicast workload fixed interval 300 dests 1 flits 4 warmup 100 batch-cycles 100 "
     "precision 0"),
    ("topology hypercube dims 5 routing updown",
     "policy binomial workload poisson rate 0.0001 dests 3 batch-cycles 500 precision 0 warmup 0 "
     "fail 10:3:1,20:4,100:4:up"),
    ("topology mesh dims 4x4", "policy unicast workload poisson rate 0.002 dests 1 batch-cycles 500 "
     "precision 0 pattern hotspot hotspots 5,(3,3) hotspot-weights 2,1 hotspot-share 0.3 self"),
    ("topology mesh dims 4x4", "policy dp workload poisson rate 0.002 dests 3 batch-cycles 500 "
     "precision 0 lengths 1,5,20 weights 4,2,1"),
    ("topology mesh dims 4x4", "policy unicast workload lone count 20 dests 1 lengths 4,8"),
    ("topology mesh dims 4x4", "policy unicast workload on-off alpha 0.1 beta 0.2 rate 0.002 dests 1 "
     "batch-cycles 500 precision 0"),
    ("topology mesh dims 4x4", "policy unicast workload on-off alpha 0.1 beta 0.2 r1 0.012 dests 1 "
     "batch-cycles 500 precision 0 pattern randperm"),
    ("topology mesh dims 4x4", "policy dp workload bernoulli rate 0.002 dests 3 multicast-fraction 0.5 "
     "batch-cycles 500 precision 0 pattern bitrev"),
    ("topology mesh dims 8x8 seed 3", "policy dp workload poisson rate 0.002 batch-cycles 500 "
     "precision 0 class a share 0.7 multicast-fraction 0 pattern hotspot hotspots (1,2),9 "
     "class b share 0.3 dests 3 lengths 1,9 weights 2,1 source 4 "
     "class c workload fixed interval 700 network dests 4 set submesh pattern bitcomp"),
    ("topology mesh dims 8x8", "policy dp workload lone count 50 dests 5 set clustered radius 1 "
     "pattern transpose"),
    ("topology torus dims 4x4 vcs 2", "policy unicast workload fixed interval 300 "
     "multicast-fraction 0 batch-cycles 500 precision 0 warmup 0 pattern tornado"),
    ("topology mesh dims 8x8 seed 7", "policy mp workload lone count 20 dests 5 seed 18446744073709551615"),
    ("topology star dims 4 vcs 2", "policy rg workload lone count 20 dests 5 source 3"),
    ("topology ring dims 6 vcs 2", "policy unicast workload lone dests 3"),
    ("topology irregular switches 8 ports 8 hosts 32 routing updown node-model host",
     "policy binomial workload lone count 20 dests 5"),
    ("topology hypercube dims 5 routing updown",
     "policy binomial workload poisson rate 0.0001 dests 3 batch-cycles 500 precision 0 warmup 0",
     "link down a switch 3", "link down a switch 9 port 2"),
    ("topology irregular switches 16 ports 8 hosts 64 routing updown",
     "policy kbinomial workload lone count 20 dests 5", "link down a switch s3",
     "link down a switch s5"),
    ("topology mesh dims 4x4 addressing lid",
     "policy xy-union workload burst group g fraction 0.5", "group add a g members 1-5,9,15",
     "group add a h members 3,4 lid 0xc123"),
    ("topology irregular switches 12 ports 6 hosts 24 routing minhop addressing lid",
     "policy table workload burst group g fraction 1", "group add a g members h1,h5,h12 lid 0xc000"),
    ("topology irregular switches 8 ports 8 hosts 32 routing updown addressing lid",
     "policy multidrop workload poisson rate 0.0001 group g batch-cycles 500 precision 0 warmup 0",
     "group add a g members h1,h2,h9", "link down a switch s3"),
]
# What the commands cannot say is said.
TABLES = ["fabric add a topology mesh dims 4x4 addressing lid",
          "table set a switch 0 lid 3 ports 0", "run a policy table workload lone dests 3",
          "stats show a"]


def batch(lines, *options):
    got = subprocess.run([MCASTCTL, *options, "-E", "user", "-b", "-"], check=False, text=True,
                         input="\n".join(lines) + "\n", capture_output=True)
    if not any(text in got.stderr for text in ("not made of a graph", "there is no group")):
        sys.stderr.write(got.stderr)
    return got.stdout


def stats(lines):
    out = batch(lines, "-j").strip().split("\n")
    return json.loads(out[-1]) if out[-1] else {}


def main():
    print(f"TAP version 13\n1..{len(CASES) + 1}")
    failed = False
    for nr, (fabric, run, *changes) in enumerate(CASES, 1):
        make = f"fabric add a {fabric}"
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            first = stats([make, *changes, f"run a {run}", "stats show a"])
            with open("a.topo", "w", encoding="utf-8") as graph:
                graph.write(batch([make, "topology show a"]))
            commands = first.get("repeat", {}).get("commands", [])
            again = stats([*commands, "stats show a"]) if commands else {}
            os.chdir("/")
        # Of the hash alone several runs without a message would be the same.
        good = bool(first.get("messages")) and all(
            first.get(key) is not None and first.get(key) == again.get(key)
            for key in ("hash", "cycle", "messages", "deliveries"))
        if changes and good:
            # They make a difference, if there is a run without them.
            plain = stats([make, f"run a {run}", "stats show a"])
            good = plain.get("hash") != first["hash"]
        failed |= not good
        print(f"{'ok' if good else 'not ok'} {nr} {fabric}: {run}")
    good = any("tables" in remark for remark in stats(TABLES)["repeat"]["remarks"]) and \
        "# tables were set or loaded" in batch(TABLES)
    failed |= not good
    print(f"{'ok' if good else 'not ok'} {len(CASES) + 1} tables that were set are told of")
    return failed


sys.exit(main())
