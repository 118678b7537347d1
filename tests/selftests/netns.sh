#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=180
# Fabrics belong to a network namespace.
#
#   +-----------+   +-----------+
#   | initial   |   | mcfab-a   |   the same name in both, neither sees the other's;
#   |  f0       |   |  f0 runs  |   a namespace takes its fabrics along when it goes,
#   +-----------+   +-----------+   running or not
#
# shellcheck source=/dev/null
. "${MCFAB_KSRC:?}/tools/testing/selftests/kselftest/ktap_helpers.sh"

ns=mcfab-a
cleanup()
{
	ip netns del $ns 2>/dev/null
	mcastctl stop f0 >/dev/null 2>&1
	mcastctl fabric del f0 >/dev/null 2>&1
	rm -f "$log"
}
log=$(mktemp)
trap cleanup EXIT

inside()
{
	ip netns exec $ns "$@"
}

names()
{
	"$@" mcastctl -j fabric show |
		python3 -c 'import json, sys
print(*[f["name"] for f in json.load(sys.stdin)])'
}

check() # description command...
{
	local what=$1

	shift
	if "$@" >"$log" 2>&1; then
		ktap_test_pass "$what"
	else
		ktap_print_msg "$*: $(head -c 300 "$log" | tr '\n' ' ')"
		ktap_test_fail "$what"
	fi
}

none()
{
	! "$@"
}

# A run that would go on for days.
endless()
{
	"$@" mcastctl run f0 policy dp workload poisson rate 0.0001 dests 4 \
		batches 1000 batch-cycles 100000000 precision 0 \
		max-cycles 900000000000 detach
}

threads()
{
	pgrep -c '^mcfab/'
}

ktap_print_header
ktap_set_plan 12

ip netns add $ns
check "a fabric in each of two namespaces" \
	mcastctl fabric add f0 topology mesh dims 4x4
check "the same name is free in the other" \
	inside mcastctl fabric add f0 topology mesh dims 8x8
check "a second one there" inside mcastctl fabric add f1 topology mesh dims 3x3
check "the first sees its own" test "$(names env)" = f0
check "the other sees its own" test "$(names inside)" = "f0 f1"
check "it cannot remove what is the other's" none mcastctl fabric del f1

# Events stay where they belong.
timeout 20 ip netns exec $ns mcastctl monitor >"$log.a" 2>&1 &
monitor_a=$!
timeout 20 mcastctl monitor >"$log.b" 2>&1 &
monitor_b=$!
sleep 4
inside mcastctl fabric del f1
sleep 2
kill $monitor_a $monitor_b 2>/dev/null
wait $monitor_a $monitor_b 2>/dev/null
check "an event is told in its namespace" grep -q f1 "$log.a"
check "and nowhere else" none grep -q f1 "$log.b"
rm -f "$log.a" "$log.b"

check "a run in the other" endless inside
check "by threads" test "$(threads)" -gt 0
check "it goes with its namespace" ip netns del $ns
for _ in $(seq 100); do
	[ "$(threads)" -gt 0 ] || break
	sleep 0.1
done
check "its threads, too" test "$(threads)" = 0

ktap_finished
