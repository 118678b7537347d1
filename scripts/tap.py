#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Run test suites, count their TAP or KTAP lines, print one total.

tap.py run [--step] [--timeout S] --out DIR --name NAME -- COMMAND...
	run a suite (with --step a command whose exit status is the result)
tap.py read [--rc N] [--complaints FILE] --out DIR --name NAME FILE
	count the output of a suite that ran elsewhere
tap.py total DIR...
	print "N passed, N failed, N skipped", fail if there was a failure

A suite that prints no plan, does not keep to it, fails without naming a failed
test or complains in another way counts as one failure more.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time

KSFT_SKIP = 4

RESULT = re.compile(r"^( *)(not )?ok (\d+)\b[ -]*([^#]*)(?:#\s*(.*))?$")
PLAN = re.compile(r"^( *)1\.\.(\d+)(?:\s*#\s*(SKIP.*))?\s*$", re.I)
HEADER = re.compile(r"^( *)K?TAP version \d+")
BAIL = re.compile(r"^ *Bail out!(.*)")


class Level:
    """What one indentation of nested KTAP has said since it was opened."""

    def __init__(self):
        self.plan = None
        self.seen = 0


class Tap:
    """Counts the leaves: a parent's own line only repeats its children."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.problems = []
        self.levels = {}
        self.below = {}  # indentation: failures of its open subtests
        self.plans = 0
        self.diag = []

    def fail(self, text):
        """Count one failure that is shown as this text."""
        self.failed += 1
        self.problems.append(text)

    def close(self, indent):
        """The levels at and below an indentation are over: compare plans."""
        for i in sorted(k for k in self.levels if k >= indent):
            level = self.levels.pop(i)
            if level.plan is not None and level.plan != level.seen:
                self.fail(f"planned {level.plan} tests, saw {level.seen}")

    def level(self, indent):
        """The open level of an indentation."""
        return self.levels.setdefault(indent, Level())

    def result(self, match):
        """One "ok" or "not ok" line."""
        indent = len(match[1])
        nested = [k for k in self.below if k > indent]
        children_failed = sum(self.below.pop(k) for k in nested)
        self.close(indent + 1)
        self.level(indent).seen += 1
        self.below.setdefault(indent, 0)

        before = self.failed
        directive = (match[5] or "").strip()
        if re.match(r"(SKIP|XFAIL|TODO)", directive, re.I):
            if not nested:
                self.skipped += 1
                self.problems.append(f"skip {match[4].strip()}: {directive}")
        elif match[2]:
            if not children_failed:
                self.problems += self.diag[-8:]
                self.fail(match[0].strip())
        elif not nested:
            self.passed += 1
        self.below[indent] += children_failed + self.failed - before
        self.diag = []

    def line(self, text):
        """One line of output."""
        match = HEADER.match(text)
        if match:
            self.close(len(match[1]))
            return
        match = PLAN.match(text)
        if match:
            indent = len(match[1])
            self.plans += indent == 0
            level = self.level(indent)
            if level.plan is not None:
                self.fail(f"second plan: {text.strip()}")
            level.plan = int(match[2])
            if level.plan == 0:
                self.skipped += 1
                self.problems.append(match[3] or "SKIP: empty plan")
            return
        match = RESULT.match(text)
        if match:
            self.result(match)
            return
        match = BAIL.match(text)
        if match:
            self.fail(text.strip())
            return
        self.diag.append(text.rstrip())

    def end(self, status):
        """End of output, with the exit status (None: killed, no status)."""
        self.close(0)
        skip_all = status == KSFT_SKIP and not self.plans
        if skip_all:
            self.skipped += 1
            self.problems += self.diag[-1:]
        elif not self.plans:
            self.problems += self.diag[-8:]
            self.fail("no plan in the output")
        if status not in (0, KSFT_SKIP) and not self.failed:
            self.problems += self.diag[-8:]
            self.fail(f"exit status {status}")


def report(args, tap, seconds, log):
    """Print a suite's outcome and add it to the folder's totals."""
    word = "FAIL" if tap.failed else "pass" if tap.passed else "skip"
    took = f" ({seconds:.0f} s)" if seconds is not None else ""
    print(
        f"{word}  {args.name}: {tap.passed} passed, {tap.failed} failed,"
        f" {tap.skipped} skipped{took}"
    )
    for text in tap.problems[:40]:
        print(f"      {text}")
    if len(tap.problems) > 40:
        print(f"      ... and {len(tap.problems) - 40} more lines")
    if tap.failed:
        print(f"      log: {log}")
    sys.stdout.flush()
    record = {
        "name": args.name,
        "passed": tap.passed,
        "failed": tap.failed,
        "skipped": tap.skipped,
    }
    with open(os.path.join(args.out, "totals"), "a", encoding="utf-8") as f:
        f.write(json.dumps(record) + "\n")
    return 1 if tap.failed else 0


def kill_group(child):
    """Politely first: a VM's runner has something to clean up."""
    for sig in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, sig)
        except ProcessLookupError:
            return
        time.sleep(2)


