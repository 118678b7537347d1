#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make check: install what is needed, build, run every test, print the total.
# Results and logs go to results/check.
set -uo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top" || exit 1
# Plain commands below: the flags of the make that called us are not theirs.
unset MAKEFLAGS MAKELEVEL MFLAGS
out=results/check
rm -rf "$out"
mkdir -p "$out"

step()
{
	scripts/tap.py run --step --out "$out" --timeout 1200 --name "$1" \
		-- "${@:2}"
}

suite()
{
	scripts/tap.py run --out "$out" --timeout "$2" --name "$1" -- "${@:3}"
}

# The reporter itself needs Python.
if ! scripts/deps.sh build vm check; then
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi

step "modules, W=1 and sparse" scripts/check-build.sh
step "libbpf" scripts/libbpf.sh
step "mcastctl" make tool
step "libmcfab" make lib
step "make install" scripts/check-install.sh
suite "style" 900 scripts/style.sh
if [ -x scripts/ynl-regen.sh ]; then
	step "netlink code matches the spec" scripts/ynl-regen.sh --check
fi
step "libmcfab matches the spec" make -s -C libmcfab check-regen
step "the manual matches the help" make -s -C tools/mcastctl check-regen
suite "binary interface of libmcfab" 300 libmcfab/test/abi.sh
# Debian's Python, which finds numpy.
suite "Python module" 120 /usr/bin/python3 libmcfab/test/python.py
step "mcastctl's parser" make -s -C tools/mcastctl check
if [ -e tests/user/Makefile ]; then
	suite "user space" 2400 make -s -C tests/user check
fi
suite "figures of the papers" 900 tests/figures/test_figures.py
suite "experiments by Slurm" 300 tests/figures/slurm.sh
suite "credit loops" 120 tests/subnets/test_credits.py
suite "commands in the documentation" 600 tests/docs/run.py
suite "bench-compare" 120 tests/bench/test_compare.py
suite "rooms" 60 tests/structure/test_rooms.py
suite "results of the scenarios" 60 tests/structure/test_results.py
# Every case once, a tenth as long: slowness is no failure, another hash in the VM is one.
grep -v "^big" tests/bench/cases.tsv | sed "s/\(batch-cycles [0-9]*\)0 /\1 /" >"$out/bench-cases.tsv"
export BENCH_RUNS=1 BENCH_VM_RUNS=1 BENCH_CASES=$out/bench-cases.tsv
step "bench" scripts/bench.sh
# A VM waits for one thread of the emulation most of the time: two do not get in each other's way.
MCFAB_VMS=${MCFAB_VMS:-$(($(nproc) > 1 ? 2 : 1))} scripts/selftests.sh "$out"
scripts/tap.py total "$out"
