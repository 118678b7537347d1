#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Policies of one's own: the one that "policy new" makes is good, and each of many that are broken
is found out by "policy check", whatever it does.

Usage: own_policy.py MCASTCTL
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from harness import MCASTCTL, finish, ok

WORM = "\t\tmcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, 0);\n"
DST = "\t\tmcfab_plan_dst(plan, (u32)keys[i]);\n"
ROUTE = "\tmcfab_route_path(view, hdr, mcfab_step_dimension, out);\n"
# What is broken: a name, what stands in place of what in the template, what is said of it.
BROKEN = [
    ("a destination is left out", [(DST, DST), ("i < ndst; i++) {\n" + WORM, "i < ndst - 1; i++) {\n" + WORM)],
     "policy bad, node \\d: it is not delivered"),
    ("a destination twice", [(DST, DST + WORM + DST)], "policy bad, the plan is longer than its own bound"),
    ("the source is a destination", [("(u32)keys[i]", "i ? (u32)keys[i] : source")], "policy bad, worm 0, node \\d: it is the source"),
    ("a node that does not exist", [("(u32)keys[i]", "i ? (u32)keys[i] : 12345")], "node 12345: there is no such node"),
    ("a sender that has nothing", [(WORM, WORM.replace("source", "i ? (u32)keys[0] : source"))],
     "it sends, but waits for nothing"),
    ("a worm after itself", [(WORM, WORM.replace("MCFAB_NONE", "i"))], "worm 0: it waits for a later worm"),
    ("a port that does not exist", [("MCFAB_PORT_ANY, 0", "99, 0")], "no way leads on to it"),
    ("no way at all", [(ROUTE, "\tout->nbranches = 0;\n")], "no way leads on to it"),
    ("over the edge", [(ROUTE, ROUTE + "\tout->branch[0].port[0] = 3;\n")], "the way to it has no channel"),
    ("to and fro", [(ROUTE, ROUTE + "\tif (out->branch[0].node == MCFAB_NONE && hdr->in_port < 4)\n"
                     "\t\tout->branch[0].port[0] = hdr->in_port ^ 1;\n")], "the way to it (has no channel|goes in circles)"),
    ("to the wrong node", [(ROUTE, ROUTE + "\tif (out->branch[0].node != MCFAB_NONE)\n"
                            "\t\tout->branch[0].node ^= 1;\n")], "the copy is not for it"),
    ("no virtual channel", [(ROUTE, ROUTE + "\tout->branch[0].vcs[0] = 0;\n")],
     "the way to it has no virtual channel"),
    ("a way that is not straight", [(ROUTE, ROUTE + "\tout->straight = 2;\n")], "it does not go on as promised"),
    ("an end that is none", [(ROUTE, ROUTE + "\tout->straight = 0;\n\tout->ends = true;\n")],
     "it does not go on as promised"),
    ("an entry is dropped", [(ROUTE, ROUTE + "\tout->branch[0].last--;\n")], "the header has no such destination"),
    ("prepare() never returns", [("\tmcfab_sort_keys", "\tfor (volatile u32 x = 0; ndst > 1;)\n\t\tx++;\n"
                                  "\tmcfab_sort_keys")], "it does not return"),
    ("route() never returns", [(ROUTE, "\tfor (volatile u32 x = 0; hdr->router == 4;)\n\t\tx++;\n" + ROUTE)],
     "it does not return"),
    ("it crashes", [("\tmcfab_sort_keys", "\tif (ndst > 2)\n\t\t*(volatile u32 *)8 = 1;\n\tmcfab_sort_keys")],
     "it crashes"),
    ("it remembers", [("\tu32 i, distance;\n", "\tstatic u32 calls;\n\tu32 i, distance;\n"),
                      ("own->farthest ?", "calls++ & 1 ?")], "different plans"),
    ("more worms than it says", [(WORM, WORM + "\t\tmcfab_plan_dst(plan, (source + 1) % 4 | "
                                  "MCFAB_DST_RELAY);\n" + WORM)], "the plan is longer than its own bound"),
    ("it serves what it refuses", [("\town->farthest = values[0];\n",
                                    "\tif (view->topo->nodes)\n"
                                    "\t\treturn mcfab_refuse(err, -EOPNOTSUPP, 0, \"not here\");\n"
                                    "\town->farthest = values[0];\n")],
     "mesh: it says that it serves this, and refuses it"),
    ("it says that worms have one destination", [
        ("\t\tmcfab_plan_worm", "\t\tif (!i)\n\t\t\tmcfab_plan_worm")], "one destination"),
    ("no prepare()", [("\t.prepare\t= bad_prepare,\n", "")], "struct mcfab_policy_ops is incomplete"),
    ("another's name", [('.name\t\t= "bad"', '.name\t\t= "dp"')], "there is a policy of its name"),
]


def sh(folder, *words, **env):
    """Status and all that a command prints."""
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, **env})
    return done.returncode, done.stdout + done.stderr


