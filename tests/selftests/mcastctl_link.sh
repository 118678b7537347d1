#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=300
# Links and switches that fail, through mcastctl: what is said and shown, plans that go
# around them, failures at cycles of a run, and what is refused.
# shellcheck source=tests/selftests/helpers/mcastctl.bash
. "$(dirname "$0")/helpers/mcastctl.bash"

samples=$(cd "$(dirname "$0")/../samples" && pwd)

load() # word...
{
	mcastctl run ring policy ssr flits 64 workload poisson rate 0.0005 dests 3 warmup 0 \
		precision 0 batches 20 batch-cycles 2000 "$@"
}

ktap_print_header
ktap_set_plan 57

# s2, s1, s0, s3 in a ring, s1 and s0 joined twice, s4 on s3
# h0 and h1 on s0, h2 on s1, h3 on s3, h4 to h6 on s4
check "a ring" mcastctl fabric add ring topology irregular file "$samples/ring.topo"
shows "all is up" "^all links and switches are up$" mcastctl link show ring
shows "a link goes down" "^down: 1 link, 0 switches$" \
	mcastctl link down ring switch s0 port 3
check "nobody is cut off" [ "$(wc -l <"$tmp/out")" = 1 ]
shows "it is shown" "^s0 *3 *s3 *2$" mcastctl link show ring
is "in JSON" 'it == {"links": [{"switch": 0, "port": 3, "peer-switch": 3, "peer-port": 2}],
"switches": [], "unreachable": []}' link show ring
shows "the fabric says how many" "^    down: 1 link, 0 switches$" mcastctl fabric show ring
is "likewise" 'it["links-down"] == 1 and "switches-down" not in it' fabric show ring
shows "plans go around it" "^    hops   h0 > s0 > s1 > s2 > s3 > s4 > h4$" \
	mcastctl plan ring policy unicast from h0 to h4
is "routes do" 'not any(e["from"] == 0 and 3 in e["ports"] for e in it["entry"])' \
	route show ring
is "the tree's link is dead" '[l for l in it["switch"][0]["link"] if "dead" in l] ==
[{"port": 3, "peer-switch": 3, "peer-port": 2, "up": True, "dead": True}] or
[l["port"] for l in it["switch"][0]["link"] if "dead" in l] == [3]' route show ring
run mcastctl route show ring
check "and not among the links" [ "$(grep -c '^s[03] *[0-9] *s[03] *[0-9]$' "$tmp/out")" = 0 ]
shows "another cuts off a switch" "^unreachable: h4 h5 h6$" \
	mcastctl link down ring switch s4 port 1
shows "named by its other end, too" "^s3 *4 *s4 *1$" mcastctl link show ring
refuses 1 "h4: no link that is up leads from 0 to destination 4" \
	mcastctl plan ring policy unicast from h0 to h4
check "the part has routes of its own" mcastctl plan ring policy unicast from h5 to h4
shows "two packets" "^kbinomial on ring: source h5, 2 destinations, 2 packets$" \
	mcastctl plan ring policy kbinomial from h5 to h4,h6 flits 32 mtu 20
is "also in JSON" 'it["summary"]["packets"] == 2' plan ring policy kbinomial from h5 to h4 flits 32 mtu 20
shows "mended from the other end" "^down: 1 link, 0 switches$" \
	mcastctl link up ring switch s3 port 4
shows "a switch" "^unreachable: h3 h4 h5 h6$" mcastctl link down ring switch s3
is "all in one" 'it == {"links": [{"switch": 0, "port": 3, "peer-switch": 3, "peer-port": 2}],
"switches": [3], "unreachable": [3, 4, 5, 6]}' link show ring
refuses 1 "switch 3: is down already" mcastctl link down ring switch 3
refuses 1 "port 3: the link on port 3 of switch 0 is down already" \
	mcastctl link down ring switch s0 port 3
shows "up again" "^down: 1 link, 0 switches$" mcastctl link up ring switch s3
shows "a host's link" "^unreachable: h1$" mcastctl link down ring switch s0 port 6
shows "with the host" "^s0 *6 *h1 *-$" mcastctl link show ring
check "both up" eval "mcastctl link up ring switch s0 port 6 >/dev/null &&
	mcastctl link up ring switch s0 port 3 >/dev/null"
run mcastctl fabric show ring
check "the fabric is silent" eval "! grep -q '^ *down:' $tmp/out"

