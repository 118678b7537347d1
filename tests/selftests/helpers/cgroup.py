# SPDX-License-Identifier: GPL-2.0
"""What the tests of CPU control share: a cgroup with CPUs and a budget, and what is in it."""

import os
import subprocess

from helpers.life import note
from helpers.mcfab_nl import TOP

ROOT = "/sys/fs/cgroup"
GROUP = f"{ROOT}/mcfab-cpu"
TOOL = os.path.join(TOP, "tools/mcastctl/mcastctl")
ENDLESS = {"rate_ppb": 300000, "dests": 8, "flits": 16, "warmup": 1000000000,
           "batches": 20, "batch_cycles": 1000000000}
RUN = ["policy", "cp", "workload", "poisson", "rate", "0.0003", "dests", "8", "flits", "16",
       "warmup", "1000000000", "detach"]


def write(path, text):
    """All of a file."""
    with open(path, "w", encoding="ascii") as f:
        f.write(str(text))


def read(path):
    """What is in a file."""
    with open(path, encoding="ascii") as f:
        return f.read()


def make_group():
    """A cgroup with CPUs and a budget; False where there are none."""
    try:
        write(f"{ROOT}/cgroup.subtree_control", "+cpu +cpuset")
        os.mkdir(GROUP)
    except OSError as err:
        note(err)
        return False
    return True


def inside(words, before=(), group=GROUP):
    """Run a program in a cgroup: (status, what it printed)."""
    enter = f"echo $$ > {group}/cgroup.procs && exec \"$@\""
    done = subprocess.run([*before, "sh", "-c", enter, "sh", *words], check=False,
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def tool(*words, before=()):
    """The tool, outside of the cgroup: (status, what it printed)."""
    done = subprocess.run([*before, TOOL, *words], check=False, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def pids():
    """The router threads."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if read(f"/proc/{pid}/comm").startswith("mcfab/"):
                found.append(int(pid))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def used():
    """Seconds of CPU time the cgroup has used."""
    return int(read(f"{GROUP}/cpu.stat").split("usage_usec ")[1].split()[0]) / 1e6


def throttled():
    """How often the cgroup was."""
    return int(read(f"{GROUP}/cpu.stat").split("nr_throttled ")[1].split()[0])