def run(args):
    """Run one suite under a time limit, its output going to a log."""
    log = os.path.join(args.out, re.sub(r"\W+", "-", args.name) + ".log")
    print(f"run   {args.name}", flush=True)
    start = time.monotonic()
    note = ""
    with open(log, "wb") as out:
        with subprocess.Popen(
            args.command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as child:
            try:
                status = child.wait(args.timeout)
            except subprocess.TimeoutExpired:
                note = f"time limit of {args.timeout} s reached"
                status = None
                kill_group(child)
            except (KeyboardInterrupt, SystemExit):
                kill_group(child)
                raise
    tap = Tap()
    with open(log, encoding="utf-8", errors="replace") as f:
        if args.step:
            tail = [text.rstrip() for text in f][-25:]
            if status == 0:
                tap.passed += 1
            else:
                tap.problems += tail
                tap.fail(note or f"exit status {status}")
        else:
            for text in f:
                tap.line(text.rstrip("\n"))
            if note:
                tap.fail(note)
            tap.end(status)
    return report(args, tap, time.monotonic() - start, log)


def read(args):
    """Count what a suite printed in the VM."""
    tap = Tap()
    try:
        with open(args.file, encoding="utf-8", errors="replace") as f:
            for text in f:
                tap.line(text.rstrip("\n"))
    except FileNotFoundError:
        pass
    tap.end(args.rc)
    if args.complaints and os.path.exists(args.complaints):
        with open(args.complaints, encoding="utf-8", errors="replace") as f:
            lines = [text.rstrip() for text in f]
        if lines:
            tap.problems += lines[:30]
            tap.fail("the kernel or the system was left in a bad state")
    return report(args, tap, args.seconds, args.file)


def total(args):
    """Add up; a folder without totals is a run that died."""
    sums = {"passed": 0, "failed": 0, "skipped": 0}
    for folder in args.dirs:
        try:
            with open(os.path.join(folder, "totals"), encoding="utf-8") as f:
                for text in f:
                    record = json.loads(text)
                    for key in sums:
                        sums[key] += record[key]
        except FileNotFoundError:
            print(f"{folder}: no result", file=sys.stderr)
            sums["failed"] += 1
    print(
        f"{sums['passed']} passed, {sums['failed']} failed,"
        f" {sums['skipped']} skipped"
    )
    return 1 if sums["failed"] or not sums["passed"] else 0


def main():
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    sub = parser.add_subparsers(required=True)

    p = sub.add_parser("run")
    p.add_argument("--step", action="store_true")
    p.add_argument("--timeout", type=float, default=600)
    p.add_argument("--out", required=True)
    p.add_argument("--name", required=True)
    p.add_argument("command", nargs="+")
    p.set_defaults(func=run)

    p = sub.add_parser("read")
    p.add_argument("--rc", type=int)
    p.add_argument("--seconds", type=float)
    p.add_argument("--complaints")
    p.add_argument("--out", required=True)
    p.add_argument("--name", required=True)
    p.add_argument("file")
    p.set_defaults(func=read)

    p = sub.add_parser("total")
    p.add_argument("dirs", nargs="+")
    p.set_defaults(func=total)

    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return args.func(args)


if __name__ == "__main__":
    sys.exit(main())
