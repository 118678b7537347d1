#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Boot a VM on the host's own files with our modules: a shell, or one command.
#
#   CMD='...'		run this and exit with its status
#   SCRIPT=file		the same with a shell script
#   KERNEL=		debug, or a kernel's build folder; default: Debian's
#   VM_CPUS=2 VM_MEM=2048M VM_TIMEOUT=300 (seconds; no limit for a shell)
#   VM_RESULTS=results	folder on the host that is /mnt/results in the VM
#   VM_CONSOLE=console.log	name of the console's log there
#   VM_NOLOAD=1		do not load mcfab at the start
#   VM_ACCEL=kvm|tcg	do not probe
#   VM_ICOUNT=N		emulated only: each instruction takes 2^N ns by the VM's clock, which stands
#			still while the host has no time for it; slower if much is to be done
#   VM_GHZ=N		with VM_ICOUNT=0: N instructions take 1 ns
#   VM_ENV='A B'	more variables to pass; MCFAB_* always are
#   VM_MODULES='a b'	more of the kernel's own modules
#
# In the VM the checkout is /mnt/mcfab (read-only), the kernel's source, if it
# is installed, $MCFAB_KSRC. Exit status: the command's;
# 124 time limit; 125 the VM failed; 99 the command succeeded, the kernel
# complained ("make vm" itself then ends with 2). The console's log is kept in the
# results.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/../lib/common.sh"

vm=$mcfab_top/scripts/vm
cpus=${VM_CPUS:-2}
mem=${VM_MEM:-2048M}
limit=${VM_TIMEOUT:-300}
kernel=${KERNEL:-}
kmemleak=
[ "$cpus" -ge 2 ] || die "VM_CPUS must be 2 or more"

[ "$kernel" != debug ] || kmemleak=1
find_kernel "$kernel"

results=$(realpath -m "${VM_RESULTS:-$mcfab_top/results}")
mkdir -p "$results" "$mcfab_cache/vm"
run=$(mktemp -d "$mcfab_cache/vm/run.XXXXXX")
qemu=
# shellcheck disable=SC2317 # called by the trap
cleanup()
{
	if [ -n "$qemu" ]; then
		kill "$qemu" 2>/dev/null || :
	fi
	rm -rf "$run"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# What is to be loaded is copied, so that a build meanwhile does not matter.
extra=$run/lib/modules/$release
mkdir -p "$extra/extra" "$extra/kernel"
if [ -z "${VM_NOBUILD:-}" ]; then
	built=$("$mcfab_top/scripts/build-modules.sh" "$kdir" "$release")
	find "$built" -name '*.ko' -exec cp -t "$extra/extra" {} +
fi
# shellcheck disable=SC2086 # a list of words
cp -r "$("$vm/kernel-modules.sh" "$release" veth dummy nlmon tun bridge \
	${VM_MODULES:-})/." "$extra/kernel"
touch "$extra"/modules.{order,builtin,builtin.modinfo}
for f in "/lib/modules/$release"/modules.builtin{,.modinfo} \
	"$kdir"/modules.builtin{,.modinfo}; do
	[ ! -r "$f" ] || cp "$f" "$extra/"
done
depmod -b "$run" "$release"

initrd=$("$vm/initramfs.sh" "$release")
accel=${VM_ACCEL:-$("$vm/accel.sh" "$image" "$initrd")}
thread=multi
[ -z "${VM_ICOUNT:-}" ] || thread=single
case $accel in
kvm)	accel_opts=(-accel kvm -cpu host)
	append= ;;
tcg)	# Without cx16: now and then the emulated cmpxchg16b leaves a part of a pointer in the flags,
	# which ends in a double fault if the trap flag is among it. Debian 12's kernel has another
	# way for its allocator.
	accel_opts=(-accel "tcg,thread=$thread" -cpu "qemu64,+rdrand,-cx16"
		${VM_ICOUNT:+-icount shift="$VM_ICOUNT"})
	# Thunks for indirect calls, and clearing all memory that is given out, cost an emulated
	# CPU much. Code is translated again for each address at which it is mapped.
	append="mitigations=off init_on_alloc=0 norandmaps"
	# The kernel believes what it is told of the counter by which it tells the time.
	[ "${VM_GHZ:-1}" = 1 ] || append+=" tsc_early_khz=${VM_GHZ}000000 tsc=reliable nohpet" ;;
*)	die "VM_ACCEL=$accel: kvm or tcg" ;;
esac

