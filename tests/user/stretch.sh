#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The longest stretch of processor time that the module computes without a scheduling point
# in each test: 10 ms is the most, for kernels that do not preempt it. What others do to the
# machine makes stretches longer, never shorter, so the best of three runs counts.
# Usage: stretch.sh FOLDER PROGRAM...
set -euo pipefail

out=$1
shift
most=10000
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# "MICROSECONDS WHERE": of the run in $log
longest() {
	awk '/longest stretch/ { us = $5 } /\[0x/ && !at { at = $2 } END { print us + 0, at }' "$log"
}

n=0
failed=0
all=0
echo "TAP version 13"
echo "1..$#"
for program; do
	n=$((n + 1))
	us=
	for _ in 1 2 3; do
		: >"$log"
		status=0
		MCFAB_STRETCH_LOG=$log "$out/$program" >"$log.out" 2>&1 || status=$?
		read -r got at <<<"$(longest)"
		[ -n "$us" ] && [ "$us" -le "$got" ] || us=$got
		[ "$us" -gt "$most" ] || [ "$status" -ne 0 ] || break
	done
	[ "$us" -le "$all" ] || all=$us
	if [ "$us" -le "$most" ] && [ "$status" -eq 0 ]; then
		echo "ok $n $program: $us us"
	else
		sed 's/^/# /' "$log"
		[ "$status" -eq 0 ] || grep '^not ok' "$log.out" || :
		echo "not ok $n $program: $us us, ended with $status, at $at"
		failed=1
	fi
	rm -f "$log.out"
done
echo "# longest stretch of all: $all us"
exit $failed