monitor()
{
	mcastctl monitor count 3 >"$tmp/events" &
	local pid=$!
	# until it listens
	sleep 3
	mcastctl link down ring switch s0 port 3 >/dev/null &&
		mcastctl link down ring switch s3 >/dev/null &&
		mcastctl link up ring switch s3 >/dev/null
	wait $pid || return 1
	grep -q '^fabric ring: .*, down: 1 link, 1 switch$' "$tmp/events" &&
		tail -n 1 "$tmp/events" | grep -q ', down: 1 link, 0 switches$'
}
check "an event for each" monitor

monitor_up()
{
	mcastctl monitor count 3 >"$tmp/events" &
	local pid=$!
	# until it listens
	sleep 3
	mcastctl link down ring switch s3 >/dev/null &&
		mcastctl link up ring switch s3 >/dev/null &&
		mcastctl link up ring switch s0 port 3 >/dev/null
	wait $pid || return 1
	tail -n 1 "$tmp/events" | grep -q ', all links and switches are up$'
}
check "and when all is up again" monitor_up

shows "the root may fail" "^down: 0 links, 1 switch$" mcastctl link down ring switch 2
shows "another takes its place" "^root s0, " mcastctl route show ring
shows "and it has none" "^s2 *- *- *-$" mcastctl route show ring
check "it is mended" eval "mcastctl link up ring switch 2 >/dev/null"
refuses 1 "from (1,2): topology irregular has no coordinates" \
	mcastctl plan ring policy unicast from 1.2 to 3

shows "failures at cycles" "worms* aborted" load fail 2000:s3,6000:s1:1,9000:s3:up
run load fail 2000:s3,6000:s1:1,9000:s3:up
hash=$(grep -o "hash .*" "$tmp/out")
run load fail 2000:s3,6000:s1:1,9000:s3:up
check "the same again" [ -n "$hash" ] && [ "$(grep -o "hash .*" "$tmp/out")" = "$hash" ]
shows "for the run alone" "^all links and switches are up$" mcastctl link show ring
is "shown with the run" 'it["fault"] == [{"at": 2000, "switch": 3, "state": "down"}] and
it["state"] == "done" and it["dropped"]["unreachable"] > 0' \
	run ring policy ssr workload poisson rate 0.0005 dests 3 warmup 0 precision 0 \
	batches 20 batch-cycles 2000 fail 2000:s3:down

check "under load" eval "mcastctl run ring policy ssr workload poisson rate 0.00005 dests 3 \
	warmup 0 precision 0 batch-cycles 1000000000 detach >/dev/null"
shows "a link" "^down: 1 link, 0 switches$" mcastctl link down ring switch s0 port 3
sleep 0.2
shows "and the run goes on" "running" mcastctl fabric show ring
shows "until it is stopped" "stopped" mcastctl stop ring
check "up" eval "mcastctl link up ring switch s0 port 3 >/dev/null"

refuses 1 "switch s9: there is no switch 9, the last is 4" mcastctl link down ring switch s9
refuses 1 "port 40: there is no port 40, the last is 8" mcastctl link down ring switch 0 port 40
refuses 1 "port 0: nothing is on port 0 of switch 0" mcastctl link down ring switch 0 port 0
refuses 2 "switch h1: not a switch; write s3, 3," mcastctl link down ring switch h1
refuses 2 "switch SWITCH is missing" mcastctl link down ring
refuses 2 'unknown argument "prot"; did you mean "port"?' \
	mcastctl link down ring switch 0 prot 3
refuses 2 "fail x: not of the form CYCLE:SWITCH" mcastctl run ring policy ssr workload poisson \
	rate 0.1 dests 2 fail 9:s1,x
refuses 2 "fail 9:s1,: entry 2 is empty" mcastctl run ring policy ssr workload poisson \
	rate 0.1 dests 2 fail 9:s1,
refuses 1 "fail 5:s1:up: a failure at cycle 5 comes after a later one" mcastctl run ring \
	policy ssr workload poisson rate 0.1 dests 2 fail 9:s1,5:s1:up
refuses 1 "fail 9:s1: lone multicasts have a network that does not change" mcastctl run ring \
	policy ssr workload lone dests 2 fail 9:s1
check "a fabric without routes" mcastctl fabric add p topology mesh dims 3x3
refuses 1 "fabric p: links fail with routing updown only" mcastctl link down p switch 1
shows "after all of these all is up" "^all links and switches are up$" mcastctl link show ring
