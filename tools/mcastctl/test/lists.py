#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Files of messages: packed and plain, with lengths and windows, and what is wrong with them.

Usage: lists.py MCASTCTL
"""
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

from harness import ENGINE, batch, finish, ok

MESH = "fabric add f topology mesh dims 8x8"
# What a file says, and what is said of it.
REFUSED = [
    (b"0 1 flits=0 3\n", ":1: Error: flits=0: not a length of 1 to 1048576 flits"),
    (b"0 1 2\n0 1 flits=1048577 3\n", ":2: Error: flits=1048577: not a length"),
    (b"0 1 flits=x 3\n", ":1: Error: flits=x: not a length"),
    (b"0 1 flits= 3\n", ":1: Error: flits=: not a length"),
    (b"0 1 flits=4\n", ":1: Error: no destinations"),
    (b"0 1 flits=4 flits=5 3\n", ":1: Error: destination \"flits=5\": not a node"),
    (b"0 1 flits=4 group g\n", ":1: Error: fabric f: the fabric has no LIDs"),
    (b"0 1 class=a 3\n0 1 3\n", ":2: Error: class=NAME is missing, which other messages have"),
    (b"0 1 3\n0 1 class=a 3\n", ":2: Error: class=a: the messages before have no class"),
    (b"0 1 class= 3\n", ":1: Error: class=: NAME is missing"),
    (b"0 1 class=a flits=4 3\n", ":1: Error: destination \"flits=4\": not a node"),
    (b"".join(b"0 1 class=c%d 3\n" % i for i in range(9)), ":9: Error: class=c8: more than 8"),
    (b"0 1 3 flits=4\n", ":1: Error: destination \"flits=4\": not a node"),
    (b"# nothing\n\n", "no messages in it"),
    (b"5 1 2\n\n4 1 2\n", ":3: Error: cycle 4: earlier than 5"),
    (b"\x1f5 1 2\n", ":1: Error: cycle "),
    (b"\x1f\x8b", ":1: Error: cut off: the file ends at byte 2, within its gzip data"),
    (b"\x1f\x8b\x09\x00\x00\x00\x00\x00\x00\x00\x00", "damaged gzip data before byte"),
]


def text(count, gap=0.5, seed=1):
    """Messages to one node each, with a gap of so many cycles between two."""
    draw = random.Random(seed)
    lines = []
    for i in range(count):
        source = draw.randrange(64)
        lines.append(f"{int(i * gap)} {source} {(source + 1 + draw.randrange(63)) % 64}\n")
    return "".join(lines).encode()


class Files:
    """Files in a folder."""

    def __init__(self, folder):
        self.folder = folder

    def write(self, name, data):
        """The name of a file with that in it."""
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return path


def run(path, words="flits 4", fabric=MESH):
    """Status, object of the run and errors."""
    status, out, err = batch([fabric, f"run f policy dp {words} workload file {path}"], "-j")
    return status, json.loads(out[1]) if len(out) > 1 else {}, err


def packed(files):
    """The same messages, however they are packed and come."""
    plain = text(3000)
    halves = gzip.compress(plain[:20000]) + gzip.compress(plain[20000:])
    status, want, err = run(files.write("plain", plain))
    ok("a plain file", status == 0 and want["messages"] == 3000, err)
    for name, data in (("packed.gz", gzip.compress(plain)), ("members", halves),
                       ("level", gzip.compress(plain, 0)), ("empty", gzip.compress(b"") + halves)):
        status, got, err = run(files.write(name, data))
        ok(f"packed: {name}", status == 0 and got.get("hash") == want["hash"], err)
    commands = files.write("batch", f"{MESH}\nrun f policy dp flits 4 workload file -\n".encode())
    for data in (plain, gzip.compress(plain)):
        got = subprocess.run([*ENGINE, "-j", "-b", commands], input=data, check=False,
                             capture_output=True)
        lines = got.stdout.decode().splitlines()
        ok("from standard input", len(lines) == 2 and json.loads(lines[1])["hash"] ==
           want["hash"], got.stderr.decode())


def broken(files):
    """Damaged files are refused by line and byte, and nothing changes."""
    plain = text(300000)
    whole = gzip.compress(plain)
    for name, part in (("half", len(whole) // 2), ("a byte less", len(whole) - 1),
                       ("head alone", 8)):
        status, _, err = run(files.write("cut", whole[:part]))
        ok(f"cut off: {name}", status == 2 and
           f"cut off: the file ends at byte {part}, within its gzip data" in err, err)
    # the checksum, and the length behind it
    for back, why in ((8, "incorrect data check"), (4, "incorrect length check")):
        data = bytearray(whole)
        data[-back] ^= 1
        status, _, err = run(files.write("bad", bytes(data)))
        ok(why, status == 2 and f"/bad:{300001}: Error: damaged gzip data before byte" in err and
           why in err, err)
    status, _, err = run(files.write("more", whole + b"more"))
    ok("something follows", status == 2 and
       f"/more:300001: Error: byte {len(whole) + 1}: what follows is no gzip data" in err, err)
    status, _, err = run(files.write("late", gzip.compress(plain + b"9 9\n")))
    ok("a wrong line of a packed file", "/late:300001: Error: no destinations" in err, err)
    good = files.write("good", b"0 1 2\n")
    bad = files.write("bad", whole[:1000])
    status, out, err = batch([MESH, f"run f policy dp workload file {good}",
                              f"run f policy dp workload file {bad}", "stats show f"], "-j")
    ok("the rest of a batch is not done", status == 2 and len(out) == 2, err)
    for data, why in REFUSED:
        status, _, err = run(files.write("wrong", data))
        ok(why, status and why in err and "wrong" in err, err)


def bomb(files):
    """A small file that unpacks to a huge one stops where memory does."""
    data = gzip.compress(b"0 1 2\n" * (1 << 20))
    path = files.write("bomb", data)
    os.environ["MCFAB_MAX_MEMORY_MB"] = "8"
    status, _, err = run(path)
    del os.environ["MCFAB_MAX_MEMORY_MB"]
    ok("more messages than memory", status == 2 and len(data) < 1 << 15 and
       "messages, and no memory for more: 7 MiB, see max_memory_mb" in err, err)
    status, _, err = run(files.write("line", gzip.compress(b"0 1 " + b"2 " * (9 << 20))))
    ok("a packed line without end", status == 2 and "the line is longer than" in err, err)


def lengths(files):
    """Lengths of the list are those of the run where all are the same."""
    plain = text(500)
    sized = b"".join(b"%s %s flits=8 %s\n" % tuple(line.split()) for line in
                     plain.splitlines())
    same = [run(files.write("a", plain), "flits 8")[1]["hash"], run(files.write("b", sized))[1]["hash"],
            run(files.write("b", sized), "flits 8 mtu 4")[1]["hash"]]
    ok("equal lengths are flits", same[0] == same[1], same)
    ok("mtu with equal lengths", same[2] == run(files.write("a", plain), "flits 8 mtu 4")[1]["hash"])
    half = b"".join(sized.splitlines(True)[:250] + plain.splitlines(True)[250:])
    ok("messages without a length have the run's",
       run(files.write("c", half), "flits 8")[1]["hash"] == same[0])
    mixed = files.write("d", half)
    ok("an mtu that none is longer than changes nothing",
       run(mixed, "flits 4 mtu 8")[1]["hash"] == run(mixed, "flits 4")[1]["hash"])
    # a message alone has its last flit where it has it as one packet: packets leave no gap
    lone = files.write("e", b"0 0 flits=9 3\n500 0 flits=4 3\n")
    whole, cut = (run(lone, words)[1] for words in ("", "mtu 4"))
    ok("each message has its own number of packets", whole["hash"] != cut["hash"] and
       [whole[k] for k in ("cycle", "flit-hops")] == [cut[k] for k in ("cycle", "flit-hops")],
       (whole, cut))
    status, _, err = run(mixed, "flits 4 headers on")
    ok("lengths with headers on",
       status == 1 and "several lengths are not modelled with headers on" in err, err)
    status, _, err = run(mixed, "", MESH + " switching saf buffer 64")
    ok("lengths with switching saf", status == 1 and "not modelled with switching saf" in err, err)
    status, _, err = run(mixed, "lengths 3,4")
    ok("lengths of both", status == 1 and "messages of the list have lengths" in err, err)


def windows(files):
    """What is measured, with a window and without."""
    path = files.write("window", text(30000, 4))
    status, out, err = batch([MESH, f"run f policy dp flits 4 workload file {path}",
                              "stats show f",
                              f"run f policy dp flits 4 workload file {path} warmup 5000 "
                              "batch-cycles 100", "stats show f",
                              f"run f policy dp flits 4 workload file {path} warmup 118000 "
                              "batches 30", "stats show f"], "-j")
    ok("three runs", status == 0 and len(out) == 7, err)
    alone, window, end = (json.loads(out[i]) for i in (2, 4, 6))
    ok("a file alone is measured whole", alone["multicast"]["measured"]["messages"] == 30000 and
       "window-start" not in alone and "exhausted" not in alone, alone)
    # a message every four cycles
    ok("a window", (window["window-start"], window["window-end"]) == (5000, 7000) and
       window["multicast"]["measured"]["messages"] == 500 and window["batches"] > 0 and
       window["saturation"]["verdict"] == "steady", window)
    ok("a window that the list ends", end["window-end"] == 119997 and end["exhausted"] == 119997
       and end["multicast"]["measured"]["messages"] == 500, end)
    for words, why in (("warmup 120000", "warmup 120000: the list ends with cycle 119996"),
                       ("batches 3", "batches 3"), ("count 3", "count means nothing")):
        status, _, err = run(path, f"flits 4 {words}")
        ok(why, status != 0 and why in err, err)
    status, out, err = batch([MESH, "compare f policy dp, mp flits 4 "
                              f"workload file {path} warmup 5000 batch-cycles 100"])
    ok("compared in a window", status == 0, err)


def main():
    """All of it."""
    with tempfile.TemporaryDirectory() as folder:
        files = Files(folder)
        packed(files)
        broken(files)
        bomb(files)
        lengths(files)
        windows(files)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
