#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=300
# Experiments with the module: the same files as with the engine in user space, and no fabric is
# left behind, whatever ends them.
# shellcheck source=tests/selftests/helpers/mcastctl.bash
. "$(dirname "$0")/helpers/mcastctl.bash"

cat >"$tmp/load.scenario" <<'SCENARIO'
title Latency over load
vary policy dp mp qg
vary rate 0.0002 0.001 0.05
seeds 2
fabric topology mesh dims 4x4
before fabric show {fabric}
run policy {policy} workload poisson rate {rate} dests 3 flits 8 \
    warmup 500 batches 20 batch-cycles 100 precision 0 max-cycles 20000
x rate log
series policy
metric completion
SCENARIO

# Runs of an hour each.
cat >"$tmp/long.scenario" <<'SCENARIO'
vary rate 0.0001 0.0002 0.0003
fabric topology mesh dims 8x8
run policy dp workload poisson rate {rate} dests 3 \
    warmup 0 batch-cycles 1000000000 precision 0 max-cycles 100000000000
x rate
metric completion
SCENARIO

none_left()
{
	run mcastctl fabric show
	[ "$rc" -eq 0 ] && ! grep -q '^exp-' "$tmp/out"
}

# ended SIGNAL: an experiment gets a signal while its runs are under way
ended()
{
	local pid

	mcastctl experiment run "$tmp/long.scenario" out "$tmp/long" jobs 2 \
		>"$tmp/out" 2>"$tmp/err" &
	pid=$!
	for _ in $(seq 100); do
		[ "$(mcastctl fabric show | grep -c 'exp-.*running')" -eq 2 ] && break
		sleep 0.2
	done
	kill -"$1" $pid
	wait $pid
	rc=$?
	# Children of a process that was killed end by themselves.
	for _ in $(seq 100); do
		mcastctl fabric show | grep -q '^exp-' || return 0
		sleep 0.2
	done
	return 1
}

ktap_print_header
ktap_set_plan 9

run mcastctl experiment run "$tmp/load.scenario" out "$tmp/kernel"
check "18 points with the module" [ "$(grep -c '^load,' "$tmp/kernel/load.csv")" -eq 18 ]
check "no fabric is left" none_left
run mcastctl --engine user experiment run "$tmp/load.scenario" out "$tmp/user"
check "the CSV file is that of the engine in user space" \
	cmp "$tmp/kernel/load.csv" "$tmp/user/load.csv"
strip() { sed 's/"engine": *"[a-z]*"//' "$1/load.json"; }
check "the JSON file differs by the engine's name" \
	diff <(strip "$tmp/kernel") <(strip "$tmp/user")
check "an interrupt stops the runs and deletes the fabrics" ended INT
check "its exit status is 1" [ "$rc" -eq 1 ]
check "so does a kill" ended KILL
refuses 1 "load.json: results of engine user, not of kernel" \
	mcastctl experiment run "$tmp/load.scenario" out "$tmp/user"
mkdir -m 777 "$tmp/nobody"
chmod 755 "$tmp"
refuses 1 "permission denied: this needs CAP_NET_ADMIN" \
	setpriv --reuid nobody --regid nogroup --clear-groups \
	mcastctl experiment run "$tmp/load.scenario" out "$tmp/nobody"

ktap_finished
