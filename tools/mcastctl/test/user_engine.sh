#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The engine in user space, through a mcastctl with sanitizers; needs no kernel module.
# Usage: user_engine.sh MCASTCTL
set -uo pipefail

mcastctl=$(realpath "$1")
cd "$(dirname "$0")/../../../tests/selftests" || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
number=0
failed=0
# Of sanitizers nothing else is said.
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=halt_on_error=1:exitcode=99

ok() # NAME COMMAND...
{
	local name=$1 word=ok
	shift

	number=$((number + 1))
	"$@" || { word="not ok"; failed=1; }
	echo "$word $number $name"
}

# It ends so, and what it says is in $tmp/out and $tmp/err.
ends() # STATUS NAME COMMAND...
{
	local want=$1 name=$2 status=0
	shift 2

	"$@" >"$tmp/out" 2>"$tmp/err" || status=$?
	ok "$name" [ $status -eq "$want" ]
}

echo "TAP version 13"
echo 1..87

# The commands that the test in the VM compares with the module.
ends 1 "a batch of every command" "$mcastctl" -E user --force -b engines.batch
ok "without a complaint of the sanitizers" \
	sh -c "! grep -E 'Sanitizer|runtime error' $tmp/err"
# lone dp on 8x8, poisson qg there, poisson mp on 64x64, failures under ssr
for hash in eb23850d3ec1f80f 65f856b9d2478fa7 f1cf3c987ee93b55 4f5017e0c9c3d5e7; do
	ok "hash $hash" grep -q "hash $hash" "$tmp/out"
done

# By the options that statistics.md names under "Changed results" they are as before: lone
# multicasts on a torus, and unicasts there under load.
printf '%s\n' "fabric add t topology torus dims 8x8 vcs 2" \
	"run t policy unicast ties positive dateline at-crossing workload lone dests 5 count 500" \
	"run t policy unicast ties positive dateline at-crossing workload poisson rate 0.001 \
	dests 1 flits 5 warmup 1000 precision 0 batches 20 batch-cycles 1000" >"$tmp/batch"
"$mcastctl" -E user -b "$tmp/batch" >"$tmp/out"
for hash in 35cd6af8219939d2 a137c853e7e168af; do
	ok "as before: hash $hash" grep -q "hash $hash" "$tmp/out"
done

# One thread or several, the results are the same.
threads() # CPUS
{
	printf '%s\n' "fabric add f topology torus dims 24x24 vcs 2 $*" \
		"run f policy hcm-uniform workload poisson rate 0.0001 dests 6 warmup 0 \
		precision 0 batches 20 batch-cycles 100" | "$mcastctl" -j -E user -b - |
		grep -Eo '"hash":[0-9]+'
}

ok "threads make no difference" \
	[ "$(threads cpus 0)" = "$(threads cpus "0-$(($(nproc) - 1))")" ]

# What is under way when the process ends is stopped.
endless="run f policy dp workload poisson rate 0.0001 dests 3 precision 0 \
	batch-cycles 1000000000"
printf '%s\n' "fabric add f topology mesh dims 8x8" "$endless detach" >"$tmp/batch"
ends 0 "an end in the middle of a run" "$mcastctl" -E user -b "$tmp/batch"

# An interrupt stops the run, and the batch with it.
printf '%s\n' "fabric add f topology mesh dims 8x8" "$endless" "fabric show" >"$tmp/batch"
# A shell has what it starts in the background ignore interrupts.
cat >"$tmp/interrupt.py" <<'PY'
import signal
import subprocess
import sys
import time

child = subprocess.Popen(sys.argv[1:])
time.sleep(3)
child.send_signal(signal.SIGINT)
sys.exit(child.wait(60))
PY
ends 1 "an interrupt" python3 "$tmp/interrupt.py" "$mcastctl" -E user -b "$tmp/batch"
ok "stops the run" grep -q "run 1 on f: stopped" "$tmp/out"

# Files that are no text, that never end, lines that never end: refused, in little time.
soon() # STATUS NAME PATTERN COMMAND...
{
	local want=$1 name=$2 pattern=$3 status=0
	shift 3

	timeout 120 "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
	ok "$name" test $status = "$want" -a "$(grep -c -- "$pattern" "$tmp/err")" = 1 \
		-a "$(wc -c <"$tmp/err")" -lt 400
}
printf 'fabric add f topology mesh dims 4x4\nfabric show f\nfabric\0 show\n' >"$tmp/batch"
soon 2 "a batch with a zero byte" "batch:3: Error: column 7 has a zero byte" \
	"$mcastctl" -E user -b "$tmp/batch"
