# SPDX-License-Identifier: GPL-2.0
"""What tests of the tool in user space share: TAP lines, and batches of commands."""
import os
import subprocess
import sys

MCASTCTL = os.path.abspath(sys.argv[1])
ENGINE = [MCASTCTL, "-E", "user"]
tests = {"run": 0, "failed": 0}


def ok(name, good, why=""):
    """A line of TAP."""
    tests["run"] += 1
    tests["failed"] += not good
    print(f"{'ok' if good else 'not ok'} {tests['run']} {name}")
    if not good and why:
        print(f"# {why}")


def batch(lines, *options):
    """Status, lines of output, and errors of commands."""
    got = subprocess.run([*ENGINE, *options, "-b", "-"], check=False, capture_output=True,
                         text=True, input="\n".join(lines) + "\n")
    return got.returncode, got.stdout.splitlines(), got.stderr


def finish():
    """The plan; the exit status."""
    print(f"1..{tests['run']}")
    return tests["failed"] > 0
