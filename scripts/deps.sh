#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Install the Debian packages a target needs, by name, and only what is missing.
# Usage: deps.sh GROUP...	with GROUP one of: tool build vm check debug clang figures
#	forwarding deb check-deb slurm all
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

tool="gcc libc6-dev libjson-c-dev libmnl-dev make pkg-config python3 zlib1g-dev"
build="linux-headers-$mcfab_series-amd64 build-essential bc bison flex kmod
	libelf-dev libjson-c-dev libmnl-dev libssl-dev pahole pkg-config
	python3 zlib1g-dev"
# The guest runs on the host's own files, so what it uses is installed here.
vm="linux-image-$mcfab_series-amd64 busybox-static cpio ethtool iproute2 iputils-ping kmod
	linuxptp procps qemu-system-x86 xz-utils"
# Tests compare interfaces by abidiff, and run avahi, dbus, iperf and socat over ports, completion in
# zsh, and manual pages in groff.
check="linux-source-$mcfab_series abigail-tools avahi-daemon avahi-utils chromium clang
	dbus-daemon gnuplot-nox groff-base ibutils iperf libnl-3-dev libnl-genl-3-dev libcmocka-dev
	perl python3-jsonschema python3-numpy python3-prometheus-client python3-yaml shellcheck
	socat sparse trace-cmd xz-utils zsh"
debug="linux-source-$mcfab_series bc bison cpio flex libelf-dev libssl-dev
	xz-utils"
clang="clang lld llvm"
figures="gnuplot-nox"
# What the kernel's own tests of forwarding call; the rest is in forwarding-tools.sh.
forwarding="linux-source-$mcfab_series dc ethtool gojq iputils-arping libteam-utils ncat netsniff-ng
	tcpdump traceroute xz-utils"
deb="linux-source-$mcfab_series debhelper dh-dkms dh-python dpkg-dev fakeroot gcc libelf-dev libjson-c-dev
	libmnl-dev make pkg-config python3 xz-utils zlib1g-dev"
check_deb="lintian mmdebstrap"
# Daemons: only for who asks for them.
slurm="munge slurm-client slurmctld slurmd"

[ $# -gt 0 ] || die "usage: deps.sh GROUP... (tool build vm check debug clang figures forwarding
	deb check-deb slurm all)"

# The tool alone builds on other systems, too.
if [ "$*" = tool ] && pkg-config --exists libmnl json-c zlib 2>/dev/null; then
	exit 0
fi

want=
for group in "$@"; do
	case $group in
	tool)	want+=" $tool" ;;
	build)	want+=" $build" ;;
	vm)	want+=" $vm" ;;
	check)	want+=" $check" ;;
	debug)	want+=" $debug" ;;
	clang)	want+=" $clang" ;;
	figures) want+=" $figures" ;;
	forwarding) want+=" $forwarding" ;;
	deb)	want+=" $deb" ;;
	check-deb) want+=" $check_deb" ;;
	slurm)	want+=" $slurm" ;;
	all)	want+=" $build $vm $check $debug $clang" ;;
	*)	die "unknown group: $group" ;;
	esac
done

command -v dpkg-query >/dev/null ||
	die "not a Debian system: install the equivalents of:$want"

missing=()
for pkg in $(tr -s ' \t\n' '\n' <<<"$want" | sort -u); do
	status=$(dpkg-query -W -f '${db:Status-Status}' "$pkg" 2>/dev/null) || :
	[ "$status" = installed ] || missing+=("$pkg")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
	die "missing packages; as root: apt-get install ${missing[*]}"
fi

say "installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
apt=(apt-get -q -y -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600
	-o Acquire::Retries=3)
if ! { "${apt[@]}" update &&
	"${apt[@]}" install --no-install-recommends "${missing[@]}"; } \
	>"$log" 2>&1 </dev/null; then
	tail -n 20 "$log" >&2
	die "apt-get failed"
fi
