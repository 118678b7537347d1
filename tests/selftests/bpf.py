#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=400
"""Policies in BPF: the one that is dual-path gives the plans and the runs of the policy in C, for
MCFAB_BPF_GROUPS random groups (300); broken ones are named; nothing is left of what is unloaded."""

import json
import os
import random
import shutil
import subprocess
import tempfile
import time

from helpers.mcfab_nl import Tap
from helpers.ports import TOP, sh, tool

GROUPS = int(os.environ.get("MCFAB_BPF_GROUPS", "300"))
HERE = os.path.join(TOP, "tests/selftests/bpf")
INCLUDE = os.path.join(TOP, "tools/policy/bpf")
PINS = "/sys/fs/bpf/mcfab"
NOBODY = ("setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups")
# What is said of each policy of broken.bpf.c.
BROKEN = {
    "nothing": "it is not delivered",
    "twice": "more entries than destinations",
    "early": "a destination without a worm",
    "stranger": "there is no such node",
    "beyond": "no such destination asked for",
    "empty": "it has no destination",
    "waits": "a worm waits for a later one",
    "forced": "no such port to be forced",
    "range": "no such destinations asked for",
    "silent": "no way leads on to it",
    "nowhere": "a port that leads nowhere",
    "lanes": "no such virtual channels",
    "away": "it is at another router",
    "two": "two ways for a header",
    "late": "a delivery after a branch",
    "asks": "no such node asked for",
}
# What is said of each case of refused.bpf.c.
REFUSED = {
    1: "infinite loop",
    2: "only read is supported",
    3: "expected pointer to STRUCT mcfab_bpf_hdr",
    4: "bpf_ktime_get_ns",
    5: "bpf_get_prandom_u32",
    6: "invalid mem access",
    7: "sleepable",
    8: "Invalid argument",
    9: "Invalid argument",
    10: "its name is 1 to",
}
RUNS = [
    ("workload", "poisson", "rate", "0.0005", "dests", "6"),
    ("workload", "poisson", "rate", "0.0005", "dests", "6", "advance", "flit"),
    ("workload", "poisson", "rate", "0.0005", "dests", "3", "multicast-fraction", "0.5"),
]
LIMITS = ("warmup", "100", "batch-cycles", "100", "max-cycles", "20000")


