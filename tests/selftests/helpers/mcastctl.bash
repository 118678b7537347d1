# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What the tests through mcastctl share: sourced, never run.

for ktap in "$(dirname "$0")/ktap_helpers.sh" \
	"${MCFAB_KSRC:-/mnt/linux}/tools/testing/selftests/kselftest/ktap_helpers.sh"; do
	# shellcheck source=/dev/null
	[ ! -r "$ktap" ] || { . "$ktap"; break; }
done
if ! declare -F ktap_print_header >/dev/null; then
	echo "1..0 # SKIP no ktap_helpers.sh: linux-source is not installed"
	exit 4
fi
if ! command -v mcastctl >/dev/null; then
	ktap_skip_all "mcastctl is not built"
	exit "$KSFT_SKIP"
fi

tmp=$(mktemp -d)
trap cleanup EXIT

cleanup()
{
	local name

	# The fabrics of a test are its own: it has a namespace for itself.
	for name in $(mcastctl -j fabric show 2>/dev/null |
		python3 -c 'import json, sys
for f in json.load(sys.stdin): print(f["name"])' 2>/dev/null); do
		mcastctl stop "$name" >/dev/null 2>&1
		mcastctl fabric del "$name" 2>/dev/null
	done
	rm -rf "$tmp"
}

# Run and remember: $rc, $tmp/out, $tmp/err
run()
{
	rc=0
	"$@" >"$tmp/out" 2>"$tmp/err" || rc=$?
	export rc
}

say_why()
{
	ktap_print_msg "$*"
	sed 's/^/#   stdout: /' "$tmp/out" | head -n 5
	sed 's/^/#   stderr: /' "$tmp/err" | head -n 5
}

# check NAME COMMAND...: a test that the command succeeds
check()
{
	local name=$1
	shift
	if "$@"; then
		ktap_test_pass "$name"
	else
		ktap_test_fail "$name"
	fi
}

# A command succeeds and prints a line like this.
shows() # name pattern command...
{
	local name=$1 pattern=$2
	shift 2
	run "$@"
	if [ "$rc" = 0 ] && grep -q -- "$pattern" "$tmp/out"; then
		ktap_test_pass "$name"
	else
		say_why "$* should show $pattern"
		ktap_test_fail "$name"
	fi
}

# It ends so, says this, and prints nothing else; the text names the test.
refuses() # status pattern command...
{
	local status=$1 pattern=$2
	shift 2
	run "$@"
	if [ "$rc" = "$status" ] && grep -q -- "$pattern" "$tmp/err" && [ ! -s "$tmp/out" ]; then
		ktap_test_pass "$pattern"
	else
		say_why "$*: $rc, not $status, should say $pattern"
		ktap_test_fail "$pattern"
	fi
}

# The JSON of a command is so: an expression of Python in which it is "it".
is() # name expression command...
{
	local name=$1 expression=$2
	shift 2
	run mcastctl -j "$@"
	if [ "$rc" = 0 ] && python3 -c 'import json, sys
it = json.load(open(sys.argv[1]))
sys.exit(not eval("(" + sys.argv[2] + ")"))' "$tmp/out" "$expression"; then
		ktap_test_pass "$name"
	else
		say_why "$* should be $expression"
		ktap_test_fail "$name"
	fi
}

# A fabric's run has ended, or is not there.
wait_idle()
{
	local i

	for ((i = 0; i < 100; i++)); do
		[ "$(state "$1")" = running ] || return 0
		sleep 0.1
	done
	return 1
}

state()
{
	mcastctl -j fabric show "$1" 2>/dev/null |
		python3 -c 'import json, sys; print(json.load(sys.stdin)["state"])'
}

# said STATUS PATTERN...: of the command that was run, on standard output
said()
{
	local pattern want=$1
	shift

	if [ "$rc" -ne "$want" ]; then
		say_why "exit status $rc, not $want"
		return 1
	fi
	for pattern in "$@"; do
		if ! grep -q -- "$pattern" "$tmp/out"; then
			say_why "standard output does not say: $pattern"
			return 1
		fi
	done
}

squeeze()
{
	sed 's/^ *//; s/  */ /g' "$1"
}

# dump, load, dump: the same; in the file no table is missing.
round_trip() # FABRIC
{
	mcastctl table dump "$1" file "$tmp/one" || return 1
	run mcastctl table load "$1" "$tmp/one"
	said 0 'entries loaded' || return 1
	mcastctl table dump "$1" >"$tmp/two" || return 1
	grep -q ^Multicast "$tmp/two" || return 1
	cmp "$tmp/one" "$tmp/two" || return 1
	mcastctl table dump "$1" lft >"$tmp/lft"
	mcastctl table dump "$1" mft >"$tmp/mft"
	cat "$tmp/lft" "$tmp/mft" | cmp - "$tmp/one"
}
