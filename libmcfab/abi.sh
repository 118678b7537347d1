#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Print a checksum of the headers that policies in user space are compiled with: one that was
# compiled with others is not loaded. Usage: abi.sh KMOD SHIM UAPI, the folders with the headers
set -e
headers() # FOLDER SUBFOLDER...
{
	cd "$1"
	shift
	find "$@" -name '*.h' | LC_ALL=C sort | xargs cat
}
{
	(headers "$1" base plan topology routing subnet updown)
	(headers "$2" .)
	(headers "$3" .)
} | sha256sum | cut -c 1-16