def compile_bpf(source, out, *words):
    """An object in BPF of a source."""
    done = subprocess.run(["clang", "-O2", "-g", "-target", "bpf", "-mcpu=v3", f"-I{INCLUDE}",
                           *words, "-c", source, "-o", out], capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stderr


def module_users():
    """Users of the module, as lsmod shows them."""
    with open("/sys/module/mcfab_bpf/refcnt", encoding="ascii") as file:
        return int(file.read())


def unused():
    """Wait until nothing holds the module: BPF gives back what it has in the background."""
    for _ in range(100):
        if not module_users():
            return True
        time.sleep(0.1)
    return False


def mount(tap):
    """Where policies have their names."""
    out = sh("mcastctl", "policy", "load", "dp.o")[1]
    tap.check("mount -t bpf" in out, "without a BPF file system it says how to have one", out)
    status, out = sh("mount", "-t", "bpf", "none", "/sys/fs/bpf")
    tap.check(not status, "a BPF file system", out)


def load(tap):
    """A policy comes once, for those who may."""
    out = sh(*NOBODY, "mcastctl", "policy", "load", "dp.o")[1]
    tap.check("permission denied" in out and "CAP_SYS_ADMIN" in out, "nobody may not", out)
    out = sh("mcastctl", "-E", "user", "policy", "load", "dp.o")[1]
    tap.check("need the kernel" in out, "the engine in user space has no BPF", out)
    status, out = sh("mcastctl", "policy", "load", "dp.o")
    tap.check(not status and "dp-bpf is loaded" in out, "it is loaded", out)
    status, out = sh("mcastctl", "policy", "load", "dp.o")
    tap.check(status and "already" in out, "but once", out)
    status, out, err = tool("policy", "show", "dp-bpf")
    tap.check(not status and out["prep"] == 2, "it is shown", f"{out}{err}")


def plans(policy, groups):
    """What plan answers for many groups, without the policy's name."""
    lines = [f"plan f policy {policy} from {source} to {','.join(map(str, dst))}"
             for source, *dst in groups]
    done = subprocess.run(["mcastctl", "-j", "-b", "-"], input="\n".join(lines) + "\n", text=True,
                          capture_output=True, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    for answer in answers:
        del answer["policy"]
    return answers


def same_plans(tap):
    """Random groups of random sizes, on meshes of one to three dimensions."""
    rng = random.Random(1)
    for dims in ("8x8", "5x4x3", "30"):
        nodes = eval(dims.replace("x", "*"))  # pylint: disable=eval-used
        tool("fabric", "del", "f")
        tool("fabric", "add", "f", "topology", "mesh", "dims", dims, "buffer", "8")
        left, wrong = GROUPS // 3, 0
        while left:
            some = [rng.sample(range(nodes), rng.randint(2, min(nodes, 24)))
                    for _ in range(min(left, 1000))]
            left -= len(some)
            want, got = plans("dp", some), plans("dp-bpf", some)
            wrong += len(want) != len(some) or want != got
        tap.check(not wrong, f"mesh {dims}: {GROUPS // 3} plans are those of dp", f"{wrong} wrong")


def same_runs(tap):
    """Loaded runs, in the modes that ask a policy in other ways and with several threads."""
    wall, hops = {"dp": 0, "dp-bpf": 0}, 0
    for policy in wall:
        tool("run", "f", "policy", policy, *RUNS[0], *LIMITS)   # an emulated CPU translates it
    for vcs in ("1", "2"):
        tool("fabric", "del", "f")
        tool("fabric", "add", "f", "topology", "mesh", "dims", "8x8", "buffer", "8", "vcs", vcs)
        for words in RUNS:
            got = {}
            for policy in wall:
                status, out, err = tool("run", "f", "policy", policy, *words, *LIMITS)
                got[policy] = (status, out["hash"] if isinstance(out, dict) else err)
                if isinstance(out, dict):
                    wall[policy] += out["wall-ns"]
                    hops += policy == "dp" and out["flit-hops"] // out["flits"]
            tap.check(got["dp"] == got["dp-bpf"] and got["dp"][1],
                      f"vcs {vcs} {' '.join(words)}: the hash of dp", str(got))
    more = wall["dp-bpf"] - wall["dp"]
    print(f"# {hops} header hops, all of a run counted: {wall['dp'] / hops:.0f} ns each in C, "
          f"{wall['dp-bpf'] / hops:.0f} ns in BPF, {more / hops:.0f} ns more for a decision, "
          f"{wall['dp-bpf'] / wall['dp']:.2f} times as long")


def leave_run(tap):
    """Unloading does not wait for a run that uses the policy: the run fails, and says why."""
    words = ("mcastctl", "run", "f", "policy", "dp-bpf", "workload", "poisson", "rate", "0.001",
             "dests", "3", "warmup", "1000000000")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as child:
        time.sleep(1)
        status, out = sh("mcastctl", "policy", "unload", "dp-bpf")
        tap.check(not status, "it is unloaded while a run uses it", out)
        out = child.communicate(timeout=60)[0]
    tap.check("policy dp-bpf, message" in out and "it has been unloaded" in out,
              "the run fails, and names it", out)
    status, out = sh("mcastctl", "policy", "unload", "dp-bpf")
    tap.check(status and "no policy dp-bpf" in out, "there is none any more", out)


def broken(tap):
    """Whatever a program does, plan and run end with the policy's name, and the fabric goes on."""
    status, out = sh("mcastctl", "policy", "load", "broken.o")
    tap.check(not status, "policies are loaded that do wrong", out)
    tool("fabric", "del", "f")
    tool("fabric", "add", "f", "topology", "mesh", "dims", "9", "buffer", "8")
    for name, what in BROKEN.items():
        out = sh("mcastctl", "plan", "f", "policy", name, "from", "3", "to", "4,6")[1]
        tap.check(what in out and f"policy {name}" in out, f"{name}: the plan is refused", out)
        status, out = sh("mcastctl", "run", "f", "policy", name, "workload", "lone", "dests", "2")
        tap.check(status and f"policy {name}, " in out and what in out, f"{name}: the run fails",
                  out)
    status, out = sh("mcastctl", "run", "f", "policy", "good", "workload", "lone", "dests", "2",
                     "max-cycles", "10000")
    tap.check("policy good, " not in out, "the fabric goes on", out)
    for name in ("good", *BROKEN):
        sh("mcastctl", "policy", "unload", name)


def refused(tap):
    """Programs that the kernel does not take, and the reason is shown."""
    for case, what in REFUSED.items():
        status, out = compile_bpf(f"{HERE}/refused.bpf.c", "refused.o", f"-DCASE={case}")
        tap.check(not status, f"case {case} is compiled", out)
        status, out = sh("mcastctl", "policy", "load", "refused.o")
        tap.check(status and what in out, f"case {case}: {what}", out[-600:])


def main():
    tap = Tap()
    if not shutil.which("clang") or not os.path.exists("/sys/kernel/btf/vmlinux"):
        print("1..0 # SKIP clang or the kernel's types (BTF) are missing")
        return
    if "without libbpf" in sh("mcastctl", "policy", "load", "x")[1]:
        print("1..0 # SKIP mcastctl was built without libbpf: scripts/libbpf.sh")
        return
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.chmod(folder, 0o755)
        for source, out in ((f"{INCLUDE}/dp.bpf.c", "dp.o"), (f"{HERE}/broken.bpf.c", "broken.o")):
            status, err = compile_bpf(source, out)
            tap.check(not status, f"{out} is compiled", err)
        mount(tap)
        load(tap)
        same_plans(tap)
        same_runs(tap)
        leave_run(tap)
        broken(tap)
        refused(tap)
        tool("fabric", "del", "f")
        tap.check(not os.listdir(PINS), "no policy has a name", str(os.listdir(PINS)))
        tap.check(unused(), "nothing holds the module", str(module_users()))
        status, out = sh("rmmod", "mcfab_bpf")
        tap.check(not status, "the module goes", out)
        os.chdir("/")
    sh("umount", "/sys/fs/bpf")
    tap.finish()


if __name__ == "__main__":
    main()
