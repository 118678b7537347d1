#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Usage: verify-config.sh FRAGMENT CONFIG
# Kconfig drops a line whose dependencies are not met without a word: a checker
# that silently is not there finds no bugs.
grep '^CONFIG_' "$1" | grep -vxF -f "$2" | {
	bad=0
	while read -r line; do
		echo "not in the configuration: $line" >&2
		bad=1
	done
	exit $bad
}
