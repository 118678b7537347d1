#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make bench: what a flit-hop costs, in user space and in the module in a VM.
# Usage: bench.sh [--json]
#
#   BENCH_JSON=1	as --json: one JSON object instead of tables
#   BENCH_RUNS=5	runs of each case in user space
#   BENCH_VM_RUNS=3	in the VM; 0: no VM
#   BENCH_CPUS=0	CPUs of the router threads in the VM
#   BENCH_CASES=file	other cases than tests/bench/cases.tsv
#
# Fails if something cannot be built or run or if the module and the user build
# compute different things, never for being slow.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top"
unset MAKEFLAGS MAKELEVEL MFLAGS
json=${BENCH_JSON:+--json}
[ "${1:-}" != --json ] || json=--json
export MCFAB_BENCH_VM_RUNS=${BENCH_VM_RUNS:-3} MCFAB_BENCH_CPUS=${BENCH_CPUS:-0}

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

built()
{
	if ! "$@" >"$out/build.log" 2>&1; then
		tail -n 20 "$out/build.log" >&2
		die "FAILED: ${*: -1} does not build"
	fi
}

cases=${BENCH_CASES:-tests/bench/cases.tsv}
[ -r "$cases" ] || die "BENCH_CASES=$cases: cannot be read"
say "building"
built make -s -C tests/user MODE=fast bench_engine
say "user space, ${BENCH_RUNS:-5} runs of each case"
build/user/fast/bench_engine -n "${BENCH_RUNS:-5}" "$cases" \
	>"$out/user.json"

accel=none
mkdir "$out/vm"
if [ "$MCFAB_BENCH_VM_RUNS" -gt 0 ]; then
	built make -s -C tools/mcastctl
	# so many routers are more than the VM has room or time for
	grep -v '^million\|^big' "$cases" >"$out/vm/cases"
	say "module in a VM, $MCFAB_BENCH_VM_RUNS runs of each case"
	VM_RESULTS=$out/vm VM_TIMEOUT=${VM_TIMEOUT:-900} \
		SCRIPT=tests/bench/guest.sh scripts/vm/run.sh >&2 ||
		die "FAILED: the VM's part ended with status $?"
	# The run has just found it out.
	accel=${VM_ACCEL:-$(scripts/vm/accel.sh)}
fi

# shellcheck disable=SC2086 # a flag or nothing
tests/bench/report.py $json "$cases" "$out/user.json" "$out/vm" \
	"$accel"
