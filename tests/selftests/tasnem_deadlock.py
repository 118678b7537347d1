#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=120
"""Two trees of tasnem that wait for each other with lock-step replication, seen by
mcastctl, by deadlock-get and by those who listen; the same with asynchronous
replication ends well. tests/user/test_engine_ends.c explains the two messages."""

import json
import select
import subprocess
import tempfile
import time

from helpers.mcfab_nl import Tap, client, error_name, events, refusal

MESSAGES = "0 (1,2) (1,1),(0,1),(2,1)\n0 (0,2) (2,1)\n"
# source: router, port and virtual channel it waits for
WAITS = {9: (8, 3, 0), 8: (5, 0, 0)}
FABRIC = "topology torus dims 4x4 vcs 2 stall-limit 200".split()


def mcastctl(*args):
    """Exit status, its answer in JSON or text, what it complained of."""
    done = subprocess.run(["mcastctl", "-j", *args], capture_output=True, text=True,
                          check=False)
    try:
        out = json.loads(done.stdout)
    except ValueError:
        out = done.stdout
    return done.returncode, out, done.stderr.strip()


def waits(deadlock):
    """{source: where it waits}, with the cycle of holders checked."""
    wait = deadlock["wait"]
    if [w["holder"] for w in wait] != [1, 0]:
        return f"no cycle: {wait}"
    return {w["source"]: (w["router"], w["port"], w["vc"]) for w in wait}


def refusals(tap):
    """What tasnem cannot do without."""
    for words, flits, want in (
            ("vcs 1", "32", "wrap links need vcs 2, the fabric has 1"),
            ("vcs 2 replication lockstep buffer 32 consume 7", "32",
             "lockstep needs consume 8, vc-release drained"),
            ("vcs 2 buffer 31", "32", "needs buffer 32, a packet, not 31")):
        mcastctl("fabric", "add", "d", "topology", "torus", "dims", "4x4", *words.split())
        status, out, err = mcastctl("run", "d", "policy", "tasnem", "workload", "lone",
                                    "dests", "3", "flits", flits)
        tap.check(status == 1 and want in err, f"refused: {words}", f"{status} {out} {err}")
        mcastctl("fabric", "del", "d")


class Monitor:
    """What "mcastctl monitor" says."""

    def __init__(self):
        self.process = subprocess.Popen(["mcastctl", "-j", "monitor"], text=True,
                                        stdout=subprocess.PIPE)
        # it listens when it tells of a fabric that comes and goes
        for _ in range(100):
            mcastctl("fabric", "add", "w", "topology", "ring", "dims", "3")
            mcastctl("fabric", "del", "w")
            if select.select([self.process.stdout], [], [], 0.1)[0]:
                break

    def until(self, event, limit=20):
        """Events up to one of this name."""
        told = []
        end = time.monotonic() + limit
        while time.monotonic() < end and not (told and told[-1]["event"] == event):
            line = self.process.stdout.readline()
            if not line:
                break
            told.append(json.loads(line))
        self.process.terminate()
        self.process.wait()
        return told


def lockstep(tap, ynl, listener, path):
    """The deadlock, told in four ways."""
    monitor = Monitor()
    mcastctl("fabric", "add", "d", *FABRIC, "replication", "lockstep")
    status, out, err = mcastctl("run", "d", "policy", "tasnem", "allow-deadlock", "on",
                                "workload", "file", path, "flits", "16")
    tap.check(status == 0 and isinstance(out, dict) and out["state"] == "deadlocked",
              "lock-step: the run deadlocks", f"{status} {out} {err}")
    told = monitor.until("run-finished-ntf")
    status, shown, err = mcastctl("stats", "show", "d", "deadlock")
    tap.check(status == 0 and shown["worms"] == 2 and waits(shown) == WAITS,
              "stats show d deadlock: both worms and their channels", f"{shown} {err}")
    got = ynl.do("deadlock-get", {"fabric": "d"})
    tap.check(got["worms"] == 2 and waits(got) == WAITS and got["cycle"] == shown["cycle"],
              "deadlock-get: the same", str(got))
    heard = [e for e in events(listener, "run-finished-ntf") if e["name"] == "deadlock-ntf"]
    held = [[(h.get("router"), h.get("to-router"), h.get("node")) for h in w["held"]]
            for w in got["wait"]]
    tap.check(held[0] == [(None, None, 8), (8, 4, None), (4, 5, None)] and
              [list(w["destinations"]) for w in got["wait"]] == [[6], [4, 5, 6]],
              "with what they hold, and their destinations", str(got))
    for wait in got["wait"]:
        for key in ("held", "held-total", "destinations", "destinations-total"):
            del wait[key]
    tap.check(len(heard) == 1 and heard[0]["msg"] == got, "the event carries the rest",
              str(heard))
    told = [e["msg"] for e in told if e["event"] == "deadlock-ntf"]
    tap.check(len(told) == 1 and waits(told[0]) == WAITS, "mcastctl monitor shows it", str(told))
    mcastctl("fabric", "del", "d")


def asynchronous(tap, ynl, path):
    """Buffers of a packet: each branch goes on by itself."""
    mcastctl("fabric", "add", "d", *FABRIC, "buffer", "16")
    status, out, err = mcastctl("run", "d", "policy", "tasnem", "workload", "file", path,
                                "flits", "16")
    tap.check(status == 0 and out["state"] == "done" and out["deliveries"] == 4,
              "asynchronous: done", f"{status} {out} {err}")
    err = refusal(lambda: ynl.do("deadlock-get", {"fabric": "d"}))
    tap.check(err is not None and error_name(err.error) == "ENODATA",
              "and there is no deadlock to show", str(err))
    mcastctl("fabric", "del", "d")


def main():
    tap = Tap()
    ynl, listener = client(), client()
    listener.ntf_subscribe("mgmt")
    with tempfile.NamedTemporaryFile("w", suffix=".messages") as file:
        file.write(MESSAGES)
        file.flush()
        refusals(tap)
        lockstep(tap, ynl, listener, file.name)
        asynchronous(tap, ynl, file.name)
    tap.finish()


if __name__ == "__main__":
    main()
