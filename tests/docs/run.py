#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Run the blocks of commands in the documentation and compare what they print.

Usage: run.py [--update] [--verbose] [PAGE...]

A line "# mcastctl ..." within a block of code is a command, what follows it up to the next
one is what it prints. The commands of a page run one after the other in one process, by
"mcastctl --engine user". A comment

    <!-- mcastctl: fabric add f0 topology mesh dims 16x16 -->

in a page is a command, too, whose output nobody sees: for what the page takes for granted.
<!-- mcastctl: not run --> before a block leaves the block alone. Commands with options, pipes or
files to write are left alone, as are those that --engine user cannot do ("monitor").

Compared are words, not blanks. Of a command with nothing behind it only errors are told.
Ignored are wall-clock times ("1.91 s"), amounts of memory ("6.1 kB"), the CPUs and threads of the
machine, nice levels and the numbers of runs. A line "..." of a page stands for any lines.
--update writes what is printed into the page; blocks with "..." it only names.
Prints TAP: a test for each page.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MCASTCTL = os.path.join(TOP, "tools/mcastctl/mcastctl")
# Parts of a line that may differ from one machine or moment to the next.
VARY = [
    (re.compile(r"\b\d+\.\d+ s\b"), "TIME"),
    (re.compile(r"\b[\d.]+ (B|kB|MB|GB)\b"), "MEMORY"),
    (re.compile(r"\bcpus [\d,-]+"), "CPUS"),
    (re.compile(r"\bshards \d+"), "SHARDS"),
    (re.compile(r"\bnice -?\d+"), "NICE"),
    (re.compile(r"\brun \d+ on\b"), "run N on"),
    (re.compile(r"\(mcastctl \S+, mcfab .*\)"), "VERSIONS"),
    (re.compile(r"\bengine user, mcastctl .*"), "VERSIONS"),
]
ALONE = re.compile(r"[|<>]|^-|^monitor\b|^complete\b")
HIDDEN = re.compile(r"^<!-- mcastctl: (.*?) -->")


class Command:
    def __init__(self, words, first):
        self.words = words
        self.first = first      # line of the page with what it prints, from 0
        self.end = first        # behind the last one
        self.shown = True
        self.printed = None


def commands_of(lines):
    """All commands of a page in their order, and the files that it shows by "# cat FILE"."""
    found, files, inside, skip, leave, i = [], {}, False, False, False, 0
    while i < len(lines):
        line = lines[i]
        hidden = HIDDEN.search(line)
        if hidden and not inside:
            if hidden[1] == "not run":
                leave = True
            else:
                command = Command(hidden[1], i)
                command.shown = False
                found.append(command)
        elif line.startswith("```"):
            inside = not inside
            skip, leave = inside and leave, False
        elif inside and not skip and line.startswith("# mcastctl "):
            words = line[len("# mcastctl "):]
            while words.endswith("\\"):
                i += 1
                words = words[:-1] + lines[i].strip()
            command = Command(words, i + 1)
            while i + 1 < len(lines) and not lines[i + 1].startswith(("# ", "```", "$ ")):
                i += 1
            command.end = i + 1
            if not ALONE.search(words):
                found.append(command)
        elif inside and re.match(r"# cat [\w.-]+$", line):
            name = line.split()[2]
            files[name] = ""
            while not lines[i + 1].startswith(("# ", "```", "$ ")):
                i += 1
                files[name] += lines[i] + "\n"
        i += 1
    return found, files


def run(commands, files):
    """Fill in what the commands print; a mark between two of them is an unknown object."""
    batch, made = [], set()
    for nr, command in enumerate(commands):
        new = re.match(r"fabric add (\S+)", command.words)
        if new and new[1] in made:
            batch.append(f"fabric del {new[1]}")
        if new:
            made.add(new[1])
        batch += [f"@begin-{nr}", command.words, f"@end-{nr}"]
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(TOP, "tests"), os.path.join(folder, "tests"))
        for name, text in files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        got = subprocess.run([MCASTCTL, "--engine", "user", "--force", "-b", "-"], check=False,
                             input="\n".join(batch) + "\n", cwd=folder, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    now = None
    for line in got.stdout.split("\n"):
        mark = re.match(r'-:\d+: Error: unknown object "@(begin|end)-(\d+)"', line)
        if mark and mark[1] == "begin":
            now = commands[int(mark[2])]
            now.printed = []
        elif mark:
            now = None
        elif now:
            now.printed.append(re.sub(r"^-:\d+: (Error|Warning): ", r"\1: ", line))


def plain(line):
    for what, name in VARY:
        line = what.sub(name, line)
    return " ".join(line.split())


def same(page, printed):
    """Do lines of a page stand for those that were printed?"""
    page = [plain(line) for line in page if line.strip()]
    printed = [plain(line) for line in printed if line.strip()]
    if not page:
        return not any(line.startswith("Error:") for line in printed)
    if "..." not in page:
        return page == printed
    at = page.index("...")
    if page[:at] != printed[:at]:
        return False
    rest = page[at + 1:]
    return any(same(rest, printed[k:]) for k in range(at, len(printed) + 1))


def complain(path, lines, command):
    print(f"# {path}:{command.first}: mcastctl {command.words}")
    page = [line for line in lines[command.first:command.end] if line.strip()]
    printed = command.printed and [line for line in command.printed if line.strip()]
    if printed is None:
        print("#   not reached: the commands before it ended the process")
        return
    for k in range(max(len(page), len(printed))):
        old = page[k] if k < len(page) else ""
        new = printed[k] if k < len(printed) else ""
        if plain(old) != plain(new):
            print(f"#   page:    {old}")
            print(f"#   printed: {new}")
            break


def test(path, update, verbose):
    with open(path, encoding="utf-8") as page:
        lines = page.read().split("\n")
    commands, files = commands_of(lines)
    run(commands, files)
    name = os.path.relpath(path, TOP)
    wrong = [c for c in commands if c.shown and
             (c.printed is None or not same(lines[c.first:c.end], c.printed))]
    for command in wrong:
        complain(name, lines, command)
    for command in commands:
        if not command.shown and command.printed != []:
            print(f"# {name}: {command.words}: {command.printed}")
            wrong.append(command)
    if verbose:
        print(f"# {name}: {len(commands)} commands")
    if update:
        for command in sorted(wrong, key=lambda c: -c.first):
            old = lines[command.first:command.end]
            if any(old) and command.printed is not None and command.shown and "..." not in map(str.strip, old):
                while command.printed and not command.printed[-1].strip():
                    command.printed.pop()
                blank = [""] if old and not old[-1].strip() else []
                lines[command.first:command.end] = command.printed + blank
        with open(path, "w", encoding="utf-8") as page:
            page.write("\n".join(lines))
    return len(commands), not wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("page", nargs="*")
    args = parser.parse_args()
    pages = args.page or sorted(glob.glob(os.path.join(TOP, "Documentation/**/*.md"),
                                          recursive=True)) + [os.path.join(TOP, "README.md")]
    results = []
    print("TAP version 13")
    for path in pages:
        path = os.path.abspath(path)
        count, good = test(path, args.update, args.verbose)
        if not count:
            continue
        results.append(good)
        print(f"{'ok' if good else 'not ok'} {len(results)} {os.path.relpath(path, TOP)}: "
              f"{count} commands", flush=True)
    print(f"1..{len(results)}")
    return not all(results)


if __name__ == "__main__":
    sys.exit(main())
