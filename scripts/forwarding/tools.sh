#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Print a folder with programs that the kernel's tests of forwarding want newer than Debian 12
# has them (iproute2), or without the daemon that their package starts (smcroute).
#
# The packages are unpacked into the cache, beside the system's, which stay as they are.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/../lib/common.sh"

dir=$mcfab_cache/forwarding
if [ ! -d "$dir/tools" ]; then
	command -v apt-get >/dev/null || die "not a Debian system"
	mkdir -p "$dir"
	# Two runs may start at once; the second waits and finds it done.
	exec 9>"$dir/lock"
	flock 9
fi
if [ ! -d "$dir/tools" ]; then
	say "unpacking iproute2 of backports and smcroute"
	tmp=$(mktemp -d "$dir/tmp.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	mkdir -p "$tmp"/{lists,cache/archives}/partial "$tmp/tools"

	# Lists of our own, of the mirror that the system has for its release.
	codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
	# shellcheck disable=SC2016 # apt's own $(SITE)
	mirror=$(apt-get indextargets --format '$(SITE)' "Codename: $codename" \
		'Created-By: Packages' | head -n 1)
	[ -n "$mirror" ] || die "apt has no mirror of $codename"
	keys=/usr/share/keyrings/debian-archive-keyring.gpg
	for suite in "$codename" "$codename-backports"; do
		echo "deb [signed-by=$keys] $mirror $suite main"
	done >"$tmp/sources.list"
	apt=(apt-get -q -y -o Acquire::Retries=3 -o APT::Sandbox::User=root
		-o "Dir::Etc::SourceList=$tmp/sources.list" -o Dir::Etc::SourceParts=-
		-o "Dir::State::Lists=$tmp/lists" -o "Dir::Cache=$tmp/cache")
	if ! (cd "$tmp" && "${apt[@]}" update &&
		"${apt[@]}" download "iproute2/$codename-backports" smcroute) \
		>"$tmp/log" 2>&1 </dev/null; then
		tail -n 20 "$tmp/log" >&2
		die "apt-get failed"
	fi
	for deb in "$tmp"/*.deb; do
		dpkg-deb -x "$deb" "$tmp/unpacked"
	done
	find "$tmp/unpacked" -path '*bin/*' -type f -exec cp -t "$tmp/tools" {} +
	chmod 755 "$tmp/tools"
	mv "$tmp/tools" "$dir/tools"
fi
echo "$dir/tools"
