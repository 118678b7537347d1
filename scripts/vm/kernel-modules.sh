#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Print a folder with the kernel's own modules that tests may want, unpacked.
# Usage: kernel-modules.sh RELEASE MODULE...
#
# Not all of them: indexing Debian's 4,000 takes longer than the boot.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/../lib/common.sh"

release=$1
shift
key=$(echo "$*" | sha256sum | cut -c1-12)
dir=$mcfab_cache/vm/modules-$release-$key

if [ ! -d "$dir" ]; then
	mkdir -p "$mcfab_cache/vm"
	tmp=$(mktemp -d "$mcfab_cache/vm/tmp.XXXXXX")
	for mod; do
		# Built in, or not there: nothing to copy.
		modprobe -S "$release" --show-depends "$mod" 2>/dev/null || :
	done | awk '$1 == "insmod" { print $2 }' | sort -u |
		while read -r ko; do
			unpack_module "$ko" "$tmp/$(basename "$ko")"
		done
	chmod 755 "$tmp"
	mv -T "$tmp" "$dir" 2>/dev/null || rm -rf "$tmp"
fi
echo "$dir"
