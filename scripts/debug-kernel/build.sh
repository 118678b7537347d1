#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build the debug kernel once into the cache, print its build folder's path.
#
# The folder's name is a hash of everything that shapes the kernel, so a changed
# fragment or a new source package gives a new kernel and an old one is reused.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/../lib/common.sh"

here=$mcfab_top/scripts/debug-kernel
src=$("$mcfab_top/scripts/kernel-source.sh")
key=$({ cat "$here/debug.config"; basename "$src"; gcc -dumpfullversion; } |
	sha256sum | cut -c1-12)
out=$mcfab_cache/debug-kernel/$key

if [ ! -e "$out/.complete" ]; then
	mkdir -p "$out"
	exec 9>"$out.lock"
	flock 9
	if [ ! -e "$out/.complete" ]; then
		say "building the debug kernel in $out (about 8 CPU minutes, once)"
		log=$out/build.log
		rc=0
		(
			make -C "$src" O="$out" \
				KCONFIG_ALLCONFIG="$here/debug.config" allnoconfig
			"$here/verify-config.sh" "$here/debug.config" "$out/.config"
			make -C "$src" O="$out" -j"$(nproc)" bzImage modules
		) >"$log" 2>&1 || rc=$?
		if [ "$rc" -ne 0 ]; then
			tail -n 20 "$log" >&2
			die "debug kernel failed to build, see $log"
		fi
		touch "$out/.complete"
	fi
fi
echo "$out"
