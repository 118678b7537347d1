#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Print the accelerator that works here: kvm or tcg.
# Usage: accel.sh KERNEL INITRAMFS
#
# A /dev/kvm that can be opened may still not run a guest, so one is started.
# The answer holds until the machine boots again.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/../lib/common.sh"

memo=$mcfab_cache/vm/accel-$(cat /proc/sys/kernel/random/boot_id)
if [ ! -s "$memo" ]; then
	accel=tcg
	if [ -r /dev/kvm ] && [ -w /dev/kvm ]; then
		say "probing KVM"
		if timeout -k 2 10 qemu-system-x86_64 -accel kvm -cpu host \
			-smp 2 -m 512 -M q35 -nodefaults -nographic -no-reboot \
			-monitor none -nic none -serial stdio -kernel "$1" \
			-initrd "$2" -append "console=ttyS0 panic=-1 mcfab.probe" \
			</dev/null 2>/dev/null | grep -q 'mcfab-vm: alive'; then
			accel=kvm
		fi
	fi
	mkdir -p "$mcfab_cache/vm"
	echo $accel >"$memo.$$"
	mv "$memo.$$" "$memo"
fi
cat "$memo"
