# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Shared by the scripts of this tree: sourced, never run.

mcfab_top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# The cache is outside the checkout so that it survives "git clean" and serves
# every clone: kernel source, debug kernels, the answer of the KVM probe.
mcfab_cache=${MCFAB_CACHE:-${HOME:-/var/tmp}/.cache/mcfab}
# The kernel series we build for; the point release is whatever is installed.
mcfab_series=6.12
export mcfab_top mcfab_cache mcfab_series

say()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

die()
{
	say "$*"
	exit 1
}

# unpack_module FILE OUT: uncompressed into OUT, less the compression's suffix.
unpack_module()
{
	case $1 in
	*.xz)	xz -dc "$1" >"${2%.xz}" ;;
	*.zst)	zstd -qdc "$1" >"${2%.zst}" ;;
	*.gz)	gzip -dc "$1" >"${2%.gz}" ;;
	*)	cp "$1" "$2" ;;
	esac
}

# find_kernel [debug|FOLDER]: set kdir, release and image to a kernel that was
# built in a folder, or to Debian's newest one whose headers are installed.
find_kernel()
{
	local d

	kdir=
	if [ -n "${1:-}" ]; then
		[ "$1" != debug ] ||
			set -- "$("$mcfab_top/scripts/debug-kernel/build.sh")"
		kdir=$(cd "$1" && pwd) || die "$1: no such folder"
		release=$(cat "$kdir/include/config/kernel.release")
		image=$kdir/arch/x86/boot/bzImage
	else
		for d in $(printf '%s\n' /lib/modules/$mcfab_series*/build |
			sort -Vr); do
			release=$(basename "$(dirname "$d")")
			image=/boot/vmlinuz-$release
			if [ -d "$d" ] && [ -r "$image" ]; then
				kdir=$d
				break
			fi
		done
		[ -n "$kdir" ] ||
			die "no $mcfab_series kernel: run scripts/deps.sh build vm"
	fi
	[ -r "$image" ] || die "$image is missing"
	export kdir release image
}
