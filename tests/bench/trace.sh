#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What tracepoints cost: the same run, in turns, by a module without them, by the
# ordinary one with all of them off, and by that with all of them on.
# Usage: trace.sh [TURNS]
#
# On a machine that does other things, too, look at the minima.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/../../scripts/lib/common.sh"

cd "$mcfab_top"
export MCFAB_BENCH_TURNS=${1:-15}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

find_kernel "${KERNEL:-}"
for variant in with without; do
	flags=()
	[ $variant = with ] || flags=(KCFLAGS=-DMCFAB_NO_TRACE)
	built=$(scripts/build-modules.sh "$kdir" "$release-$variant-trace" \
		"${flags[@]}")
	mkdir "$out/$variant"
	find "$built" -name '*.ko' -exec cp -t "$out/$variant" {} +
done
make -s -C tools/mcastctl
say "$MCFAB_BENCH_TURNS runs of each, in turns"
VM_RESULTS=$out VM_NOBUILD=1 VM_NOLOAD=1 VM_TIMEOUT=${VM_TIMEOUT:-900} \
	SCRIPT=tests/bench/trace-guest.sh scripts/vm/run.sh

python3 - "$out/times" <<'PY'
import statistics
import sys

rows = [list(map(int, line.split())) for line in open(sys.argv[1], encoding="ascii")]
none, off, on, hops = zip(*rows)
print("              ns per flit-hop   ratio to none")
print("tracepoints   median      min   of minima   turn by turn: median, quartiles")
for name, times in (("none", none), ("off", off), ("on", on)):
    low, mid, high = statistics.quantiles([t / n for t, n in zip(times, none)], n=4)
    print(f"{name:<11}{statistics.median(times) / hops[0]:>9.2f}{min(times) / hops[0]:>9.2f}"
          f"{min(times) / min(none):>12.3f}{mid:>16.3f}, {low:.3f} to {high:.3f}")
PY
