#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""compare.py says "ok" of builds that did all runs fast enough, and of no others. The builds are
small programs that know some words and take as long as they are told."""

import os
import subprocess
import sys
import tempfile

COMPARE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compare.py")
# What a build does: say how long the run took, or refuse its words, or die.
BUILD = """#!/bin/sh
case $(cat "$3") in
%s
*) echo '{"ns": %d, "flit-hops": 100, "deliveries": 0, "flits": 5, "hash": "a",
"routers": 1, "state-bytes": 8}' | tr -d '\\n'; echo ;;
esac
"""
# A valgrind that counts this many instructions of each build, or says something else.
VALGRIND = """#!/bin/sh
for word; do
	case $word in
	--log-file=*) log=${word#*=} ;;
	*/base|*/new) break ;;
	esac
	shift
done
"$@" || exit
case $1 in */base) echo "%s" ;; *) echo "%s" ;; esac >"$log"
"""
COUNTED = "==1== Collected : %d"
LACKS = "*%s*) echo 'bench_engine: x: policy unicast has no parameter %s' >&2; exit 1 ;;\n"
NO_TIES = LACKS % ("ties", "ties")
NO_ADVANCE = LACKS % ("advance", "advance")
NO_ENGINE = LACKS % ("engine", "engine")
NO_RELAY = LACKS % ("prep-relay", "prep-relay")
NO_VCS = "*ties*) echo 'bench_engine: x: this torus needs vcs 2, the fabric has 1' >&2; exit 1 ;;"
CRASH = "*ties*) kill -SEGV $$ ;;"
CASE = "x\ttopology torus\tpolicy unicast\t-\n"
OTHERWISE = "x\ttopology torus\tpolicy unicast ties positive\t-\tpolicy unicast\n"
ONLY_NEW = "x\ttopology torus\tpolicy unicast ties positive\t-\t-\n"
NAMED = "x\ttopology torus\tpolicy unicast advance flit prep-relay 3\t-\n"
NAMED_OTHERWISE = ("x\ttopology torus\tpolicy unicast ties positive advance flit\t-\t"
                   "policy unicast advance flit\n")
NAMED_ONLY_NEW = "x\ttopology torus\tpolicy unicast ties positive advance flit\t-\t-\n"
OLD_NAME = "x\ttopology torus\tpolicy unicast engine flit\t-\n"

# name, case, base: what it refuses and its time, new: the same, options, exit status, what is said
TESTS = [
    ("as fast", CASE, ("", 1000), ("", 1000), [], 0, "none slower by more than 3 %"),
    ("a little slower", CASE, ("", 1000), ("", 1020), [], 0, "  ok"),
    ("by half slower, and no limit is named", CASE, ("", 1000), ("", 1500), [], 1, "too slow"),
    ("by half slower, within the limit", CASE, ("", 1000), ("", 1500), ["--limit", "60"], 0,
     "60 %"),
    ("by half slower, without a limit", CASE, ("", 1000), ("", 1500), ["--limit", ""], 0, "  ok"),
    ("older words", OTHERWISE, (NO_TIES, 1000), ("", 1000), [], 0, "1 cases"),
    ("older words, and the base fails by the newer", OTHERWISE, (NO_VCS, 1000), ("", 1000), [], 1,
     "FAILED in base: .*needs vcs 2"),
    ("older words, and the base crashes by the newer", OTHERWISE, (CRASH, 1000), ("", 1000), [],
     1, "FAILED in base: status -11"),
    ("older words, and the new build does not know the newer", OTHERWISE, (NO_TIES, 1000),
     (NO_TIES, 1000), [], 1, "FAILED in new: .*no parameter ties"),
    ("a run that only the new build has", ONLY_NEW, (NO_TIES, 1000), ("", 1000), [], 0,
     "only in new"),
    ("a run that only the new build should have", ONLY_NEW, (NO_TIES, 1000), (NO_TIES, 1000), [],
     1, "FAILED in new: .*no parameter ties"),
    ("a run at which the new build crashes", ONLY_NEW, (NO_TIES, 1000), (CRASH, 1000), [], 1,
     "FAILED in new: status -11"),
    ("words that have other names since", NAMED, (NO_RELAY + NO_ADVANCE, 1000),
     (NO_ENGINE, 1000), [], 0, "  ok"),
    ("one of them has", NAMED, (NO_ADVANCE, 1000), (NO_ENGINE, 1000), [], 0, "  ok"),
    ("none of them has", NAMED, (NO_ENGINE, 1000), (NO_ENGINE, 1000), [], 0, "  ok"),
    ("a word that the base does not know by any name", NAMED, (NO_ADVANCE + NO_ENGINE, 1000),
     ("", 1000), [], 1, "FAILED in base: .*no parameter engine"),
    ("a word that the base does not know and that never had another name",
     NAMED.replace("prep", "ties 1 prep"), (NO_TIES, 1000), ("", 1000), [], 1,
     "FAILED in base: .*no parameter ties"),
    ("another name, and the new build does not know it", NAMED, (NO_ADVANCE, 1000),
     (NO_ADVANCE, 1000), [], 1, "FAILED in new: .*no parameter advance"),
    ("the old name, which the new build does not know", OLD_NAME, ("", 1000), (NO_ENGINE, 1000),
     [], 1, "FAILED in new: .*no parameter engine"),
    ("another name, and the base crashes by the older", NAMED,
     (NO_ADVANCE + CRASH.replace("ties", "engine"), 1000), ("", 1000), [], 1,
     "FAILED in base: status -11"),
    ("another name, and the base is slower by it", NAMED, (NO_ADVANCE, 1000), ("", 1500), [], 1,
     "too slow"),
    ("older words with another name", NAMED_OTHERWISE, (NO_TIES + NO_ADVANCE, 1000),
     (NO_ENGINE, 1000), [], 0, "  ok"),
    ("older words, and the base knows none of them", NAMED_OTHERWISE,
     (NO_TIES + NO_ADVANCE + NO_ENGINE, 1000), ("", 1000), [], 1,
     "FAILED in base: .*no parameter engine"),
    ("a run that only the new build has, with another name", NAMED_ONLY_NEW,
     (NO_TIES + NO_ADVANCE, 1000), (NO_ENGINE, 1000), [], 0, "only in new"),
    ("a run at which the base crashes", ONLY_NEW, (CRASH, 1000), ("", 1000), [], 1,
     "FAILED in base: status -11"),
]


# name, what valgrind says of the base and of the new build (None: there is no valgrind), times of
# both, exit status, what is said
COUNTS = [
    ("slower, with as many instructions", (COUNTED % 500, COUNTED % 500), (1000, 1500), 0,
     "^instructions per flit-hop"),
    ("as fast, with more instructions", (COUNTED % 500, COUNTED % 520), (1000, 1000), 1,
     "1.040 .*too slow"),
    ("nothing was counted", (COUNTED % 500, "nothing"), (1000, 1000), 1,
     "FAILED in new: valgrind has counted nothing"),
    ("no valgrind", None, (1000, 1000), 1, "valgrind is not installed"),
]


def compare(folder, case, base, new, options, path=os.environ["PATH"]):
    """Status and output of compare.py, which finds programs in path."""
    paths = []
    for name, build in (("base", base), ("new", new)):
        paths.append(os.path.join(folder, name))
        with open(paths[-1], "w", encoding="ascii") as f:
            f.write(BUILD % build)
        os.chmod(paths[-1], 0o755)
    cases = os.path.join(folder, "cases.tsv")
    with open(cases, "w", encoding="ascii") as f:
        f.write(case)
    done = subprocess.run([sys.executable, COMPARE, *options, "3", cases, *paths], check=False,
                          capture_output=True, text=True, env={"PATH": path})
    return done.returncode, done.stdout + done.stderr


def compare_counts(folder, said, took):
    """The same of compare.py --instructions."""
    builds = [("", ns) for ns in took]
    if said is None:
        return compare(folder, CASE, *builds, ["--instructions"], folder)
    valgrind = os.path.join(folder, "valgrind")
    with open(valgrind, "w", encoding="ascii") as f:
        f.write(VALGRIND % said)
    os.chmod(valgrind, 0o755)
    return compare(folder, CASE, *builds, ["--instructions"], folder + ":" + os.environ["PATH"])


def main():
    """All of it."""
    failed = 0
    print("TAP version 13")
    print(f"1..{len(TESTS) + len(COUNTS)}")
    calls = [(name, compare, args, want, text) for name, *args, want, text in TESTS]
    calls += [(name, compare_counts, args, want, text) for name, *args, want, text in COUNTS]
    for i, (name, call, args, want, text) in enumerate(calls):
        with tempfile.TemporaryDirectory() as folder:
            status, said = call(folder, *args)
        found = subprocess.run(["grep", "-q", "-e", text], input=said, text=True, check=False)
        good = status == want and found.returncode == 0
        failed += not good
        print(f"{'ok' if good else 'not ok'} {i + 1} {name}")
        if not good:
            print(f"# status {status}, not {want}\n# " + said.replace("\n", "\n# "))
    return 1 if failed else 0


sys.exit(main())
