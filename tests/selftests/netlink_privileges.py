#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=200
"""Without CAP_NET_ADMIN a request that changes something is refused and changes nothing; others
are answered. No module is loaded for who asks so."""

import os
import subprocess
import sys

from helpers.mcfab_nl import Tap, client, error_name, refusal, request, u32s

MESH = {"topology": "mesh", "dims": [4, 4]}
LONE = {"fabric": "e0", "policy": "dp", "workload": "lone", "dests": 3, "count": 1}
PLAN = {"fabric": "e0", "policy": "dp", "source": 0, "destinations": [u32s([1, 5])]}
ADMIN = [("fabric-new", {"name": "e1", **MESH}), ("fabric-del", {"name": "e0"}),
         ("plan-get dump", PLAN), ("verify dump", {"fabric": "e0", "policy": "dp"}),
         ("upload-begin", {"fabric": "e0", "type": "destinations", "destinations-total": 2}),
         ("upload-append", {"fabric": "e0", "type": "destinations"}),
         ("upload-discard", {"fabric": "e0", "type": "destinations"}),
         ("run-start", LONE), ("run-stop", {"fabric": "e0"}), ("stats-reset", {"fabric": "e0"})]
READ = [("fabric-get dump", {}), ("topology-get dump", {}), ("policy-get dump", {}),
        ("run-get dump", {})]
READ_E0 = [("fabric-get", {"name": "e0"}), ("node-get", {"fabric": "e0", "node": 1}),
           ("node-get dump", {"fabric": "e0"}), ("run-get", {"fabric": "e0"}),
           ("stats-get", {"fabric": "e0"}), ("link-get dump", {"fabric": "e0"}),
           ("node-load-get dump", {"fabric": "e0"}),
           ("source-load-get dump", {"fabric": "e0"}), ("batch-get dump", {"fabric": "e0"}),
           ("histogram-get dump", {"fabric": "e0"}),
           ("arrival-get dump", {"fabric": "e0"}), ("port-get dump", {"fabric": "e0"})]


def state(ynl):
    """All that a refused request must leave alone."""
    return [ynl.dump("fabric-get", {}), ynl.dump("run-get", {})]


def unprivileged(reads):
    """Runs without CAP_NET_ADMIN: print what went wrong, nothing if all is well."""
    ynl = client()
    for operation, values in ADMIN:
        err = refusal(lambda: request(ynl, operation, values))
        if not err or error_name(err.error) != "EPERM":
            print(f"{operation} was not refused: {err}")
    for operation, values in READ + (READ_E0 if reads else []):
        err = refusal(lambda: request(ynl, operation, values))
        if err:
            print(f"{operation} was refused: {err}")


def privilege(tap, ynl):
    """All of it as nobody, and as root of a user namespace of its own."""
    before = state(ynl)
    loaded = "mcfab_mp" in open("/proc/modules", encoding="ascii").read()
    me = [sys.executable, os.path.realpath(__file__)]
    for what, command in (
            ("without a capability",
             ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
              "--inh-caps=-all", *me, "--unprivileged"]),
            ("as root of a user namespace",
             ["unshare", "--user", "--map-root-user", "--net", *me, "--unprivileged-empty"])):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if "unshare failed" in done.stderr:
            continue
        tap.check(done.returncode == 0 and not done.stdout, f"{what}: reading, no changes",
                  done.stdout + done.stderr)
    if not loaded:
        script = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *me,
                  "--autoload"]
        done = subprocess.run(script, capture_output=True, text=True, check=False)
        now = "mcfab_mp" in open("/proc/modules", encoding="ascii").read()
        tap.check(done.stdout.strip() == "ENOENT" and not now,
                  "no module is loaded for the unprivileged", done.stdout + done.stderr)
    tap.check(state(ynl) == before, "the unprivileged changed nothing")


def main():
    """All of it."""
    tap = Tap()
    ynl = client()
    ynl.do("fabric-new", {"name": "e0", **MESH})
    privilege(tap, ynl)
    ynl.do("fabric-del", {"name": "e0"})
    tap.finish()


if "--unprivileged" in sys.argv:
    unprivileged(True)
elif "--unprivileged-empty" in sys.argv:
    unprivileged(False)
elif "--autoload" in sys.argv:
    print(error_name(refusal(lambda: client().do("policy-get", {"name": "mp"})).error))
else:
    main()
