#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build the modules with W=1 and sparse; a warning is a failure.
# Usage: check-build.sh [gcc|clang]
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

find_kernel
# The VM's own folder: its modules are not built twice.
name=$release
args=(C=1)
if [ "${1:-gcc}" = clang ]; then
	name=check-clang
	# Debian's headers are configured for gcc, whose flags clang rejects.
	src=$("$mcfab_top/scripts/kernel-source.sh")
	kdir=$mcfab_cache/clang/$(basename "$src")
	if [ ! -e "$kdir/.complete" ]; then
		mkdir -p "$kdir"
		cp "/boot/config-$release" "$kdir/.config"
		# Only a full build makes one; the exports are the same.
		cp "/lib/modules/$release/build/Module.symvers" "$kdir/"
		make -C "$src" O="$kdir" LLVM=1 olddefconfig modules_prepare \
			>"$kdir/build.log" 2>&1 ||
			die "no kernel for clang, see $kdir/build.log"
		touch "$kdir/.complete"
	fi
	args+=(LLVM=1)
fi

# From nothing: an object that is there is not compiled, and does not warn.
rm -rf "${mcfab_top:?}/build/$name/kmod"
"$mcfab_top/scripts/build-modules.sh" "$kdir" "$name" "${args[@]}" >/dev/null
! grep -E 'warning:|error:|WARNING: modpost' "$mcfab_top/build/$name/build.log"
