#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# In the VM, or anywhere with MCFAB_ENGINE=user: one fabric and one run for each row of
# table3.tsv; its statistics go to the results folder as JSON. See scripts/demo.sh.
set -euo pipefail

engine=${MCFAB_ENGINE:-kernel}
fabric=demo$$
# What a row that failed left behind, which the engine in user space does not.
trap 'mcastctl --engine $engine fabric del $fabric 2>/dev/null || :' EXIT

while IFS=$'\t' read -r name vcs words _; do
	[[ $name != \#* ]] || continue
	begin=$EPOCHREALTIME
	printf '  %-10s %s lone multicasts ... ' "$name" "$MCFAB_DEMO_COUNT"
	# One line of JSON for each command but the last.
	mcastctl --engine "$engine" -j -b - >"$MCFAB_RESULTS/answers" <<-EOF
		fabric add $fabric topology mesh dims 16x16 startup 33 vcs $vcs
		run $fabric policy $words workload lone \\
			count $MCFAB_DEMO_COUNT dests 10 flits 32
		stats show $fabric
		fabric del $fabric
	EOF
	sed -n 3p "$MCFAB_RESULTS/answers" >"$MCFAB_RESULTS/$name.json"
	awk -v a="$begin" -v b="$EPOCHREALTIME" \
		'BEGIN { printf "%.1f s\n", b - a }'
done <"$MCFAB_TOP/tests/demo/table3.tsv"
