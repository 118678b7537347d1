#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# In the VM: one fabric, one run for each row of table3.tsv; if it does not come to
# its end, plans of random multicasts instead. Statistics and plans go to the results
# folder as JSON. See scripts/demo.sh.
set -euo pipefail

here=$MCFAB_TOP/tests/demo
fabric=demo$$
trap 'mcastctl fabric del $fabric 2>/dev/null || :' EXIT
mcastctl fabric add $fabric topology mesh dims 16x16 startup 33 \
	cpus "0-$(($(nproc) - 1))"

while IFS=$'\t' read -r name words _; do
	[[ $name != \#* ]] || continue
	begin=$EPOCHREALTIME
	printf '  %-10s %s lone multicasts ... ' "$name" "$MCFAB_DEMO_COUNT"
	# shellcheck disable=SC2086 # a policy with its parameters
	mcastctl -j run $fabric policy $words workload lone \
		count "$MCFAB_DEMO_COUNT" dests 10 flits 32 >/dev/null
	mcastctl -j stats show $fabric >"$MCFAB_RESULTS/$name.json"
	if ! grep -q '"state":"done"' "$MCFAB_RESULTS/$name.json"; then
		printf 'not all; as many plans ... '
		# shellcheck disable=SC2086
		"$here/sets.py" $fabric 256 10 "$MCFAB_DEMO_COUNT" $words |
			mcastctl -j -b - >"$MCFAB_RESULTS/$name.plans"
	fi
	awk -v a="$begin" -v b="$EPOCHREALTIME" \
		'BEGIN { printf "%.1f s\n", b - a }'
done <"$here/table3.tsv"
