#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=600
# Multicast groups and forwarding tables through mcastctl: what is shown, dumped, loaded
# and checked, and what is refused. Tables that come from elsewhere: mcastctl_subnet_files.sh.
# shellcheck source=tests/selftests/helpers/mcastctl.bash
. "$(dirname "$0")/helpers/mcastctl.bash"

# The worked example of the paper's reading: 5x5, source N(2,2), LIDs 4, 5, 19, 21, 23.
# Node ids are x + 5y; ports 1 east, 2 north, 3 west, 4 south, 5 the node.
cat >"$tmp/example" <<'TABLE'
SWITCH NAME ITS-LID LID FROM PORT:SWITCH
4 switch (4,0) 46 0xc000 built 5:host
9 switch (4,1) 47 0xc000 built 4:4
10 switch (0,2) 28 0xc000 built 2:15
11 switch (1,2) 33 0xc000 built 3:10
12 switch (2,2) 38 0xc000 built 1:13 3:11
13 switch (3,2) 43 0xc000 built 1:14 2:18
14 switch (4,2) 48 0xc000 built 4:9 5:host
15 switch (0,3) 29 0xc000 built 2:20 5:host
18 switch (3,3) 44 0xc000 built 5:host
20 switch (0,4) 30 0xc000 built 5:host
TABLE

example()
{
	mcastctl group add m g members 15,20,18,4,14 || return 1
	mcastctl group assign m g source 2.2 || return 1
	run mcastctl table show m mft
	said 0 || return 1
	squeeze "$tmp/out" >"$tmp/squeezed"
	diff "$tmp/example" "$tmp/squeezed" || return 1
	run mcastctl table show m switch 2.2 lid 0xc000
	[ "$(wc -l <"$tmp/out")" -eq 2 ] && grep -q '1:13 3:11' "$tmp/out"
}

linear()
{
	run mcastctl table show m lft switch 12 lid 1
	squeeze "$tmp/out" | grep -qx '12 switch (2,2) 38 1 3:11 node 0' || return 1
	run mcastctl table show m switch 12 lid 38
	squeeze "$tmp/out" | grep -qx '12 switch (2,2) 38 38 0:self switch 12' || return 1
	run mcastctl table show m
	[ "$(wc -l <"$tmp/out")" -eq $((25 * 50 + 1)) ] || return 1
	run mcastctl -j table show m switch 12
	python3 - "$tmp/out" <<'PY'
import json, sys
entries = json.load(open(sys.argv[1], encoding="utf-8"))
port = {e["lid"] + i: p for e in entries for i, p in enumerate(e["ports"])}
assert all(e["switch"] == 12 and e["switch-lid"] == 38 for e in entries)
assert sorted(port) == list(range(1, 51))
# Node N(x,y) has LID 5x + y + 1, its switch 25 more: x first.
for lid, out in port.items():
    x, y = divmod((lid - 1) % 25, 5)
    want = 1 if x > 2 else 3 if x < 2 else 2 if y > 2 else 4 if y < 2 else 5 if lid <= 25 else 0
    assert out == want, (lid, out, want)
PY
}

lanes()
{
	mcastctl fabric add v topology mesh dims 3x3 addressing lid vcs 4 || return 1
	run mcastctl table show v sl2vl switch 1.1 lanes dedicated
	local ret=1
	# E 0, N 1, W 2, S 3, whatever the service level
	if squeeze "$tmp/out" | grep -q '1:5 0 0 0 0' && squeeze "$tmp/out" | grep -q '3:3 2 2 2' &&
		squeeze "$tmp/out" | grep -q '4:1 3 3 3'; then
		run mcastctl table show v sl2vl switch 1.1
		squeeze "$tmp/out" | grep -q '1:5 0 1 2 3 0 1 2 3' && ret=0
	fi
	mcastctl fabric del v
	return $ret
}

