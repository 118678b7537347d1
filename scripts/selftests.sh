#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Run the in-VM tests and count them.
# Usage: selftests.sh OUT [debug]
#
# A test is an executable tests/selftests/*.sh or *.py that prints TAP and may
# carry a line "mcfab-test: [debug] [late] [timeout=SECONDS]"; "debug" has it run on
# the debug kernel too, with MCFAB_DEBUG=1; "late" after all others.
# MCFAB_TESTS='a b' picks by name.
#
# No test begins after MCFAB_DEADLINE (seconds since 1970, as of date +%s): what is left is
# skipped, other tests after each commit. So is a test that has begun and takes much longer: see
# selftests-guest.sh.
#
# MCFAB_VMS=N (1) VMs run side by side; each takes the next test that none has taken. In OUT/vm
# are, for each test, NAME.tap, NAME.rc (exit status and seconds), NAME.complaints (what it left
# behind) and NAME.vm (a link that names the VM's number); the consoles of the VMs are console.log,
# console-2.log and so on.
#
# If a VM dies, the test that ran in it has failed and a new VM goes on with those that are left.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

out=$1
mode=${2:-}
vms=${MCFAB_VMS:-1}
dir=$out/vm
mkdir -p "$dir"
cd "$mcfab_top"

tests=()
late=()
for path in scripts/vm/kunit.sh tests/selftests/*.py tests/selftests/*.sh; do
	[ -x "$path" ] || continue
	name=$(basename "$path")
	if [ -n "${MCFAB_TESTS:-}" ] && [[ " $MCFAB_TESTS " != *" $name "* ]]; then
		continue
	fi
	marker=$(grep -m 1 'mcfab-test:' "$path" || :)
	if [ "$mode" = debug ]; then
		[[ " $marker " == *" debug "* ]] || continue
	elif [ "$name" = kunit.sh ]; then
		continue
	fi
	limit=120
	if [[ $marker =~ timeout=([0-9]+) ]]; then
		limit=${BASH_REMATCH[1]}
	fi
	# Checkers cost a factor of many, and the tests know it and do less.
	[ "$mode" != debug ] || limit=$((limit * 3))
	if [[ " $marker " == *" late "* ]]; then
		late+=("$name /mnt/mcfab/$path $limit")
	else
		tests+=("$name /mnt/mcfab/$path $limit")
	fi
done
tests+=("${late[@]}")
if [ ${#tests[@]} -eq 0 ]; then
	say "no in-VM tests"
	exit 0
fi
# Where time is short, other tests come first after each commit, so that not always the same ones
# are skipped.
if [ -n "${MCFAB_DEADLINE:-}" ]; then
	first=$(($(git log -1 --format=%ct 2>/dev/null || echo 0) % ${#tests[@]}))
	tests=("${tests[@]:first}" "${tests[@]:0:first}")
fi
[ "$vms" -le ${#tests[@]} ] || vms=${#tests[@]}

if [ "$mode" = debug ]; then
	export KERNEL=debug MCFAB_DEBUG=1
else
	# psample registers a family of generic netlink, for jobs.py; the others are for
	# ports_frames.py
	export VM_MODULES="psample act_ct act_gact cls_basic cls_matchall em_meta netconsole pktgen
		sch_ingress ${VM_MODULES:-}"
fi
export VM_RESULTS=$dir VM_NOLOAD=1 SCRIPT=scripts/vm/selftests-guest.sh

count() # name rc seconds
{
	flock "$dir/lock" scripts/tap.py read --out "$out" --name "vm/$1" \
		--complaints "$dir/$1.complaints" ${2:+--rc "$2"} \
		${3:+--seconds "$3"} "$dir/$1.tap"
}

# What no VM has taken.
untaken()
{
	local test

	for test in "${tests[@]}"; do
		[ -L "$dir/${test%% *}.vm" ] || printf '%s\n' "$test"
	done
}

# For a VM with the tests of a list, in seconds. After the deadline and the time that a test has
# behind it, as in selftests-guest.sh, there is only some more for the VM to end.
time_limit() # list
{
	local left=$((${MCFAB_DEADLINE:-9999999999} - $(date +%s)))

	awk -v left=$(((left > 0 ? left : 0) + 420)) '
		{ all += $3 + 20 }
		END { print (all < left ? all + 180 : left + 120) }' "$1"
}

# Run tests in VMs, one after the other, until none is left to take. Fails if one of them did.
serve() # number of the VM
{
	local vm=$1 log=console label='' list=$dir/list-$1 failed=0 status running none
	local name rest rc seconds

	[ "$vm" -eq 1 ] || log=console-$vm
	[ "$vms" -eq 1 ] || label="VM $vm: "
	export MCFAB_VM=$vm VM_CONSOLE=$log.log
	log=$dir/$VM_CONSOLE
	while untaken >"$list" && [ -s "$list" ]; do
		VM_TIMEOUT=$(time_limit "$list")
		export VM_TIMEOUT
		status=0
		# Line by line: the others print, too.
		scripts/vm/run.sh 2>&1 </dev/null | sed -u "s/^/$label/" || status=$?

		running=
		none=1
		while read -r name rest; do
			[ "$(readlink "$dir/$name.vm")" = "$vm" ] || continue
			none=
			if [ -s "$dir/$name.rc" ]; then
				read -r rc seconds <"$dir/$name.rc"
				count "$name" "$rc" "$seconds" || failed=1
			else
				running=$name
			fi
		done <"$list"
		if [ -n "$running" ]; then
			cp "$log" "$dir/$running.console.log" || :
			# A breakpoint of the kernel's own patching that the emulation runs
			# too late: no test can cause it. See selftests-guest.sh.
			if [ ! -e "$dir/$running.again" ] && grep -q 'Oops: int3' "$log"; then
				say "${label}$running: the emulated CPU met a stale breakpoint, once more"
				touch "$dir/$running.again"
				rm -f "$dir/$running".{tap,complaints,vm}
				continue
			fi
			echo "the VM died (status $status), see $running.console.log" \
				>"$dir/$running.complaints"
			count "$running" "" "" || failed=1
		elif [ "$status" -ne 0 ]; then
			# Leaks are only known at the end; splats were counted above,
			# but a console that complains must never pass.
			flock "$dir/lock" scripts/tap.py run --step --out "$out" \
				--name "vm/${VM_CONSOLE%.log}" -- \
				scripts/vm/verdict.sh "$status" "$log" || failed=1
		fi
		# Not one taken: it would be the same again.
		[ -z "$none" ] || break
	done
	return $failed
}

rm -f "$dir"/*.{rc,tap,complaints,vm,again}
failed=0
workers=()
# Groups of their own, so that nothing of them is left when this ends early.
trap 'for pid in "${workers[@]}"; do kill -- "-$pid" 2>/dev/null || :; done; exit 130' INT TERM
set -m
for ((vm = 1; vm <= vms; vm++)); do
	serve "$vm" &
	workers+=("$!")
done
set +m
for pid in "${workers[@]}"; do
	wait "$pid" || failed=1
done
while read -r name rest; do
	echo "no VM came up that could run it" >"$dir/$name.complaints"
	count "$name" "" "" || failed=1
done < <(untaken)
exit $failed