ok "none of which is done" test ! -s "$tmp/out"
soon 2 "a batch of zeros" "/dev/zero:1: Error: column 1 has a zero byte" \
	"$mcastctl" -E user -b /dev/zero
soon 2 "a batch of one line without end" "line is longer than 16777216 bytes" \
	sh -c "yes | tr -d '\n' | $mcastctl -E user -b -"
{ yes "\\" | head -n 1000000; echo; echo fabric shwo; } >"$tmp/batch"
soon 2 "a line that is continued a million times" "batch:1000002: Error: unknown fabric" \
	"$mcastctl" -E user -b "$tmp/batch"
mesh="fabric add f topology mesh dims 4x4"
printf '%s\n' "$mesh startup 0" "run f policy dp flits 1 workload file $tmp/list" >"$tmp/batch"
seq 0 8 8799992 | sed 's/$/ 1 2/' >"$tmp/list"
soon 0 "a list of more than 2^20 messages" "^$" sh -c "$mcastctl -E user -b $tmp/batch; echo >&2"
ok "all of which are sent" grep -q "^1 100 000 messages, 1 100 000 deliveries" "$tmp/out"
printf '%s\n' "$mesh" "run f policy dp workload file -" >"$tmp/endless"
soon 2 "a list of messages without end" \
	": Error: [0-9]* messages, and no memory for more: 7 MiB, see max_memory_mb" \
	sh -c "yes '0 1 2' | MCFAB_MAX_MEMORY_MB=8 $mcastctl -E user -b $tmp/endless"
printf '%s\n' "$mesh" "plan f policy dp from 0 to $(seq -s ' ' 300000 | tr -d '\n')" >"$tmp/batch"
soon 1 "a list of many words" "more destinations than 15" "$mcastctl" -E user -b "$tmp/batch"
soon 2 "a long word" "unknown object \"xxxxx*...xxxxx*\"" \
	"$mcastctl" "$(head -c 100000 /dev/zero | tr '\0' x)"

# What is wrong is named, and what there is instead.
mesh="fabric add f topology mesh dims 4x4"
lids="fabric add l topology mesh dims 4x4 addressing lid"
says() # PATTERN LINE...
{
	local pattern=$1
	shift

	printf '%s\n' "$@" >"$tmp/batch"
	"$mcastctl" -E user -b "$tmp/batch" >"$tmp/out" 2>"$tmp/err"
	ok "$pattern" grep -q -- "Error: $pattern" "$tmp/err"
}
says 'workload is missing: lone|poisson' "$mesh" "run f policy dp"
says 'policy DP: .*; did you mean "dp"? there are: binomial,.* xy-union$' "$mesh" \
	"run f policy DP workload lone dests 3"
says 'topology fattree: .*; there are: .*irregular.*torus$' \
	"fabric add f topology fattree dims 4x4"
says 'unknown argument "size"; there are: topology, dims, .*nice$' \
	"fabric add f topology mesh size 4x4"
says 'unknown fabric command "xyzzy"; there are: add, del, show, node' "fabric xyzzy f"
says 'unknown argument "nice"; there are: policy, .*detach' "$mesh" \
	"run f policy dp workload lone dests 3 nice 5"
says 'fabric g: no such fabric; .*there are: f$' "$mesh" "fabric show g"
says 'fabric f: no such fabric; in --engine user a fabric lives as long as its batch' \
	"fabric show f"
says 'ports [0-9,.]*,999,[0-9,.]*: 999 is out of range' "$lids" \
	"table set l switch 1 lid 0xc000 ports $(seq -s, 1 99),999,$(seq -s, 1 99)"
says 'fail [.0-9:,]*,,1:3[.0-9:,]*: entry 41 is empty' "$mesh" \
	"run f policy dp workload lone dests 3 fail $(seq -s, -f %g:3 1 40),,1:3,$(seq -s, -f %g:3 1 40)"
says 'vcs -1: not a whole number (1 to 16)$' "fabric add f topology mesh dims 4x4 vcs -1"
says 'vcs 99999999999: out of range (1 to 16)$' \
	"fabric add f topology mesh dims 4x4 vcs 99999999999"
says 'rate 1e20: out of range (0.000000001 to 1)$' "$mesh" \
	"run f policy dp workload poisson rate 1e20 dests 3"
says 'file list: only topology irregular is made of a file, not irregluar$' \
	"fabric add f topology irregluar file list"
says 'fabric a/b: name of the fabric may have visible ASCII characters only, and no /$' "$mesh" \
	"fabric add a/b topology mesh dims 4x4"
