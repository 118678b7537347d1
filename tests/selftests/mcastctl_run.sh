#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=600
# Runs through mcastctl: they give what plans predict, the same on any CPUs, and can
# be waited for, detached, interrupted and stopped.
# shellcheck source=tests/selftests/helpers/mcastctl.bash
. "$(dirname "$0")/helpers/mcastctl.bash"

# field NAME: of the JSON object in $tmp/out
field()
{
	python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$tmp/out" "$1"
}

# Worms of dp and mp never meet each other, so a lone multicast is as predicted.
as_predicted() # DIMS POLICY...
{
	local dims=$1
	shift
	mcastctl fabric add a topology mesh dims "$dims" || return 1
	python3 - "$dims" "$@" <<'PY'
import collections, json, math, random, subprocess, sys

dims, *policy = sys.argv[1:]
nodes = math.prod(int(k) for k in dims.split("x"))
draw = random.Random(dims)


def mcastctl(*args):
    return subprocess.run(["mcastctl", "-j", *args], check=True, text=True,
                          capture_output=True).stdout


for i in range(5):
    source, *dst = draw.sample(range(nodes), draw.randint(2, min(nodes, 20)))
    names = ",".join(map(str, dst))
    plan = json.loads(mcastctl("plan", "a", "policy", *policy, "from", str(source),
                               "to", names, "flits", "9"))
    with open("/tmp/messages", "w", encoding="utf-8") as f:
        f.write(f"0 {source} {names}\n")
    run = json.loads(mcastctl("run", "a", "policy", *policy, "workload", "file",
                              "/tmp/messages", "flits", "9"))
    assert run["state"] == "done", run
    stats = json.loads(mcastctl("stats", "show", "a"))["multicast"]
    assert stats["completion"]["maximum"] == plan["summary"]["completion"], (plan, stats)
    assert stats["tail"]["sum"] == sum(t for _, t in plan["arrivals"])
    assert abs(stats["worm-interval"]["mean-ucycles"] - plan["summary"]["mean-worm-ucycles"]) <= 1
    tails = collections.Counter(t for _, t in plan["arrivals"] if t < 128)
    seen = {b["low"]: b["count"] for b in json.loads(mcastctl("stats", "show", "a", "histogram"))
            if b["type"] == "tail" and b["low"] == b["high"]}
    assert tails == seen, (tails, seen)
PY
	local ret=$?
	mcastctl fabric del a
	rm -f /tmp/messages
	return $ret
}

same_hash() # POLICY WORKLOAD...
{
	local policy=$1 cpus first=
	shift
	for cpus in 0 0,1 1; do
		mcastctl fabric add h topology mesh dims 12x12 cpus $cpus seed 7 || return 1
		# shellcheck disable=SC2086 # a policy with its parameters
		run mcastctl -j run h policy $policy workload "$@"
		mcastctl fabric del h
		if [ "$rc" -ne 0 ]; then
			say_why "cpus $cpus: status $rc"
			return 1
		fi
		first=${first:-$(field hash)}
		if [ "$(field hash)" != "$first" ]; then
			say_why "cpus $cpus: another hash than $first"
			return 1
		fi
	done
}

long=(policy dp workload poisson rate 0.0001 dests 5 precision 0 batches 1000
	batch-cycles 100000)

detached()
{
	run mcastctl run f0 "${long[@]}" detach
	[ "$rc" -eq 0 ] && [ "$(state f0)" = running ] || return 1
	run mcastctl stats show f0
	[ "$rc" -eq 0 ] || return 1
	run mcastctl -j stop f0
	[ "$rc" -eq 0 ] && [ "$(field state)" = stopped ] && ! grep -q hash "$tmp/out"
}

