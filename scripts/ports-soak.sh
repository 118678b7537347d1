#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make ports-soak: many numbered frames with checksums through every policy, in a VM: what
# tests/selftests/ports_policies.py does with few.
#   FRAMES=1000000		frames of each policy, divided among the kinds of networks it serves
#   POLICIES='dp ttpm'	which policies, all of them if nothing is said
#   SEED=1		of lengths, destinations, bytes
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top"
frames=${FRAMES:-1000000}
seed=${SEED:-1}
policies=${POLICIES:-}
if ! [[ $frames =~ ^[1-9][0-9]{0,8}$ ]]; then
	die "FRAMES=$frames: a number from 1 to 999999999"
fi
if ! [[ $seed =~ ^[0-9]{1,9}$ ]]; then
	die "SEED=$seed: a number below 1000000000"
fi
if ! [[ $policies =~ ^([a-z0-9-]+(\ [a-z0-9-]+)*)?$ ]]; then
	die "POLICIES=$policies: names of policies, with one blank between them"
fi
# Plain commands: the flags of the make that called us are not theirs.
unset MAKEFLAGS MAKELEVEL

say "building mcastctl, the modules, and starting a VM"
make -s tool
VM_TIMEOUT=${VM_TIMEOUT:-86400} \
	CMD="PYTHONPATH=tests/selftests scripts/ports-soak/guest.py $frames $seed $policies" \
	scripts/vm/run.sh
