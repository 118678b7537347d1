#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=420
# JSON and batches: every "-j" answer is JSON under the names of the netlink spec, one
# object on a line; integers stay integers.
# shellcheck source=tests/selftests/helpers/mcastctl.bash
. "$(dirname "$0")/helpers/mcastctl.bash"

spec=$(realpath "$(dirname "$0")/../../Documentation/netlink/specs/mcfab.yaml")

# Is the file JSON, one value a line, each with only names of the attribute set?
by_spec() # FILE SET
{
	python3 - "$spec" "$1" "$2" <<'PY'
import json
import sys

import yaml

spec_path, path, top = sys.argv[1:]
with open(spec_path, encoding="utf-8") as f:
    sets = {s["name"]: {a["name"]: a for a in s["attributes"]}
            for s in yaml.load(f, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
            ["attribute-sets"]}


def check(obj, name):
    # by which commands the run is repeated is for the tool to say
    repeat = obj.pop("repeat", None) if name == "stats" else None
    if repeat:
        assert all(isinstance(c, str) for c in repeat["commands"])
        assert repeat["mcastctl"] != "unknown" and repeat["mcfab"] != "unknown", repeat
        check(repeat["fabric"], "fabric")
        check(repeat["run"], "run")
    for key, value in obj.items():
        attr = sets[name][key]
        values = value if isinstance(value, list) else [value]
        assert isinstance(value, list) or not attr.get("multi-attr"), key
        for v in values:
            if attr["type"] == "nest":
                check(v, attr["nested-attributes"])
            elif "enum" in attr or attr["type"] == "string":
                assert isinstance(v, str), (key, v)
            elif attr["type"] == "flag":
                assert v is True, (key, v)
            else:
                assert type(v) is int, (key, v)


with open(path, encoding="utf-8") as f:
    lines = f.read().splitlines()
assert lines, "nothing was printed"
for line in lines:
    value = json.loads(line)
    for obj in value if isinstance(value, list) else [value]:
        check(obj, top)
PY
}

answer() # SET COMMAND...
{
	local set=$1
	shift
	run mcastctl -j "$@"
	if [ "$rc" -ne 0 ] || ! by_spec "$tmp/out" "$set"; then
		say_why "$*: status $rc"
		return 1
	fi
	cp "$tmp/out" "$tmp/plain"
	run mcastctl -jp "$@"
	if ! python3 - "$tmp/plain" "$tmp/out" <<'PY'
import json, sys
plain, pretty = (json.load(open(p, encoding="utf-8")) for p in sys.argv[1:])
for x in plain if isinstance(plain, list) else [plain]:
    for volatile in ("wall-ns",): x.pop(volatile, None)
for x in pretty if isinstance(pretty, list) else [pretty]:
    for volatile in ("wall-ns",): x.pop(volatile, None)
assert plain == pretty
PY
	then
		say_why "$*: pretty is something else"
		return 1
	fi
}

ktap_print_header
ktap_set_plan 21

run mcastctl -j fabric add f0 topology mesh dims 8x8 seed 0xffffffffffffffff
check "fabric add" by_spec "$tmp/out" fabric
check "a 64-bit seed is kept" grep -q '"seed":18446744073709551615' "$tmp/out"
mcastctl fabric add f1 topology mesh dims 4x4x4 vcs 2
check "fabric show" answer fabric fabric show
check "fabric show NAME" answer fabric fabric show f1
check "fabric node" answer node fabric node f1 0-20 '(1,2,3)' '#40'
check "fabric node, all" answer node fabric node f1
check "topology show" answer topology topology show
check "policy show NAME" answer policy policy show qg
check "policy show" answer policy policy show

run mcastctl -j run f0 policy mp workload poisson rate 0.001 dests 5 \
	multicast-fraction 0.5 batch-cycles 500 warmup 1000
check "run" by_spec "$tmp/out" run
check "stats show" answer stats stats show f0
check "stats show latency" answer stats stats show f0 latency
check "stats show channels" answer link stats show f0 channels
check "stats show routers" answer node-load stats show f0 routers
check "stats show batches" answer batch stats show f0 batches
check "stats show histogram" answer bucket stats show f0 histogram

# What the issue wants to be there, of mixed traffic.
complete()
{
	mcastctl -j stats show f0 | python3 -c '
import json, sys
s = json.load(sys.stdin)
for key in ("hash", "offered-ppb", "effective-ppb", "throughput-ppb", "queue-maximum", "queue-mean-micro",
            "accepted-ppb", "delivered-ppb", "queue-startup-micro", "queue-injection-micro",
            "window-start", "window-end", "batches"):
    s[key]
for key in ("maximum-to-mean-micro", "cv-ppm", "jain-ppm"):
    s["balance"][key]
for key in ("start", "end", "generated-messages", "generated-flits", "asked-copies", "asked-flits",
            "accepted-messages", "accepted-flits", "delivered-copies", "delivered-flits",
            "completed-messages"):
    assert s["load"][key] > 0, key
for kind in ("multicast", "unicast"):
    c = s[kind]
    for key in ("tail", "header", "completion", "worm"):
        for part in ("count", "sum", "squares", "minimum", "maximum", "mean-micro"):
            c[key][part]
    for key in ("completion-interval", "destination-interval", "worm-interval"):
        for part in ("mean-ucycles", "half-width-ucycles", "lag1-ppm", "observations"):
            c[key][part]
    for key in ("cv-header", "cv-tail", "additional", "startups-micro", "traffic-micro",
                "channel-cycles-micro", "tail-quantiles"):
        c[key]
    assert c["tail"]["sum"] == sum(c["parts"].values()), "parts do not add up"
    assert c["measured"]["incomplete"] == 0
'
}
check "all statistics of a run under load" complete

plans()
{
	printf '%s\n' '# plans' '' "plan f0 policy dp from #3 to '(1, 2)' l40 \\" \
		'	flits 8' 'pl f0 po qg td 0.2 fr 1 to 2-9 # the end' \
		'plan f0 policy cp from 7 to 8' >"$tmp/batch"
	run mcastctl -j -b "$tmp/batch"
	[ "$rc" -eq 0 ] && [ "$(wc -l <"$tmp/out")" -eq 3 ] &&
		python3 -c 'import json, sys
for line in open(sys.argv[1]): assert json.loads(line)["worm"]' "$tmp/out"
}
check "a batch prints an object a line" plans

stops()
{
	printf 'fabric show f0\nfabric show nope\nfabric show f1\n' >"$tmp/batch"
	run mcastctl -j -b "$tmp/batch"
	if [ "$rc" -ne 1 ] || [ "$(wc -l <"$tmp/out")" -ne 1 ] ||
		! grep -q 'batch:2: Error: fabric nope' "$tmp/err"; then
		say_why "status $rc"
		return 1
	fi
	run mcastctl -j --force -b - <"$tmp/batch"
	[ "$rc" -eq 1 ] && [ "$(wc -l <"$tmp/out")" -eq 2 ]
}
check "a batch ends at the first error, unless forced" stops

# More destinations than an attribute holds go up in several messages.
big()
{
	mcastctl fabric add big topology mesh dims 256x256 || return 1
	seq 1 65535 | shuf --random-source=<(yes) >"$tmp/list"
	run mcastctl -j plan big policy dp from 0 to "@$tmp/list"
	mcastctl fabric del big
	if [ "$rc" -ne 0 ]; then
		say_why "status $rc"
		return 1
	fi
	python3 -c 'import json, sys
p = json.load(open(sys.argv[1]))
want = [int(line) for line in open(sys.argv[2])]
assert p["destinations"] == want
got = sorted(d for w in p["worm"] for d in w["destinations"])
assert got == sorted(want), len(got)
assert len(p["arrivals"]) == 65535
assert p["summary"]["traffic"] == sum(len(w["hops"]) for w in p["worm"]) == 65535' \
		"$tmp/out" "$tmp/list"
}
check "65535 destinations" big

monitor()
{
	mcastctl -j monitor timestamp count 4 >"$tmp/events" &
	local pid=$!
	# until it listens
	sleep 3
	mcastctl fabric add m topology mesh dims 4x4 &&
		mcastctl run m policy dp workload lone dests 2 >/dev/null &&
		mcastctl fabric del m
	wait $pid || return 1
	python3 -c 'import json, sys
events = [json.loads(line) for line in open(sys.argv[1])]
assert [e["event"] for e in events] == ["fabric-add-ntf", "fabric-change-ntf",
    "run-finished-ntf", "fabric-del-ntf"], events
assert all(list(e) == ["event", "time", "msg"] for e in events)
assert events[2]["msg"]["state"] == "done" and events[2]["msg"]["hash"]' "$tmp/events"
}
check "monitor" monitor

ktap_finished
