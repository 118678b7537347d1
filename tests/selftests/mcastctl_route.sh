#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=300
# Up*-down* routes and generated networks through mcastctl: what is shown, that a network
# saved as a file is the same network again, and what is refused.
# shellcheck source=tests/selftests/helpers/mcastctl.bash
. "$(dirname "$0")/helpers/mcastctl.bash"

samples=$(cd "$(dirname "$0")/../samples" && pwd)

random()
{
	local name=$1
	shift
	mcastctl fabric add "$name" topology irregular switches 8 ports 8 hosts 32 "$@"
}

# The network as a file, made again from it: the same file, routes and plan.
again() # word...
{
	random g "$@" || return 1
	mcastctl topology show g >"$tmp/saved"
	mcastctl -j route show g >"$tmp/routes"
	mcastctl -j plan g policy unicast from h0 to 1-31 >"$tmp/plan"
	mcastctl fabric del g
	mcastctl fabric add g topology irregular file "$tmp/saved" || return 1
	mcastctl topology show g | cmp "$tmp/saved" - &&
		mcastctl -j route show g | cmp "$tmp/routes" - &&
		mcastctl -j plan g policy unicast from h0 to 1-31 | cmp "$tmp/plan" - &&
		grep -q "^root " "$tmp/saved"
	rc=$?
	mcastctl fabric del g
	return $rc
}

ktap_print_header
ktap_set_plan 40

check "generated, saved and added again" again
check "with a seed, all ports and another root" again topology-seed 99 connectivity 100 root s5

# s2, s1, s0, s3 in a ring, s1 and s0 joined twice, s4 on s3; the file names root 2.
check "a network from a file" mcastctl fabric add ring topology irregular \
	file "$samples/ring.topo"
shows "its routing and root" "^ *routing updown root s2$" mcastctl fabric show ring
shows "root and levels" "^root s2, 3 levels$" mcastctl route show ring
shows "the root has no parent" "^s2 *0 *- *-$" mcastctl route show ring
shows "another has" "^s0 *2 *s1 *1$" mcastctl route show ring
shows "the stub" "^s4 *2 *s3 *1$" mcastctl route show ring
shows "links by their lower ends" "^s4 *1 *s3 *4$" mcastctl route show ring
shows "of the ring, too" "^s3 *3 *s2 *2$" mcastctl route show ring
shows "a route with two ports" "^s0 *s2 *up *2 *1,2,3$" mcastctl route show ring
shows "only down" "^s3 *s4 *down *1 *4$" mcastctl route show ring from s3 to 4
run mcastctl route show ring from s3 to s4
check "only what was asked for" [ "$(grep -c '^s' "$tmp/out")" = 2 ]
is "integers in JSON" 'it["root"] == 2 and it["levels"] == 3 and len(it["switch"]) == 5 and
it["switch"][4]["link"] == [{"port": 1, "peer-switch": 3, "peer-port": 4, "up": True}]' \
	route show ring
is "routes in JSON" '{"from": 0, "to": 2, "phase": "up", "distance": 2, "ports": [1, 2, 3]} in
it["entry"] and all(e["from"] == 0 for e in it["entry"]) and "switch" not in it' \
	route show ring from s0
is "no way down to the root" 'not any(e["to"] == 2 and e["phase"] == "down"
for e in it["entry"])' route show ring

# h0 and h1 on s0, h2 on s1, h3 on s3, h4 to h6 on s4
is "hosts and switches in plans" 'it["source"] == 0 and it["destinations"] == [4, 1] and
[w["destinations"] for w in it["worm"]] == [[1], [4]] and
it["worm"][0]["hops"] == [["h0", "s0", 0], ["s0", "h1", 0]] and
it["worm"][1]["hops"] == [["h0", "s0", 0], ["s0", "s3", 0], ["s3", "s4", 0], ["s4", "h4", 0]]
and it["summary"]["traffic"] == 2 and it["summary"]["longest"] == 2' plan ring policy unicast from 0 to 4,1
shows "in text" "^    hops   h0 > s0 > s3 > s4 > h4$" mcastctl plan ring policy unicast \
	from h0 to h4 h1
shows "a plan's hosts" "^unicast on ring: source h0, 2 destinations$" \
	mcastctl plan ring policy unicast from h0 to h4,h1
shows "when they have it" "h4@" mcastctl plan ring policy unicast from h0 to h4,h1
check "a run" mcastctl run ring policy unicast adaptive on workload lone dests 3 count 20
shows "hosts may be named so" "^ *4 *- *- *1:3$" mcastctl fabric node ring h4

check "a mesh with routes" mcastctl fabric add m topology mesh dims 3x3 routing updown root 4
shows "its tree" "^s0 *2 *s1 *0$" mcastctl route show m
shows "its plan has ids" "^    hops   0 > 1 > 4 > 5 > 8$" \
	mcastctl plan m policy unicast from 0 to 8

check "a fabric without" mcastctl fabric add p topology mesh dims 3x3
refuses 1 "make it with routing updown" mcastctl route show p
refuses 1 "root s9: there is no switch 9 to be the root, the last is 8" \
	mcastctl fabric add x topology mesh dims 3x3 routing updown root s9
refuses 1 "root 1: only routing updown has one" \
	mcastctl fabric add x topology mesh dims 3x3 root 1
refuses 2 "root h1: not a switch; write s3 or 3" \
	mcastctl fabric add x topology mesh dims 3x3 root h1
refuses 1 "from s5: there is no switch 5, the last is 4" mcastctl route show ring from s5
refuses 1 "connectivity 101: .*out of range" random x connectivity 101
refuses 1 "ports 8: too few ports: 24; hosts and a tree of 2 links take 36" \
	mcastctl fabric add x topology irregular switches 3 ports 8 hosts 32
refuses 1 "connectivity 1: makes 0 links, to join the switches takes 7" \
	random x connectivity 1
refuses 1 "hosts 97: connectivity 80 makes 12 links, to join the switches takes 15" \
	mcastctl fabric add x topology irregular switches 16 ports 8 hosts 97
refuses 1 "switches 65536: routing updown needs [0-9]* MiB" \
	mcastctl fabric add x topology irregular switches 65536 ports 2 hosts 1 connectivity 100
refuses 1 "ni-ratio 0.00001: startup 1000 over it makes ni-send 100000000, most are 10000000" \
	random x ni-ratio 0.00001
refuses 2 "hosts N is missing: a random network needs it" \
	mcastctl fabric add x topology irregular switches 3 ports 8
refuses 2 "ports: only topology irregular has it" \
	mcastctl fabric add x topology mesh dims 3x3 ports 4
refuses 2 "switches: the file says what the network is" \
	mcastctl fabric add x topology irregular file "$samples/ring.topo" switches 3

ktap_finished
