#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# In the VM, for trace.sh: a line of times in ns for each turn, and flit-hops.
set -euo pipefail

tracing=/sys/kernel/tracing

measure() # with|without [on]
{
	local result

	insmod "$MCFAB_RESULTS/$1/mcfab.ko"
	insmod "$MCFAB_RESULTS/$1/mcfab_unicast.ko"
	[ "${2:-}" != on ] || echo 1 >$tracing/events/mcfab/enable
	mcastctl fabric add b topology mesh dims 16x16 buffer 8 startup 0 cpus 0
	result=$(mcastctl -j run b policy unicast workload poisson rate 0.001875 \
		dests 1 warmup 1000 batch-cycles 1000 precision 0 flits 32 |
		python3 -c 'import json, sys
run = json.load(sys.stdin)
print(run["wall-ns"], run["flit-hops"])')
	[ "${2:-}" != on ] || echo 0 >$tracing/events/mcfab/enable
	mcastctl fabric del b
	rmmod mcfab_unicast mcfab
	# The reader goes on at once.
	echo "$result"
}

measure without >/dev/null
for ((i = 0; i < MCFAB_BENCH_TURNS; i++)); do
	# Who comes first must not matter.
	if ((i % 2)); then
		read -r off hops < <(measure with)
		read -r none hops < <(measure without)
	else
		read -r none hops < <(measure without)
		read -r off hops < <(measure with)
	fi
	read -r on hops < <(measure with on)
	echo "$none $off $on $hops"
done >"$MCFAB_RESULTS/times"
