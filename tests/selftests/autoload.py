#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=240
"""A policy's module is loaded on demand, with no lock held: while that takes long, other
requests about the same fabric are answered at once, and whoever else uses generic netlink."""

import os
import subprocess
import tempfile
import time

from helpers.life import add, begin, client, finish, note, refused, remove, test, wait, ynl
from helpers.others import LIMIT, unhindered

MODPROBE = "/proc/sys/kernel/modprobe"
SLEEP = 8
AT_ONCE = min(LIMIT, 0.5)
RUN = {"fabric": "f", "policy": "kbinomial", "workload": "lone", "dests": 3}
PLAN = {"fabric": "f", "policy": "kbinomial", "source": 0, "destinations": b"\1\0\0\0"}


def loaded():
    """Is the policy there?"""
    return any(p["name"] == "kbinomial" for p in ynl.dump("policy-get", {}))


def unload():
    """Without the policy."""
    subprocess.run(["rmmod", "mcfab_kbinomial"], check=False, stderr=subprocess.DEVNULL)
    return not loaded()


def meanwhile(name, request, other):
    """Seconds that we wait while another client's request loads a module, and that request."""
    note(f"unloaded: {unload()}")
    child = os.fork()
    if not child:
        status = 1
        try:
            request(other)
            status = 0
        finally:
            os._exit(status)
    time.sleep(SLEEP / 8)
    took = []
    for op, attrs in (("fabric-get", {"name": "f"}), ("run-get", {"fabric": "f"}),
                      ("group-new", {"fabric": "f", "name": "g", "members": b"\1\0\0\0"}),
                      ("group-del", {"fabric": "f", "name": "g"})):
        begun = time.monotonic()
        refused(op, attrs)
        took.append(time.monotonic() - begun)
    unhindered(name, times=1)
    under_way = os.waitpid(child, os.WNOHANG) == (0, 0)
    status = os.waitpid(child, 0)[1] if under_way else None
    return max(took), under_way, status


def main():
    """All of it."""
    begin()
    with open(MODPROBE, encoding="ascii") as f:
        before = f.read().strip()
    fd, script = tempfile.mkstemp(prefix="mcfab-modprobe-")
    os.write(fd, f'#!/bin/sh\nsleep {SLEEP}\nexec {before} "$@"\n'.encode())
    os.close(fd)
    os.chmod(script, 0o755)
    # Made now: that takes longer than the module does.
    other = client()
    add("f", [4, 4], routing="updown", addressing="lid")
    with open(MODPROBE, "w", encoding="ascii") as f:
        f.write(script)
    try:
        for name, request in (("run", lambda c: c.do("run-start", RUN)),
                              ("plan", lambda c: c.dump("plan-get", PLAN)),
                              ("policy", lambda c: c.do("policy-get", {"name": "kbinomial"}))):
            most, under_way, status = meanwhile(name, request, other)
            test(under_way and most < AT_ONCE, f"{name}: others do not wait for the module",
                 (most, under_way))
            test(status == 0 and loaded(), f"{name}: then it is answered", status)
            wait("f")
    finally:
        with open(MODPROBE, "w", encoding="ascii") as f:
            f.write(before)
        os.unlink(script)
    remove("f")
    finish()


main()
