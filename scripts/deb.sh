#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build the Debian packages in build/deb, from a copy of the tree. The modules are built by dkms,
# where the packages are installed.
# Usage: deb.sh [VERSION]	with a version that debian/changelog does not have yet
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top"
unset MAKEFLAGS MAKELEVEL MFLAGS
# Debian 12's own is too old: mcastctl is linked with this one.
scripts/libbpf.sh >/dev/null
out=build/deb
copy=$out/mcfab
mkdir -p "$out"
rm -rf "$copy" "$out"/*.{deb,changes,buildinfo}
mkdir "$copy"
# What is built in the tree stays there; an archive without git has nothing else.
if git rev-parse --git-dir >/dev/null 2>&1; then
	git ls-files -z | xargs -0 cp --parents -d -t "$copy"
else
	tar -c --exclude=./build --exclude=./results . | tar -x -C "$copy"
fi
if [ -n "${1:-}" ]; then
	sed -i "1s/(.*)/($1)/" "$copy/debian/changelog"
fi
log=$out/build.log
(cd "$copy" && dpkg-buildpackage -us -uc -b -rfakeroot -j"$(nproc)") >"$log" 2>&1 || {
	tail -n 20 "$log" >&2
	die "the packages failed to build, see $log"
}
rm -rf "$copy"
ls "$out"/*.deb
