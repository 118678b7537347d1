#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# In the VM: run the KUnit suites by loading them, print their KTAP.
# mcfab-test: debug timeout=300

if ! modinfo mcfab_kunit >/dev/null 2>&1; then
	echo "1..0 # SKIP mcfab_kunit was not built (no KUnit in this kernel?)"
	exit 4
fi
modprobe mcfab_kunit || exit 1
cat /sys/kernel/debug/kunit/*/results
