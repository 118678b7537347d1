#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# In the VM: run the kernel's tests that are listed over ports, or over veth pairs.
# scripts/check-forwarding.sh makes the list and reads the outcome.
set -u
dir=$MCFAB_RESULTS
tests=/tmp/selftests/net

# From memory: programs on the host's files are slow to start, and the tests start many.
mkdir -p "$tests" /tmp/bin
cp -r "$MCFAB_KSRC/tools/testing/selftests/net/"{forwarding,lib.sh} "$tests"
cp "$dir/tools/"* /tmp/bin
cp "$(command -v dc)" "$(command -v mausezahn)" "$(command -v tcpdump)" /tmp/bin
# Before its first filter jq 1.6 compiles its own library: 180 million instructions of the CPU each
# time, hundreds of times in a test. gojq takes the same filters and has the same exit statuses.
cp "$(command -v gojq)" /tmp/bin/jq
export PATH=/tmp/bin:$PATH
IP_LIB_DIR=/tmp/plugin
cp -r "$MCFAB_TOP/tools/iproute2" $IP_LIB_DIR
export IP_LIB_DIR
# The ends of the cables are there already: p1, p2, ...
{
	echo "NETIF_CREATE=no"
	printf 'NETIFS[p%s]=p%s\n' {1..10}{,}
} >"$tests/forwarding/forwarding.config"

# Number of ends that a test needs: it says so itself, or a file that it sources.
ends_of() # FILE
{
	local count file

	count=$(sed -n 's/^NUM_NETIFS=//p' "$tests/forwarding/$1" | head -n 1)
	if [ -n "$count" ]; then
		echo "$count"
		return
	fi
	sed -nE 's/^\s*source (.*\/)?([a-z0-9_]+\.sh)$/\2/p' "$tests/forwarding/$1" |
		while read -r file; do
			[ "$file" = lib.sh ] || ends_of "$file"
		done | head -n 1
}

# cables MEDIUM N NICE: N interfaces p1, p2, ...; p1 is joined to p2, p3 to p4. Threads of fabrics
# have this nice level.
cables()
{
	local i

	for ((i = 1; i < $2; i += 2)); do
		if [ "$1" = veth ]; then
			ip link add "p$i" type veth peer name "p$((i + 1))" || return
			continue
		fi
		# a run has room for frames of the MTU with which it began: later it may change below
		mcastctl fabric add "cable$i" topology mesh dims 2x1 \
			nice "$3" >/dev/null &&
			ip link add "p$i" mtu 65000 type mcfab fabric "cable$i" node 0 &&
			ip link add "p$((i + 1))" type mcfab fabric "cable$i" node 1 &&
			mcastctl run "cable$i" policy unicast workload ports detach >/dev/null &&
			ip link set "p$i" mtu 1500 ||
			return
	done
}

cables_gone() # MEDIUM N
{
	local i

	for ((i = 1; i < $2; i += 2)); do
		if [ "$1" = veth ]; then
			ip link del "p$i"
		else
			mcastctl stop "cable$i" >/dev/null
			mcastctl fabric del "cable$i"
		fi
	done
	# What the test left behind would be in the way of the next.
	for i in $(ip -j link show | jq -r '.[].ifname'); do
		if [[ " $before " != *" $i "* ]]; then
			echo "left behind: $i"
			ip link del "$i"
		fi
	done
}

# All ends that the test calls NAME1, NAME2, ... get all multicasts.
flood() # TEST NAME
{
	sed -nE "s/^\\s*$2[0-9]=\\$\{NETIFS\[(p[0-9])\]\}\$/link set \\1 type mcfab flood on/p" \
		"$tests/forwarding/$1" | ip -batch -
}

run() # MEDIUM TEST [NAME]
{
	local out=$dir/$1-$2 count start rc=1 delay=0 nice=0

	# These send 1000 packets at once to a neighbour whose address is not known yet. Fewer than
	# that wait for it, so there are 100 us between packets: a fabric takes longer to ask than a
	# veth pair, which answers within the system call.
	[[ $2 != ip6gre_@(flat|hier|custom)* ]] || delay=100
	# A shaper's device takes frames in time: its thread does not wait for the CPU behind mausezahn.
	# Nor do the cables of a router, one of which may get all that another brings: it drops
	# what a cable does not take, and these tests compare what the cables have got.
	[[ $2 != @(sch_tbf_|router_mpath_)* ]] || nice=-20
	count=$(ends_of "$2")
	start=$SECONDS
	if cables "$1" "$count" "$nice" >"$out.out" 2>&1 &&
		{ [ "$1" = veth ] || [ -z "${3:-}" ] || flood "$2" "$3" >>"$out.out" 2>&1; }; then
		# A test that opens /dev/stderr would truncate a file. A process that it leaves
		# behind must not hold us up.
		(cd "$tests/forwarding" && MZ_DELAY=$delay exec timeout -k 10 "$MCFAB_LIMIT" "./$2") \
			2>&1 </dev/null | timeout "$((MCFAB_LIMIT + 20))" cat >"$out.out"
		rc=${PIPESTATUS[0]}
	fi
	cables_gone "$1" "$count" >"$out.left" 2>&1
	echo "$rc $((SECONDS - start))" >"$out.rc"
	# The host reports it while the next test is under way.
	echo "$1 $2"
	[ "$rc" -eq 0 ] && ! grep -a '^TEST: ' "$out.out" | grep -Eqv '\[( OK |XFAIL)\]$'
}

modprobe mcfab
# shellcheck disable=SC2086 # a list of words
modprobe -a $MCFAB_MODULES
# Modules of tunnels have interfaces of their own, which nobody can remove.
before=$(ip -j link show | jq -r '.[].ifname' | tr '\n' ' ')
while read -r medium test flood; do
	run "$medium" "$test" "$flood" || [ "$medium" = veth ] || run veth "$test"
done <"$dir/list"
exit 0
