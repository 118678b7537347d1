#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Called by dkms: keep the exported functions of the modules of a kernel, or drop them.
# Usage: symvers.sh keep|drop RELEASE
set -e
kept=/var/lib/mcfab/symvers

case $1 in
keep)	install -D -m 644 kmod/Module.symvers "$kept/$2" ;;
drop)	rm -f "$kept/$2"
	rmdir -p --ignore-fail-on-non-empty "$kept" 2>/dev/null || : ;;
esac
