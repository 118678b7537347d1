#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make experiment NAME=...: the data of a paper's figure, from runs in a VM.
#   NAME=hcm-torus|hcm-star|tasnem-size|tasnem-dests|ib-one|ib-multi|ib-all
#   NAME=irr-ratio|irr-overhead|irr-hosts|irr-ports|irr-switches|irr-length|irr-packet
#   NAME=irr-load-ratio|irr-load-switches|irr-load-length|irr-unicast
#   COUNT=		multicasts per point (default: what the paper has, else 100); of ib-*,
#		packets that each lane buffers (default 1); of irr-*, multicasts on each
#		of ten networks (default 30); of irr-load-* and irr-unicast, networks (3)
#   OUT=folder		keep the statistics of all runs
#   ENGINE=user		irr-*: run the engine in user space, JOBS= runs at a time
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top"
case ${NAME:-} in
hcm-torus | hcm-star) count=${COUNT:-1024} ;;
tasnem-size | tasnem-dests) count=${COUNT:-100} ;;
ib-one | ib-multi | ib-all) count=${COUNT:-1} ;;
irr-ratio | irr-overhead | irr-hosts | irr-ports | irr-switches | irr-length | irr-packet)
	count=${COUNT:-30} ;;
irr-load-ratio | irr-load-switches | irr-load-length | irr-unicast) count=${COUNT:-3} ;;
*) die "${NAME:+NAME=$NAME: no such experiment; }NAME= is one of hcm-torus, hcm-star," \
	"tasnem-size, tasnem-dests, ib-one, ib-multi, ib-all, irr-ratio, irr-overhead," \
	"irr-hosts, irr-ports, irr-switches, irr-length, irr-packet, irr-load-ratio," \
	"irr-load-switches, irr-load-length or irr-unicast" ;;
esac
[[ $count =~ ^[1-9][0-9]*$ ]] || die "COUNT=$count is no number, 1 or more"

case ${ENGINE:-vm}:$NAME in
vm:* | user:irr-*) ;;
*) die "ENGINE=$ENGINE: vm, or with irr-* user" ;;
esac

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
case $NAME in
irr-*) tests/experiments/points_irregular.sh "$NAME" "$count" >"$out/points" ;;
*) tests/experiments/points.sh "$NAME" "$count" >"$out/points" ;;
esac
say "building, then running $(wc -l <"$out/points") points, COUNT=$count"
tool="tools/mcastctl" what=
[ "${ENGINE:-vm}" = vm ] || tool="tests/user MODE=fast" what=simulate
# OUT would be taken for the tool's own build folder
# shellcheck disable=SC2086 # words
env -u MAKEFLAGS -u MAKELEVEL -u OUT make -s -C $tool $what >"$out/build.log" 2>&1 ||
	{
		tail -n 20 "$out/build.log" >&2
		die "FAILED: ${tool%% *} does not build"
	}
status=0
if [ "${ENGINE:-vm}" = vm ]; then
	VM_RESULTS=$out VM_TIMEOUT=${VM_TIMEOUT:-7200} SCRIPT=tests/experiments/guest.sh \
		scripts/vm/run.sh || status=$?
else
	tests/experiments/user.sh "$out" || status=$?
fi
[ $status -eq 0 ] || die "FAILED: the runs ended with status $status"
if [ -n "${OUT:-}" ]; then
	mkdir -p "$OUT"
	find "$out" \( -name '*.json' -o -name '*.refused' -o -name points \) \
		-exec cp {} "$OUT" \;
fi
case $NAME in
ib-*) tests/experiments/report_ib.py "$out" ;;
irr-load-* | irr-unicast) tests/experiments/report_irregular_load.py "$NAME" "$out" ;;
irr-*) tests/experiments/report_irregular.py "$NAME" "$out" ;;
*) tests/experiments/report.py "$NAME" "$out" ;;
esac
