#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Write what the tool's help says into its manual pages.

Usage: man-gen.py [--check] MCASTCTL PAGE...

A page is divided by comments. Behind each of these stands what "mcastctl -j help" says of it,
until a comment "by hand", behind which stands what is written by people and kept:

    .\\" help OBJECT...            NAME and SYNOPSIS; of these objects the page is
    .\\" command OBJECT [COMMAND]
    .\\" keyword OBJECT [COMMAND]: KEYWORD
    .\\" word OBJECT [COMMAND]: WORD
    .\\" options                   NAME and SYNOPSIS of the whole tool
    .\\" option NAME
    .\\" objects                   what there is, a line each
    .\\" end                       what is behind all of these

All but the first comment are put in where they are missing. Text by hand of what the help does
not know is an error. --check writes nothing, and says which pages are not as they would be.
"""
import json
import re
import subprocess
import sys

MARK = re.compile(r'\.\\" (help|command|keyword|word|options|option|objects|end)\b ?(.*)')
HAND = '.\\" by hand'


def plain(text):
    """Text as roff prints it."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("^", "\\(ha").replace("'", "\\(aq")
    return re.sub(r"^(?=[.'])", "\\\\&", text)


def styled(text):
    """A synopsis or a value: words as they are typed are bold, what stands for others italic."""
    def one(match):
        word = match.group(0)
        font = "I" if re.search(r"[A-Z]|^\d", word) else "B"
        return f"\\f{font}{plain(word)}\\fR"
    return re.sub(r"[\w/-]+", one, text)


def prose(text):
    """A sentence of the help: what it quotes is bold."""
    text = re.sub(r"^[a-z](?=[a-z' ])", lambda m: m.group(0).upper(), text.strip())
    if text[-1:] not in ".:" or text.endswith("..."):
        text += "."
    return re.sub(r'"([^"]+)"', "\\\\fB\\1\\\\fR", plain(text))


def item(head, text):
    """An entry of a list."""
    return [".TP", head, *([prose(text)] if text else [])]


def more(text):
    """Further lines: paragraphs, and tables of what begins with blanks."""
    lines, table = [], []
    for line in text.rstrip("\n").split("\n") if text else []:
        head = re.match(r"( *)(.*?)(?:  +(.*))?$", line)
        indent, first, behind = len(head.group(1)), head.group(2), head.group(3)
        if indent == 2:
            table.append([first, behind or ""])
            continue
        if indent == 4:
            table[-1][0] += " " + first
            continue
        if indent:
            table[-1][1] += " " + first
            continue
        lines += rows(table)
        if not line or not lines or lines[-1].startswith(".RE"):
            lines.append(".PP")
        if line:
            lines.append(re.sub(r'"([^"]*)"', "\\\\fB\\1\\\\fR", plain(line)))
        table = []
    return lines + rows(table)


def rows(table):
    """Rows of a table as entries of a list."""
    if not table:
        return []
    lines = [".RS"]
    for head, text in table:
        lines += [".TP", styled(head), prose(text)]
    return lines + [".RE"]


class Help:
    """What the tool says of itself."""

    def __init__(self, mcastctl):
        said = subprocess.run([mcastctl, "-j", "help"], check=True, capture_output=True, text=True)
        self.all = json.loads(said.stdout)
        self.objects = {o["name"]: o for o in self.all["objects"]}

    def page_of_tool(self):
        """Comments, and what stands behind them, of mcastctl.8."""
        lines = [".SH NAME", "mcastctl \\- control virtual multicast interconnect fabrics",
                 ".SH SYNOPSIS"]
        for usage in self.all["usage"]:
            lines += [".SY mcastctl", styled(usage), ".YS"]
        yield "options", lines
        for option in self.all["options"]:
            head = f"\\fB\\-{option['letter']}\\fR, " if "letter" in option else ""
            head += f"\\fB\\-\\-{plain(option['name'])}\\fR {styled(option.get('value', ''))}"
            yield f"option {option['name']}", item(head.strip(), option["help"])
        lines = []
        for name, obj in self.objects.items():
            lines += item(f".BR mcastctl\\-{name} (8)", about(obj))
        yield "objects", lines
        yield "end", []

    def page_of(self, names):
        """The same of a page of objects."""
        objects = [self.objects[name] for name in names]
        what = about(objects[0])
        titles = ", ".join(f"mcastctl\\-{name}" for name in names)
        what = plain(what[0].lower() + what[1:].rstrip("."))
        lines = [".SH NAME", f"{titles} \\- {what}", ".SH SYNOPSIS"]
        for obj in objects:
            for command in obj["commands"]:
                lines += [f'.SY "mcastctl {called(obj, command)}"',
                          styled(command.get("synopsis", "")), ".YS"]
        yield "help " + " ".join(names), [line for line in lines if line]
        heading = [".SH COMMANDS"]
        for obj in objects:
            for command in obj["commands"]:
                name = called(obj, command)
                yield "command " + name, [*heading, f".SS mcastctl {name}", prose(command["help"]),
                                          *more(command.get("more", ""))]
                heading = []
                yield from entries(name, command)
        yield "end", []


def about(obj):
    """What an object is, in a line."""
    alone = obj["commands"][0]
    return obj["help"] if "name" in alone else alone["help"]


def called(obj, command):
    """A command as it is typed."""
    return f"{obj['name']} {command.get('name', '')}".strip()


def entries(name, command):
    """Keywords and plain words of a command."""
    for key in command.get("keywords", []):
        value = key.get("value", "")
        if re.fullmatch(r"[a-z0-9-]+(\|[a-z0-9-]+)+", value):
            value = "{ " + value.replace("|", " | ") + " }"
        head = f"\\fB{plain(key['name'])}\\fR {styled(value)}".strip()
        yield f"keyword {name}: {key['name']}", item(head, key.get("help"))
    for word in command.get("words", []):
        yield f"word {name}: {word['name']}", item(f"\\fB{plain(word['name'])}\\fR", word["help"])


class Page:
    """A page: what is before the first comment, and what was written by hand behind each."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.path, self.before, self.hand, self.first = path, [], {}, None
        here, by_hand = self.before, True
        for line in self.text.splitlines():
            mark = MARK.fullmatch(line)
            if mark:
                name = f"{mark.group(1)} {mark.group(2)}".strip()
                self.first = self.first or name
                here, by_hand = self.hand.setdefault(name, []), name == "end"
            elif line == HAND:
                by_hand = True
            elif by_hand:
                here.append(line)

    def made(self, told):
        """The page as it has to be."""
        lines = list(self.before)
        left = dict(self.hand)
        parts = told.page_of_tool() if self.first == "options" else \
            told.page_of(self.first.split()[1:])
        for name, text in parts:
            lines += [f'.\\" {name}', *text]
            hand = left.pop(name, [])
            if hand and name != "end":
                lines.append(HAND)
            lines += hand
        for name, hand in left.items():
            if hand:
                sys.exit(f"{self.path}: {name}: text by hand on what the help does not know")
        return "\n".join(lines) + "\n"


def main():
    args = [a for a in sys.argv[1:] if a != "--check"]
    told, wrong = Help(args[0]), 0
    for path in args[1:]:
        page = Page(path)
        if not page.first:
            continue
        text = page.made(told)
        if text == page.text:
            continue
        if "--check" in sys.argv:
            print(f"{path}: not what the help says; make regen writes it", file=sys.stderr)
            wrong = 1
            continue
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
