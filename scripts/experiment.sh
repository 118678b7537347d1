#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make experiment NAME=...: the data of a paper's figure, from runs in a VM.
#   NAME=hcm-torus|hcm-star|tasnem-size|tasnem-dests|ib-one|ib-multi|ib-all
#   COUNT=		multicasts per point (default: what the paper has, else 100); of ib-*,
#		packets that each lane buffers (default 1)
#   OUT=folder		keep the statistics of all runs
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top"
case ${NAME:-} in
hcm-torus | hcm-star) count=${COUNT:-1024} ;;
tasnem-size | tasnem-dests) count=${COUNT:-100} ;;
ib-one | ib-multi | ib-all) count=${COUNT:-1} ;;
*) die "NAME=hcm-torus, hcm-star, tasnem-size, tasnem-dests, ib-one, ib-multi or ib-all is needed" ;;
esac
[[ $count =~ ^[1-9][0-9]*$ ]] || die "COUNT=$count is no number, 1 or more"

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
tests/experiments/points.sh "$NAME" "$count" >"$out/points"
say "building mcastctl and the modules, starting a VM:" \
	"$(wc -l <"$out/points") points, COUNT=$count"
# OUT would be taken for the tool's own build folder
env -u MAKEFLAGS -u MAKELEVEL -u OUT make -s -C tools/mcastctl >"$out/build.log" 2>&1 ||
	{
		tail -n 20 "$out/build.log" >&2
		die "FAILED: mcastctl does not build"
	}
status=0
VM_RESULTS=$out VM_TIMEOUT=${VM_TIMEOUT:-7200} SCRIPT=tests/experiments/guest.sh \
	scripts/vm/run.sh || status=$?
[ $status -eq 0 ] || die "FAILED: the VM's part ended with status $status"
if [ -n "${OUT:-}" ]; then
	mkdir -p "$OUT"
	find "$out" \( -name '*.json' -o -name '*.refused' -o -name points \) \
		-exec cp {} "$OUT" \;
fi
case $NAME in
ib-*) tests/experiments/report_ib.py "$out" ;;
*) tests/experiments/report.py "$NAME" "$out" ;;
esac
