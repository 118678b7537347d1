#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Regenerate the files that come from the netlink spec with the kernel's own
# generator. Usage: ynl-regen.sh [--check]; --check compares and fails on drift.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

case ${1:-} in
''|--check) check=${1:-} ;;
*) die "usage: ynl-regen.sh [--check]" ;;
esac

spec=Documentation/netlink/specs/mcfab.yaml
src=$(scripts=$(dirname "$0"); "$scripts/kernel-source.sh")
gen=$src/tools/net/ynl/ynl-gen-c.py
cd "$mcfab_top"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# The generator looks upward for MAINTAINERS and loops for ever without one.
[ -f MAINTAINERS ] || die "MAINTAINERS is missing"

status=0
generate()
{
	local mode=$1 what=$2 out=$3 new

	# It writes the name of the header beside the source into the source.
	new=$tmp/$(basename "$out")
	PYTHONDONTWRITEBYTECODE=1 timeout 60 python3 "$gen" \
		--mode "$mode" "--$what" --spec "$spec" -o "$new"
	if cmp -s "$new" "$out"; then
		return
	elif [ -n "$check" ]; then
		say "$out differs from what $spec gives:"
		diff -u "$out" "$new" >&2 || :
		status=1
	else
		say "$out"
		mkdir -p "$(dirname "$out")"
		cp "$new" "$out"
		chmod 644 "$out"
	fi
}

generate uapi header include/uapi/linux/mcfab.h
generate kernel header kmod/control/mcfab_nl_gen.h
generate kernel source kmod/control/mcfab_nl_gen.c

# Our copy of the schema is the kernel's.
if ! cmp -s "$src/Documentation/netlink/genetlink.yaml" \
	Documentation/netlink/genetlink.yaml; then
	say "Documentation/netlink/genetlink.yaml is not the kernel's"
	status=1
fi
exit $status
