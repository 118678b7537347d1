#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build libbpf of Debian's kernel source in the cache: Debian 12's own is too old for types that
# a module registers. Print the folder with libbpf.a and include/.
# Usage: libbpf.sh [--find]	--find: print it if it is there, and build nothing
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

version=$(dpkg-query -W -f '${Version}' "linux-source-$mcfab_series" 2>/dev/null) || version=
dir=$mcfab_cache/libbpf/$version
if [ "${1:-}" = --find ]; then
	if [ -n "$version" ] && [ -e "$dir/libbpf.a" ]; then
		echo "$dir"
	fi
	exit 0
fi
[ -n "$version" ] || die "no linux-source-$mcfab_series: run scripts/deps.sh check"

if [ ! -e "$dir/libbpf.a" ]; then
	src=$("$mcfab_top/scripts/kernel-source.sh")
	mkdir -p "$mcfab_cache/libbpf"
	exec 9>"$mcfab_cache/libbpf/lock"
	flock 9
	if [ ! -e "$dir/libbpf.a" ]; then
		say "building libbpf of linux-source-$mcfab_series $version"
		tmp=$(mktemp -d "$mcfab_cache/libbpf/tmp.XXXXXX")
		trap 'rm -rf "$tmp"' EXIT
		# The outer make's flags and variables are not meant for it.
		if ! env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$src/tools/lib/bpf" \
			-j"$(nproc)" OUTPUT="$tmp/" DESTDIR="$tmp/" prefix= \
			"$tmp/libbpf.a" install_headers >"$tmp/log" 2>&1 9>&-; then
			tail -n 20 "$tmp/log" >&2
			die "libbpf failed to build"
		fi
		mkdir "$tmp/done"
		mv "$tmp/libbpf.a" "$tmp/include" "$tmp/done"
		chmod 755 "$tmp/done"
		mv "$tmp/done" "$dir"
	fi
fi
echo "$dir"