# Lanes that are loaded: a ring that deadlocks without them.
levels()
{
	local samples ret=1

	samples=$(cd "$(dirname "$0")/../samples" && pwd)
	mcastctl fabric add v topology irregular file "$samples/dateline.topo" addressing lid vcs 2 ||
		return 1
	run mcastctl table load v "$samples/dateline.fdbs"
	run mcastctl table check v
	if grep -q "credit-loop: credit loop of switches 0 > 1 > 2 > 3 > 0" "$tmp/out"; then
		run mcastctl table load v "$samples/dateline.sl2vl" "$samples/dateline.path-sl"
		run mcastctl table check v
		grep -qx "nothing found" "$tmp/out" && mcastctl table dump v file "$tmp/one" &&
			run mcastctl table load v "$tmp/one" && mcastctl table dump v >"$tmp/two" &&
			cmp "$tmp/one" "$tmp/two" && grep -q "^2   1   : 0  1  0" "$tmp/two" &&
			mcastctl run v policy table lanes tables copies source workload poisson \
				rate 0.02 dests 2 batch-cycles 500 >"$tmp/out" && ret=0
	fi
	mcastctl fabric del v
	return $ret
}

members()
{
	run mcastctl -j group show m g
	python3 - "$tmp/out" <<'PY' || return 1
import json, sys
g = json.load(open(sys.argv[1], encoding="utf-8"))
assert g["name"] == "g" and g["members"] == [4, 14, 15, 18, 20], g
assert g["lids"] == [{"source": 12, "lid": 0xc000}], g
PY
	mcastctl group join m g members 0,1 || return 1
	mcastctl group leave m g members 4,14 || return 1
	run mcastctl group show m
	squeeze "$tmp/out" | grep -qx 'g 5 - 1 0-1,15,18,20' || return 1
	run mcastctl group show m g
	said 0 'members 0-1,15,18,20' '12  *0xc000' || return 1
	run mcastctl group add m all members 0-24
	[ "$rc" -eq 0 ] && mcastctl group assign m all || return 1
	run mcastctl -j group show m all
	python3 -c 'import json, sys
g = json.load(open(sys.argv[1]))
assert len(g["lids"]) == 25 and len({l["lid"] for l in g["lids"]}) == 25' "$tmp/out" || return 1
	mcastctl group del m all
	run mcastctl group show m
	! grep -q '^all' "$tmp/out"
}

# What a user sets stays until it is restored.
override()
{
	mcastctl table set m switch 12 lid 0xc000 ports 1,2 || return 1
	run mcastctl table show m switch 12 lid 0xc000
	squeeze "$tmp/out" | grep -q 'user 1:13 2:17' || return 1
	mcastctl table set m switch 12 lid 0xc000 restore || return 1
	run mcastctl table show m switch 12 lid 0xc000
	squeeze "$tmp/out" | grep -q 'built' || return 1
	mcastctl table set m switch 12 lid 1 ports none || return 1
	run mcastctl table show m switch 12 lid 1
	[ "$(wc -l <"$tmp/out")" -eq 1 ] || return 1
	run mcastctl table check m
	said 1 'LID 1' || return 1
	mcastctl table set m switch 12 lid 1 restore || return 1
	run mcastctl table check m
	said 0 '^nothing found$'
}

# Two switches send the packets for LID 1 to each other.
loop()
{
	mcastctl table dump m lft | awk '
		/^Unicast/ { sw = / Lid 38 / ? 12 : / Lid 43 / ? 13 : 0 }
		/^0x0001 / && sw == 12 { sub(/ 003/, " 001") }
		{ print }' >"$tmp/loop"
	mcastctl table dump m lft >"$tmp/one"
	run mcastctl table load m "$tmp/loop"
	if [ "$rc" -ne 1 ] || ! grep -q 'loop of switches' "$tmp/err"; then
		say_why "a loop is loaded: status $rc"
		return 1
	fi
	mcastctl table dump m lft | cmp "$tmp/one" - || return 1
	run mcastctl table load m "$tmp/loop" force
	said 0 'loop of switches' || return 1
	run mcastctl -j table check m
	if [ "$rc" -ne 1 ] || ! python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
assert d["findings"] >= 1
assert any(f["type"] == "loop" and sorted(f["switches"]) == [12, 13] for f in d["finding"])' \
		"$tmp/out"; then
		say_why check
		return 1
	fi
	mcastctl table load m "$tmp/one"
}

