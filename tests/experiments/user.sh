#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What guest.sh does, but with the engine in user space.
# Usage: user.sh FOLDER
set -euo pipefail

one() # X SCHEME VARIANT FABRIC RUN
{
	local out=$results/$1.$2.$3 status=0 got

	# with less load already too much
	[ ! -e "$results/$2.$3.saturated" ] || return 0
	# shellcheck disable=SC2086 # lists of words
	got=$("$simulate" print json $4 $5 2>&1) || status=$?
	case $status in
	0 | 3) echo "$got" >"$out.json" ;;	# it ran, to its end or not
	*) echo "$got" >"$out.refused" ;;
	esac
	[[ ! $got =~ '"state": "'(saturated|cut)'"' ]] || : >"$results/$2.$3.saturated"
}

some() # X SCHEME VARIANT FABRIC RUN...
{
	while [ $# -gt 0 ]; do
		one "${@:1:5}"
		shift 5
	done
}
export -f one some
export results=$1
simulate=$(cd "$(dirname "$0")/../.." && pwd)/build/user/fast/simulate
export simulate

# a shell for every ten
tr '\t\n' '\0\0' <"$results/points" |
	xargs -0 -n 50 -P "${JOBS:-$(nproc)}" bash -c 'set -e; some "$@"' some
