#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=300
# Networks as files through mcastctl: samples become fabrics and files again, the same
# from the first export on; what is wrong is named by file and line.
# shellcheck source=tests/selftests/helpers/mcastctl.bash
. "$(dirname "$0")/helpers/mcastctl.bash"

samples=$(cd "$(dirname "$0")/../samples" && pwd)

add() # name file word...
{
	local name=$1 file=$2
	shift 2
	run mcastctl fabric add "$name" topology irregular file "$file" "$@"
}

# out FILE FORMAT: what a fabric made of a file looks like as a file
out()
{
	add x "$1"
	[ "$rc" = 0 ] || { say_why "add $1"; return 1; }
	run mcastctl topology show x format "$2"
	mcastctl fabric del x
	[ "$rc" = 0 ]
}

round_trip() # sample format
{
	out "$1" "$2" || return 1
	cp "$tmp/out" "$tmp/first"
	out "$tmp/first" "$2" || return 1
	cmp "$tmp/first" "$tmp/out"
}

wrong() # status pattern text
{
	printf '%b' "$3" >"$tmp/net"
	add x "$tmp/net"
	if [ "$rc" = "$1" ] && grep -q -- "$2" "$tmp/err" && [ ! -s "$tmp/out" ] &&
	   [ "$(mcastctl fabric show | wc -l)" = "$fabrics" ]; then
		ktap_test_pass "$2"
	else
		say_why "$3: $rc, not $1, $2"
		ktap_test_fail "$2"
	fi
}

ktap_print_header
ktap_set_plan 43

for sample in ring.topo fat-tree.ibnetdiscover mesh.ibnetdiscover; do
	for format in native ibnetdiscover; do
		check "$sample, exported and imported as $format" \
			round_trip "$samples/$sample" $format
	done
done

check "from standard input" sh -c \
	"mcastctl fabric add ring topology irregular file - <$samples/ring.topo"
check "with a format" mcastctl fabric add tree topology irregular format ibnetdiscover \
	file "$samples/fat-tree.ibnetdiscover" vcs 2 switching vct buffer 64
shows "the fabric" "^tree: irregular, 7 nodes, 12 channels" mcastctl fabric show tree
shows "in the list" "^ring *irregular" mcastctl fabric show
shows "its nodes" "^ *6 .*21:3 23:4" mcastctl fabric node tree
shows "its hosts" '^host 6 switch 2 port 9 lid 7 .*node-port 2 name "storage HCA-1"$' \
	mcastctl topology show tree
shows "for Graphviz" 's0 -- s3 \[taillabel="21", headlabel="1"\];' \
	mcastctl topology show tree format dot
shows "as JSON" '"node-port": *2' mcastctl -j topology show tree
add rooms "$samples/two-rooms.topo" buffer 64 node-model queue startup 0
shows "delays of links" "^link 0 2 2 2 delay 20$" mcastctl topology show rooms
shows "delays as JSON" '"delay-back": *12' mcastctl -j topology show rooms
# inject-delay 1, twice route-delay 2, the link, consume-delay 1, 31 flits behind the header
shows "a plan with delays" '"arrivals":\[\[4,57\]\]' \
	mcastctl -j plan rooms policy multidrop from 0 to 4 flits 32
mcastctl fabric del rooms
add speeds "$samples/two-speeds.topo" buffer 64 node-model queue startup 0
shows "rates of links" "^link 0 2 2 2 rate 1/4$" mcastctl topology show speeds
shows "rates as JSON" '"flit-cycles-back": *2' mcastctl -j topology show speeds
# a flit every 4 cycles, less the route-delay that the header waits behind the link
shows "a plan with rates" '"arrivals":\[\[4,129\]\]' \
	mcastctl -j plan speeds policy multidrop from 0 to 4 flits 32
shows "the rate of a host's link" "^host 7 switch 3 port 4 rate 1/8 1/2$" \
	mcastctl topology show speeds
# 8 cycles for a flit, less the route-delay at three switches
shows "a plan of a slow host" '"arrivals":\[\[0,252\]\]' \
	mcastctl -j plan speeds policy multidrop from 7 to 0 flits 32
mcastctl run speeds policy multidrop workload lone count 50 dests 1 flits 32
shows "mode flit" "mode flit .*rates of their own" mcastctl stats show speeds
mcastctl fabric del speeds
shows "the root" "^root 2$" mcastctl topology show ring
shows "kinds of topologies, too" "^irregular" mcastctl topology show

refused() # name pattern command...
{
	local name=$1 pattern=$2
	shift 2
	run "$@"
	if [ "$rc" != 0 ] && grep -q -- "$pattern" "$tmp/err" && [ ! -s "$tmp/out" ]; then
		ktap_test_pass "$name"
	else
		say_why "$* should say $pattern"
		ktap_test_fail "$name"
	fi
}

refused "a policy that knows meshes" "policy cp: cannot serve topology irregular" \
	mcastctl plan ring policy cp from 0 to 1
refused "in a run" "policy dp: cannot serve topology irregular" \
	mcastctl run ring policy dp workload lone dests 2
refused "labels" "no labels" mcastctl plan ring policy unicast from '#1' to 2
refused "rates of hosts without buffers at their links" \
	"rates of hosts' links need vc-release sent" mcastctl fabric add y topology irregular \
	file "$samples/two-speeds.topo" vc-release drained
refused "another format" "format xml: it is native, ibnetdiscover, ibsim or anynet" \
	mcastctl fabric add y topology irregular file /dev/null format xml

fabrics=$(mcastctl fabric show | wc -l)
wrong 2 "net:1: Error: swich: a line begins with" 'swich 0 ports 2\n'
wrong 2 "net:2: Error: there is no switch 3" 'switch 0 ports 2\nhost 0 switch 3 port 1\n'
wrong 2 "net:3: Error: port 1 of switch 0 is taken already, in line 2" \
	'switch 0 ports 2\nhost 0 switch 0 port 1\nhost 1 switch 0 port 1\n'
wrong 2 "net:2: Error: no links lead to switch 1" \
	'switch 0 ports 2\nswitch 1 ports 2\nhost 0 switch 0 port 1\n'
wrong 2 "net:3: Error: port 1 of switch 1 is taken already, in line 2" \
	'switch 1 ports 3\nhost 0 switch 1 port 1\nlink 0 1 1 1\nswitch 0 ports 3\n'
wrong 2 "net:2: Error: switch is missing" 'switch 0 ports 2\nhost 0 port 1\n'
wrong 2 "net:3: Error: a link joins switch 0 to itself" \
	'switch 0 ports 4\nhost 0 switch 0 port 1\nlink 0 2 0 3\n'
wrong 2 "net:3: Error: there is no switch 1" \
	'switch 0 ports 4\nhost 0 switch 0 port 1\nlink 0 2 1 3\n'
wrong 2 "net:3: Error: root: there is no switch 1" \
	'switch 0 ports 4\nhost 0 switch 0 port 1\nroot 1\n'
wrong 2 "net:2: Error: the file ends within this line" 'switch 0 ports 2\nhost 0 sw'
wrong 2 "net:1: Error: 255 ports are more than 254" 'Switch\t255 "S-1"\n'
wrong 2 "is not in this file: is it cut off" 'Switch\t4 "S-1"\n[1]\t"S-2"[1]\n'
refused "no file" "nonexistent: No such file" \
	mcastctl fabric add y topology irregular file /nonexistent

ktap_finished
