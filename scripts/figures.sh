#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make figures: run all scenarios, draw their curves, write a report.
#   SET=quick		fewer values and repeats, some minutes; full: as in the papers, hours
#   OUT=results/figures	where results, pictures and report.html go
# What was run before is not run again; an interrupt costs nothing but the points under way.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

set=${SET:-quick}
case $set in
quick) words=quick ;;
full) words= ;;
*) die "SET=$set: quick or full" ;;
esac

cd "$mcfab_top"
out=${OUT:-results/figures}
mkdir -p "$out"
# Plain commands: the flags of the make that called us are not theirs.
env -u MAKEFLAGS -u MAKELEVEL -u OUT make -s -C tools/mcastctl
for command in run plot report; do
	# shellcheck disable=SC2086 # no word, or one
	tools/mcastctl/mcastctl --engine user experiment $command scenarios out "$out" $words
done
