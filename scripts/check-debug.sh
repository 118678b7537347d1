#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make check-debug: KUnit and the in-VM tests on the debug kernel, which is
# built first if the cache has none. Results and logs go to results/check-debug.
set -uo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top" || exit 1
unset MAKEFLAGS MAKELEVEL MFLAGS
out=results/check-debug
rm -rf "$out"
mkdir -p "$out"

step()
{
	scripts/tap.py run --step --out "$out" --timeout 2400 --name "$1" \
		-- "${@:2}"
}

if ! scripts/deps.sh build vm check debug; then
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi

if step "debug kernel" scripts/debug-kernel/build.sh &&
	step "mcastctl" make tool &&
	step "user-space engine" make -s -C tests/user MODE=fast build; then
	scripts/selftests.sh "$out" debug
fi
scripts/tap.py total "$out"
