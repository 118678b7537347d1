#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Folders of the module and of the tool, and which of them may include which.

The orders are the lists in Documentation/architecture.md, under "Rooms": a folder includes headers
of its own and of folders below it in the list, never of one above.
"""
import pathlib
import re
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
PAGE = TOP / "Documentation/architecture.md"
TOOL = "tools/mcastctl"


def rooms(page, house):
    """Folders of a house, "kmod", in the order of the page, the highest first."""
    text = page.read_text(encoding="utf-8")
    listed = re.search(rf"^## Rooms$.*?^Every folder of `{house}/`.*?^```$(.*?)^```$", text,
                       re.S | re.M).group(1)
    return [line.split()[0] for line in listed.strip().splitlines()]


def room_of(path, top):
    """Folder of a file, "main.c" for those that are in none."""
    parent = path.relative_to(top).parent.as_posix()
    return "main.c" if parent == "." else parent


def sources(top):
    """Hand-written and generated sources, without tests."""
    return sorted(p for p in top.rglob("*.[ch]")
                  if not p.name.endswith(".mod.c") and top / "test" not in p.parents)


def arrows(top, elsewhere=()):
    """(file, room, included header, its room) of each include of a header of the house.
    @elsewhere: folders whose headers do not count"""
    for path in sources(top):
        for name in re.findall(r'^#include "([^"]+)"', path.read_text(encoding="utf-8"), re.M):
            for base in (top, path.parent):
                if (base / name).is_file():
                    yield path, room_of(path, top), name, room_of(base / name, top)
                    break
            else:
                if not any((base / name).is_file() for base in elsewhere):
                    yield path, room_of(path, top), name, None


def complaints(top, order, elsewhere=()):
    """What is wrong with folders and includes of a house, a line each."""
    place = {room: i for i, room in enumerate(order)}
    used = {room_of(path, top) for path in sources(top)}
    for room in sorted(used - set(order)):
        yield f"{room} is not in the list of rooms"
    for room in order:
        if room not in used:
            yield f"{room} is in the list of rooms, but has no sources"
        if order.count(room) > 1:
            yield f"{room} is in the list of rooms twice"
    for path, room, name, other in arrows(top, elsewhere):
        where = path.relative_to(top)
        if other is None:
            yield f"{where} includes {name}, which is not there"
        elif room in place and other in place and place[other] < place[room]:
            yield f"{where} includes {name}: up, from {room} to {other}"


def mistakes():
    """Trees with something wrong, and what has to be said of them."""
    low, high = '#include "a.h"\n', '#include "top/b.h"\n'
    yield {"low/a.h": "", "top/b.h": low.replace("a.h", "low/a.h")}, []
    yield {"low/a.h": high, "top/b.h": ""}, ["low/a.h includes top/b.h: up, from low to top"]
    yield {"low/a.h": "", "top/b.h": "", "new/c.c": ""}, ["new is not in the list of rooms"]
    yield {"low/a.h": ""}, ["top is in the list of rooms, but has no sources"]
    yield {"low/a.c": low, "top/b.h": ""}, ["low/a.c includes a.h, which is not there"]


def try_mistakes():
    """The test itself: it fails where it has to."""
    for files, expected in mistakes():
        with tempfile.TemporaryDirectory() as folder:
            kmod = pathlib.Path(folder)
            for name, text in files.items():
                (kmod / name).parent.mkdir(exist_ok=True)
                (kmod / name).write_text(text, encoding="utf-8")
            got = list(complaints(kmod, ["top", "low"]))
        if got != expected:
            yield f"{files}: {got}, not {expected}"


def main():
    """Run all parts; TAP."""
    print("TAP version 13\n1..3")
    bad = 0
    for number, (what, wrong) in enumerate((
            ("mistakes are found", list(try_mistakes())),
            ("no include of the module goes up",
             list(complaints(TOP / "kmod", rooms(PAGE, "kmod")))),
            ("no include of the tool goes up",
             list(complaints(TOP / TOOL, rooms(PAGE, TOOL), (TOP / "libmcfab",))))), 1):
        for line in wrong:
            print(f"# {line}")
        print(f"{'not ok' if wrong else 'ok'} {number} {what}")
        bad += bool(wrong)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