traffic()
{
	local policy
	run mcastctl -j plan m policy xy-union from 12 group g
	said 0 || return 1
	python3 -c 'import json, sys
p = json.load(open(sys.argv[1]))
assert p["destinations"] == [0, 1, 15, 18, 20], p
assert [n for n, _ in p["arrivals"]] == p["destinations"], p' "$tmp/out" || return 1
	for policy in xy-union xy-unicast table "table copies source"; do
		# shellcheck disable=SC2086 # a policy with its parameters
		run mcastctl -j run m policy $policy workload lone count 3 source 12 group g flits 64
		said 0 '"state":"done"' '"deliveries":15,' || return 1
	done
	printf '0 12 group g\n5 2.2 0,1\n9 3 group g # more\n' >"$tmp/messages"
	run mcastctl -j run m policy xy-union workload file "$tmp/messages" flits 64
	said 0 '"state":"done"' '"deliveries":12,'
}

# A packet that follows a bad table is dropped, and that is told.
dropped()
{
	local ret=0
	mcastctl table set m switch 13 lid 0xc000 ports none || return 1
	run mcastctl plan m policy table from 12 group g
	said 0 'destinations not reached: 1' || ret=1
	mcastctl table set m switch 12 lid 0xc000 ports none || return 1
	run mcastctl plan m policy table from 12 group g
	if [ "$rc" -ne 1 ] || ! grep -q 'reach no destination' "$tmp/err"; then
		say_why "nothing is reached: status $rc"
		ret=1
	fi
	mcastctl table set m switch 12 lid 0xc000 restore
	mcastctl table set m switch 13 lid 0xc000 restore
	return $ret
}

words_complete()
{
	[ "$(mcastctl complete group show m '')" = g ] &&
		mcastctl complete table show m l | grep -qx lft &&
		[ "$(mcastctl complete run m policy table group '')" = g ] &&
		mcastctl complete group '' | grep -qx join
}

busy()
{
	local command ret=0
	mcastctl run m policy xy-union workload poisson rate 0.0001 group g precision 0 \
		batches 1000 batch-cycles 100000 detach >/dev/null || return 1
	for command in "group add m h members 1,2" "group join m g members 9" "group del m g" \
		"group leave m g members 0" "table set m switch 0 lid 1 ports 5" \
		"table load m $tmp/one"; do
		# shellcheck disable=SC2086 # words
		run mcastctl $command
		[ "$rc" -eq 1 ] || { say_why "$command: status $rc"; ret=1; }
	done
	run mcastctl table show m mft
	[ "$rc" -eq 0 ] || ret=1
	mcastctl stop m >/dev/null
	return $ret
}

as_nobody()
{
	run setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
		mcastctl "$@"
}

no_privilege()
{
	local command
	as_nobody table show m mft
	said 0 || return 1
	as_nobody group show m
	said 0 || return 1
	for command in "group add m h members 1" "group del m g" "table check m" \
		"group assign m g" "table set m switch 0 lid 1 ports 5"; do
		# shellcheck disable=SC2086 # words
		as_nobody $command
		if [ "$rc" -ne 1 ] || ! grep -q CAP_NET_ADMIN "$tmp/err"; then
			say_why "$command: status $rc"
			return 1
		fi
	done
}

# Files that are wrong, with lines to be named.
wrong_files()
{
	local lft="$tmp/one"
	mcastctl table dump m lft file "$lft"
	head -n 30 "$lft" >"$tmp/cut"
	sed '17s/ 0/ x/' "$lft" >"$tmp/port"
	sed '17s/^.*$/0x000e 040/' "$lft" >"$tmp/range"
	sed '17s/^0x..../0x00ff/; 1s/0x32/0xff/' "$lft" |
		sed '18,53d; 54s/^50 valid/14 valid/' >"$tmp/lid"
	sed '1s/Lid 26 guid 0x.*(/Lid 99 guid 0x123 (/' "$lft" >"$tmp/switch"
	cat "$lft" "$lft" >"$tmp/twice"
	sed '17s/^/\x01/' "$lft" >"$tmp/garbled"
	printf '0 12 group nope\n' >"$tmp/nogroup"
	printf '0 12 group\n' >"$tmp/noname"
	printf '0 12 group g 5\n' >"$tmp/follows"
	: >"$tmp/empty"
	printf 'switch 0 ports 3\nhost 0 switch 0 port 1\nhost 1 switch 0 port 2\n' >"$tmp/ring"
}

