#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# In the VM: every case of the file "cases" in the results folder, MCFAB_BENCH_VM_RUNS times,
# on the CPUs of MCFAB_BENCH_CPUS. The statistics of each run go to that folder as JSON.
set -euo pipefail

cases=$MCFAB_RESULTS/cases
trap 'mcastctl fabric del bench 2>/dev/null || :' EXIT

# A tab is white space to "read": two of them would count as one.
tr '\t' '|' <"$cases" | while IFS='|' read -r name fabric run _; do
	[[ -n $name && $name != \#* ]] || continue
	printf '  %-9s' "$name"
	for i in $(seq "$MCFAB_BENCH_VM_RUNS"); do
		# shellcheck disable=SC2086 # lists of words
		mcastctl fabric add bench cpus "$MCFAB_BENCH_CPUS" $fabric
		# shellcheck disable=SC2086
		mcastctl -j run bench $run >"$MCFAB_RESULTS/$name.$i.run" \
			2>"$MCFAB_RESULTS/said" ||
			{ cat "$MCFAB_RESULTS/said" >&2; exit 1; }
		mcastctl -j stats show bench >"$MCFAB_RESULTS/$name.$i.stats"
		mcastctl -j fabric show bench >"$MCFAB_RESULTS/$name.$i.fabric"
		mcastctl fabric del bench
		printf ' %s' "$i"
	done
	echo
done
