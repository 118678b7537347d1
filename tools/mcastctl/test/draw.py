#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Pictures of plans and of channel load: their elements are counted against the JSON.

Usage: draw.py MCASTCTL
"""
import json
import math
import os
import pty
import re
import resource
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

MCASTCTL = os.path.abspath(sys.argv[1])
SAMPLES = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../../tests/samples"))
SVG = "{http://www.w3.org/2000/svg}"
# A fabric, and plans on it.
PLANS = [
    ("mesh dims 8x8", ["dp from 27 to 1,20,30,40,63", "qg td 0.2 from 10 to 1,20,30,40,50,63,7",
                       "unicast from 27 to 1,20,30,40,63"]),
    ("mesh dims 4x4x3", ["dp from 5 to 0,20,30,40,47", "unicast from 5 to 0,20,47"]),
    ("mesh dims 9", ["dp from 4 to 0,8"]),
    ("torus dims 6x4 vcs 2", ["t2w from 9 to 0,5,18,23,12", "unicast from 9 to 0,5,18,23",
                              "hcm-uniform from 3 to 1,20,17"]),
    ("ring dims 12 vcs 2", ["unicast from 1 to 10,4,7"]),
    ("hypercube dims 5", ["dp from 5 to 0,3,10,12,15", "mp from 5 to 0,31,17",
                          "unicast from 5 to 26"]),
    ("star dims 4 vcs 4", ["unicast from '(2143)' to '(1234)',20,11", "rg from 3 to 0,20,11",
                           "hcm-uniform from 3 to 0,20,11"]),
    ("star dims 3 vcs 3", ["unicast from 0 to 5"]),
    ("irregular switches 8 ports 8 hosts 24 routing updown",
     ["kbinomial from h0 to 1,5,9,13,17,21,23", "multidrop from h0 to 1,5,9,13",
      "ssr from h0 to 1,9", "bitstring from h0 to 1,5,9,13,17,21,23"]),
    ("irregular switches 2 ports 40 hosts 50 routing updown", ["binomial from 0 to 1-20"]),
    (f"irregular file {SAMPLES}/mesh.ibnetdiscover addressing lid", ["xy-union from 0 to 3,5,8"]),
    ("mesh dims 5x5 addressing lid", ["xy-union from 12 to 0,4,20,24"]),
    ("torus dims 2x2 vcs 2", ["unicast from 0 to 1,2,3"]),
    ("hypercube dims 1", ["unicast from 0 to 1"]),
]
RUNS = [
    ("mesh dims 5x4", "dp"), ("torus dims 4x3 vcs 2", "unicast"), ("ring dims 7 vcs 2", "unicast"),
    ("mesh dims 3x3x3", "dp"), ("hypercube dims 4", "dp"), ("star dims 4 vcs 4", "unicast"),
    ("irregular switches 8 ports 8 hosts 24 routing updown", "kbinomial"),
]
REFUSED = [
    ("plan m policy dp from 0 to 5 svg", "svg: FILE is missing"),
    ("plan m policy dp from 0 to 5 svg ''", "svg: the name of the file is empty"),
    ("plan m policy dp from 0 to 5 svg no/where.svg",
     "svg no/where.svg: No such file or directory"),
    ("plan m policy dp from 0 to 5 svg .", "svg .: Is a directory"),
    ("plan m policy dp from 0 to 5 svg /dev/full", "svg /dev/full: No space left on device"),
    ("plan m policy dp from 0 to 5 sgv x", 'did you mean "svg"'),
    ("stats show m heta", 'did you mean "heat"? there are: summary, .*, heat'),
    ("stats show m heat sgv x", 'did you mean "svg"'),
    ("stats show m heat svg x.svg", "svg x.svg: fabric m has no run to draw"),
    ("stats show m channels svg x.svg", 'unexpected "svg"'),
    ("plan b policy unicast from 0 to 5 svg x.svg",
     "svg x.svg: a mesh of 5 dimensions is not drawn, 4 are the most"),
    ("plan c policy unicast from 0 to 5 svg x.svg",
     "svg x.svg: fabric c has 16384 routers, 4096 are the most that are drawn"),
]
FABRICS = ["fabric add m topology mesh dims 4x4", "fabric add b topology mesh dims 2x2x2x2x2",
           "fabric add c topology mesh dims 128x128"]
failed = []
count = 0


def ok(name, good, why=""):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} {name}")
    if not good:
        print(f"# {why}")
        failed.append(name)


def batch(lines, *options, **more):
    return subprocess.run([MCASTCTL, *options, "-E", "user", "--force", "-b", "-"], check=False,
                          text=True, input="\n".join(lines) + "\n", capture_output=True, **more)


def of_class(root, name):
    return [e for e in root.iter() if e.get("class") == name]


def inside(root):
    """Is all text within the picture, and no number broken?"""
    width, height = float(root.get("width")), float(root.get("height"))
    shift = {}
    for group in root.iter(SVG + "g"):
        found = re.match(r"translate\((\S+) (\S+)\)", group.get("transform", ""))
        if found:
            shift = {e: (float(found[1]), float(found[2])) for e in group.iter(SVG + "text")}
    for text in root.iter(SVG + "text"):
        dx, dy = shift.get(text, (0, 0))
        half = len(text.text) * float(text.get("font-size")) * 0.56
        left = {"start": 0, "middle": half / 2, "end": half}[text.get("text-anchor")]
        x, y = float(text.get("x")) + dx, float(text.get("y")) + dy
        if x - left < 0 or x - left + half > width + 4 or y < 0 or y > height:
            return f"{text.text} at {x},{y} of {width}x{height}"
    numbers = re.findall(r"nan|inf|\d{6,}\.", xml.tostring(root, encoding="unicode"))
    return f"numbers: {numbers[:5]}" if numbers else ""


def cuts(topology, hop):
    """Is a hop drawn as two stubs?"""
    words = topology.split()
    if words[0] not in ("torus", "ring", "mesh"):
        return False
    dims = [int(d) for d in words[2].split("x")]
    node, port = hop[0], hop[3]
    if port // 2 > 1:
        return True
    at = node // math.prod(dims[:port // 2]) % dims[port // 2]
    return at == (0 if port % 2 else dims[port // 2] - 1)


def wrong_worm(worm, group, topology, legend):
    commands = re.findall("[MLC]", of_class(group, "way")[0].get("d"))
    want = 2 * len(worm["hops"]) + 2 * sum(cuts(topology, hop) for hop in worm["hops"])
    way = of_class(group, "way")[0]
    step = legend[worm["step"] - 1]
    ends = sum(hop[1] not in [later[0] for later in worm["hops"][i:]]
               for i, hop in enumerate(worm["hops"]))
    arrows = ends + sum(cuts(topology, hop) for hop in worm["hops"])
    return [text for text, good in (
        ("step", int(group.get("data-step")) == worm["step"]),
        ("hops", int(group.get("data-hops")) == len(worm["hops"])),
        (f"{len(commands)} commands, not {want}", len(commands) == want),
        ("colour", way.get("stroke") == step.get("stroke")),
        ("dashes", way.get("stroke-dasharray", "none") == step.get("stroke-dasharray")),
        ("arrows", len(of_class(group, "arrow")) == arrows)) if not good]


def wrong_plan(root, plan, fabric, topology):
    source, dests = plan["source"], set(plan["destinations"])
    senders = {worm["source"] for worm in plan["worm"]} - {source}
    groups, legend = of_class(root, "worm"), of_class(root, "legend-step")
    marks = of_class(root, "marks")[0]
    links = list(of_class(root, "links")[0])
    yield from (text for text, good in (
        ("worms", [int(g.get("data-worm")) for g in groups] == [w["id"] for w in plan["worm"]]),
        ("steps", len(legend) == plan["summary"]["steps"]),
        ("source", len(of_class(marks, "source")) == 1),
        ("destinations", len(of_class(marks, "destination")) == len(dests - senders)),
        ("relays", len(of_class(marks, "relay")) == len(dests & senders)),
        ("other relays", len(of_class(marks, "relay-only")) == len(senders - dests)),
        ("links", 2 * len(links) == fabric["channels"]),
        ("traffic", plan["summary"]["traffic"] == sum(
            isinstance(h[0], int) or h[0][0] + h[1][0] == "ss"
            for w in plan["worm"] for h in w["hops"]))) if not good)
    looks = {(e.get("stroke"), e.get("stroke-dasharray")) for e in legend}
    if len(looks) != len(legend):
        yield "steps look alike"
    for worm, group in zip(plan["worm"], groups):
        yield from wrong_worm(worm, group, topology, legend)
    if inside(root):
        yield inside(root)


def test_plans():
    for topology, plans in PLANS:
        make = f"fabric add f topology {topology}"
        for plan in plans:
            text = f"plan f policy {plan} svg x.svg"
            got = batch([make, text], "-j")
            fabric, drawn = (json.loads(line) for line in got.stdout.strip().split("\n"))
            with open("x.svg", encoding="utf-8") as f:
                first = f.read()
            wrong = list(wrong_plan(xml.fromstring(first.encode()), drawn, fabric, topology))
            ok(f"{topology}: {plan}", not wrong, wrong)
            again = batch([make, text.replace("x.svg", "-")])
            ok("  the same on standard output, and nothing else", again.stdout == first)
            plain = batch([make, text.replace(" svg x.svg", "")])
            drawing = batch([make, text])
            ok("  the text is as without it", plain.stdout == drawing.stdout)


def class_of(ppb, most, classes):
    return min(classes, -(-ppb * classes // most)) if ppb else 0


def grid_of(text, channels, dims, wraps):
    """The digits of a grid against the channels; what is wrong."""
    columns, rows = dims
    most = max(c["utilisation-ppb"] for c in channels)
    digit = {(c["from"], c["port"]): str(class_of(c["utilisation-ppb"], most, 9) or ".")
             for c in channels}
    want = []
    for y in reversed(range(rows)):
        if y + 1 < rows or (wraps and rows > 1):
            up = (y + 1) % rows
            want.append([digit[y * columns + x, 2] + digit[up * columns + x, 3]
                         for x in range(columns)])
        row = []
        for x in range(columns):
            row.append("o")
            if x + 1 < columns or wraps:
                row.append(digit[y * columns + x, 0] + digit[y * columns + (x + 1) % columns, 1])
        want.append(row)
    return "" if [line.split() for line in text] == want else (text, want)


def test_heat():
    for topology, policy in RUNS:
        lines = [f"fabric add f topology {topology}",
                 f"run f policy {policy} workload lone dests 3 count 40"]
        got = batch([*lines, "stats show f channels", "stats show f heat svg x.svg"], "-j")
        channels, heat = (json.loads(line) for line in got.stdout.strip().split("\n")[-2:])
        root = xml.parse("x.svg").getroot()
        most = max(c["utilisation-ppb"] for c in channels)
        want = {c["channel"]: (class_of(c["utilisation-ppb"], most, 8), c["flits"])
                for c in channels}
        drawn = {int(e.get("data-channel")): (
            int(e.get("data-class")), int(re.search(r"(\d+) flits", e[0].text)[1]))
            for e in of_class(root, "channel")}
        ok(f"heat on {topology}", drawn == want and heat == channels and
           len(of_class(root, "channel")) == len(channels), inside(root))
        ok("  nothing is cut off", not inside(root), inside(root))
        text = batch([*lines, "stats show f heat"]).stdout.split("\n")
        text = text[[i for i, line in enumerate(text) if "measured cycles" in line][-1] + 2:]
        kind, dims = topology.split()[0], topology.split()[2].split("x")
        if kind in ("mesh", "torus", "ring") and len(dims) < 3:
            end = [i for i, line in enumerate(text) if line.startswith("scale")][0]
            why = grid_of(text[:end], channels, [*map(int, dims), 1][:2], kind != "mesh")
        else:
            shown = [tuple(map(int, (line.split()[0], line.split()[4]))) for line in text[1:21]
                     if re.match(r" *\d", line)]
            order = sorted(channels, key=lambda c: (-c["flits"], c["channel"]))
            why = "" if shown == [(c["channel"], c["flits"]) for c in order[:20]] else shown
        ok("  the text is right, and plain", not why and "\033" not in "".join(text), why)


def on_terminal(lines, **env):
    """What is printed where standard output is a terminal."""
    with open("lines", "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    pid, fd = pty.fork()
    if not pid:
        os.environ.pop("NO_COLOR", None)
        os.environ.update(env)
        os.execv(MCASTCTL, [MCASTCTL, "-E", "user", "-b", "lines"])
    out = b""
    try:
        while True:
            more = os.read(fd, 4096)
            out += more
            if not more:
                break
    except OSError:
        pass
    os.close(fd)
    os.waitpid(pid, 0)
    return out.decode()


def test_terminal():
    lines = [FABRICS[0], "run m policy dp workload lone dests 3 count 40", "stats show m heat"]
    colour = on_terminal(lines, TERM="xterm")
    ok("a terminal has colours", "\033[38;5;" in colour)
    # "run" has its line of progress there
    ok("with NO_COLOR it has none",
       "\033[38" not in on_terminal(lines, TERM="xterm", NO_COLOR="1"))
    ok("a dumb one has none", "\033[38" not in on_terminal(lines, TERM="dumb"))
    plain = batch(lines).stdout.split("measured")[-1]
    ok("but the same characters", re.sub("\033[^m]*m", "", colour).replace("\r", "")
       .split("measured")[-1] == plain)
    idle = batch([FABRICS[0], "run m policy dp workload poisson rate 0.0001 dests 3 precision 0 "
                  "batch-cycles 1000000 warmup 900000000 detach", "stats show m heat svg x.svg"])
    ok("before the first measured cycle nothing was carried",
       "of 0 measured cycles\nno channel carried a flit\n" in idle.stdout and
       len(of_class(xml.parse("x.svg").getroot(), "channel")) == 48, idle.stdout + idle.stderr)
    lines[0] = lines[0].replace("4x4", "64x4")
    ok("what is too wide is a list", "the busiest channels instead" in
       on_terminal(lines, TERM="dumb"))


def test_refused():
    for line, want in REFUSED:
        got = batch([*FABRICS, line])
        ok(line, re.search(want.replace("?", r"\?"), got.stderr) and
           got.stderr.count("Error:") == 1, got.stderr)
    ok("no file is left", not [f for f in os.listdir(".") if f.startswith("x.svg")])
    got = batch([FABRICS[0], "plan m policy dp from 0 to 5 svg -"], "-j")
    ok("with -j standard output is not for pictures", "svg -:" in got.stderr and
       "<svg" not in got.stdout)


def test_waits():
    batch([FABRICS[0], "verify m policy dp consume 1 crowds 0 svg x.svg"])
    root = xml.parse("x.svg").getroot()
    held, wanted = of_class(root, "held"), of_class(root, "wanted")
    ok("a cycle of waits: as much is held as is waited for",
       held and len(held) == len(wanted), (len(held), len(wanted)))
    got = batch(["fabric add c topology mesh dims 4x4 consume 1",
                 "verify c policy dp svg x.svg"], "-j")
    worms = json.loads(got.stdout.splitlines()[-1])["blocked"]
    root = xml.parse("x.svg").getroot()
    held = sum(len(worm["held"]) for worm in worms)
    ok("a deadlock: a mark for all that each worm holds, and one for what it waits for",
       len(of_class(root, "held")) == held > len(worms) and
       len(of_class(root, "wanted")) == len(worms), got.stdout)
    got = batch([FABRICS[0], "verify m policy dp svg ."])
    ok("a folder is no picture", "svg .: Is a directory" in got.stderr, got.stderr)
    os.unlink("x.svg")


RUN = ["fabric add r topology mesh dims 4x4 consume 1 buffer 1",
       "run r policy dp workload burst dests 8"]


def test_deadlock():
    got = batch(RUN + ["stats show r deadlock svg x.svg dot x.dot"], "-j")
    worms = json.loads(got.stdout.splitlines()[-1])["wait"]
    root = xml.parse("x.svg").getroot()
    ok("the deadlock of a run: all that is held and waited for", len(of_class(root, "wanted")) ==
       len(worms) and len(of_class(root, "held")) == sum(len(w["held"]) for w in worms),
       got.stdout)
    for worm in worms:
        want = {"node": worm["node"]} if "node" in worm else \
               {key: worm[key] for key in ("router", "port", "vc", "to-router")}
        ok("its holder's list has what a worm waits for", want in worms[worm["holder"]]["held"],
           str(worm))
    with open("x.dot", encoding="utf-8") as f:
        dot = f.read()
    ok("and for Graphviz: who waits for whom", dot.count("->") >= len(worms) and
       all(f"{i} -> {w['holder']} [" in dot for i, w in enumerate(worms)), dot)
    for wrong, said in (("deadlock svg .", "svg .: Is a directory"),
                        ("deadlock dot .", "dot .: Is a directory"),
                        ("deadlock sgv x.svg", 'did you mean "svg"'),
                        ("heat dot x.dot", "only a deadlock can be written for Graphviz"),
                        ("channels svg x.svg", "svg")):
        got = batch(RUN + [f"stats show r {wrong}"])
        ok(f"{wrong} is refused", said in got.stderr and got.returncode, got.stderr)
    got = batch(RUN + ["stats show r deadlock svg -"], "-j")
    ok("with -j standard output is not for a deadlock's picture", "svg -:" in got.stderr and
       "<svg" not in got.stdout)
    got = batch(RUN[:1] + ["stats show r deadlock svg x.svg"])
    ok("no deadlock, no picture", "did not end in a deadlock" in got.stderr, got.stderr)
    os.unlink("x.svg")
    os.unlink("x.dot")


def complete(*words):
    got = subprocess.run([MCASTCTL, "-E", "user", "complete", *words], check=False, text=True,
                         capture_output=True)
    return got.stdout.split()


def test_words():
    ok("completion knows svg of plans", complete("plan", "m", "sv") == ["svg"])
    ok("heat among the views, before svg", "heat" in complete("stats", "show", "m", "") and
       "svg" not in complete("stats", "show", "m", ""))
    ok("svg behind heat", complete("stats", "show", "m", "heat", "s") == ["svg"])
    ok("svg and dot behind deadlock",
       complete("stats", "show", "m", "deadlock", "") == ["svg", "dot"])
    ok("but not behind others", not complete("stats", "show", "m", "channels", ""))
    for words in (["verify", "help"], ["plan", "help"], ["stats", "show", "help"]):
        got = subprocess.run([MCASTCTL, *words], check=False, text=True, capture_output=True)
        ok(f"{' '.join(words)} has svg FILE", "  svg FILE " in got.stdout)


def test_files():
    plan = [FABRICS[0], "plan m policy dp from 0 to 5 svg y.svg"]
    with open("y.svg", "w", encoding="utf-8") as f:
        f.write("old")
    os.chmod("y.svg", 0o640)

    def small():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    got = batch(plan, preexec_fn=small)
    with open("y.svg", encoding="utf-8") as f:
        ok("a full disk takes no older picture", f.read() == "old" and got.returncode == 1 and
           "svg y.svg: File too large" in got.stderr, got.stderr)
    ok("and leaves nothing behind", sorted(os.listdir(".")) == ["y.svg"], os.listdir("."))
    got = batch(plan)
    root = xml.parse("y.svg").getroot()
    ok("a picture takes the place of an older one, and its rights",
       of_class(root, "worm") and os.stat("y.svg").st_mode & 0o777 == 0o640)
    os.symlink("y.svg", "link.svg")
    batch([FABRICS[0], "plan m policy unicast from 0 to 5,6,7 svg link.svg"])
    ok("links are followed", os.path.islink("link.svg") and
       len(of_class(xml.parse("y.svg").getroot(), "worm")) == 3)
    name = "a<b>&c'"
    got = batch([f'fabric add "{name}" topology mesh dims 4x4',
                 f'plan "{name}" policy dp from 0 to 5 svg z.svg'])
    title = xml.parse("z.svg").getroot().find(SVG + "title").text
    ok("names are escaped", f"dp on {name} (mesh 4x4)" in title, title)


def test_large():
    """The largest network is drawn, and its routers are apart."""
    batch(["fabric add m topology mesh dims 64x64", "plan m policy dp from 0 to 5,4000 svg y.svg"])
    places = [(float(e.get("cx")), float(e.get("cy")))
              for e in of_class(xml.parse("y.svg").getroot(), "routers")[0]]
    ok("4096 routers", len(set(places)) == 4096)
    batch(["fabric add s topology star dims 6 vcs 7",
           "plan s policy unicast from 0 to 5 svg y.svg"])
    places = [(float(e.get("cx")), float(e.get("cy")))
              for e in of_class(xml.parse("y.svg").getroot(), "routers")[0]]
    least = min(math.dist(a, b) for i, a in enumerate(places) for b in places[:i])
    ok("720 of a star graph, none near another", len(places) == 720 and least > 20, least)


def main():
    print("TAP version 13")
    for test in (test_refused, test_words, test_plans, test_heat, test_waits, test_deadlock,
                 test_terminal, test_files, test_large):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            test()
            os.chdir("/")
    print(f"1..{count}")
    return bool(failed)


sys.exit(main())
