#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=400
"""A policy of one's own in the kernel: the module builds from what "policy new" has made, it does
what the engine in user space does, and where it is broken, run and plan fail and the fabric stays."""

import glob
import os
import tempfile

from helpers.mcfab_nl import Tap
from helpers.ports import TOP, sh, tool

RELEASE = os.uname().release
MESH = ("topology", "mesh", "dims", "4x4", "buffer", "8")
RUN = ("workload", "poisson", "rate", "0.001", "dests", "4", "warmup", "100", "batch-cycles", "200")
WORM = "\t\tmcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, 0);\n"
ROUTE = "\tmcfab_route_path(view, hdr, mcfab_step_dimension, out);\n"
# The template with a parameter that breaks it in a way.
CHANGES = [
    ("static const struct mcfab_param own_params[] = {\n",
     "static const struct mcfab_param own_params[] = {\n\t{ .name = \"how\", .help = \"broken\", "
     ".type = MCFAB_PARAM_KIND_U32, .max = 9 },\n"),
    ("\tbool farthest;\n", "\tbool farthest;\n\tu32 how;\n"),
    ("own->farthest = values[0];\n", "own->farthest = values[1];\n\town->how = values[0];\n"),
    ("i < ndst; i++) {\n" + WORM, "i < ndst - (own->how == 1); i++) {\n" + WORM),
    (WORM, "\t\tmcfab_plan_worm(plan, source, own->how == 2 ? i : MCFAB_NONE,\n"
     "\t\t\t\town->how == 3 ? 99 : MCFAB_PORT_ANY, 0);\n"),
    ("(u32)keys[i]", "own->how == 4 ? 12345 : (u32)keys[i]"),
    (ROUTE, "\tconst struct own_priv *own = priv;\n\n" + ROUTE +
     "\tif (own->how == 5)\n\t\tout->nbranches = 0;\n"
     "\tif (own->how == 6)\n\t\tout->branch[0].port[0] = 77;\n"
     "\tif (own->how == 7 && out->branch[0].node != MCFAB_NONE)\n\t\tout->branch[0].node ^= 1;\n"
     "\tif (own->how == 8)\n\t\tout->branch[0].vcs[0] = 0;\n"
     "\tif (own->how == 9)\n\t\tout->branch[0].last--;\n"),
]


def build(tap, folder):
    """The module, and the shared object for the engine in user space; False: there is none."""
    os.chdir(folder)
    status, out = sh("mcastctl", "policy", "new", "own")
    tap.check(not status, "a policy is made", out)
    with open("own/own.c", encoding="ascii") as file:
        text = file.read()
    for old, new in CHANGES:
        assert old in text, old
        text = text.replace(old, new)
    with open("own/own.c", "w", encoding="ascii") as file:
        file.write(text)
    status, out = sh("make", "-s", "-C", "own", "user", "module", f"MCFAB={TOP}/tools/policy",
                     f"KDIR=/usr/src/linux-headers-{RELEASE}")
    tap.check(not status, "both are built of one source", out)
    return not status


def same(tap):
    """Plans and runs are those of the engine in user space."""
    status, out = sh("insmod", "own/module/mcfab-policy-own.ko")
    tap.check(not status, "the module is loaded", out)
    plan = ("plan", "f", "policy", "own", "farthest", "on", "from", "5", "to", "0,3,6,15")
    got = {}
    for where in ((), ("-E", "user", "--policy-path", "own")):
        lines = [("fabric", "add", "f", *MESH), plan, ("run", "f", "policy", "own", *RUN)]
        status, out = sh("mcastctl", *where, "-b", "-",
                         stdin="".join(" ".join(line) + "\n" for line in lines))
        got[where] = [line for line in out.splitlines() if "flit-hops" not in line]
        tap.check(not status, f"plan and run {' '.join(where)}", out)
    tap.check(len(set(map(tuple, got.values()))) == 1, "they are the same", str(got))


def broken(tap):
    """Whatever it does, run and plan end with its name, and the fabric goes on."""
    for how in range(1, 10):
        words = ("policy", "own", "how", str(how))
        # with one virtual channel a run does not ask which may be taken, the plan does
        if how != 8:
            status, out, err = tool("run", "f", *words, *RUN)
            tap.check(status and "policy own, " in f"{out}{err}",
                      f"how {how}: the run fails, and names it", f"{out}{err}")
        status, _, err = tool("plan", "f", *words, "from", "5", "to", "0,3,6,15")
        tap.check(status and "policy own" in err, f"how {how}: so does the plan", err)
    status, out, err = tool("run", "f", "policy", "own", *RUN)
    tap.check(not status, "the fabric goes on", f"{out}{err}")


def main():
    tap = Tap()
    if not glob.glob(f"{TOP}/build/{RELEASE}/kmod/Module.symvers"):
        print("1..0 # SKIP the module's symbols are missing")
        return
    with tempfile.TemporaryDirectory() as folder:
        if build(tap, folder):
            same(tap)
            broken(tap)
            status, out = sh("mcastctl", "policy", "check", "own", "groups", "20")
            tap.check(not status and "nothing wrong" in out, "policy check, in the kernel", out)
            tool("fabric", "del", "f")
            status, out = sh("rmmod", "mcfab_policy_own")
            tap.check(not status, "the module goes", out)
        os.chdir("/")
    tap.finish()


if __name__ == "__main__":
    main()
