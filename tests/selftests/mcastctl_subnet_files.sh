#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=300
# Subnets and their tables from files, as other tools write them, and back into files.
# shellcheck source=tests/selftests/helpers/mcastctl.bash
. "$(dirname "$0")/helpers/mcastctl.bash"

samples=
for dir in "$(dirname "$0")/../samples" "$(dirname "$0")/samples"; do
	[ ! -d "$dir" ] || samples=$(cd "$dir" && pwd)
done

# A subnet as people have it: its topology, its tables in every form.
imported()
{
	local form
	mcastctl fabric add t topology irregular file "$samples/fat-tree.ibnetdiscover" \
		addressing lid || return 1
	run mcastctl table load t "$samples/fat-tree.lfts"
	said 0 '^60 entries loaded$' || return 1
	mcastctl table dump t lft >"$tmp/lft"
	# But for how the switches were reached, it is what was loaded.
	diff <(grep '^0x' "$tmp/lft") <(sed 's/ *$//' "$samples/fat-tree.lfts" | grep '^0x') ||
		return 1
	for form in opensm-lfts fdbs; do
		run mcastctl table load t "$samples/fat-tree.$form"
		said 0 || return 1
		mcastctl table dump t lft | cmp - "$tmp/lft" || return 1
	done
	mcastctl group add t low members 0,2,4,5 lid 0xc000 &&
		mcastctl group add t high members 2,3,6 lid 0xc001 || return 1
	for form in mfts mcfdbs; do
		run mcastctl table load t "$samples/fat-tree.lfts" "$samples/fat-tree.$form"
		said 0 || return 1
		mcastctl table dump t mft >"$tmp/$form"
	done
	cmp "$tmp/mfts" "$tmp/mcfdbs" || return 1
	diff <(grep '^0x' "$tmp/mfts") <(sed 's/ *$//' "$samples/fat-tree.mfts" | grep '^0x') ||
		return 1
	run mcastctl table check t
	said 0 || return 1
	run mcastctl -j run t policy table workload lone count 4 source 0 group low
	said 0 '"deliveries":12,' || return 1
	round_trip t
}

# Numbers of the ports that the user wants: shown where they are not the usual ones, in what
# is exported, and kept by who imports that.
port_numbers()
{
	local ret=1
	mcastctl fabric add v topology mesh dims 3x2 addressing lid ingress allow \
		port-numbers 3,5,1,2,4 || return 1
	run mcastctl fabric show v
	said 0 'addressing lid ingress allow port-numbers 3,5,1,2,4$' &&
		exported && ret=0
	mcastctl fabric del v
	[ $ret -eq 0 ] || return 1
	run mcastctl fabric show m
	! grep -q 'ingress\|port-numbers' "$tmp/out"
}

exported()
{
	mcastctl topology show v >"$tmp/native" &&
		mcastctl topology show v format ibnetdiscover >"$tmp/discovered" || return 1
	grep -qx 'link 0 3 1 1' "$tmp/native" && grep -qx 'link 0 5 3 2' "$tmp/native" &&
		grep -q '^host 0 switch 0 port 4 ' "$tmp/native" || return 1
	mcastctl group add v g members 1,2,5 && mcastctl group assign v g source 0 || return 1
	mcastctl table dump v >"$tmp/one"
	mcastctl fabric add w topology irregular file "$tmp/discovered" addressing lid || return 1
	# with the same tables without a word: recognised as the mesh that it is
	mcastctl group add w g members 1,2,5 && mcastctl group assign w g source 0 &&
		mcastctl table dump w >"$tmp/two"
	run mcastctl table check w
	mcastctl fabric del w
	said 0 '^nothing found$' && diff <(grep '^0x' "$tmp/one") <(grep '^0x' "$tmp/two") &&
		grep -q '^0xc000 ' "$tmp/one" || return 1
	run mcastctl table show v switch 0 lid 0xc000
	squeeze "$tmp/out" | grep -q 'built 3:1$'
}

ktap_print_header
ktap_set_plan 2

mcastctl fabric add m topology mesh dims 5x5 addressing lid
if [ -n "$samples" ]; then
	check "an imported subnet with tables in all forms" imported
else
	ktap_test_skip "an imported subnet with tables in all forms: no samples"
fi
check "port numbers and ways back" port_numbers

ktap_finished
