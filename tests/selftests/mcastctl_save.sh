#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=240
# save and restore in the kernel: fabrics with ports, failed links and groups come back as they
# were, all or none, and runs give the same hashes.
# shellcheck source=tests/selftests/helpers/mcastctl.bash
. "$(dirname "$0")/helpers/mcastctl.bash"

fabrics=(net lids)

remove()
{
	local name

	for name in "${fabrics[@]}"; do
		mcastctl fabric del "$name" || return 1
	done
	[ -z "$(mcastctl -j fabric show | tr -d '[]\n ')" ]
}

# What there is, less what was only measured.
everything()
{
	local name

	for name in "${fabrics[@]}"; do
		mcastctl -j fabric show "$name" | sed -E 's/"(id|bytes|run|shards|subnet-generation)":[0-9]+,?//g; s/"state":"[a-z]+",?//'
		mcastctl -j link show "$name"
		mcastctl -j port show "$name" | sed -E 's/"(fabric-id|ifindex)":[0-9]+,?//g'
		mcastctl -j group show "$name"
	done
	ip -o -d link show type mcfab | sed -E 's/^[0-9]+: //; s/link\/ether [0-9a-f:]+//'
}

hashes()
{
	mcastctl run net policy ssr workload lone count 5 dests 3 | grep hash
	mcastctl run lids policy xy-union workload lone count 5 group g | grep hash
}

ktap_print_header
ktap_set_plan 13

check "fabrics with ports" mcastctl -b - <<END
fabric add net topology irregular switches 6 ports 6 hosts 8 routing updown topology-seed 3
link down net switch s1 port 0
port add save0 fabric net node 0
port add save5 fabric net node 5 mtu 9000 flood
fabric add lids topology mesh dims 3x3 addressing lid
group add lids g members 1,2,8 address 239.1.2.3
port add save8 fabric lids node 8
END
# The first run gives the group's sources their LIDs.
hashes >"$tmp/hashes"
everything >"$tmp/before"
check "they run" [ "$(wc -l <"$tmp/hashes")" = 2 ]
check "they are saved" mcastctl save file "$tmp/saved"
check "with their ports" [ "$(grep -c '^port add save' "$tmp/saved")" = 3 ]
refuses 1 "there is a fabric net already" mcastctl restore "$tmp/saved"
everything >"$tmp/now"
check "and nothing changed" diff "$tmp/before" "$tmp/now"
check "they are removed" remove
check "they are restored" mcastctl restore "$tmp/saved"
everything >"$tmp/now"
check "and are as before" diff "$tmp/before" "$tmp/now"
hashes >"$tmp/again"
check "the same runs have the same hashes" diff "$tmp/hashes" "$tmp/again"
check "removed once more" remove
sed 's/node 8/node 99/' "$tmp/saved" >"$tmp/broken"
refuses 1 "node 99" mcastctl restore "$tmp/broken"
check "not even the fabrics before it" [ -z "$(mcastctl -j fabric show | tr -d '[]\n ')" ]
ktap_finished
