#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=300
# Bad input through mcastctl: the exit status tells whose fault it was, the message
# names the argument, standard output stays empty, and nothing changes.
# shellcheck source=tests/selftests/helpers/mcastctl.bash
. "$(dirname "$0")/helpers/mcastctl.bash"

printf '0 1 2,3\nx 1 2\n' >"$tmp/cycle"
printf '# two\n0 1 2,3\n\n5 1 1\n' >"$tmp/source"
printf '0 1 300\n' >"$tmp/range"
printf '0 1 2,2\n' >"$tmp/twice"
printf '0 1\n' >"$tmp/none"
printf '10 1 2\n5 1 3\n' >"$tmp/order"
printf '\n' >"$tmp/empty"
printf '1 2 x\n' >"$tmp/nodes"

# status | what standard error must say | arguments
cases=$(sed 's/^[[:space:]]*//' <<'CASES'
	# the command line
	2|unknown object "fabirc"; did you mean "fabric"|fabirc show
	2|is ambiguous: stop, stats|s
	2|unknown fabric command "ad3"|fabric ad3 f1
	2|NAME of the fabric is missing|fabric add
	2|unknown option "--jsn"; did you mean "--json"|--jsn fabric show
	2|unknown option "-x"|-x fabric show
	2|a value is missing|-b
	2|unexpected "x"|fabric show f0 x
	1|topology mesh is not made of a graph|topology show f0
	2|no statistics; did you mean "channels"|stats show f0 chanels
	1|network namespace nope: No such file|-N nope fabric show
	2|/nonexistent: No such file|-b /nonexistent
	# tables
	2|unknown argument "mtf"; did you mean "mft"? .*lft, mft, sl2vl, path-sl$|table show l mtf
	2|unknown argument "ltf"; did you mean "lft"? .*lft, mft, sl2vl, path-sl$|table dump l ltf
	1|Error: switch 99: is not below 16|table set l switch 99 lid 5 ports 1
	1|Error: ports 9: LID 5: port 9 is not in 0 to 5 of switch 3|table set l switch 3 lid 5 ports 9
	1|Error: ports 9: LID 0xc000: port 9 is not in 0 to 5 of switch 3|table set l switch 3 lid 0xc000 ports 9
	# fabrics
	1|fabric f0: a fabric of this name exists|fabric add f0 topology mesh dims 4x4
	2|name is longer than 31|fabric add abcdefghijklmnopqrstuvwxyzabcdef topology mesh dims 4x4
	1|visible ASCII characters only|fabric add a/b topology mesh dims 4x4
	1|topology abcdefghijklmnopqrstuvwxyzabcdef: longer than 31 char|fabric add a topology abcdefghijklmnopqrstuvwxyzabcdef dims 4x4
	1|fabric abcdefghijklmnopqrstuvwxyzabcdef: longer than 31 char|stats show abcdefghijklmnopqrstuvwxyzabcdef
	1|policy abcdefghijklmnopqrstuvwxyzabcdef: longer than 31 char|plan f0 policy abcdefghijklmnopqrstuvwxyzabcdef from 1 to 2
	1|topology mehs: .*did you mean "mesh"|fabric add f1 topology mehs dims 4x4
	2|dims 16x16 is missing|fabric add f1 topology mesh
	2|topology TOPOLOGY is missing|fabric add f1 dims 4x4
	2|dims 4x: not of the form|fabric add f1 topology mesh dims 4x
	2|dims 4x4y: not of the form|fabric add f1 topology mesh dims 4x4y
	2|dims -4x4: not of the form|fabric add f1 topology mesh dims -4x4
	2|dims 99999999999x4: out of range|fabric add f1 topology mesh dims 99999999999x4
	1|dims 0x16: |fabric add f1 topology mesh dims 0x16
	1|dims 4x4x0: |fabric add f1 topology mesh dims 4x4x0
	1|dims 65536x65536: |fabric add f1 topology mesh dims 65536x65536
	1|dims 4294967295x4294967295: |fabric add f1 topology mesh dims 4294967295x4294967295
	1|dims 1024x1025: |fabric add f1 topology mesh dims 1024x1025
	1|dims 2x2x2x2x2x2x2x2x2: |fabric add f1 topology mesh dims 2x2x2x2x2x2x2x2x2
	1|vcs 0: .*1 to 16|fabric add f1 topology mesh dims 4x4 vcs 0
	1|vcs 17: .*1 to 16|fabric add f1 topology mesh dims 4x4 vcs 17
	2|vcs 1x: not a whole number|fabric add f1 topology mesh dims 4x4 vcs 1x
	2|vcs -1: not a whole number|fabric add f1 topology mesh dims 4x4 vcs -1
	2|vcs 4294967296: out of range|fabric add f1 topology mesh dims 4x4 vcs 4294967296
	2|vcs: N is missing|fabric add f1 topology mesh dims 4x4 vcs
	2|vcs is given twice|fabric add f1 topology mesh dims 4x4 vcs 1 vcs 2
	1|buffer 0: |fabric add f1 topology mesh dims 4x4 buffer 0
	1|buffer 65536: |fabric add f1 topology mesh dims 4x4 buffer 65536
	1|inject 0: |fabric add f1 topology mesh dims 4x4 inject 0
	1|consume 0: |fabric add f1 topology mesh dims 4x4 consume 0
	1|cycle-ps 0: |fabric add f1 topology mesh dims 4x4 cycle-ps 0
	1|link-delay 65: |fabric add f1 topology mesh dims 4x4 link-delay 65
	1|stall-limit 0: |fabric add f1 topology mesh dims 4x4 stall-limit 0
	1|nice 20: .*-20 to 19|fabric add f1 topology mesh dims 4x4 nice 20
	1|nice -21: .*-20 to 19|fabric add f1 topology mesh dims 4x4 nice -21
	1|cpus abc: not a list of CPUs like 0-2,5|fabric add f1 topology mesh dims 4x4 cpus abc
	1|cpus 9999: no such CPU, .* are online|fabric add f1 topology mesh dims 4x4 cpus 9999
	2|did you mean "wormhole"|fabric add f1 topology mesh dims 4x4 switching wormhle
	1|link-arbitration packet: |fabric add f1 topology mesh dims 4x4 link-arbitration packet
	1|route-delay 40: |fabric add f1 topology mesh dims 4x4 pipeline flit route-delay 40 link-delay 40
	1|node-bandwidth shared: |fabric add f1 topology mesh dims 4x4 node-bandwidth shared replication lockstep
	1|allocator islip: .*input-speedup 1|fabric add f1 topology mesh dims 4x4 allocator islip
	1|allocator separable: .*input-speedup 1|fabric add f1 topology mesh dims 4x4 allocator separable
	1|allocator separable: .*async|fabric add f1 topology mesh dims 4x4 allocator separable input-speedup 1 replication lockstep
	1|inject 33: |fabric add f1 topology mesh dims 4x4 node-bandwidth shared inject 33
	2|unknown argument "bufer"; did you mean "buffer"|fabric add f1 topology mesh dims 4x4 bufer 2
	2|"s" is ambiguous|fabric add f1 topology mesh dims 4x4 s 2
	1|fabric nope: no such fabric|fabric del nope
	1|fabric f9: no such fabric; did you mean "f0"|fabric show f9
	# plans
	1|fabric nope: no such fabric|plan nope policy dp from 1 to 2
	1|policy dpp: .*did you mean "dp"|plan f0 policy dpp from 1 to 2
	1|policy xyzzyxyzzy: |plan f0 policy xyzzyxyzzy foo 1 from 1 to 2
	2|policy POLICY is missing|plan f0 from 1 to 2
	2|from NODE is missing|plan f0 policy dp to 2
	2|to LIST is missing|plan f0 policy dp from 1
	2|unknown argument "tdd"; did you mean "td"|plan f0 policy qg tdd 1 from 1 to 2
	2|td: a value is missing, "from" follows|plan f0 policy qg td from 1 to 2
	2|td: a value is missing, "cover" follows|plan f0 policy qg td cover column from 1 to 2
	1|td x: |plan f0 policy qg td x from 1 to 2
	1|cover colum: |plan f0 policy qg cover colum from 1 to 2
	2|td is given twice|plan f0 policy qg td 1 td 1 from 1 to 2
	1|from 256: |plan f0 policy dp from 256 to 2
	1|source 1 is among the destinations|plan f0 policy dp from 1 to 2,1
	1|destination 2 occurs twice|plan f0 policy dp from 1 to 2,3,2
	1|destination 256 |plan f0 policy dp from 1 to 2,256
	2|to x: not a node|plan f0 policy dp from 1 to x
	2|to 5-2: range goes downwards|plan f0 policy dp from 1 to 5-2
	2|one node expected|plan f0 policy dp from 3,2 to 5
	2|one node expected|plan f0 policy dp from 3-5 to 7
	1|from (16,0): |plan f0 policy dp from (16,0) to 5
	1|3 coordinates, but fabric f0 has 2|plan f0 policy dp from 1.2.3 to 5
	1|from #256: |plan f0 policy dp from #256 to 5
	1|to #256: |plan f0 policy dp from 1 to #250-#256
	2|/nonexistent: No such file|plan f0 policy dp from 1 to @/nonexistent
	2|empty list|plan f0 policy dp from 1 to ,
	1|flits 0: |plan f0 policy dp from 1 to 2 flits 0
	1|flits 1048577: |plan f0 policy dp from 1 to 2 flits 1048577
	1|mtu 10: headers needs equal packets: flits 32 is no multiple of mtu 10|plan f0 policy dp from 1 to 2 headers on mtu 10
	1|prep 10000001: |plan f0 policy dp from 1 to 2 prep 10000001
	# runs
	1|fabric nope: no such fabric|run nope policy dp workload lone dests 3
	1|policy dpp: |run f0 policy dpp workload lone dests 3
	2|workload is missing: lone.poisson|run f0 policy dp dests 3
	2|did you mean "lone"|run f0 policy dp workload loen dests 3
	1|dests is missing|run f0 policy dp workload lone
	1|dests 0: |run f0 policy dp workload lone dests 0
	1|dests 256: |run f0 policy dp workload lone dests 256
	1|count 0: |run f0 policy dp workload lone dests 3 count 0
	1|flits 0: |run f0 policy dp workload lone dests 3 flits 0
	1|source 256: |run f0 policy dp workload lone dests 3 source 256
	1|rate 0.1: |run f0 policy dp workload lone dests 3 rate 0.1
	1|rate is missing|run f0 policy dp workload poisson dests 3
	1|rate 0: .*0.000000001 to 1|run f0 policy dp workload poisson dests 3 rate 0
	1|rate 1.5: .*0.000000001 to 1|run f0 policy dp workload poisson dests 3 rate 1.5
	2|rate 0.0000000001: finer than|run f0 policy dp workload poisson dests 3 rate 0.0000000001
	2|rate 1e: not a decimal|run f0 policy dp workload poisson dests 3 rate 1e
	1|multicast-fraction 1.5: |run f0 policy dp workload poisson dests 3 rate 0.1 multicast-fraction 1.5
	1|batches 19: .*20 to|run f0 policy dp workload poisson dests 3 rate 0.1 batches 19
	2|pattern bitcmp: .*did you mean "bitcomp"|run f0 policy dp workload lone dests 1 pattern bitcmp
	2|pattern: PATTERN is missing; there are: uniform, |run f0 policy dp workload lone dests 1 pattern
	1|pattern bitcomp: .*the centre of a set|run f0 policy dp workload lone dests 3 pattern bitcomp
	1|self: .*messages to one node|run f0 policy dp workload lone dests 3 self
	1|source 17: .*no other node|run f0 policy dp workload lone dests 1 pattern transpose source 17
	1|hotspots is missing|run f0 policy dp workload lone dests 1 pattern hotspot
	1|hotspots 5,256: .*not below 256|run f0 policy dp workload lone dests 1 pattern hotspot hotspots 5,256
	1|hotspots 5,5: .*named twice|run f0 policy dp workload lone dests 1 pattern hotspot hotspots 5,5
	1|hotspot-weights 1: 1 weights for 2|run f0 policy dp workload lone dests 1 pattern hotspot hotspots 5,6 hotspot-weights 1
	1|hotspots 5: .*means nothing|run f0 policy dp workload lone dests 1 hotspots 5
	2|hotspots x: not a node|run f0 policy dp workload lone dests 1 pattern hotspot hotspots x
	1|lengths 4,5: .*not modelled with headers on|run f0 policy dp workload lone dests 3 lengths 4,5 headers on
	1|lengths 4,5: .*in place of flits|run f0 policy dp workload lone dests 3 lengths 4,5 flits 3
	1|lengths 0,5: .*1 to 1048576|run f0 policy dp workload lone dests 3 lengths 0,5
	1|weights 3: 1 weights for 2 lengths|run f0 policy dp workload lone dests 3 lengths 4,5 weights 3
	1|weights 1,0: .*1 to 1000000|run f0 policy dp workload lone dests 3 lengths 4,5 weights 1,0
	1|weights 3: .*without lengths|run f0 policy dp workload lone dests 3 weights 3
	2|lengths x: not of the form|run f0 policy dp workload lone dests 3 lengths x
	2|set colmn: .*did you mean "column"|run f0 policy dp workload lone dests 3 set colmn
	1|radius is missing|run f0 policy dp workload lone dests 3 set clustered
	1|radius 2: .*without set clustered|run f0 policy dp workload lone dests 3 set column radius 2
	1|radius 0: |run f0 policy dp workload lone dests 3 set clustered radius 0
	1|dests 9: dests must be at most 8|run f0 policy dp workload lone dests 9 set clustered radius 1
	1|dests 16: dests must be at most 15|run f0 policy dp workload lone dests 16 set column
	1|set column: .*there are none|run f0 policy dp workload poisson rate 0.1 multicast-fraction 0 set column
	1|rate is missing|run f0 policy dp workload bernoulli dests 3
	1|alpha 0.1: .*means nothing|run f0 policy dp workload bernoulli dests 3 rate 0.1 alpha 0.1
	1|alpha is missing|run f0 policy dp workload on-off dests 3 rate 0.1
	1|beta is missing|run f0 policy dp workload on-off dests 3 rate 0.1 alpha 0.1
	1|rate is missing: on-off needs a rate, or r1|run f0 policy dp workload on-off dests 3 alpha 0.1 beta 0.1
	1|r1 0.1: r1 follows|run f0 policy dp workload on-off dests 3 alpha 0.1 beta 0.1 rate 0.1 r1 0.1
	1|rate 0.6: .*above alpha|run f0 policy dp workload on-off dests 3 alpha 0.1 beta 0.1 rate 0.6
	1|beta 1.1: .*0.000000001 to 1|run f0 policy dp workload on-off dests 3 alpha 0.1 beta 1.1 rate 0.6
	1|interval is missing|run f0 policy dp workload fixed dests 3
	1|interval 0: |run f0 policy dp workload fixed dests 3 interval 0
	1|fraction 0: |run f0 policy dp workload burst dests 3 fraction 0
	1|max-cycles 0: |run f0 policy dp workload burst dests 3 max-cycles 0
	2|workload file: FILE is missing|run f0 policy dp workload file
	2|/nonexistent: No such file|run f0 policy dp workload file /nonexistent
	2|cycle:2: .*cycle "x"|run f0 policy dp workload file TMP/cycle
	2|source:4: .*source 1 is among|run f0 policy dp workload file TMP/source
	2|range:1: .*destination 300|run f0 policy dp workload file TMP/range
	2|twice:1: .*occurs twice|run f0 policy dp workload file TMP/twice
	2|none:1: .*no destinations|run f0 policy dp workload file TMP/none
	2|nodes:1: .*destination "x"|run f0 policy dp workload file TMP/nodes
	2|no messages in it|run f0 policy dp workload file TMP/empty
	2|order:2: Error: cycle 5: earlier than 10, the one before of source 1|run f0 policy dp workload file TMP/order
	1|fabric nope: no such fabric|stop nope
	1|fabric nope: no such fabric|stats show nope
	1|fabric nope: no such fabric|stats show nope channels
	1|fabric nope: no such fabric|stats reset nope
	2|unknown argument "foo"|monitor foo
CASES
)
cases=$(grep -v '^#' <<<"$cases")