# status | what standard error must say | arguments
cases=$(sed 's/^[[:space:]]*//' <<'CASES'
	# groups
	2|group add: NAME of the fabric is missing|group add
	2|group add: NAME of the group is missing|group add m
	2|members LIST is missing|group add m h
	2|members: LIST is missing|group add m h members
	2|members x: not a node|group add m h members x
	2|unknown argument "mebmers"; did you mean "members"|group add m h mebmers 1
	1|fabric nope: no such fabric|group add nope h members 1
	1|members 1,25: node 25 is not below 25|group add m h members 1,25
	1|members 1,1: node 1 is given twice|group add m h members 1,1
	1|group g: a group g exists|group add m g members 1
	1|lid 0xbfff: |group add m h members 1 lid 0xbfff
	1|lid 65535: |group add m h members 1 lid 65535
	1|lid 0xc000: .*belongs to group g|group add m h members 1 lid 0xc000
	2|name is longer than 31|group add m abcdefghijklmnopqrstuvwxyzabcdef members 1
	1|group nope: there is no group nope|group del m nope
	1|group nope: there is no group nope|group join m nope members 1
	1|members 0: node 0 is a member|group join m g members 0
	1|members 9: node 9 is no member|group leave m g members 9
	1|group nope: there is no group nope|group show m nope
	1|group nope: there is no group nope|group assign m nope
	1|source 25: is not below 25|group assign m g source 25
	2|unexpected "x"|group show m g x
	1|no LIDs|group add n h members 1
	# rules of switches
	2|ingress alow: .*did you mean "allow"|fabric add q topology mesh dims 3x3 addressing lid ingress alow
	2|ingress: exclude.allow is missing|fabric add q topology mesh dims 3x3 addressing lid ingress
	2|port-numbers: E,N,W,S,HOST is missing|fabric add q topology mesh dims 3x3 addressing lid port-numbers
	1|ingress allow: .*only with addressing lid|fabric add q topology mesh dims 3x3 ingress allow
	1|port-numbers 1,2,3,4,5: .*only with addressing lid|fabric add q topology mesh dims 3x3 port-numbers 1,2,3,4,5
	1|port-numbers 1,2,3,4: 4 numbers, not 5|fabric add q topology mesh dims 3x3 addressing lid port-numbers 1,2,3,4
	1|port-numbers 1,2,3,4,4: port 4 is given twice|fabric add q topology mesh dims 3x3 addressing lid port-numbers 1,2,3,4,4
	1|port-numbers 0,1,2,3,4: port 0 is not in 1 to 5|fabric add q topology mesh dims 3x3 addressing lid port-numbers 0,1,2,3,4
	1|port-numbers 1,2,3,4,6: port 6 is not in 1 to 5|fabric add q topology mesh dims 3x3 addressing lid port-numbers 1,2,3,4,6
	2|port-numbers 1-5: not of the form 1,2,3|fabric add q topology mesh dims 3x3 addressing lid port-numbers 1-5
	1|port-numbers 1,2,3,4,5: .*irregular|fabric add q topology irregular file TMP/ring addressing lid port-numbers 1,2,3,4,5
	2|unknown argument "port-nubmers"; did you mean "port-numbers"|fabric add q topology mesh dims 3x3 addressing lid port-nubmers 1,2,3,4,5
	1|addressing lid: .*two dimensions|fabric add q topology mesh dims 3x3x3 addressing lid
	2|addressing ldi: .*did you mean "lid"|fabric add q topology mesh dims 3x3 addressing ldi
	1|switching wormhole: packet arbitration needs|fabric add q topology mesh dims 3x3 addressing lid switching wormhole
	# traffic to groups
	1|group nope: there is no group nope|plan m policy xy-union from 1 group nope
	2|group g: the destinations are given|plan m policy xy-union from 1 to 2 group g
	2|to LIST is missing, or group NAME|plan m policy xy-union from 1
	1|group nope: there is no group nope|run m policy xy-union workload lone group nope
	1|group g: |run m policy xy-union workload lone dests 3 group g
	2|nogroup:1: .*group "nope": fabric m has no such group|run m policy xy-union workload file TMP/nogroup
	2|noname:1: .*group: NAME is missing|run m policy xy-union workload file TMP/noname
	2|follows:1: .*group "g": "5" follows|run m policy xy-union workload file TMP/follows
	# tables
	1|fabric nope: no such fabric|table show nope
	1|fabric n: it has no LIDs|table show n
	2|unknown argument "lftt"|table show m lftt
	1|switch 25: is not below 25|table show m switch 25
	1|lid 0xc000: those tables have no such LID|table show m lft lid 0xc000
	1|lid 0: |table show m lid 0
	1|lid 65535: |table show m lid 65535
	2|lanes dedicatd: .*did you mean "dedicated"|table show m sl2vl lanes dedicatd
	2|switch SWITCH is missing|table set m lid 1 ports 1
	2|lid L is missing|table set m switch 1 ports 1
	2|either "ports" or "restore"|table set m switch 1 lid 1
	2|either "ports" or "restore"|table set m switch 1 lid 1 ports 1 restore
	2|ports x: "x" is no number|table set m switch 1 lid 1 ports x
	2|ports 255: 255 is out of range|table set m switch 1 lid 1 ports 255
	2|ports 1,2: unicast LID 1 has one|table set m switch 1 lid 1 ports 1,2
	1|Error: ports 9: LID 1: port 9 is not in 0 to 5 of switch 1|table set m switch 1 lid 1 ports 9
	1|lid 51: .*51|table set m switch 1 lid 51 ports 1
	1|Error: switch 25: is not below 25|table set m switch 25 lid 1 ports 1
	1|0xc0ff.* belongs to no group|table set m switch 1 lid 0xc0ff ports 1
	2|FILE is missing|table load m
	2|FILE is missing|table load m force
	2|/nonexistent: No such file|table load m /nonexistent
	2|unexpected "x"|table load m TMP/one force x
	1|fabric n: it has no LIDs|table load n TMP/one
	2|empty: no forwarding tables in it|table load m TMP/empty
	2|cut:30: .*line 1 does not end with|table load m TMP/cut
	2|port:17: .*port "x|table load m TMP/port
	1|range:17: .*port 40 is out of range: switch 0 has ports 0 to 5|table load m TMP/range
	1|lid:17: .*lid 0x00ff: nobody in fabric m|table load m TMP/lid
	1|switch:1: .*no switch with guid 0x0000000000000123 or LID 99|table load m TMP/switch
	1|twice:1351: .*switch 0 has a linear table already, in .*twice:1|table load m TMP/twice
	2|garbled:17: .*control character 0x01|table load m TMP/garbled
	2|unknown argument "sl3vl"; did you mean "sl2vl"|table dump m sl3vl
	1|lanes tables: needs SL-to-VL tables|table show m sl2vl lanes tables
	1|lanes tables: needs SL-to-VL tables|run m policy table lanes tables workload poisson
	1|switch 3: service levels of paths belong to sources|table show m path-sl switch 3
	2|file: FILE is missing|table dump m file
	2|file /nonexistent/x: No such file|table dump m file /nonexistent/x
	1|fabric n: it has no LIDs|table check n
	2|is ambiguous: topology, table|t show m
CASES
)
cases=$(grep -v '^#' <<<"$cases")

