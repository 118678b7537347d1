#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make demo: lone multicasts under every policy, in a VM, beside published numbers.
#   DEMO_COUNT=2000	multicasts per policy
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

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

say "building the modules and starting a VM"
export MCFAB_DEMO_COUNT=${DEMO_COUNT:-2000}
echo "16x16 mesh, 10 random destinations, 32 flits, start-up 33 cycles," \
	"$MCFAB_DEMO_COUNT lone multicasts per policy"
status=0
VM_RESULTS=$out VM_TIMEOUT=${VM_TIMEOUT:-900} SCRIPT=tests/demo/guest.sh \
	scripts/vm/run.sh || status=$?
[ $status -eq 0 ] || die "FAILED: the VM's part ended with status $status"

echo
tests/demo/report.py tests/demo/table3.tsv "$out"
