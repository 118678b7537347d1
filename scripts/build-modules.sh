#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build the modules apart, in build/NAME; print the folder with the .ko files.
# Usage: build-modules.sh KDIR NAME [MAKE ARGUMENT...]
#
# The sources are copied, so that the objects of one kernel never mix with those
# of another or with a plain "make". W=1, so that the log has every warning; nobody sees it
# but who looks for them (check-build.sh).
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

kdir=$1
dir=$mcfab_top/build/$2
shift 2

mkdir -p "$dir"
exec 9>"$dir/lock"
flock 9

cd "$mcfab_top"
list=$dir/sources
find -L kmod include -type f \( -name '*.[chS]' -o -name Kbuild -o \
	-name Makefile -o -name Kconfig \) ! -name '*.mod.c' | sort >"$list.new"
# A file that has gone must not be compiled or included again.
if [ -e "$list" ]; then
	comm -23 "$list" "$list.new" | while read -r gone; do
		rm -f "$dir/$gone"
	done
fi
mv "$list.new" "$list"
tar -chf - -T "$list" | tar -C "$dir" -xf -

log=$dir/build.log
# Without the outer make's flags: C=1 there is not meant for this build.
if ! env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$dir/kmod" \
	KDIR="$kdir" -j"$(nproc)" W=1 "$@" modules >"$log" 2>&1 9>&-; then
	tail -n 20 "$log" >&2
	die "modules failed to build, see $log"
fi
echo "$dir/kmod"
