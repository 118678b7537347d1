#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The manual says what the built-in help says, of nothing else, and groff has no complaints.

Usage: manual.py MCASTCTL

The help is read as people read it, as text; of the pages what is printed and what is in them.
Then the test tries itself: each of some mistakes in a page has to be found.
"""
import functools
import glob
import os
import re
import subprocess
import sys

from harness import MCASTCTL, finish, ok

TOOL = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
OURS = re.compile(r"\b((?:mcastctl|mcfab)(?:-[a-z]+)*)\s*\(([78])\)")
# What is done to a page, and what has to be said then.
MISTAKES = [
    ("mcastctl-fabric.8", r"\\fBvcs\\fR", r"\\fBvcx\\fR", "the help has no vcx"),
    ("mcastctl-fabric.8", r"default 1 \(1 to 16\)", "default 1 (1 to 17)", "there: virtual"),
    ("mcastctl-run.8", r'\.TP\n\\fBdetach\\fR\n.*\n', "", "no entry detach"),
    ("mcastctl-run.8", r"\.B tornado\n", ".B tornedo\n", "the help has no tornedo"),
    ("mcastctl-link.8", r"\.SS mcastctl link up\n", "", "nothing on link up"),
    ("mcastctl-plan.8", r"\\fBfrom\\fR \\fINODE", r"\\fINODE", "no synopsis"),
    ("mcastctl-port.8", r"mcastctl\\-group \(8\)", "mcastctl\\-grup (8)", "mcastctl-grup(8)"),
    ("mcastctl-save.8", r"\.EE\n", ".EE\n.in +x\n", "groff"),
    ("mcastctl.8", r"\.BR mcastctl\\-link \(8\)\n.*\n", "", "mcastctl(8) does not name link"),
    ("mcastctl.8", r"\\-\\-force", r"\\-\\-farce", "no option --force"),
]


def squeeze(text):
    """Words with one blank in between; how a hyphen or quote is printed does not matter."""
    return " ".join(text.replace("\u2010", "-").replace("\u2019", "'").replace('"', "").split())


def help_of(*words):
    """Text of a command's help."""
    return subprocess.run([MCASTCTL, "help", *words], check=True, capture_output=True,
                          text=True).stdout


class Command:
    """What the help says of a command: synopsis, what it does, and its keywords and words."""

    def __init__(self, words):
        self.words, self.name = words, " ".join(words)
        self.text = help_of(*words)
        usage, self.what, *rest = self.text.split("\n\n")
        self.synopsis = squeeze(usage.replace("Usage:", ""))
        self.entries = {}
        for block in rest:
            # a list, not what is said behind it
            if not re.match(r"  [a-z]", block):
                break
            key = None
            for line in block.rstrip("\n").split("\n"):
                if re.match(r"  [a-z]", line):
                    head, _, said = line.strip().partition("  ")
                    if len(head) < 26 and "  " not in line.strip() and len(line) > 26 \
                            and line[25] == " ":
                        head, said = line[:26].strip(), line[26:]
                    key = head.split(" ")[0]
                    self.entries[key] = [head, said]
                else:
                    self.entries[key][1] += " " + line


def commands():
    """All commands that the help lists."""
    listed = help_of().split("unique:\n")[1].split("\n\nOptions")[0].split("\n")
    return [Command(re.split(r"  +", line.strip())[0].split()) for line in listed]


@functools.cache
def page_of(file, text):
    """A page of that text; groff takes its time."""
    return Page(file, text)


class Page:
    """A page: its source, what groff prints of it, and what it complains of."""

    def __init__(self, file, text):
        self.file, self.source = file, re.sub(r"\\f.", "", text).replace("\\-", "-")
        done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-P-cbou", "-rLL=79n"],
                              input=text, check=False, capture_output=True, text=True)
        self.flat, self.complaint = squeeze(done.stdout), done.stderr.strip()
        names = re.search(r"\.SH NAME\n(.*) - ", self.source).group(1)
        self.names = [f"{name}({file[-1]})" for name in names.split(", ")]

    def part(self, command):
        """Source of what it says of a command, or None."""
        found = re.search(rf"^\.SS mcastctl {command.name}\n(.*?)(?=^\.S[SH] )", self.source,
                          re.M | re.S)
        return found and found.group(1)


def heads(source):
    """First words of the entries of lists, in lists of lists or not."""
    depth, found = 0, []
    lines = source.split("\n")
    for line, behind in zip(lines, lines[1:]):
        depth += {".RS": 1, ".RE": -1}.get(line, 0)
        if line == ".TP":
            words = re.sub(r'^\.[A-Z]+ |"', "", behind).split()
            found.append((words[0], depth, " ".join(words)))
    return found