cp "$vm/guest-init.sh" "$run/guest-init"
{
	for v in $(compgen -e | grep '^MCFAB_' || :) ${VM_ENV:-} VM_NOLOAD; do
		case $v in
		MCFAB_CACHE | MCFAB_TOP | MCFAB_RESULTS) continue ;;
		esac
		[ -z "${!v:-}" ] || printf '%s=%q\n' "$v" "${!v}"
	done
	# Tests use the kernel's own helpers and clients.
	if [ -f "/usr/src/linux-source-$mcfab_series.tar.xz" ]; then
		printf 'VM_KSRC=%q\n' "$("$mcfab_top/scripts/kernel-source.sh")"
	fi
	printf 'VM_TERM=%q\n' "${TERM:-linux}"
	if size=$(stty size 2>/dev/null); then
		printf 'VM_ROWS=%d\nVM_COLS=%d\n' "${size% *}" "${size#* }"
	fi
} >"$run/env"
[ -z "$kmemleak" ] || touch "$run/kmemleak"
if [ -n "${CMD:-}" ]; then
	printf '%s\n' "$CMD" >"$run/script"
elif [ -n "${SCRIPT:-}" ]; then
	cp "$SCRIPT" "$run/script"
fi

share() # tag path options
{
	opts+=(-virtfs "local,mount_tag=$1,path=$2,security_model=none,multidevs=remap$3")
}
opts=(-M q35 "${accel_opts[@]}" -smp "$cpus" -m "$mem" -nodefaults -nographic
	-no-reboot -monitor none -nic none -serial "file:$run/console"
	-device virtio-serial-pci -kernel "$image" -initrd "$initrd"
	-append "console=ttyS0 loglevel=7 panic=-1 net.ifnames=0 $append ${VM_APPEND:-}")
share hostroot / ,readonly=on
share mcfab-top "$mcfab_top" ,readonly=on
share mcfab-results "$results" ""
share mcfab-run "$run" ""

boot() # with a script; sets status
{
	status=0
	cat "$run/out" &
	readers=("$!")
	cat "$run/err" >&2 &
	readers+=("$!")
	timeout -k 5 "$limit" qemu-system-x86_64 "${opts[@]}" \
		</dev/null >"$run/qemu.log" 2>&1 &
	qemu=$!
	wait "$qemu" || status=$?
	qemu=
	# A QEMU that fails before it opens them leaves the readers waiting.
	for c in out err; do
		: 2>/dev/null <>"$run/$c"
	done
	wait "${readers[@]}" || :
	if [ "$status" -ne 0 ]; then
		cat "$run/qemu.log" >&2
	fi
}

status=0
if [ -e "$run/script" ]; then
	mkfifo "$run/out" "$run/err"
	for c in out err; do
		opts+=(-chardev "file,id=$c,path=$run/$c"
			-device "virtserialport,chardev=$c,name=mcfab-$c")
	done
	boot
	# The kernel patches its own text while it boots, too: see selftests-guest.sh.
	if [ ! -e "$run/begun" ] && [ ! -s "$run/status" ] &&
		grep -q 'Oops: int3' "$run/console"; then
		say "the emulated CPU met a stale breakpoint while booting, once more"
		boot
	fi
else
	[ -t 0 ] || die "no terminal: give CMD= or SCRIPT="
	opts+=(-chardev "stdio,id=tty,signal=off"
		-device "virtconsole,chardev=tty")
	say "Linux $release ($accel); leave with ^D"
	qemu-system-x86_64 "${opts[@]}" || status=$?
fi

console=$results/${VM_CONSOLE:-console.log}
cp "$run/console" "$console"
if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
	tail -n 5 "$console" >&2
	say "time limit of $limit s reached; console: $console"
	exit 124
fi
if [ ! -s "$run/status" ]; then
	tail -n 30 "$console" >&2
	say "the VM ended without a status; console: $console"
	exit 125
fi
status=$(cat "$run/status")

complaint=
if ! "$vm/scan-console.sh" "$console" >&2; then
	complaint="the kernel complained"
fi
if [ -s "$run/kmemleak" ]; then
	cat "$run/kmemleak" >&2
	complaint="memory leaked"
fi
# Bits 12 (out of tree) and 13 (unsigned) are ours by nature, 18 is a test's.
if [ $(($(cat "$run/tainted") & ~(1 << 12 | 1 << 13 | 1 << 18))) -ne 0 ]; then
	complaint=${complaint:-"the kernel is tainted: $(cat "$run/tainted")"}
fi
if [ -n "$complaint" ]; then
	say "$complaint; console: $console"
	[ "$status" -ne 0 ] || status=99
fi
exit "$status"