says 'group h: there is no group h; there are: g$' "$lids" "group add l g members 1,2" \
	"group show l h"
says 'group G: there is no group G; did you mean "g"? there are: g$' "$lids" \
	"group add l g members 1,2" "run l policy xy-union workload lone group G"
says 'group g: a group g exists$' "$lids" "group add l g members 1,2" "group add l g members 3"
says 'from 101%: not a node; write an id' "$mesh" "plan f policy dp from 101% to 2"
says 'from 1-2: one node expected$' "$mesh" "plan f policy dp from 1-2 to 3"
says 'to 3-: a range is 3-9 or #3-#9$' "$mesh" "plan f policy dp from 1 to 3-"
says 'members 9-: a range is 3-9 or #3-#9$' "$lids" "group add l g members 1,9-"
long=abcdefghijklmnopqrstuvwxyzabcdef
says "topology $long: longer than 31 characters; there are: " \
	"fabric add f topology $long dims 4x4"
says "policy $long: longer than 31 characters; there are: " "$mesh" \
	"run f policy $long workload lone dests 3"
says "fabric $long: longer than 31 characters; there are: f$" "$mesh" "fabric show $long"
says 'cpus 9999: no such CPU, [-0-9,]* are online$' "fabric add f topology mesh dims 4x4 cpus 9999"
says 'router boksim: not one of ideal|booksim; did you mean "booksim"?' \
	"fabric add f topology mesh dims 4x4 router boksim"
says 'router booksim: allocator separable needs replication async$' \
	"fabric add f topology mesh dims 4x4 router booksim replication lockstep"
says 'router booksim: node-bandwidth shared is not modelled on irregular' \
	"fabric add f topology irregular switches 8 ports 8 hosts 8 router booksim"
# a router's name, and its options one by one; what is given beside it, wherever it stands
options() # WORDS...: of the router, as shown
{
	printf '%s\n' "fabric add f topology mesh dims 8x8 $*" "fabric show f" |
		"$mcastctl" -E user -b - | sed -n '2,5p'
}
options router booksim >"$tmp/name"
options vcs 4 buffer 8 vc-release sent input-speedup 1 allocator separable startup 0 \
	pipeline flit inject-delay 2 route-delay 2 credit-delay 2 node-bandwidth shared \
	inject 7 consume 4 >"$tmp/words"
ok "router booksim is its options" cmp -s "$tmp/name" "$tmp/words"
options consume 2 router booksim vcs 2 >"$tmp/name"
sed -i 's/vcs 4/vcs 2/; s/consume 4/consume 2/' "$tmp/words"
ok "options beside router booksim" cmp -s "$tmp/name" "$tmp/words"
options router ideal >"$tmp/name"
options >"$tmp/words"
ok "router ideal is what they default to" cmp -s "$tmp/name" "$tmp/words"
says 'cpus 0-x: not a list of CPUs like 0-2,5$' "fabric add f topology mesh dims 4x4 cpus 0-x"
# t2w has rules of its own on tori: they are not to be mixed with those of unicast
says 'unknown argument "ties"; there are: policy, ' "fabric add t topology torus dims 8x8 vcs 2" \
	"run t policy t2w ties balanced workload lone dests 3"
says 'unknown argument "dateline"; there are: policy, ' \
	"fabric add t topology torus dims 8x8 vcs 2" \
	"run t policy tasnem dateline at-crossing workload lone dests 3"
soon 2 "an end after no event" "Error: count 0: out of range (from 1)" \
	"$mcastctl" -E user monitor count 0
printf '%s\n' "$mesh" "run f policy dp workload file $tmp/few" "stats show f" >"$tmp/batch"
echo 0 1 2 >"$tmp/few"
"$mcastctl" -E user -b "$tmp/batch" >"$tmp/out" 2>"$tmp/err"
ok "to repeat a list of messages takes the list" grep -q "# FILE is the list" "$tmp/out"
says 'to 9@x: not a node' "$mesh" "plan f policy dp from 1 to 2,3,9@x"
for word in x sx h1 s '(1'; do
	says "switch $word: not a switch; write s3, 3, (3,2) or #11" "$lids" \
		"table set l switch $word lid 5 ports 1"
done
says 'switch s99: switch 99 is not below 16$' "$lids" "table set l switch s99 lid 5 ports 1"
says 'ports 9: LID 5: port 9 is not in 0 to 5 of switch 3$' "$lids" \
	"table set l switch 3 lid 5 ports 9"
says 'ports 1,77: LID 0xc000: port 77 is not in 0 to 5 of switch 3$' "$lids" \
	"table set l switch 3 lid 0xc000 ports 1,77"
