#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make ports-bench: frames a second over ports and over veth pairs in a bridge, in one VM.
#   PAIRS=5		readings of each
#   SECONDS_EACH=2	how long each takes
#   PORTS='2 4 16'	by so many ports; none: only joins, and what ports at rest cost
#   VM_ICOUNT=0		by a clock for which each instruction takes a nanosecond: not what the
#			emulation takes, but about what a slow CPU would take
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top"
# Plain commands: the flags of the make that called us are not theirs.
unset MAKEFLAGS MAKELEVEL

say "building mcastctl, the modules, and starting a VM"
make -s tool
VM_TIMEOUT=${VM_TIMEOUT:-3600} VM_MODULES=pktgen VM_ENV="PAIRS SECONDS_EACH PORTS" \
	CMD="modprobe pktgen; PYTHONPATH=tests/selftests scripts/ports-bench/bench.py" \
	scripts/vm/run.sh
