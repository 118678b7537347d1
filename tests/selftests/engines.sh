#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=600
# The engine in user space against the one in the kernel: the same commands give the
# same lines, on standard output and on standard error, as text and as JSON.
# shellcheck source=tests/selftests/helpers/mcastctl.bash
. "$(dirname "$0")/helpers/mcastctl.bash"

ns=engines$$

# What may differ is the time a run took, by the clock on the wall, the sizes of structures that
# are the kernel's or its shims', and what the engine is called, and no more.
strip()
{
	sed -E -e 's/(flit-hops, )[0-9.]+ s$/\1TIME/' -e 's/"wall-ns":[0-9]+/"wall-ns":0/g' \
		-e 's/"bytes":[0-9]+/"bytes":0/g' -e 's/ +[0-9.]+ [kM]?B\>/ SIZE/g' \
		-e 's/"mcfab":"[^"]*"/"mcfab":""/g' -e 's/^to repeat .*/to repeat/' "$1"
}

# How far a run had come when it was shown or stopped is a matter of time, too.
strip_stopped()
{
	strip "$1" | sed -E -e '/"state":"stopped"/s/.*("run":[0-9]+,).*/\1 stopped/' \
		-e '/"state":"running"/s/,"cycle":.*//'
}

# both OUTPUT BATCH OPTION...: BATCH on either engine, each beginning with nothing
both()
{
	local name=$1 file=$2 engine
	shift 2

	ip netns add $ns
	for engine in kernel user; do
		local where=()
		[ $engine = user ] || where=(-N "$ns")
		mcastctl "${where[@]}" --engine $engine --force "$@" -b "$file" \
			>"$tmp/$name.$engine.out" 2>"$tmp/$name.$engine.err"
		echo "exit status $?" >>"$tmp/$name.$engine.err"
	done
	# The fabrics in it go with it.
	ip netns del $ns
}

# same NAME STRIP out|err: every line is
same()
{
	local engine

	for engine in kernel user; do
		"$2" "$tmp/$1.$engine.$3" >"$tmp/$engine"
	done
	[ -s "$tmp/kernel" ] || return 1
	ktap_print_msg "$1, $3: $(wc -l <"$tmp/kernel") lines"
	diff -u "$tmp/kernel" "$tmp/user" >"$tmp/diff" && return 0
	head -n 40 "$tmp/diff" | cut -c -300 | sed 's/^/# /'
	return 1
}

# What happens while a run is under way. It would take hours.
cat >"$tmp/stop.batch" <<'BATCH'
fabric add f topology irregular file ../samples/ring.topo
run f policy ssr workload poisson rate 0.00005 dests 3 warmup 0 precision 0 batch-cycles 1000000000 max-cycles 100000000000 detach
fabric del f
run f policy ssr workload lone dests 3
link down f switch s0 port 3
stop f
link show f
link up f switch s0 port 3
run f policy ssr workload lone count 5 dests 3
stats show f
fabric del f
fabric show
BATCH

ktap_print_header
ktap_set_plan 11

# The user's engine has all policies; the kernel shows those that are loaded.
mapfile -t policies < <(sed -n 's/^alias mcfab-policy-[^ ]* //p' \
	"/lib/modules/$(uname -r)/modules.alias")
modprobe -a "${policies[@]}"

check "at least 50 commands" [ "$(grep -c '^[a-z]' engines.batch)" -ge 50 ]
both json engines.batch -j
check "JSON is the same" same json strip out
check "so are refusals" same json strip err
both text engines.batch
check "text is the same" same text strip out
check "so are refusals" same text strip err
both stop "$tmp/stop.batch" -j
check "during a run it is the same" same stop strip_stopped out
check "so are refusals" same stop strip_stopped err

# The first refusal ends a batch.
run mcastctl --engine user -b engines.batch
check "an error ends a batch" [ "$rc" -eq 1 ]

refuses 2 "option --engine usr: not one of: kernel, user" mcastctl --engine usr fabric show
refuses 2 "option --netns $ns" mcastctl --engine user -N $ns fabric show
refuses 1 "MCFAB_MAX_MEMORY_MB=1k: not a whole number" \
	env MCFAB_MAX_MEMORY_MB=1k mcastctl --engine user fabric show

ktap_finished
