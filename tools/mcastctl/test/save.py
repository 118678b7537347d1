#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Fabrics that are saved and restored: the same again, with the same runs; and files that are
refused, of which nothing stays.

Usage: save.py MCASTCTL
"""
import json
import os
import sys
import tempfile

from harness import batch, finish, ok

SAMPLES = os.path.realpath(os.path.join(os.path.dirname(__file__), "../../../tests/samples"))
# Fabrics, and a run on each.
FABRICS = [
    ("mesh", ["fabric add mesh topology mesh dims 5x4 vcs 2 seed 9 link-delay 3 buffer 7"],
     "dp workload poisson rate 0.001 dests 4 warmup 100 batch-cycles 200"),
    ("torus", ["fabric add torus topology torus dims 4x4 vcs 2 router booksim buffer-packets 2"],
     "unicast flits 5 workload poisson rate 0.01 dests 1 warmup 100 batch-cycles 200"),
    ("star", ["fabric add star topology star dims 4 vcs 4 cpus 0"],
     "unicast workload burst dests 3"),
    ("cube", ["fabric add cube topology hypercube dims 4 switching saf buffer 32"],
     "unicast workload burst dests 3"),
    ("down", ["fabric add down topology torus dims 4x4 routing updown root s5",
              "link down down switch s3", "link down down switch s0 port 1"],
     "binomial workload burst dests 3"),
    ("hosts", ["fabric add hosts topology irregular switches 6 ports 8 hosts 9 node-model host "
               "ni-memory 4 ni-ratio 2"],
     "kbinomial workload burst dests 4"),
    ("rates", [f"fabric add rates topology irregular file {SAMPLES}/two-speeds.topo "
               "node-model queue startup 0 buffer 64"],
     "multidrop workload burst dests 2"),
    ("lids", ["fabric add lids topology mesh dims 3x3 addressing lid port-numbers 2,1,3,4,5 vcs 2",
              "group add lids g1 members 1,2,5 address 239.1.1.1",
              "group add lids g2 members 0,4,5 lid 0xc010",
              "group add lids none members 3", "group leave lids none members 3",
              "group assign lids g1 source 3", "group assign lids g1 source 1",
              "table set lids switch s4 lid 3 ports 2",
              "table set lids switch s3 lid 0xc000 ports none",
              "table set lids switch s4 lid 0xc010 ports 1,5"],
     "xy-union workload poisson rate 0.0001 group g1 warmup 1000 batch-cycles 500"),
    ("minhop", ["fabric add minhop topology irregular switches 6 ports 8 hosts 9 addressing lid "
                "routing minhop", "group add minhop g members h1,h2,h5", "group assign minhop g"],
     "table workload burst dests 3"),
    ("ring", [f"fabric add ring topology irregular file {SAMPLES}/dateline.topo addressing lid "
              "vcs 2", f"table load ring {SAMPLES}/dateline.fdbs",
              f"table load ring {SAMPLES}/dateline.sl2vl {SAMPLES}/dateline.path-sl"],
     "table lanes tables copies source workload burst dests 2"),
    ('q\\"#\'', ['fabric add "q\\\\\\"#\'" topology mesh dims 2x2'], None),
]
REFUSED = [
    ("fabric del x\n", ":1: Error: restore: \"fabric del\" is not what save writes"),
    ("run f0 policy dp\n", ":1: Error: restore: \"run f0\" is not what save writes"),
    ("fabric add f topology mesh dims 4x4\nfabric add g topology mesh dims 4xx4\n",
     ":2: Error: dims 4xx4"),
    ("fabric add f topology mesh dims 4x4\nfabric add there topology mesh dims 4x4\n",
     ":2: Error: restore: there is a fabric there already"),
    ("fabric add f topology irregular file <<END\nswitch 0 ports 4\n",
     ":1: Error: <<END: no line END follows line 1"),
    ("fabric add e topology mesh dims 2x2\n\n"
     "fabric add f topology irregular file <<END buffer 8\nswitch 0 ports 4\nhost 0 switch 9\nEND\n",
     ":5: Error: "),
    ("fabric add f topology irregular file <<A format <<B\nA\nfabric del there\nB\n",
     ":1: Error: <<B: a command has one file in the batch"),
    ("fabric add f topology mesh dims 4x4\ntable load f <<END\nEND\n", ":2: Error: "),
    ('fabric add "f topology mesh dims 4x4\n', ":1: Error: a quote is not closed"),
]


def said(lines):
    """What a batch says in JSON, line by line; its errors."""
    status, out, err = batch(lines, "-j")
    return [json.loads(line) for line in out] if not status else err


def results(lines):
    """Hashes of a run on each fabric, and what "link show" and "group show" say."""
    more = [f"run {name} policy {words}" for name, _, words in FABRICS if words]
    more += ["link show down", "group show lids", "group show minhop", "table show lids mft"]
    got = said(lines + more)
    if isinstance(got, str):
        return got
    runs = got[-len(more):-4]
    return [run.get("hash", run) for run in runs] + got[-4:]


def main():
    make = [line for _, lines, _ in FABRICS for line in lines]
    with tempfile.TemporaryDirectory() as folder:
        saved, again, bad = (os.path.join(folder, name) for name in ("saved", "again", "bad"))
        status, _, err = batch([*make, f"save file {saved}"])
        ok("fabrics are saved", not status, err)
        status, out, err = batch([f"restore {saved}", f"save file {again}"])
        ok("and restored", not status and out == [f"{len(FABRICS)} fabrics restored"], f"{out} {err}")
        with open(saved, encoding="utf-8") as one, open(again, encoding="utf-8") as other:
            ok("they are saved as before", one.read() == other.read())
        first, second = results(make), results([f"restore {saved}"])
        ok("the same runs have the same hashes", isinstance(first, list) and first == second,
           f"{first}\n# {second}")
        status, out, err = batch([*make, "save mesh"])
        ok("one fabric is saved", not status and len(out) >= 1 and
           out[-1].startswith("fabric add mesh topology mesh dims 5x4"), f"{out} {err}")
        for text, complaint in REFUSED:
            with open(bad, "w", encoding="utf-8") as file:
                file.write(text)
            status, out, err = batch(["fabric add there topology mesh dims 2x2", f"restore {bad}",
                                      "fabric show"], "--force")
            left = [line.split()[0] for line in out[1:]]
            ok(f"refused: {complaint}", status and bad + complaint in err and left == ["there"],
               f"{err} {out}")
        for words, complaint in (
                (f"restore {folder}/none", "No such file or directory"),
                ("restore", "restore: FILE is missing"),
                ("restore -", "it is read twice, so it has to be a file"),
                (f"restore {saved} more", "unexpected \"more\""),
                ("save nothing", "nothing"),
                (f"save file {folder}/no/file", "No such file or directory"),
                ("save mesh fiel x", "did you mean \"file\"?")):
            status, out, err = batch([words])
            ok(words.replace(folder, "..."), status and complaint in err, err)
        with open(saved, encoding="utf-8") as file:
            before = file.read()
        status, _, err = batch(["fabric add f topology mesh dims 2x2", f"save g file {saved}"])
        with open(saved, encoding="utf-8") as file:
            ok("a file stays as it was if saving fails", status and file.read() == before, err)
        ok("nothing else stays in its folder", set(os.listdir(folder)) == {"saved", "again", "bad"},
           str(os.listdir(folder)))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
