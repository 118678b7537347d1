#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# In the VM: one fabric and one run for each row of table3.tsv; its statistics go to
# the results folder as JSON. See scripts/demo.sh.
set -euo pipefail

fabric=demo$$
trap 'mcastctl fabric del $fabric 2>/dev/null || :' EXIT

while IFS=$'\t' read -r name vcs words _; do
	[[ $name != \#* ]] || continue
	begin=$EPOCHREALTIME
	printf '  %-10s %s lone multicasts ... ' "$name" "$MCFAB_DEMO_COUNT"
	mcastctl fabric add $fabric topology mesh dims 16x16 startup 33 vcs "$vcs"
	# shellcheck disable=SC2086 # a policy with its parameters
	mcastctl -j run $fabric policy $words workload lone \
		count "$MCFAB_DEMO_COUNT" dests 10 flits 32 >/dev/null
	mcastctl -j stats show $fabric >"$MCFAB_RESULTS/$name.json"
	mcastctl fabric del $fabric
	awk -v a="$begin" -v b="$EPOCHREALTIME" \
		'BEGIN { printf "%.1f s\n", b - a }'
done <"$MCFAB_TOP/tests/demo/table3.tsv"