class Manual:
    """All pages, by the names of their files; what is wrong with them."""

    def __init__(self, texts):
        pages = [page_of(file, text) for file, text in sorted(texts.items())]
        self.pages = {name: page for page in pages for name in page.names}
        self.wrong = [f"{p.file}: groff: {p.complaint}" for p in pages if p.complaint]

    def check(self, known, topologies):
        """All that is wrong."""
        for command in known:
            page = self.pages.get(f"mcastctl-{command.words[0]}(8)")
            if page:
                self.wrong += [f"{page.file}: {command.name}: {what}"
                               for what in self.of_command(page, command)]
            else:
                self.wrong.append(f"there is no mcastctl-{command.words[0]}(8)")
        for page in {p.file: p for p in self.pages.values()}.values():
            self.wrong += [f"{page.file}: {what}" for what in self.of_page(page, known, topologies)]
        self.wrong += [f"mcastctl(8) {what}" for what in self.of_tool(known)]
        return self.wrong

    @staticmethod
    def of_command(page, command):
        """What a page should say of a command and does not; entries that the help lacks."""
        if command.synopsis not in page.flat:
            yield f"no synopsis {command.synopsis}"
        part = page.part(command)
        if part is None:
            yield f"nothing on {command.name}"
            return
        there = [(first, head) for first, depth, head in heads(part) if not depth]
        flat = squeeze(re.sub(r"^\.\w+ ?|\\\(aq|\\\(ha|\\&", lambda m: {
            "\\(aq": "'", "\\(ha": "^"}.get(m.group(0), ""), part, flags=re.M)).lower()
        for said in [command.what, *(text for _, text in command.entries.values())]:
            if squeeze(said).rstrip(".").lower() not in flat:
                yield f"not there: {squeeze(said)}"
        for head, _ in command.entries.values():
            if head not in [re.sub(r"\{ | \}", "", h).replace(" | ", "|") for _, h in there]:
                yield f"no entry {head}"
        for first, _ in there:
            if first not in command.entries:
                yield f"the help has no {first}"

    @staticmethod
    def of_page(page, known, topologies):
        """Words that have an entry in a list and that the help does not know; missing pages."""
        ours = [c for c in known if f"mcastctl-{c.words[0]}(8)" in page.names]
        words = set(re.findall(r"[\w-]+", " ".join(c.text for c in ours))) | topologies
        for first, _, _ in heads(page.source) if ours else []:
            if re.fullmatch(r"[a-z][a-z-]*", first) and first not in words:
                yield f"the help has no {first}"

    def of_tool(self, known):
        """Options and objects that the page of the tool lacks; pages that are not there."""
        page = self.pages["mcastctl(8)"]
        for option in re.findall(r"(--[a-z-]+)", help_of().split("\nOptions:\n")[1]):
            if not re.search(rf"^\.TP\n.*{option}\b", page.source, re.M):
                yield f"has no option {option}"
        for name in sorted({c.words[0] for c in known}):
            if not re.search(rf"^\.BR mcastctl-{name} \(8\)", page.source, re.M):
                yield f"does not name {name}"
        for file, other in sorted({(p.file, p) for p in self.pages.values()}, key=lambda x: x[0]):
            for name, section in OURS.findall(other.source):
                if f"{name}({section})" not in self.pages:
                    yield f"or another page, {file}, names {name}({section}), which is not there"


def main():
    paths = glob.glob(os.path.join(TOOL, "man/*.[78]"))
    texts, known = {}, commands()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            texts[os.path.basename(path)] = file.read()
    shown = subprocess.run([MCASTCTL, "-E", "user", "topology", "show"], check=True,
                           capture_output=True, text=True).stdout
    topologies = {line.split()[0] for line in shown.split("\n") if line}
    wrong = Manual(texts).check(known, topologies)
    ok(f"{len(known)} commands are in the manual, and nothing else", not wrong, "\n# ".join(wrong))
    done = subprocess.run([os.path.join(TOOL, "man-gen.py"), "--check", MCASTCTL, *paths],
                          check=False, capture_output=True, text=True)
    ok("the pages are what man-gen.py writes", not done.returncode, done.stderr)
    for page, pattern, text, expected in MISTAKES:
        changed, count = re.subn(pattern, text, texts[page], count=1)
        said = Manual({**texts, page: changed}).check(known, topologies)
        ok(f"{page}: {expected}", count == 1 and any(expected in line for line in said),
           f"{count} changes; {said}")
    return finish()


if __name__ == "__main__":
    sys.exit(main())