def fresh(folder):
    """A policy as it is made."""
    status, out = sh(folder, MCASTCTL, "policy", "new", "good")
    ok("a policy is made", not status and os.path.exists(f"{folder}/good/good.c"), out)
    with open(f"{folder}/good/good.c", encoding="ascii") as file:
        ok("of at most 100 lines", len(file.readlines()) <= 100)
    status, out = sh(f"{folder}/good", "make", "-s", "check", f"MCASTCTL={MCASTCTL}",
                     "CHECK=groups 2000")
    ok("nothing is wrong with it", not status and out.endswith("nothing wrong\n"), out)
    ok("it is proved", out.count("proved free of deadlock") >= 3, out)
    status, out = sh(folder, MCASTCTL, "-E", "user", "--policy-path", "good", "policy", "check",
                     "good", "farthest", "on", "groups", "100")
    ok("with a parameter, too", not status and "nothing wrong" in out, out)
    status, out = sh(folder, MCASTCTL, "-E", "user", "policy", "show", "good", MCFAB_POLICY_PATH="x:good")
    ok("its folder is in the environment", not status and "farthest" in out, out)
    for words, complaint in (
            (("policy", "new"), "NAME is missing"),
            (("policy", "new", "good"), "File exists"),
            (("policy", "new", "Good"), "a name is a small letter"),
            (("policy", "new", "../x"), "a name is a small letter"),
            (("policy", "check"), "NAME is missing"),
            (("-E", "user", "policy", "check", "none"), "none"),
            (("-E", "user", "policy", "check", "dp", "groups", "0"), "groups 0"),
            (("-E", "user", "policy", "check", "dp", "wrap", "perhaps"), "wrap perhaps"),
            (("-E", "user", "policy", "check", "dp", "grups", "1"), "did you mean \"groups\"?"),
            (("--policy-path", "good", "policy", "show"), "the kernel finds modules by itself")):
        status, out = sh(folder, MCASTCTL, *words)
        ok(" ".join(words), status and complaint in out, out)


def broken(folder):
    """Each is found out, and the tool survives."""
    with open(f"{folder}/good/good.c", encoding="ascii") as file:
        source = file.read().replace("good", "bad")
    os.mkdir(f"{folder}/bad")
    with open(f"{folder}/good/Makefile", encoding="ascii") as file:
        makefile = file.read().replace("good", "bad")
    with open(f"{folder}/bad/Makefile", "w", encoding="ascii") as file:
        file.write(makefile)
    for name, changes, complaint in BROKEN:
        text = source
        for old, new in changes:
            assert old in text, f"{name}: {old}"
            text = text.replace(old, new)
        with open(f"{folder}/bad/bad.c", "w", encoding="ascii") as file:
            file.write(text)
        sh(f"{folder}/bad", "make", "-s", "clean")
        status, out = sh(f"{folder}/bad", "make", "-s", "check", f"MCASTCTL={MCASTCTL}",
                         "CHECK=groups 200", "CFLAGS=-w")
        ok(f"broken: {name}", status and re.search(complaint, out), out)
        print("#", "\n# ".join(out.splitlines()[1:7]))


def never_returns(folder):
    """A run whose policy never returns: the first interrupt asks it to stop, the next ends the tool."""
    with open(f"{folder}/good/good.c", encoding="ascii") as file:
        source = file.read().replace("good", "endless")
    os.mkdir(f"{folder}/endless")
    with open(f"{folder}/endless/endless.c", "w", encoding="ascii") as file:
        file.write(source.replace("\tmcfab_sort_keys", "\tfor (volatile u32 x = 0; ndst;)\n\t\tx++;\n"
                                  "\tmcfab_sort_keys"))
    with open(f"{folder}/good/Makefile", encoding="ascii") as file:
        makefile = file.read().replace("good", "endless")
    with open(f"{folder}/endless/Makefile", "w", encoding="ascii") as file:
        file.write(makefile)
    sh(f"{folder}/endless", "make", "-s", f"MCASTCTL={MCASTCTL}", "CFLAGS=-w")
    # what a shell runs in the background ignores interrupts, and so would the tool
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen([MCASTCTL, "-E", "user", "--policy-path", "endless", "-b", "-"], cwd=folder,
                          stdin=subprocess.PIPE, text=True) as child:
        child.stdin.write("fabric add f topology mesh dims 4x4\n"
                          "run f policy endless workload lone dests 3\n")
        child.stdin.close()
        try:
            child.wait(3)
        except subprocess.TimeoutExpired:
            pass
        ok("a run whose policy never returns goes on", child.poll() is None)
        for _ in range(30):
            child.send_signal(signal.SIGINT)
            time.sleep(1)
            if child.poll() is not None:
                break
        ok("interrupts end it", child.poll() == -signal.SIGINT, child.poll())
        child.kill()


def ours():
    """Nothing is wrong with the policies that mcfab comes with."""
    _, out = sh(".", MCASTCTL, "-E", "user", "-j", "policy", "show")
    for policy in json.loads(out):
        status, out = sh(".", MCASTCTL, "-E", "user", "policy", "check", policy["name"], "groups",
                         "100")
        ok(f"nothing is wrong with {policy['name']}", not status, out)


def main():
    ours()
    with tempfile.TemporaryDirectory() as folder:
        fresh(folder)
        broken(folder)
        never_returns(folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
