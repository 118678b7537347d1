#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make bench-compare BASE=rev: what a flit-hop costs in the user-space build of this tree
# against that of a revision, run by run. Fails if a case is slower than BENCH_LIMIT says, or is
# not known to one of the two. A BASE that knows words by older names is asked by these.
#
#	BASE=rev	a commit, branch or tag
#	BENCH_RUNS=21	pairs of runs of each case; with fewer the median says little
#	BENCH_LIMIT=3	percent by which the median of no case may be slower; empty: no limit
#	BENCH_COUNT=1	instructions instead of time, one run of each case: for a change of a few
#			percent on a machine whose times differ by more (needs valgrind)
#	BENCH_CASES=file	other cases than tests/bench/cases.tsv
#	BENCH_JSON=1	one JSON array instead of a table
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top"
unset MAKEFLAGS MAKELEVEL MFLAGS
[ -n "${BASE:-}" ] || die "BASE= is missing: make bench-compare BASE=HEAD~1"
commit=$(git rev-parse --verify --quiet "$BASE^{commit}") ||
	die "BASE=$BASE: no such revision"
count=${BENCH_COUNT:-}
[ -z "$count" ] || [ "$count" = 1 ] || die "BENCH_COUNT=$count: 1, or empty"
[ -z "$count" ] || command -v valgrind >/dev/null ||
	die "BENCH_COUNT=1 needs valgrind: apt-get install valgrind"
default=${count:-21}
runs=${BENCH_RUNS:-$default}
[[ $runs =~ ^[1-9][0-9]{0,3}$ ]] || die "BENCH_RUNS=$runs: 1 to 9999"
limit=${BENCH_LIMIT-3}
[[ $limit =~ ^([0-9]{1,3}(\.[0-9]+)?)?$ ]] || die "BENCH_LIMIT=$limit: a number of percent"
cases=${BENCH_CASES:-tests/bench/cases.tsv}
[ -r "$cases" ] || die "BENCH_CASES=$cases: cannot be read"

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

build() # TREE
{
	make -s -C "$1/tests/user" MODE=fast bench_engine >"$out/build.log" 2>&1 || {
		tail -n 20 "$out/build.log" >&2
		die "FAILED: bench_engine of $1 does not build"
	}
}

say "building this tree"
build "$mcfab_top"
say "building $BASE"
mkdir "$out/base"
git archive "$commit" | tar -x -C "$out/base"
build "$out/base"
tests/bench/compare.py ${BENCH_JSON:+--json} ${count:+--instructions} --limit "$limit" "$runs" "$cases" \
	"$out/base/build/user/fast/bench_engine" build/user/fast/bench_engine
