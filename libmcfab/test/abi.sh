#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The binary interface of libmcfab.so.0 is the one in libmcfab.abi, and a change of it would be
# seen; it exports what its headers have; the headers serve C99 and C++. Prints TAP.
# Usage: abi.sh [--update]; --update writes libmcfab.abi, for an interface that may change
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
lib=build/lib/libmcfab.so.0
dump=libmcfab/libmcfab.abi
headers=(libmcfab/include/mcfab.h libmcfab/include/mcfab-icnt.h)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

[ -e $lib ] || make -s lib >&2 || exit 1
write() # FILE
{
	abidw --headers-dir libmcfab/include --drop-private-types --exported-interfaces-only \
		--no-corpus-path --no-comp-dir-path --no-show-locs --no-architecture \
		--out-file "$1" $lib
}
if [ "${1-}" = --update ]; then
	write $dump
	exit
fi

number=0
bad=0
result() # STATUS NAME OUTPUT
{
	local word=ok

	number=$((number + 1))
	if [ "$1" -ne 0 ]; then
		word="not ok"
		bad=1
		printf '%s\n' "${3-}" | head -n 40 | sed 's/^/# /'
	fi
	echo "$word $number $2"
}

echo 1..7
write "$tmp/now.abi"
out=$(abidiff $dump "$tmp/now.abi" 2>&1)
result $? "the interface is that of $dump" "$out"

# What is wrong, and a change of the dump that makes it so.
changed() # NAME SED
{
	sed "$2" $dump >"$tmp/changed.abi"
	if cmp -s $dump "$tmp/changed.abi"; then
		result 1 "$1" "the dump has no such line"
	elif abidiff "$tmp/changed.abi" "$tmp/now.abi" >/dev/null 2>&1; then
		result 1 "$1" "abidiff does not see it"
	else
		result 0 "$1"
	fi
}
changed "a call that is gone is seen" 's/mcf_room/mcf_rome/g'
changed "a member that moves is seen" \
	"s/\(data-member access='public' layout-offset-in-bits='\)64'/\1256'/"
changed "a result of another type is seen" \
	"/function-decl name='mcf_cycle'/,/function-decl>/ s/\(return type-id='\)[^']*'/\1type-id-1'/"

exported=$(nm -D --defined-only $lib | awk '$2 == "T" { sub("@.*", "", $3); print $3 }' | sort)
declared=$(sed -n 's/^[a-z].*[ *]\(mcf_[a-z_]*\)(.*/\1/p' "${headers[@]}" | sort -u)
out=$(diff <(echo "$declared") <(echo "$exported"))
result $? "what the headers declare is exported, and nothing else" "$out"

for header in "${headers[@]}"; do echo "#include \"${header##*/}\""; done >"$tmp/use.c"
cp "$tmp/use.c" "$tmp/use.cc"
warn="-pedantic -Wall -Wextra -Werror"
use() # COMMAND FILE
{
	# shellcheck disable=SC2086
	$1 $warn -Ilibmcfab/include -fsyntax-only "$2" 2>&1
}
out=$(use "cc -std=c99" "$tmp/use.c")
result $? "the headers are C99" "$out"
out=$(use "c++ -std=c++11" "$tmp/use.cc")
result $? "the headers are C++" "$out"
exit $bad
