#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Documentation/results has each scenario and each picture once; what is stale is said."""
import glob
import hashlib
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGES = os.path.join(TOP, "Documentation", "results")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def main():
    scenarios = {os.path.basename(p): hashlib.sha256(read(p).encode()).hexdigest()[:16]
                 for p in glob.glob(os.path.join(TOP, "scenarios", "*.scenario"))}
    shown, pictures, bad = {}, set(), []
    for path in sorted(glob.glob(os.path.join(PAGES, "*.md"))):
        text = read(path)
        for name, digest in re.findall(r"<!-- (\S+\.scenario) ([0-9a-f]{16}) -->", text):
            if name in shown:
                bad.append(f"{name} is on two pages")
            shown[name] = digest
        pictures |= set(re.findall(r"!\[[^]]*\]\(([^)]+)\)", text))
    bad += [f"{name} is on no page: make pages" for name in scenarios if name not in shown]
    bad += [f"{name} is on a page, but no scenario" for name in shown if name not in scenarios]
    there = {os.path.basename(p) for p in glob.glob(os.path.join(PAGES, "*.svg"))}
    bad += [f"{name} is shown, but not there" for name in sorted(pictures - there)]
    bad += [f"{name} is there, but not shown" for name in sorted(there - pictures)]
    stale = [name for name, digest in shown.items() if scenarios.get(name, digest) != digest]
    print("TAP version 13\n1..2")
    for line in bad:
        print(f"# {line}")
    print(f"{'not ok' if bad else 'ok'} 1 {len(shown)} scenarios and {len(there)} pictures in "
          "Documentation/results")
    for name in stale:
        print(f"# {name} was changed since its results: make figures SET=full pages")
    print("ok 2 pages as old as their scenarios" + (" # SKIP stale" if stale else ""))
    return bool(bad) or not shown


sys.exit(main())
