#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# In the VM: run the tests that are listed, one after the other, and look at
# what each one leaves behind. scripts/selftests.sh reads the outcome. Other VMs may have the same
# list and folder: a test is run by the VM that first makes the link NAME.vm.
dir=$MCFAB_RESULTS
vm=${MCFAB_VM:-1}
mark=0

unload()
{
	local i

	for i in 1 2 3; do
		awk '/^mcfab/ { print $1 }' /proc/modules |
			xargs -rn 1 rmmod 2>/dev/null
		grep -q '^mcfab' /proc/modules || return 0
		sleep 0.$i
	done
	echo "modules that cannot be unloaded:"
	grep '^mcfab' /proc/modules
}

complaints()
{
	dmesg | tail -n "+$((mark + 1))" >/tmp/new-messages
	"$MCFAB_TOP/scripts/vm/scan-console.sh" /tmp/new-messages
}

leftovers()
{
	for ns in $(ip netns list 2>/dev/null | awk '{ print $1 }'); do
		echo "network namespace left behind: $ns"
		ip netns del "$ns"
	done
	unload
}

# An event that is switched on has tracing note the names of tasks, for which the
# scheduler's own hot code is patched. QEMU's emulation may still run the breakpoint
# that is used for it on another CPU when it is gone: "Oops: int3".
if [ -e /sys/kernel/tracing/options/record-cmd ]; then
	echo 0 >/sys/kernel/tracing/options/record-cmd
fi

skip()
{
	echo "1..0 # SKIP no time is left" >"$dir/$name.tap"
}

deadline=${MCFAB_DEADLINE:-9999999999}
# A test that begins before the deadline has so many seconds more, however slow this machine is.
grace=420
while read -r name path limit; do
	ln -sT "$vm" "$dir/$name.vm" 2>/dev/null || continue
	left=$((deadline - $(date +%s)))
	if [ $left -lt 0 ]; then
		skip
		: >"$dir/$name.complaints"
		echo "0 0" >"$dir/$name.rc"
		continue
	fi
	mark=$(dmesg | wc -l)
	# What a test does without is unloaded when it starts, too.
	modprobe mcfab
	cut=
	if [ $((left + grace)) -lt "$limit" ]; then
		limit=$((left + grace))
		cut=1
	fi
	echo "run   $name"
	start=$SECONDS
	(cd "$(dirname "$path")" && exec timeout -k 10 "$limit" "$path") \
		>"$dir/$name.tap" 2>&1 </dev/null
	rc=$?
	complaints >"$dir/$name.complaints" 2>&1
	if [ $rc -eq 124 ] && [ "$cut" ]; then
		skip
		rc=0
		leftovers >/dev/null 2>&1
	else
		[ $rc -ne 124 ] || echo "# time limit of $limit s reached" >>"$dir/$name.tap"
		leftovers >>"$dir/$name.complaints" 2>&1
	fi
	echo "$rc $((SECONDS - start))" >"$dir/$name.rc"
done <"$dir/list-$vm"
