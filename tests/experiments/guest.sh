#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# In the VM: a fabric and a run for each point of an experiment, as many at once as
# there are CPUs. The statistics of each go to the results folder, or, where the
# policy cannot serve the network, the reason. See scripts/experiment.sh.
set -euo pipefail

one() # NUMBER X POLICY VARIANT FABRIC RUN
{
	local fabric=x$1 out=$MCFAB_RESULTS/$2.$3.$4 why

	# with less load already too much
	[ ! -e "$MCFAB_RESULTS/$3.$4.saturated" ] || return 0
	# shellcheck disable=SC2086 # lists of words
	mcastctl fabric add "$fabric" $5
	# shellcheck disable=SC2086
	if why=$(mcastctl -j run "$fabric" $6 2>&1 >/dev/null); then
		mcastctl -j stats show "$fabric" >"$out.json"
		! grep -qE '"state":"(saturated|cut)"' "$out.json" ||
			touch "$MCFAB_RESULTS/$3.$4.saturated"
	else
		echo "$why" >"$out.refused"
	fi
	mcastctl fabric del "$fabric"
	echo "  $2 $3 $4"
}
export -f one

tr '\t\n' '\0\0' <"$MCFAB_RESULTS/points" | {
	number=0
	while IFS= read -r -d '' x && IFS= read -r -d '' policy && IFS= read -r -d '' variant &&
		IFS= read -r -d '' fabric && IFS= read -r -d '' run; do
		printf '%s\0' "$((number++))" "$x" "$policy" "$variant" "$fabric" "$run"
	done
} | xargs -0 -n 6 -P "$(nproc)" bash -c 'one "$@"' one
