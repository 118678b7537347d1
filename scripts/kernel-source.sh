#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Unpack Debian's kernel source into the cache and print the folder's path.
# It gives us checkpatch.pl, kernel-doc, the YNL generator and client, the KTAP
# helpers and the source of the debug kernel.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

pkg=linux-source-$mcfab_series
tarball=/usr/src/$pkg.tar.xz
[ -f "$tarball" ] || die "$tarball is missing: run scripts/deps.sh check"

version=$(dpkg-query -W -f '${Version}' "$pkg")
src=$mcfab_cache/source/$version
if [ ! -e "$src/Makefile" ]; then
	mkdir -p "$mcfab_cache/source"
	# Two runs may start at once; the second waits and finds it done.
	exec 9>"$mcfab_cache/source/lock"
	flock 9
	if [ ! -e "$src/Makefile" ]; then
		say "unpacking $pkg $version"
		tmp=$(mktemp -d "$mcfab_cache/source/tmp.XXXXXX")
		trap 'rm -rf "$tmp"' EXIT
		# What an x86 kernel without graphics and sound never
		# compiles is half of the tree; Kconfig files stay.
		tar -C "$tmp" --strip-components=1 -xf "$tarball" \
			--exclude="$pkg/arch/[!x]*/*.[chS]" \
			--exclude="$pkg/arch/*.dts*" \
			--exclude="$pkg/drivers/gpu/drm/*.[ch]" \
			--exclude="$pkg/drivers/media/*.[ch]" \
			--exclude="$pkg/sound/*.[ch]"
		mv "$tmp" "$src"
		chmod 755 "$src"
		trap - EXIT
	fi
fi
echo "$src"
