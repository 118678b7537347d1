#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The quick set of every scenario: all points are run, every picture has its curves, the report
opens in a browser.

Usage: test_figures.py
"""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MCASTCTL = os.path.join(TOP, "tools/mcastctl/mcastctl")
SVG = "{http://www.w3.org/2000/svg}"
SECONDS = 300       # for all of them on two cores
count = 0
failed = 0


def ok(name, good, why="", skip=""):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} {name}{' # SKIP ' + skip if skip else ''}",
          flush=True)
    if not good and why:
        print("# " + str(why).replace("\n", "\n# "), flush=True)


def check_scenario(name, folder):
    """Points, pictures and claims of one scenario."""
    with open(f"{folder}/{name}.csv", encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    scenario = f"{TOP}/scenarios/{name}.scenario"
    got = subprocess.run([MCASTCTL, "-j", "experiment", "show", scenario, "out", folder, "quick"],
                         check=False, capture_output=True, text=True)
    shown = json.loads(got.stdout)
    ok(f"{name}: {len(rows)} points have results", not shown["missing"] and
       any(r["state"] == "done" for r in rows), got.stderr)
    curves = {p["series"] for p in shown["places"] if p["state"] != "gap"}
    bad = []
    for picture in shown["pictures"]:
        root = ET.parse(f"{folder}/{picture}.svg").getroot()
        texts = {"".join(t.itertext()).strip() for t in root.iter(SVG + "text")}
        if shown["title"] not in texts or not curves - {""} <= texts:
            bad.append((picture, curves - texts))
        if not os.path.getsize(f"{folder}/{picture}.png"):
            bad.append(picture + ".png")
    ok(f"{name}: {len(shown['pictures'])} pictures with {len(curves)} curves",
       shown["pictures"] and not bad, bad)
    for claim in shown["claims"]:
        print(f"# {claim['verdict']}: {claim['where']}: {claim['text']}")
    return shown["pictures"]


def printed_figures():
    """Names of the pictures of what the five papers print."""
    figures = {"qg-fig": range(10, 21), "qg-table": range(3, 6), "union-fig": range(10, 28),
               "hc-fig": range(5, 7), "tasnem-fig": range(8, 12), "irr-fig": range(19, 29)}
    return [f"{name}{nr}" for name, numbers in figures.items() for nr in numbers]


def check_page(folder):
    """The report in a browser: it has a heading for each scenario, and pictures that are loaded."""
    browser = shutil.which("chromium")
    if not browser:
        ok("the report in a browser", True, skip="chromium is not installed")
        return
    shot = f"{folder}/report.png"
    got = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         f"--user-data-dir={folder}/browser", "--window-size=1000,3000", f"--screenshot={shot}",
         "--virtual-time-budget=10000", f"file://{folder}/report.html"],
        check=False, capture_output=True, text=True, timeout=120)
    ok("the report in a browser", not got.returncode and os.path.getsize(shot) > 50000,
       got.stderr[-2000:])


def main():
    names = sorted(n[:-9] for n in os.listdir(f"{TOP}/scenarios") if n.endswith(".scenario"))
    with tempfile.TemporaryDirectory() as folder:
        begun = time.time()
        got = subprocess.run([f"{TOP}/scripts/figures.sh"], check=False, capture_output=True,
                             text=True, env=dict(os.environ, SET="quick", OUT=folder))
        took = time.time() - begun
        ok("make figures", not got.returncode, got.stderr[-4000:])
        # a loaded machine is no failure
        print(f"# {took:.0f} s, of {SECONDS} s on two idle cores")
        if not got.returncode:
            pictures = [p for name in names for p in check_scenario(name, folder)]
            missing = [f for f in printed_figures()
                       if not any(p == f or p.startswith(f + ".") for p in pictures)]
            ok(f"each of {len(printed_figures())} printed figures and tables has a picture",
               not missing, missing)
            ok("no picture is drawn twice", len(set(pictures)) == len(pictures), pictures)
            check_page(folder)
    print(f"1..{count}")
    return failed > 0


sys.exit(main())