interrupted()
{
	mcastctl -j run f0 "${long[@]}" >"$tmp/out" 2>"$tmp/err" &
	local pid=$! i
	for ((i = 0; i < 50; i++)); do
		[ "$(state f0)" != running ] || break
		sleep 0.1
	done
	kill -INT $pid
	wait $pid
	[ $? -eq 1 ] && [ "$(field state)" = stopped ] && [ "$(state f0)" = stopped ]
}

# "script" gives it a terminal.
progress()
{
	timeout 120 script -qec "mcastctl run f0 policy dp workload lone count 3000 dests 20" \
		"$tmp/typescript" >/dev/null </dev/null
	local ret=$?
	mcastctl stop f0 >/dev/null
	[ $ret -eq 0 ] || return 1
	grep -q 'messages, [0-9]* %' "$tmp/typescript"
}

# One worm waits for another's channel and the other way round.
deadlocks()
{
	mcastctl fabric add d topology mesh dims 8x8 stall-limit 200 || return 1
	run mcastctl run d policy qg cover chain allow-deadlock on workload burst dests 12
	local ended
	ended=$(state d)
	if [ "$ended" = deadlocked ]; then
		run mcastctl -j stats show d deadlock
		python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
assert d["worms"] >= 1 and d["wait"]
assert all(w["holder"] < len(d["wait"]) for w in d["wait"])' "$tmp/out" || rc=1
		run mcastctl stats show d deadlock
	fi
	mcastctl fabric del d
	[ "$ended" = deadlocked ] && [ "$rc" -eq 0 ]
}

file_workload()
{
	printf '# three\n0 0 5,6\n10 (1,1) 3.3 #40\n10 2 7-9\n' >"$tmp/messages"
	run mcastctl -j run f0 policy mp workload file "$tmp/messages"
	[ "$rc" -eq 0 ] && [ "$(field messages)" -eq 3 ] && [ "$(field deliveries)" -eq 7 ]
}

reset_stats()
{
	run mcastctl stats reset f0
	[ "$rc" -eq 0 ] || return 1
	run mcastctl -j stats show f0
	[ "$(field state)" = idle ] && ! grep -q hash "$tmp/out"
}

namespaces()
{
	ip netns add mcastctl-test || return 1
	mcastctl -N mcastctl-test fabric add f0 topology mesh dims 4x4
	run mcastctl -j -N mcastctl-test fabric show f0
	ip netns del mcastctl-test
	[ "$rc" -eq 0 ] && [ "$(field nodes)" -eq 16 ] &&
		mcastctl -j fabric show f0 | grep -q '"nodes":64,'
}

ktap_print_header
ktap_set_plan 20

for dims in 8x8 16x16 4x5x6 30; do
	for policy in dp mp; do
		check "$policy on $dims as planned" as_predicted $dims $policy
	done
done
check "same hash on any CPUs: lone" same_hash qg lone count 50 dests 8
check "same hash on any CPUs: poisson" same_hash cp poisson rate 0.0005 dests 6 \
	multicast-fraction 0.3 batch-cycles 300 warmup 500
check "same hash on any CPUs: burst" same_hash "qg td 0.2" burst dests 5
check "same hash on any CPUs: fixed" same_hash mp fixed interval 400 network dests 9 \
	batch-cycles 500

mcastctl fabric add f0 topology mesh dims 8x8
check "detached, looked at, stopped" detached
check "an interrupt stops the run" interrupted
if command -v script >/dev/null; then
	check "progress on a terminal" progress
else
	ktap_test_skip "progress on a terminal: no script(1)"
fi
check "a deadlock is reported" deadlocks
check "messages from a file" file_workload
check "statistics are reset" reset_stats
check "network namespaces are apart" namespaces

# A fraction of the nodes, with the least that can be said.
fraction()
{
	run mcastctl -j run f0 policy unicast workload burst dests 1 fraction 25% flits 1
	[ "$rc" -eq 0 ] && [ "$(field messages)" -eq 16 ]
}
check "a quarter of the nodes in a burst" fraction

ktap_finished
