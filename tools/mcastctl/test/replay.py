#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A deadlock that verify finds is replayed from its file, and nothing else passes for it.

Usage: replay.py MCASTCTL
"""
import json
import os
import sys
import tempfile

from harness import batch, finish, ok

BAD = "fabric add bad topology mesh dims 4x4 consume 1"
GOOD = "fabric add good topology mesh dims 4x4"


def find(options=""):
    """Let verify write a witness: its text."""
    status, _, said = batch([BAD, f"verify bad policy dp witness w.txt {options}"])
    ok(f"a witness {options}", status == 3, said)
    with open("w.txt", encoding="ascii") as file:
        return file.read()


def write(text):
    with open("w.txt", "w", encoding="ascii") as file:
        file.write(text)


def refuses(name, what, line, *before):
    status, _, said = batch([*before, line])
    ok(name, status and what in said, f"{status}: {said}")


def replays(flits):
    status, out, said = batch([BAD, "run bad policy dp replay w.txt"], "-j")
    run = json.loads(out[-1]) if out else {}
    ok(f"it deadlocks with {flits} flits", not status and run.get("state") == "deadlocked", said)
    status, out, _ = batch([BAD, "run bad policy dp replay w.txt", "stats show bad"])
    waits = [line for line in out if "wait for the same channels as in w.txt" in line]
    ok("its worms wait for the same channels", not status and len(waits) == 1, "\n".join(out))
    ok("the length of its messages is that of the file",
       any(f"flits {flits}" in line for line in out), "\n".join(out))


def main():
    os.chdir(tempfile.mkdtemp())
    find()
    replays(32)
    text = find("flits 40 headers on")
    ok("the file has the options", "\n# Run with: flits 40 headers on\n" in text, text)
    replays(40)
    refuses("enough consumption channels", "replay w.txt: no deadlock, the run is done",
            "run good policy dp replay w.txt", GOOD)
    wait = next(line for line in text.splitlines() if line.startswith("# Then "))
    write(text.replace(wait, wait.replace("held by", "haul by")))
    refuses("other waits", 'another deadlock: only the file has "message',
            "run bad policy dp replay w.txt", BAD)
    write(text.replace(wait + "\n", ""))
    refuses("a wait that the file lacks", 'another deadlock: only the run has "message',
            "run bad policy dp replay w.txt", BAD)
    write("".join(line + "\n" for line in text.splitlines() if not line.startswith("# Then")))
    refuses("no waits", "is it cut off?", "run bad policy dp replay w.txt", BAD)
    write("0 1 2\n")
    refuses("another file", "verify did not write it", "run bad policy dp replay w.txt",
            BAD)
    write(text)
    for words, what in (("replay", "FILE is missing"), ("replay none", "No such file"),
                        ("replay -", "name a file"),
                        ("workload lone dests 2 replay w.txt", "in place of workload"),
                        ("replay w.txt workload lone dests 2", "workload is given twice"),
                        ("replay w.txt detach", "not with detach"),
                        ("replay w.txt saturate", "not with saturate")):
        refuses(f'"{words}"', what, f"run bad policy dp {words}", BAD)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