# In one process: starting one costs the most here.
look()
{
	printf 'fabric show\nstats show f0\n' | mcastctl -j -b -
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
ktap_set_plan $(($(wc -l <<<"$cases") + 4))

mcastctl fabric add f0 topology mesh dims 16x16
mcastctl fabric add l topology mesh dims 4x4 addressing lid
before=$(look)
while IFS='|' read -r want pattern line; do
	read -ra words <<<"${line//TMP/$tmp}"
	check "refused: $line" refusal "$want" "$pattern" "${words[@]}"
done <<<"$cases"

# An empty name cannot be written in a table of words.
check "refused: an empty name" refusal 1 "empty" \
	fabric add "" topology mesh dims 4x4

# Reading is for everybody, nothing else is.
as_nobody()
{
	run setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
		mcastctl "$@"
}

no_privilege()
{
	as_nobody -j fabric show
	[ "$rc" -eq 0 ] || { say_why "fabric show"; return 1; }
	as_nobody stats show f0
	[ "$rc" -eq 0 ] || { say_why "stats show"; return 1; }
	local command
	for command in "fabric add g topology mesh dims 4x4" "fabric del f0" \
		"plan f0 policy dp from 1 to 2" "stop f0" "stats reset f0" \
		"run f0 policy dp workload lone dests 2"; do
		# shellcheck disable=SC2086 # words
		as_nobody $command
		if [ "$rc" -ne 1 ] || ! grep -q CAP_NET_ADMIN "$tmp/err"; then
			say_why "$command: status $rc"
			return 1
		fi
	done
}
check "without privilege only reading" no_privilege

busy()
{
	mcastctl run f0 policy dp workload poisson rate 0.0001 dests 5 precision 0 \
		batches 1000 batch-cycles 100000 detach >/dev/null || return 1
	local command
	for command in "fabric del f0" "stats reset f0" \
		"run f0 policy dp workload lone dests 2"; do
		# shellcheck disable=SC2086 # words
		run mcastctl $command
		if [ "$rc" -ne 1 ]; then
			say_why "$command: status $rc"
			return 1
		fi
	done
	# What costs nothing goes on.
	run mcastctl plan f0 policy mp from 0 to 5,6
	[ "$rc" -eq 0 ] || { say_why "plan"; return 1; }
	run mcastctl stop f0
	[ "$rc" -eq 0 ] && [ "$(state f0)" = stopped ]
}
check "a busy fabric is left alone" busy
mcastctl stop f0 >/dev/null

unloaded()
{
	mcastctl fabric del f0
	mcastctl fabric del l
	for _ in 1 2 3 4 5; do
		awk '/^mcfab/ { print $1 }' /proc/modules | xargs -rn 1 rmmod 2>/dev/null
		grep -q '^mcfab' /proc/modules || break
		sleep 0.2
	done
	# Asking for the family loads the module.
	run mcastctl fabric show
	if [ "$rc" -ne 0 ] || ! grep -q '^mcfab ' /proc/modules; then
		say_why "on demand: status $rc"
		return 1
	fi
	awk '/^mcfab/ { print $1 }' /proc/modules | xargs -rn 1 rmmod
	mkdir "$tmp/empty.d"
	mount --bind "$tmp/empty.d" "/lib/modules/$(uname -r)" || return 1
	run mcastctl fabric show
	umount "/lib/modules/$(uname -r)"
	if [ "$rc" -ne 1 ] || ! grep -q 'module not loaded? (modprobe mcfab)' "$tmp/err"; then
		say_why "without a module: status $rc"
		return 1
	fi
	modprobe mcfab
}
check "the module is loaded on demand, or missed in words" unloaded

ktap_finished
