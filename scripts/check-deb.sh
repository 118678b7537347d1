#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Install the Debian packages in a system of their own, use them, upgrade and purge them. Prints
# TAP. As root. The system is build/deb/root, left there if a test fails.
# shellcheck disable=SC2016,SC2317 # text for other shells; functions that test_that calls
set -uo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top" || exit 1
unset MAKEFLAGS MAKELEVEL MFLAGS
root=$mcfab_top/build/deb/root
log=$mcfab_top/build/deb/check.log
flavours="amd64 cloud-amd64 rt-amd64"
run='run f policy dp workload lone count 20 dests 5 flits 32'
first=0.1
second=$first+1
number=0
failed=0

test_that() # NAME COMMAND...
{
	local name=$1 word=ok
	shift

	number=$((number + 1))
	if ! "$@" >"$log" 2>&1; then
		tail -n 30 "$log" | sed 's/^/# /'
		word="not ok"
		failed=1
	fi
	echo "$word $number $name"
}

# A command in the system, whose processes end with it.
inside()
{
	unshare --mount --pid --fork --kill-child -- bash -c '
		mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" &&
		exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root \
			DEBIAN_FRONTEND=noninteractive chroot "$0" "$@"' "$root" "$@"
}

sources()
{
	printf 'deb http://deb.debian.org/debian %s main\n' bookworm bookworm-updates
	echo "deb http://deb.debian.org/debian-security bookworm-security main"
}

new_system()
{
	local headers=linux-headers-amd64 flavour

	for flavour in $flavours; do
		headers+=",linux-headers-$mcfab_series-$flavour"
	done
	rm -rf "$root"
	sources | mmdebstrap --mode=root --variant=apt \
		--include="dkms,gcc,libc6-dev,libjson-c5,libmnl0,make,pkg-config,python3,systemd-sysv,$headers" bookworm "$root"
}

# The packages that were built last are installed in the system.
install_packages()
{
	rm -f "$root"/root/*.deb &&
		cp build/deb/*.deb "$root/root" &&
		inside sh -c 'apt-get install -y --no-install-recommends /root/*.deb'
}

# What packages can change; apt's and dpkg's own lists always do.
state()
{
	inside find / -xdev \( -path /proc -o -path /dev -o -path /root -o -path /tmp -o \
		-path /var/cache -o -path /var/log -o -path /var/lib/apt -o -path /var/lib/dpkg -o \
		-path /etc/ld.so.cache -o -path '/usr/lib/modules/*/modules.*' \) -prune -o -print | sort
}

# The kernels of the system whose names begin so, one per line.
releases() # BEGIN
{
	find "$root/usr/lib/modules" -mindepth 1 -maxdepth 1 -name "$1*" -printf '%f\n'
}

built() # VERSION
{
	local release module

	for release in $(releases "$mcfab_series."); do
		inside dkms status "mcfab/$1" -k "$release" | grep ': installed' || return 1
		for module in $(make -s -C kmod names); do
			ls "$root/usr/lib/modules/$release/updates/dkms/${module##*/}".ko* || return 1
		done
		ls "$root/var/lib/mcfab/symvers/$release" || return 1
	done
	[ "$(releases "$mcfab_series." | wc -l)" -eq "$(wc -w <<<"$flavours")" ]
}

# Linux 6.1: nothing is built, and it is said why.
refused()
{
	local release

	release=$(releases 6.1.) || return 1
	! inside dkms install "mcfab/$first" -k "$release" >"$log.refused" 2>&1 &&
		cat "$log.refused" && grep BUILD_EXCLUSIVE "$log.refused" &&
		! inside make -C "/usr/src/mcfab-$first/kmod" KDIR="/lib/modules/$release/build" \
			>"$log.refused" 2>&1 &&
		cat "$log.refused" && grep "mcfab needs Linux 6.12" "$log.refused" &&
		! ls "$root/usr/lib/modules/$release/updates/dkms/"mcfab*
}

# The same run in the system, and by the tool of this tree.
same_run()
{
	local batch="fabric add f topology mesh dims 8x8
$run
stats show f"

	make -s tool
	inside runuser -u nobody -- mcastctl -V &&
		inside runuser -u nobody -- mcastctl --engine user -b - <<<"$batch" >"$log.packaged" &&
		tools/mcastctl/mcastctl --engine user -b - <<<"$batch" >"$log.tree" &&
		diff <(grep hash "$log.packaged") <(grep hash "$log.tree") && grep hash "$log.tree"
}