says 'unknown argument "mtf"; did you mean "mft"? there are: switch, .* before these lft, mft, sl2vl, path-sl$' \
	"$lids" "table show l mtf"
says 'unknown argument "ltf"; did you mean "lft"? there are: file, and before these lft, mft, sl2vl, path-sl$' \
	"$lids" "table dump l ltf"
says 'unknown argument "lft"; there are: switch, lid, lanes, and before these lft, ' "$lids" \
	"table show l lid 5 lft"
printf '%s\n' "$lids" "table set l switch s1 lid 5 ports 1" "table show l switch s1 lid 5" \
	"table set l switch (2,0) lid 5 ports 1" "table show l switch #2 lid 5" >"$tmp/batch"
ends 0 "switches of tables as s1, (2,0), #2" "$mcastctl" -E user -b "$tmp/batch"
printf '%s\n' "fabric add u topology mesh dims 4x4 routing updown" "link down u switch (1,0)" \
	"link up u switch s1" "link down u switch #3" >"$tmp/batch"
ends 0 "switches of links as well" "$mcastctl" -E user -b "$tmp/batch"

# A subnet of today: several LIDs, aggregation nodes, and messages of the program in its output.
sharp="fabric add h topology irregular file ../samples/sharp.ibnetdiscover addressing lid routing minhop"
printf '%s\n' "$sharp" "table check h" "table show h lft lid 17" \
	"fabric node h 4" "run h policy table copies source lids spread workload burst dests 2" \
	"stats show h sources" >"$tmp/batch"
ends 0 "a subnet with aggregation nodes and several LIDs" "$mcastctl" -E user -b "$tmp/batch"
ok "lines of standard error are skipped, with a warning" grep -q 'ibwarn: .* are skipped$' "$tmp/err"
ok "its tables have a way for each LID" grep -q 'nothing found' "$tmp/out"
ok "a host's further LIDs are its own" grep -q '^ *0 .* 17 .*node 2$' "$tmp/out"
ok "hosts send, aggregation nodes do not" sh -c \
	"grep -A5 'NODE *TAKEN' $tmp/out | awk '\$1 ~ /^[0-4]\$/ { s += \$2 != (\$1 < 3) } END { exit s }'"
says 'source 4: is an aggregation node, which sends in lists only' "$sharp" \
	"run h policy table workload lone dests 1 source 4"

# A run that is under way tells for how long.
printf '%s\n' "$mesh" "run f policy dp workload poisson rate 0.0001 dests 3 precision 0 \
	batch-cycles 1000000000 detach" "plan f policy dp from 0 to 1" "stats show f" \
	"stats show f" >"$tmp/batch"
ends 0 "statistics of a run under way" "$mcastctl" -E user -j -b "$tmp/batch"
ok "say for how long it runs" sh -c "grep -o '\"stalls\":0,\"wall-ns\":[1-9]' $tmp/out | grep -q ."

# What is not to be trusted is marked, as text in either view, and as JSON.
marks() # NAME PATTERN JSON RUN
{
	local name=$1 pattern=$2 json=$3
	shift 3

	printf '%s\n' "fabric add f topology mesh dims 8x8 startup 0" "run f policy $*" \
		"stats show f" "stats show f latency" >"$tmp/batch"
	"$mcastctl" -E user -b "$tmp/batch" >"$tmp/out" 2>"$tmp/err"
	# of the run, of "stats show", and of its view of latencies
	ok "$name: in every view" [ "$(grep -c -- "$pattern" "$tmp/out")" = 3 ]
	"$mcastctl" -E user -j -b "$tmp/batch" >"$tmp/out" 2>"$tmp/err"
	ok "$name: as JSON" [ "$(grep -c -- "$json" "$tmp/out")" = 2 ]
}
fixed="warmup 2000 precision 0 batch-cycles 500"
marks "a saturated run" "^LOWER BOUNDS" '"state":"saturated".*"lower-bound":true' \
	unicast workload poisson rate 0.012 dests 1 "$fixed"
marks "a run that is cut" "^LOWER BOUNDS" '"state":"cut".*"lower-bound":true' \
	unicast workload poisson rate 0.012 dests 1 "$fixed" max-cycles 8000
marks "a run that has not settled" "NOT SETTLED" '"unsettled":true' \
	unicast workload poisson rate 0.008 dests 1
marks "a load that is over too soon" "NOT THE LOAD" '"unsettled":true' \
	unicast workload poisson rate 0.001 dests 1 count 20
exit $failed