look()
{
	printf 'fabric show m\ngroup show m\n' | mcastctl -j -b -
	mcastctl table dump m
}

refusal() # STATUS PATTERN ARGUMENT...
{
	local want=$1 pattern=$2 after
	shift 2

	run mcastctl "$@"
	after=$(look)
	if [ "$rc" -ne "$want" ]; then
		say_why "exit status $rc, not $want"
	elif ! grep -q -- "$pattern" "$tmp/err"; then
		say_why "standard error does not say: $pattern"
	elif [ -s "$tmp/out" ]; then
		say_why "something on standard output"
	elif [ "$before" != "$after" ]; then
		say_why "something changed"
	else
		return 0
	fi
	return 1
}

ktap_print_header
ktap_set_plan $(($(wc -l <<<"$cases") + 14))

mcastctl fabric add m topology mesh dims 5x5 addressing lid
mcastctl fabric add n topology mesh dims 5x5
check "the 5x5 example, all its port sets" example
check "linear tables are those of XY routing" linear
check "lanes of service levels" lanes
check "lanes and service levels that are loaded" levels
check "groups: join, leave, show, del" members
check "dump, load, dump is the identity" round_trip m
check "entries that the user sets, and restores" override
check "loops are found at load and named" loop
check "traffic to groups" traffic
check "a plan tells of what is dropped" dropped
check "completion" words_complete
check "not while a run is active" busy
check "without privilege only reading" no_privilege
check "files with mistakes" wrong_files

before=$(look)
while IFS='|' read -r want pattern line; do
	read -ra words <<<"${line//TMP/$tmp}"
	check "refused: $line" refusal "$want" "$pattern" "${words[@]}"
done <<<"$cases"

ktap_finished
