#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Documentation/own-policy.md: the pieces of its program are a policy, and its commands print what
the page says. A line "$ ..." is a command of the shell; "cd FOLDER && ..." holds for those after it.

Usage: tutorial.py MCASTCTL [update]	update: write into the page what is printed
"""
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

from harness import MCASTCTL, finish, ok

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PAGE = os.path.join(TOP, "Documentation/own-policy.md")
BLOCK = re.compile(r"^```(c?)\n(.*?)^```$", re.M | re.S)
TIME = re.compile(r"\b[\d.]+ us each")


def same_lines():
    """same() of the test of the documentation: which lines stand for others."""
    spec = importlib.util.spec_from_file_location("docs", os.path.join(TOP, "tests/docs/run.py"))
    docs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(docs)
    docs.VARY.append((TIME, "TIME each"))
    return docs.same


def run(command, folder):
    """What a command prints, which may fail: the page says so."""
    env = {**os.environ, "PATH": f"{os.path.dirname(MCASTCTL)}:{os.environ['PATH']}"}
    done = subprocess.run(command, shell=True, cwd=folder, env=env, text=True, check=False, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return re.sub(r"(?m)^make.*\n", "", done.stdout)


def main():
    """All of the page."""
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    blocks = list(BLOCK.finditer(page))
    program = "\n".join(block[2] for block in blocks if block[1] == "c")
    ok("the program has at most 100 lines", program.count("\n") <= 100, program.count("\n"))
    same = same_lines()
    new, commands = page, 0
    with tempfile.TemporaryDirectory() as top:
        folder = top
        for block in blocks:
            if not block[2].startswith("$ "):
                continue
            commands += 1
            command, printed = block[2][2:].split("\n", 1)
            if command.startswith("cd "):
                folder = os.path.join(top, command.split()[1])
                command = command.split(" && ", 1)[1]
                with open(f"{folder}/my-umesh.c", "w", encoding="ascii") as file:
                    file.write(program)
            got = run(command, folder)
            ok(command, same(printed.split("\n"), got.split("\n")), got)
            new = new.replace(block[0], f"```\n{block[2].split(chr(10), 1)[0]}\n{got}```")
    ok("the page has commands", commands >= 6, commands)
    if "update" in sys.argv[2:]:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(new)
    return finish()


sys.exit(main())
