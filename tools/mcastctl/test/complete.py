#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Completion by bash and by zsh: both offer what the tool says may follow.

Usage: complete.py MCASTCTL
"""
import os
import shlex
import subprocess
import sys

from harness import MCASTCTL, finish, ok

HERE = os.path.dirname(os.path.realpath(__file__))
# Words before the cursor, and what is offered; FILES: names of files.
CASES = [
    ("fab", ["fabric"]),
    ("-E user policy check um", ["umesh"]),
    ("-E user policy check dp wr", ["wrap"]),
    ("-E user policy check dp wrap ''", ["on", "off"]),
    ("-E user run f policy qg cover ch", ["chain"]),
    ("-E ''", ["kernel", "user"]),
    ("-b ''", ["FILES"]),
    ("--policy-path ''", ["FILES"]),
    ("restore ''", ["FILES"]),
    ("policy ne", ["new"]),
    ("xyz", []),
]
# Stand-ins for what the shells do with an offer.
BASH = """
compgen() {{ echo FILES; }}
. {here}/../mcastctl.bash
COMP_WORDS=({tool} {words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_mcastctl
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
ZSH = """
compadd() {{ shift; print -rl -- "$@" }}
_files() {{ print FILES }}
offer() {{
    local -a words=("$@")
    local CURRENT=$#words
    source {here}/../mcastctl.zsh
}}
offer {tool} {words}
"""


def offered(shell, options, script, words):
    """What a shell would offer."""
    text = script.format(here=shlex.quote(HERE), tool=shlex.quote(MCASTCTL), words=words)
    done = subprocess.run([shell, *options, "-c", text], capture_output=True, text=True,
                          check=False)
    return [line for line in done.stdout.split("\n") if line], done.stderr


def main():
    for shell, options, script in (("bash", ["--norc"], BASH), ("zsh", ["-f"], ZSH)):
        for words, want in CASES:
            if shell == "bash" and words == "-E ''":
                continue
            got, err = offered(shell, options, script, words)
            ok(f"{shell}: {words}", got == want and not err, f"{got} {err}")
    return finish()


if __name__ == "__main__":
    sys.exit(main())
