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
# skipped.
#
# They share a VM. If it dies, the test that ran has failed and a new VM goes on
# with those that are left.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

out=$1
mode=${2:-}
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

failed=0
again=
collect() # name rc seconds
{
	scripts/tap.py read --out "$out" --name "vm/$1" \
		--complaints "$dir/$1.complaints" ${2:+--rc "$2"} \
		${3:+--seconds "$3"} "$dir/$1.tap" || failed=1
}

if [ "$mode" = debug ]; then
	export KERNEL=debug MCFAB_DEBUG=1
else
	# registers a family of generic netlink, for jobs.py
	export VM_MODULES="psample ${VM_MODULES:-}"
fi
export VM_RESULTS=$dir VM_NOLOAD=1 SCRIPT=scripts/vm/selftests-guest.sh
while [ ${#tests[@]} -gt 0 ]; do
	rm -f "$dir"/*.rc "$dir"/*.tap "$dir"/*.complaints
	printf '%s\n' "${tests[@]}" >"$dir/list"
	VM_TIMEOUT=$(awk '{ s += $3 + 20 } END { print s + 180 }' "$dir/list")
	export VM_TIMEOUT
	status=0
	scripts/vm/run.sh || status=$?

	left=()
	for test in "${tests[@]}"; do
		name=${test%% *}
		if [ ${#left[@]} -eq 0 ] && [ -s "$dir/$name.rc" ]; then
			read -r rc seconds <"$dir/$name.rc"
			collect "$name" "$rc" "$seconds"
		else
			left+=("$test")
		fi
	done
	if [ ${#left[@]} -gt 0 ]; then
		name=${left[0]%% *}
		# Not one started: it would be the same again.
		if [ ${#left[@]} -eq ${#tests[@]} ] && [ ! -e "$dir/$name.tap" ]; then
			for test in "${left[@]}"; do
				echo "the VM did not come up (status $status)" \
					>"$dir/${test%% *}.complaints"
				collect "${test%% *}" "" ""
			done
			break
		fi
		cp "$dir/console.log" "$dir/$name.console.log" || :
		# A breakpoint of the kernel's own patching that the emulation runs
		# too late: no test can cause it. See selftests-guest.sh.
		if [ "$name" != "$again" ] &&
			grep -q 'Oops: int3' "$dir/console.log"; then
			say "$name: the emulated CPU met a stale breakpoint, once more"
			again=$name
			tests=("${left[@]}")
			continue
		fi
		echo "the VM died (status $status), see $name.console.log" \
			>"$dir/$name.complaints"
		collect "$name" "" ""
		left=("${left[@]:1}")
	elif [ $status -ne 0 ]; then
		# Leaks are only known at the end; splats were counted above,
		# but a console that complains must never pass.
		scripts/tap.py run --step --out "$out" --name vm/console -- \
			scripts/vm/verdict.sh "$status" "$dir/console.log" ||
			failed=1
	fi
	tests=("${left[@]}")
done
exit $failed
