#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=400
# Modules come and go, under load: what is in use stays, what is not goes with all
# that hangs on it, and nothing is left behind.
# shellcheck source=/dev/null
. "${MCFAB_KSRC:?}/tools/testing/selftests/kselftest/ktap_helpers.sh"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
endless=(workload poisson rate 0.0003 dests 8 flits 16 warmup 1000000000)
rounds=${MCFAB_DEBUG:+1}
rounds=${rounds:-8}
mapfile -t policies < <(modprobe -c | awk '$1 == "alias" && $2 ~ /^mcfab.policy/ { print $3 }')

check() # description command...
{
	local what=$1

	shift
	if "$@" >"$log" 2>&1; then
		ktap_test_pass "$what"
	else
		ktap_print_msg "$*: $(head -c 300 "$log" | tr '\n' ' ')"
		ktap_test_fail "$what"
	fi
}

refused() # command...: fails, and says that something is in use
{
	! "$@" >"$log" 2>&1 && grep -qi 'in use' "$log"
}

loaded()
{
	grep -q "^$1 " /proc/modules
}

unload()
{
	local i

	for i in 1 2 3; do
		awk '/^mcfab_/ { print $1 }' /proc/modules | xargs -rn 1 rmmod
		! loaded mcfab || rmmod mcfab
	done 2>/dev/null
	! loaded mcfab
}

threads() # no router thread is there
{
	! cat /proc/[0-9]*/comm 2>/dev/null | grep '^mcfab/'
}

# kB: slab that cannot be reclaimed, vmalloc, kernel stacks, per CPU
used()
{
	sync
	echo 3 >/proc/sys/vm/drop_caches
	sleep 1
	awk '/^(SUnreclaim|VmallocUsed|KernelStack|Percpu):/ { n += $2 } END { print n }' \
		/proc/meminfo
}

# The command by which README.md has everything unloaded.
readme()
{
	local command

	command=$(sed -n 's/^# \(modprobe -r .* mcfab\)$/\1/p' "$MCFAB_TOP/README.md")
	[ -n "$command" ] || return
	eval "$command" && ! grep '^mcfab' /proc/modules
}

one_round()
{
	local i

	modprobe mcfab || return
	for i in 1 2 3 4; do
		mcastctl fabric add "u$i" topology mesh dims 12x12 || return
	done
	mcastctl run u1 policy cp "${endless[@]}" detach || return
	mcastctl run u2 policy qg workload lone count 20 dests 10 || return
	mcastctl run u3 policy dp workload burst dests 5 || return
	refused rmmod mcfab_cp || return
	mcastctl stop u1 || return
	# Fabrics, results and all: nothing holds the modules any more.
	unload
}

ktap_print_header
ktap_set_plan 14

modprobe mcfab
mcastctl fabric add u0 topology mesh dims 8x8
mcastctl run u0 policy cp "${endless[@]}" detach >/dev/null
check "a policy at work is in use" refused rmmod mcfab_cp
check "so is the module it needs" refused rmmod mcfab
check "the run goes on" test "$(mcastctl -j fabric show u0 |
	python3 -c 'import json, sys; print(json.load(sys.stdin)["state"])')" = running
mcastctl stop u0 >/dev/null
check "after the run the policy can go" rmmod mcfab_cp
check "the module goes with its idle fabrics" unload
check "no thread is left" threads

check "README's command unloads nothing where nothing is loaded" readme
modprobe mcfab
check "the module alone" readme
modprobe -a mcfab_qg mcfab_dp mcfab_kbinomial
check "with some policies" readme
check "all policies are loaded" modprobe -a "${policies[@]}"
mcastctl fabric add u0 topology mesh dims 4x4
mcastctl run u0 policy dp workload lone dests 2 >/dev/null
check "with all of them, and a fabric that is idle" readme

one_round >"$log" 2>&1
before=$(used)
good=true
for ((i = 0; i < rounds; i++)); do
	one_round >"$log" 2>&1 || { good=false; break; }
done
check "loaded, used and unloaded $rounds times" $good
after=$(used)
ktap_print_msg "kernel memory before $before kB, after $after kB"
# A round's fabrics and runs take tens of MB; the kernel itself breathes.
check "no memory is lost" test $((after - before)) -lt 2048

# Requests while modules go: each is served or refused, nothing breaks.
(
	for ((i = 0; i < rounds; i++)); do
		mcastctl fabric add "r$i" topology mesh dims 6x6
		mcastctl run "r$i" policy cp "${endless[@]}" detach
		mcastctl fabric show
		mcastctl plan "r$i" policy qg from 0 to 3,8
		mcastctl stop "r$i"
	done
) >/dev/null 2>&1 &
requests=$!
n=0
while kill -0 $requests 2>/dev/null; do
	unload
	modprobe mcfab
	n=$((n + 1))
done
wait $requests
ktap_print_msg "unloaded $n times under requests"
for name in $(mcastctl -j fabric show |
	python3 -c 'import json, sys; print(*[f["name"] for f in json.load(sys.stdin)])'); do
	mcastctl stop "$name" >/dev/null 2>&1
done
check "and can be unloaded in the end" unload

ktap_finished