own_policy()
{
	inside sh -c 'cd /tmp && mcastctl policy new mine && cd mine && make check CHECK="groups 500" &&
		make module KDIR=$(ls -d /lib/modules/6.12*-amd64/build | head -n 1) && ls module/*.ko'
}

# An example in C, and the module of Python.
library()
{
	cp libmcfab/examples/coherence.c "$root/tmp" &&
		inside sh -c 'cd /tmp && cc coherence.c $(pkg-config --cflags --libs libmcfab) -o coherence &&
		./coherence 1 && python3 -c "import mcfab; print(mcfab.Fabric(\"topology mesh dims 4x4\"))"'
}

# Fabrics with a group that are saved, and a port beside them; a service that looks for them when
# the system has booted, and runs traffic.
at_boot()
{
	inside sh -c 'mkdir -p /etc/mcfab && mcastctl --engine user -b - &&
		echo "port add p3 fabric f node 3" >>/etc/mcfab/fabrics &&
		systemctl enable mcfab-restore' <<-'end' &&
		fabric add f topology mesh dims 8x8
		fabric add h topology mesh dims 4x4 addressing lid
		group add h g members 1-3
		save file /etc/mcfab/fabrics
	end
	install -m 755 /dev/stdin "$root/root/look" <<-end &&
		#!/bin/sh
		exec >/dev/console 2>&1
		systemctl --no-pager --full status mcfab-restore
		uname -r
		mcastctl group show h g
		ls -d /sys/class/net/p3
		mcastctl $run
		mcastctl stats show f | grep hash
		poweroff -f
	end
	cat >"$root/etc/systemd/system/look.service" <<-'end' && inside systemctl enable look
		[Unit]
		After=multi-user.target mcfab-restore.service
		[Service]
		Type=oneshot
		ExecStart=/root/look
		[Install]
		WantedBy=default.target
	end
}

# The system with its own kernel and initrd, from a disk, in a virtual machine.
boot() # ACCELERATOR RELEASE
{
	rm -f "$root.disk"
	mke2fs -q -t ext4 -d "$root" "$root.disk" 4G || return 1
	timeout --foreground 900 qemu-system-x86_64 -M q35 -accel "$1" -smp 2 -m 2048 \
		-nodefaults -nographic -no-reboot -monitor none -nic none -serial "file:$log.console" \
		-kernel "$root/boot/vmlinuz-$2" -initrd "$root/boot/initrd.img-$2" \
		-drive "file=$root.disk,format=raw,if=virtio" \
		-append "root=/dev/vda rw console=ttyS0 panic=-1"
	rm -f "$root.disk"
	grep -a -v '\[.*OK.*\]' "$log.console"
}

# All kernels boot, load the modules that dkms built, and restore what was saved.
restored()
{
	local accel hash kernel

	find_kernel
	accel=$(scripts/vm/accel.sh "$image" "$(scripts/vm/initramfs.sh "$release")") || return 1
	hash=$(grep -o 'hash [0-9a-f]*' "$log.tree") && at_boot || return 1
	for kernel in $(releases "$mcfab_series."); do
		boot "$accel" "$kernel" && grep -a -q "^$kernel" "$log.console" &&
			grep -a -q /sys/class/net/p3 "$log.console" &&
			grep -a -q "$hash" "$log.console" || return 1
	done
	inside systemctl disable mcfab-restore look
	rm -r "$root/etc/mcfab" "$root/etc/systemd/system/look.service"
}

purged()
{
	inside apt-get purge -y mcfab-dkms mcastctl libmcfab0 libmcfab-dev python3-mcfab mcfab-doc &&
		state >"$log.after" && diff "$log.before" "$log.after"
}

[ "$(id -u)" -eq 0 ] || die "needs root: packages are installed in a system of their own"
mkdir -p "$(dirname "$log")"
echo 1..14
test_that "packages are built" scripts/deb.sh
test_that "lintian finds nothing" lintian --allow-root --fail-on error,warning build/deb/*.changes
test_that "a new system" new_system
[ "$failed" -eq 0 ] || exit 1
state >"$log.before"
test_that "they are installed" install_packages
test_that "dkms has built all modules for $flavours" built "$first"
test_that "it refuses Linux 6.1 by name, and so does make" refused
test_that "mcastctl runs without the modules, as it does here" same_run
test_that "a policy of one's own is made, checked, and built for the kernel" own_policy
test_that "a program is built with the library, and Python loads it" library
test_that "the kernels boot with the modules, and fabrics are restored" restored
test_that "packages of a newer version" scripts/deb.sh "$second"
test_that "are installed over them" install_packages
test_that "and dkms has built their modules" built "$second"
test_that "purged, they leave nothing" purged
[ "$failed" -ne 0 ] || rm -rf "$root" "$log"*
exit "$failed"
