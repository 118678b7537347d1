#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make demo: lone multicasts under every policy, beside published numbers.
#   DEMO_COUNT=2000	multicasts per policy
#   ENGINE=user	here, by the engine in user space; vm (default): by the module in a VM
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

engine=${ENGINE:-vm}
case $engine in
vm | user) ;;
*) die "ENGINE=$engine: vm or user" ;;
esac

cd "$mcfab_top"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

say "building mcastctl"
# Plain commands: the flags of the make that called us are not theirs.
if ! env -u MAKEFLAGS -u MAKELEVEL make -s -C tools/mcastctl \
	>"$out/build.log" 2>&1; then
	tail -n 20 "$out/build.log" >&2
	die "FAILED: mcastctl does not build"
fi

export MCFAB_DEMO_COUNT=${DEMO_COUNT:-2000}
echo "16x16 mesh, 10 random destinations, 32 flits, start-up 33 cycles," \
	"$MCFAB_DEMO_COUNT lone multicasts per policy"
status=0
if [ "$engine" = user ]; then
	PATH=$mcfab_top/tools/mcastctl:$PATH MCFAB_ENGINE=user MCFAB_RESULTS=$out \
		MCFAB_TOP=$mcfab_top tests/demo/guest.sh || status=$?
else
	say "building the modules and starting a VM"
	VM_RESULTS=$out VM_TIMEOUT=${VM_TIMEOUT:-900} SCRIPT=tests/demo/guest.sh \
		scripts/vm/run.sh || status=$?
fi
[ $status -eq 0 ] || die "FAILED: the runs ended with status $status"

echo
tests/demo/report.py tests/demo/table3.tsv "$out"
