#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The engine in user space, through a mcastctl with sanitizers; needs no kernel module.
# Usage: user_engine.sh MCASTCTL
set -uo pipefail

mcastctl=$(realpath "$1")
cd "$(dirname "$0")/../../../tests/selftests" || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
number=0
failed=0
# Of sanitizers nothing else is said.
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=halt_on_error=1:exitcode=99

ok() # NAME COMMAND...
{
	local name=$1 word=ok
	shift

	number=$((number + 1))
	"$@" || { word="not ok"; failed=1; }
	echo "$word $number $name"
}

# It ends so, and what it says is in $tmp/out and $tmp/err.
ends() # STATUS NAME COMMAND...
{
	local want=$1 name=$2 status=0
	shift 2

	"$@" >"$tmp/out" 2>"$tmp/err" || status=$?
	ok "$name" [ $status -eq "$want" ]
}

echo "TAP version 13"
echo 1..10

# The commands that the test in the VM compares with the module.
ends 1 "a batch of every command" "$mcastctl" -E user --force -b engines.batch
ok "without a complaint of the sanitizers" \
	sh -c "! grep -E 'Sanitizer|runtime error' $tmp/err"
# lone dp on 8x8, poisson qg there, poisson mp on 64x64, failures under ssr
for hash in eb23850d3ec1f80f 65f856b9d2478fa7 f1cf3c987ee93b55 a5b371f0ae8eb520; do
	ok "hash $hash" grep -q "hash $hash" "$tmp/out"
done

# One thread or several, the results are the same.
threads() # CPUS
{
	printf '%s\n' "fabric add f topology torus dims 24x24 vcs 2 $*" \
		"run f policy hcm-uniform workload poisson rate 0.0001 dests 6 warmup 0 \
		precision 0 batches 20 batch-cycles 100" | "$mcastctl" -j -E user -b - |
		grep -Eo '"hash":[0-9]+'
}

ok "threads make no difference" \
	[ "$(threads cpus 0)" = "$(threads cpus "0-$(($(nproc) - 1))")" ]

# What is under way when the process ends is stopped.
endless="run f policy dp workload poisson rate 0.0001 dests 3 precision 0 \
	batch-cycles 1000000000"
printf '%s\n' "fabric add f topology mesh dims 8x8" "$endless detach" >"$tmp/batch"
ends 0 "an end in the middle of a run" "$mcastctl" -E user -b "$tmp/batch"

# An interrupt stops the run, and the batch with it.
printf '%s\n' "fabric add f topology mesh dims 8x8" "$endless" "fabric show" >"$tmp/batch"
# A shell has what it starts in the background ignore interrupts.
cat >"$tmp/interrupt.py" <<'PY'
import signal
import subprocess
import sys
import time

child = subprocess.Popen(sys.argv[1:])
time.sleep(3)
child.send_signal(signal.SIGINT)
sys.exit(child.wait(60))
PY
ends 1 "an interrupt" python3 "$tmp/interrupt.py" "$mcastctl" -E user -b "$tmp/batch"
ok "stops the run" grep -q "run 1 on f: stopped" "$tmp/out"
exit $failed
