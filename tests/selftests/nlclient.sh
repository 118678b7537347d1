#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=240
# A client on libnl-3 checks the ABI attribute by attribute.
here=$(dirname "$(realpath "$0")")
top=${MCFAB_TOP:-$(realpath "$here/../..")}
selftests=${MCFAB_KSRC:-}/tools/testing/selftests

skip()
{
	echo "1..0 # SKIP $*"
	exit 4
}

[ -e "$selftests/kselftest.h" ] || skip "the kernel's source is missing"
command -v gcc >/dev/null || skip "gcc is missing"
pkg-config --exists libnl-genl-3.0 || skip "libnl-genl-3-dev is missing"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck disable=SC2046 # a list of options
if ! gcc -O1 -Wall -Wno-cpp -o "$dir/nlclient" "$here"/nlclient/*.c \
	-I"$top/include/uapi" -idirafter "$selftests" \
	$(pkg-config --cflags --libs libnl-3.0 libnl-genl-3.0); then
	echo "Bail out! nlclient does not compile"
	exit 1
fi
"$dir/nlclient"
