#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A small scenario from end to end: runs, resuming, shards, curves, pictures, a report, bad words.

Usage: experiment.py MCASTCTL
"""
import csv
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET

from harness import MCASTCTL, batch, finish, ok

SCENARIO = """\
title Latency over load on a 4×4 mesh
source A test's # text
note All of it is chosen freely.
let dests 3
vary rate 0.0005 0.001 0.1
case policy dual-path dp
case policy multi-path mp
case policy too-many dp dests-are-not-a-parameter
quick rate 0.001
seeds 3
quick seeds 2
fabric topology mesh dims 4x4 \\
    startup 10
before fabric show {fabric}
run policy {policy} workload poisson rate {rate} dests {dests} flits 8 \\
    warmup 1000 batches 20 batch-cycles 100 precision 0 max-cycles 30000
x rate log Rate
series policy
metric completion
metric accepted log
published completion dual-path 0.001 30
claim "line 1" "the latency rises with the load"
check rises completion dual-path
claim "line 2" "dual-path has lower latencies"
check below accepted dual-path multi-path x 0.05 1
claim "line 3" "both agree with what is printed"
check within completion 1
claim "line 4" "nobody can check this"
""".replace("case policy too-many dp dests-are-not-a-parameter\n", "")
POINTS = 3 * 2 * 3
SLOW = """\
vary rate 0.0001 0.0002 0.0003 0.0004 0.0005 0.0006
seeds 10
fabric topology mesh dims 8x8
run policy dp workload poisson rate {rate} dests 8 warmup 0 batches 20 batch-cycles 2000 precision 0
x rate
metric completion
"""
PANELS = """\
vary policy dp qg
vary dests 3 9
case size small 4x4
case size large 8x8
seeds 4
fabric topology mesh dims {size}
run policy {policy} workload lone dests {dests} count 20
x dests
series policy
panel size
metric worm
metric completion
figure first completion small
figure second completion large
claim here "qg loses more than dp when there are more destinations"
check rises completion qg / dp
check below worm dp / qg qg / dp panel large
check near completion dp / qg dp 1
"""
RUN = "fabric topology mesh dims 4x4\nrun policy dp workload lone dests 3 count 9\n"
# Scenarios that are refused, in which line, and what is said of them.
REFUSED = [
    ("titel x\n", 1, 'unknown key "titel"; did you mean "title"?'),
    ("title\n", 1, "title: TEXT must follow"),
    ("vary a 1\nvary a 2\n", 2, "variable a: defined in line 1"),
    ("vary seed 1\n", 1, "variable seed: this name is taken"),
    ("vary A 1\n", 1, "variable A: small letters"),
    ("vary a 1 2 1\n", 1, "a: value 1 is there twice"),
    ("vary a 1 2\nquick a 3\n", 2, "quick a 3: no such value above this line"),
    ("quick b 3\n", 1, "quick b: no such variable above this line"),
    ("seeds 0\n", 1, "seeds 0: a number from 1 to 1000"),
    ("seeds 2\nquick seeds 3\n" + RUN + "metric worm\n", 5, "quick seeds 3: there are 2 seeds"),
    ("fabric a\nfabric b\n", 2, "fabric: given in line 1"),
    ("metric complete\n", 1, 'metric complete: no such metric; did you mean "completion"?'),
    ("x a\n", 1, "x a: no such metric"),
    ("let a 1\nx a\n", 2, "x a: this variable has a single value"),
    ("series b\n", 1, "series b: no such variable above this line"),
    ("published worm dp 1 2\n", 1, "published dp: no such value of a \"series\""),
    ("check rises worm dp\n", 1, 'there is no "claim" above this line'),
    ("claim a b\ncheck smaller worm dp\n", 2, "check smaller: not one of: below, rises"),
    ("vary a dp mp\nseries a\nclaim a b\ncheck below worm dp\n", 4,
     'check below: SERIES must follow "dp"'),
    ("vary a dp mp\nseries a\nclaim a b\ncheck rises worm dp /\n", 4,
     'check rises: SERIES must follow "/"'),
    ("vary a dp mp\nseries a\nclaim a b\ncheck flat worm dp / mp\n", 4,
     'check flat: PERCENT must follow "mp"'),
    ("vary a dp mp\nseries a\nclaim a b\ncheck rises worm dp / qg\n", 4,
     'check qg: no such value of a "series"'),
    ("figure f worm\n", 1, 'figure f worm: no line "metric worm" above this line'),
    ("metric worm\nfigure f/g worm\n", 2, "figure f/g: the name of a file without folder"),
    ("metric worm\nfigure f worm\nfigure f worm\n", 3, "figure f: given in line 2"),
    ("metric worm\nfigure f worm b\n", 2, 'figure b: no such value of a "panel"'),
    ("vary a 1 2\npanel a\nmetric worm\nfigure f worm 1\n" + RUN, 6,
     "metric worm has figures, but none of panel 2"),
    ("vary a 'x\n", 1, "a quote is not closed"),
    (RUN, 2, 'there is no line "metric"'),
    ("vary a 1 2\nmetric worm\n" + RUN, 4, "variable a of line 1 is no \"x\""),
    ("vary a {b} 2\nmetric worm\nx a\nfabric topology mesh dims {a}x4\nrun b\n", 4,
     "{b}: no such variable"),
    ("case a small 4 4\nmetric worm\nx a\nfabric topology mesh dims {a.3}x4\nrun b\n", 4,
     "{a.3}: value small has 2 words"),
    ("case a small 4 4\nmetric worm\nx a\nfabric topology mesh dims {a}x4\nrun b\n", 4,
     "{a} is 2 words; name one of them"),
    ("metric worm\nfabric topology mush dims 4x4\nrun policy dp workload lone dests 3\n", 2,
     'topology mush: there is no topology mush; did you mean "mesh"?'),
    ("metric worm\nfabric topology mesh dims 4x4\nrun policy dp workload lone dets 3\n", 3,
     'unknown argument "dets"; did you mean "dests"?'),
]
# Words of commands that are refused.
WORDS = [
    ("run", "a scenario's FILE or FOLDER is missing"),
    ("run none", "none: No such file or directory"),
    ("run s.scenario jobs 0", "jobs 0: out of range (1 to 1024)"),
    ("run s.scenario shard 3/2", "shard 3/2: I/N"),
    ("run s.scenario shard 2", "shard 2: I/N"),
    ("run s.scenario quik", 'unknown argument "quik"; did you mean "quick"?'),
    ("run s.scenario out s.scenario", "out s.scenario: Not a directory"),
    ("show s.scenario out .", "there are no results"),
    ("report s.scenario format pdf", "format pdf: not one of: html, markdown"),
    ("merge s.scenario", "there is no first shard"),
    ("list empty", "empty: there is no file *.scenario"),
    ("rum", 'did you mean "run"?'),
]
def tool(words, path=None):
    """Run a command "experiment ..." in the engine of the tool."""
    env = dict(os.environ, PATH=path) if path else None
    got = subprocess.run([MCASTCTL, "-E", "user", *words.split()], check=False, text=True,
                         capture_output=True, env=env)
    return got.returncode, got.stdout, got.stderr


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def rows(path):
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def check_run():
    """All points; what is in the CSV is what single commands print."""
    code, _, err = tool("experiment run s.scenario")
    table = rows("s.csv")
    ok("all points are run", not code and len(table) == POINTS, err)
    ok("columns have units and no blanks", all(re.fullmatch(r"[a-z0-9_]+", c) for c in table[0]) and
       "completion_cycles_half95" in table[0], list(table[0]))
    row = next(r for r in table if r["policy"] == "multi-path" and r["rate"] == "0.001" and
               r["seed"] == "2")
    got = subprocess.run(
        [MCASTCTL, "-E", "user", "-j", "-b", "-"], check=False, capture_output=True, text=True,
        input="fabric add f topology mesh dims 4x4 startup 10 seed 2\n"
        "run f policy mp workload poisson rate 0.001 dests 3 flits 8 warmup 1000 batches 20 "
        "batch-cycles 100 precision 0 max-cycles 30000\nstats show f\n").stdout.splitlines()
    stats = json.loads(got[2])
    ok("a point is what single commands give",
       int(row["hash"], 16) == stats["hash"] and
       float(row["completion_cycles"]) == stats["multicast"]["completion"]["mean-micro"] / 1e6 and
       float(row["accepted_flits_per_node_cycle"]) == stats["accepted-ppb"] / 1e9, row)
    ok("the last load saturates", all(r["saturation"] == "saturated" or r["state"] == "cut"
                                      for r in table if r["rate"] == "0.1"), table[-1])
    text = read("s.json")
    ok("the JSON file says where it is from", all(
        json.loads(text).get(k) for k in ("format", "scenario-hash", "version", "engine", "kernel",
                                          "text", "points")))
    code, out, _ = tool("experiment run s.scenario")
    ok("what is there is not run again", not code and "all points are in" in out and
       read("s.json") == text)
    write("s.scenario", SCENARIO + "# changed\n")
    code, _, err = tool("experiment run s.scenario")
    ok("results of another text are refused", code == 1 and "another text of scenario s" in err and
       read("s.json") == text, err)
    write("s.scenario", SCENARIO)
    code, _, err = tool("experiment run s.scenario quick")
    ok("so are those of the full set for the quick set", code == 1 and "quick set" in err, err)
    code, _, err = tool("experiment run s.scenario quick out q")
    ok("the quick set", not code and len(rows("q/s.csv")) == 1 * 2 * 2, err)


def check_shards():
    for i in (3, 1, 2):
        tool(f"experiment run s.scenario out parts shard {i}/3 jobs 1")
    os.rename("parts/s.2-of-3.json", "parts/away")
    code, _, err = tool("experiment merge s.scenario out parts")
    ok("a shard that is missing is named", code == 1 and "shard 2 of 3 is missing" in err, err)
    os.rename("parts/away", "parts/s.2-of-3.json")
    code, _, err = tool("experiment merge s.scenario out parts")
    ok("shards are merged", not code, err)
    ok("the files are the same", read("parts/s.csv") == read("s.csv") and
       read("parts/s.json") == read("s.json"))


def lines(path):
    return read(path).count("\n") if os.path.exists(path) else 0


def killed(how):
    """A run that is ended by a signal when it has some more points."""
    before = lines("k/slow.part")
    with subprocess.Popen([MCASTCTL, "-E", "user", "experiment", "run", "slow.scenario", "out",
                           "k", "jobs", "2"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) as child:
        end = time.time() + 60
        while time.time() < end and child.poll() is None:
            if lines("k/slow.part") > before + 4:
                break
            time.sleep(0.01)
        child.send_signal(how)
        err = child.communicate()[1]
    return child.returncode, err


def check_resume():
    write("slow.scenario", SLOW)
    code, _ = killed(signal.SIGKILL)
    some = lines("k/slow.part")
    ok("a killed run leaves a journal", code == -signal.SIGKILL and 4 < some < 61, some)
    with open("k/slow.part", "a", encoding="utf-8") as f:
        f.write('{"point":7,"sta')
    code, err = killed(signal.SIGINT)
    ok("an interrupt says how to go on", code == 1 and "the same command goes on" in err, err)
    more = lines("k/slow.part")
    ok("a line that was cut off is left out", some <= more < 61, more)
    code, out, err = tool("experiment run slow.scenario out k")
    ok("the same command goes on", not code and f"{61 - more} points" in out, out + err)
    tool("experiment run slow.scenario")
    ok("the files are those of a run that was not killed", read("k/slow.csv") == read("slow.csv") and
       read("k/slow.json") == read("slow.json"))
    ok("no journal is left", not os.path.exists("k/slow.part"))


def check_show():
    code, out, err = subprocess.run([MCASTCTL, "-j", "experiment", "show", "s.scenario"],
                                    check=False, capture_output=True, text=True), "", ""
    shown = json.loads(code.stdout)
    place = next(p for p in shown["places"] if p["series"] == "dual-path" and p["value"] == "0.001")
    runs = [float(r["completion_cycles"]) for r in rows("s.csv")
            if r["policy"] == "dual-path" and r["rate"] == "0.001"]
    half = 4.302653 * statistics.stdev(runs) / 3 ** 0.5
    got = place["metrics"]["completion"]
    ok("seeds are put together as Student would",
       abs(got["mean"] - statistics.mean(runs)) < 1e-6 and abs(got["half"] - half) < 1e-4 * half,
       (got, half))
    verdicts = [c["verdict"] for c in shown["claims"]]
    ok("verdicts on claims", verdicts[0].startswith("holds") and verdicts[3] == "not checked" and
       verdicts[2] == "contradicted", verdicts)
    published = shown["published"][0]
    ok("a published value is compared", abs(published["difference-percent"] -
                                            100 * (got["mean"] / 30 - 1)) < 1e-6, published)
    _, out, err = tool("experiment show s.scenario")
    ok("the table has a column for each series", re.search(r"^rate +dual-path +multi-path$", out,
                                                          re.M) is not None, out + err)
    _, out, _ = tool("experiment list s.scenario")
    ok("the list", re.search(r"^s +18 +4 +4  Latency over load on a 4×4 mesh$", out, re.M)
       is not None, out)


def check_pictures():
    if not shutil.which("gnuplot"):
        print("ok 0 # SKIP gnuplot is not installed")
        return
    code, _, err = tool("experiment plot s.scenario")
    ok("plot", not code, err)
    for metric in ("completion", "accepted"):
        svg = ET.parse(f"s.{metric}.svg").getroot()
        texts = ["".join(t.itertext()).strip() for t in svg.iter("{http://www.w3.org/2000/svg}text")]
        ok(f"the picture of {metric} has both curves, a title and axes", all(
            t in texts for t in ("dual-path", "multi-path", "Rate", "saturated",
                                 "Latency over load on a 4×4 mesh")), texts)
        with open(f"s.{metric}.png", "rb") as f:
            ok(f"PNG of {metric}", f.read(8) == b"\x89PNG\r\n\x1a\n")
    ok("the published value is a point in one of them", "published" in read("s.completion.svg") and
       "published" not in read("s.accepted.svg"))
    code, _, err = tool("experiment report s.scenario")
    page = read("report.html")
    ok("the report has all parts and needs no other file", not code and
       page.count("data:image/svg+xml;base64,") == 2 and "dual-path has lower latencies" in page and
       "All of it is chosen freely." in page and "A test's # text" in page and "http" not in re.sub(r"base64,[^\"]*", "", page),
       err)
    code, _, err = tool("experiment report s.scenario format markdown")
    ok("so has the one in Markdown", not code and "s.completion.svg" in read("report.md"), err)
    before = read("s.completion.svg")
    os.mkdir("nothing")
    code, _, err = tool("experiment plot s.scenario", path="nothing")
    ok("a missing gnuplot is named, and no picture is lost", code == 1 and
       "gnuplot is not installed" in err and read("s.completion.svg") == before, err)


def ratio(table, size, dests, seed):
    """The time of qg over that of dp."""
    time_of = {r["policy"]: float(r["completion_cycles"]) for r in table
               if (r["size"], r["dests"], r["seed"]) == (size, dests, str(seed))}
    return time_of["qg"] / time_of["dp"]


def check_panels():
    """Pictures of panels, and ratios of two curves against what follows from the CSV."""
    write("p.scenario", PANELS)
    _, _, err = tool("experiment run p.scenario")
    got = subprocess.run([MCASTCTL, "-j", "experiment", "show", "p.scenario"], check=False,
                         capture_output=True, text=True)
    shown = json.loads(got.stdout)
    table = rows("p.csv")
    said = {"true": 0, "false": 0, "open": 0}
    for size in ("small", "large"):
        grown = [ratio(table, size, "9", seed) - ratio(table, size, "3", seed)
                 for seed in range(1, 5)]
        half = 3.182446 * statistics.stdev(grown) / 2
        mean = statistics.mean(grown)
        said["open" if abs(mean) <= half else "true" if mean > 0 else "false"] += 2
    checks = shown["claims"][0]["checks"]
    ok("a ratio of two curves is compared seed by seed",
       {k: checks[0][k] for k in said} == said and checks[0]["check"] ==
       "rises completion qg / dp", (said, checks, err))
    ok("two ratios, in one panel", checks[1]["true"] + checks[1]["false"] + checks[1]["open"] == 2 and
       checks[1]["check"] == "below worm dp / qg qg / dp, large", checks)
    ok("a ratio is not near a time", checks[2]["verdict"] == "contradicted", checks)
    ok("pictures have the names of their figures",
       shown["pictures"] == ["p.worm", "first", "second"], shown["pictures"])
    if not shutil.which("gnuplot"):
        return
    _, _, err = tool("experiment plot p.scenario")
    for name, panels in (("p.worm", {"small", "large"}), ("first", {"small"}),
                         ("second", {"large"})):
        svg = ET.parse(f"{name}.svg").getroot()
        texts = {"".join(t.itertext()).strip() for t in svg.iter("{http://www.w3.org/2000/svg}text")}
        ok(f"picture {name} has panel {' and '.join(sorted(panels))} alone",
           texts & {"small", "large"} == panels, texts)
    ok("the metric has no picture beside its figures", not os.path.exists("p.completion.svg"), err)


def check_refused():
    for text, line, said in REFUSED:
        write("bad.scenario", text)
        code, _, err = tool("experiment run bad.scenario out bad jobs 1")
        ok(f"refused: {said}", code in (1, 2) and f"bad.scenario:{line}: " in err and said in err and
           not os.listdir("bad") if os.path.isdir("bad") else code in (1, 2) and said in err and
           f"bad.scenario:{line}: " in err, err)
    write("s.scenario", SCENARIO + "# of which nothing was run\n")
    os.makedirs("empty")
    for name in ("s.csv", "s.json"):
        os.remove(name)
    for words, said in WORDS:
        code, _, err = tool("experiment " + words)
        ok(f"{words}: {said}", code in (1, 2) and said in err, err)
    write("gap.scenario", "vary dests 3 99\nfabric topology mesh dims 4x4\n"
          "run policy dp workload lone dests {dests} count 9\nmetric worm\nx dests\n")
    code, _, err = tool("experiment run gap.scenario")
    table = rows("gap.csv")
    ok("a run that is refused leaves a gap with its reason", not code and
       [r["state"] for r in table] == ["done", "refused"] and "dests 99" in table[1]["why"] and
       "1 of 2 points have no values" in err, err)
    write("none.scenario", "vary dests 98 99\nfabric topology mesh dims 4x4\n"
          "run policy dp workload lone dests {dests} count 9\nmetric worm\nx dests\n")
    code, _, err = tool("experiment run none.scenario")
    ok("a scenario of which all runs are refused has no results", code == 1 and
       "no point has a value; dests 98, seed 1 refused: dests 98" in err and
       not [name for name in os.listdir(".") if name.startswith("none.") and
            name != "none.scenario"], err)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write("s.scenario", SCENARIO)
        check_run()
        check_shards()
        check_resume()
        check_show()
        check_pictures()
        check_panels()
        check_refused()
        os.chdir("/")
    return finish()


sys.exit(main())
