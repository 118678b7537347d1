#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make ports-demo: programs in 16 network namespaces, each with a port on a node of a 4x4 torus, in
# a VM. One sends a video to a group whose members come and go, by one policy after the other.
#   POLICIES='unicast dp ttpm'	which policies
#   FRAMES=240		frames of the video, 25 in a second; 10 to 9999
#   PACE=4			how many times slower than real time
#   OUT=results/ports-demo	where tables and the picture go
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top"
out=${OUT:-results/ports-demo}
export MCFAB_DEMO_POLICIES=${POLICIES:-unicast dp ttpm} MCFAB_DEMO_FRAMES=${FRAMES:-240}
export MCFAB_DEMO_PACE=${PACE:-4}
if ! [[ $MCFAB_DEMO_FRAMES =~ ^[1-9][0-9]{1,3}$ ]]; then
	die "FRAMES=$MCFAB_DEMO_FRAMES: a number from 10 to 9999"
fi
if ! [[ $MCFAB_DEMO_PACE =~ ^[1-9][0-9]{0,2}$ ]]; then
	die "PACE=$MCFAB_DEMO_PACE: a number from 1 to 999"
fi
if ! [[ $MCFAB_DEMO_POLICIES =~ ^[a-z0-9-]+(\ [a-z0-9-]+)*$ ]]; then
	die "POLICIES=$MCFAB_DEMO_POLICIES: names of policies, with one blank between them"
fi
mkdir -p "$out"
# Plain commands: the flags of the make that called us are not theirs.
unset OUT MAKEFLAGS MAKELEVEL

say "building mcastctl, the modules, and starting a VM"
make -s tool
VM_RESULTS=$out VM_TIMEOUT=${VM_TIMEOUT:-900} \
	CMD="PYTHONPATH=tests/selftests scripts/ports-demo/guest.py" \
	scripts/vm/run.sh

files=()
for policy in $MCFAB_DEMO_POLICIES; do
	files+=("$out/$policy.json")
done
scripts/ports-demo/draw.py "$out/channels" "${files[@]}" | gnuplot
say "where the packets went: $out/channels.svg, $out/channels.png"
