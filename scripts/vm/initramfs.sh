#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Print the path of the initramfs for a kernel release, made if it is not there.
# Usage: initramfs.sh RELEASE
#
# It only has to mount the host's root by 9p, so it holds busybox, the modules
# that needs and an init; everything that changes comes over 9p.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/../lib/common.sh"

release=$1
init=$mcfab_top/scripts/vm/initramfs-init
busybox=$(command -v busybox) || die "busybox is missing"
key=$(sha256sum "$init" "$busybox" "$0" | sha256sum | cut -c1-12)
img=$mcfab_cache/vm/initramfs-$release-$key.gz

if [ ! -e "$img" ]; then
	mkdir -p "$mcfab_cache/vm"
	tmp=$(mktemp -d "$mcfab_cache/vm/tmp.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	root=$tmp/root
	mkdir -p "$root"/{bin,dev,modules,newroot,proc,sys}
	cp "$busybox" "$root/bin/busybox"
	cp "$init" "$root/init"
	chmod 755 "$root/init"

	# Numbered in the order in which they must be loaded. A kernel with 9p
	# and virtio built in needs none and may have no module folder.
	n=100
	for mod in virtio_pci virtio_console 9pnet_virtio 9p; do
		modprobe -S "$release" --show-depends "$mod" 2>/dev/null || :
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' |
		while read -r ko; do
			out=$root/modules/$n-$(basename "$ko")
			unpack_module "$ko" "$out"
			n=$((n + 1))
		done
	(cd "$root" && find . | cpio -o -H newc --quiet -R 0:0 | gzip -1) \
		>"$tmp/img"
	mv "$tmp/img" "$img"
fi
echo "$img"
