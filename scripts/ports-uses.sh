#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make ports-uses: what ports can be used for, measured in a VM.
#   USE='discovery ptp failover'	which of them: the scripts in scripts/ports-uses
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top"
uses=${USE:-discovery ptp failover}
command=
for use in $uses; do
	[ -x "scripts/ports-uses/$use.py" ] || die "USE=$uses: $use: no such use, see scripts/ports-uses"
	command+="scripts/ports-uses/$use.py || exit 1; echo; "
done
# Plain commands: the flags of the make that called us are not theirs.
unset MAKEFLAGS MAKELEVEL

say "building mcastctl, the modules, and starting a VM"
make -s tool
VM_TIMEOUT=${VM_TIMEOUT:-900} CMD="export PYTHONPATH=tests/selftests; $command" \
	scripts/vm/run.sh
