#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Process 1 of the VM after the initramfs, on the host's files (read-only).
# /run/mcfab is the run's folder on the host: what to do, and the outcome.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export HOME=/tmp LANG=C.UTF-8 TERM=linux
run=/run/mcfab
exec </dev/null >/dev/console 2>&1

finish()
{
	# Unloaded or not, what is lost by now is a leak.
	if [ -e /sys/kernel/debug/kmemleak ] && [ -e $run/kmemleak ]; then
		# Objects younger than five seconds are not reported, nor any
		# on the scan that first sees them.
		sleep 6
		echo scan >/sys/kernel/debug/kmemleak
		echo scan >/sys/kernel/debug/kmemleak
		cat /sys/kernel/debug/kmemleak >$run/kmemleak
	fi
	cat /proc/sys/kernel/tainted >$run/tainted
	echo "$1" >$run/status
	echo "mcfab-vm: exit $1" >/dev/console
	sync
	echo b >/proc/sysrq-trigger
	sleep 60
}

set -a
# shellcheck source=/dev/null
. $run/env
set +a

mount -t tmpfs mnt /mnt
mkdir -p /dev/pts /dev/shm /mnt/mcfab /mnt/results /mnt/linux /run/lock
# Before /tmp is covered: the cache may be there.
if [ -n "${VM_KSRC:-}" ]; then
	mount --bind "$VM_KSRC" /mnt/linux
	export MCFAB_KSRC=/mnt/linux
fi
mount -t tmpfs tmp /tmp
mount -t tmpfs vartmp /var/tmp
mount -t devpts -o gid=5,mode=620,ptmxmode=666 devpts /dev/pts
mount -t tmpfs shm /dev/shm
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
ln -sf /proc/self/fd/0 /dev/stdin
ln -sf /proc/self/fd/1 /dev/stdout
ln -sf /proc/self/fd/2 /dev/stderr
mount -t debugfs debugfs /sys/kernel/debug
mount -t tracefs tracefs /sys/kernel/tracing
mount -t cgroup2 cgroup2 /sys/fs/cgroup

o=trans=virtio,version=9p2000.L,msize=512000
mount -t 9p -o ro,cache=loose,$o mcfab-top /mnt/mcfab || finish 125
mount -t 9p -o rw,$o mcfab-results /mnt/results || finish 125

# Holds our modules and a few of the kernel's, indexed, so that modprobe and
# request_module() work.
mount --bind $run/lib/modules /lib/modules || finish 125

if command -v ip >/dev/null; then
	ip link set lo up
fi
hostname mcfab 2>/dev/null

export MCFAB_TOP=/mnt/mcfab MCFAB_RESULTS=/mnt/results
PATH=$MCFAB_TOP/tools/mcastctl:$PATH
# where ip finds what it knows of links of kind mcfab
export IP_LIB_DIR=$MCFAB_TOP/tools/iproute2
cd $MCFAB_TOP || finish 125

if [ -z "${VM_NOLOAD:-}" ]; then
	modprobe mcfab || finish 125
fi

if [ -e $run/script ]; then
	mapfile -t ports < <(
		for want in out err; do
			for p in /sys/class/virtio-ports/*; do
				if grep -qsx mcfab-$want "$p/name"; then
					echo "/dev/${p##*/}"
				fi
			done
		done
	)
	: >$run/begun
	setsid bash $run/script >"${ports[0]}" 2>"${ports[1]}"
	finish $?
fi

stty -F /dev/hvc0 sane rows "${VM_ROWS:-24}" cols "${VM_COLS:-80}"
export TERM=${VM_TERM:-linux} PS1='mcfab-vm:\w# '
setsid -c bash --norc -i </dev/hvc0 >/dev/hvc0 2>&1
finish $?
