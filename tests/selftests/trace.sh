#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=400
# Every block of commands in Documentation/tracing.md does what the page says.
#
# The comments behind a block say what it must print, as extended regular
# expressions:
#	expect: RE		some line matches
#	reject: RE		no line does
#	count: N RE		N lines do
# shellcheck source=tests/selftests/helpers/mcastctl.bash
. "$(dirname "$0")/helpers/mcastctl.bash"

page=$MCFAB_TOP/Documentation/tracing.md
tracing=/sys/kernel/tracing
if ! command -v trace-cmd >/dev/null; then
	ktap_skip_all "trace-cmd is not installed"
	exit "$KSFT_SKIP"
fi

# $tmp/N.sh: the commands; $tmp/N.want: what they must print; $tmp/N.name
split()
{
	local n=0 inside='' first='' new=1 line

	while IFS= read -r line; do
		if [ -n "$inside" ]; then
			if [ "$line" = '```' ]; then
				inside=
			else
				printf '%s\n' "$line" >>"$tmp/$n.sh"
			fi
		elif [ "$line" = '```sh' ]; then
			n=$((n + 1))
			inside=1
			: >"$tmp/$n.want"
			printf '%s\n' "${first%:}" >"$tmp/$n.name"
		elif [[ $line =~ ^'<!-- '(.*)' -->'$ ]]; then
			printf '%s\n' "${BASH_REMATCH[1]}" >>"$tmp/$n.want"
		elif [ -z "$line" ]; then
			new=1
		elif [ -n "$new" ]; then
			first=$line
			new=
		fi
	done <"$page"
	blocks=$n
}

# What block N printed is in $tmp/out.
as_wanted()
{
	local good=0 want re n

	# What is behind the colon's blank is the expression's.
	while IFS= read -r re; do
		want=${re%%: *}
		re=${re#*: }
		case $want in
		expect)
			grep -qE -e "$re" "$tmp/out" && continue
			;;
		reject)
			grep -qE -e "$re" "$tmp/out" || continue
			;;
		count)
			n=${re%% *}
			re=${re#* }
			[ "$(grep -cE -e "$re" "$tmp/out")" -eq "$n" ] && continue
			;;
		esac
		echo "# $want: $re"
		good=1
	done <"$tmp/$1.want"
	return $good
}

# A page must not leave anything behind that its reader does not expect.
clean()
{
	[ "$(cat $tracing/events/mcfab/enable)" = 0 ] || return 1
	[ "$(cat $tracing/tracing_on)" = 1 ] || return 1
	! cat $tracing/events/mcfab/*/trigger | grep -v '^#' >&2
}

block()
{
	local name

	name="block $1: $(cat "$tmp/$1.name")"
	mkdir -p "$tmp/dir"
	run env -C "$tmp/dir" bash -e "$tmp/$1.sh"
	if [ "$rc" -eq 0 ] && as_wanted "$1" && clean; then
		ktap_test_pass "$name"
	else
		say_why "exit status $rc of: $(tr '\n' ' ' <"$tmp/$1.sh")"
		ktap_test_fail "$name"
		trace-cmd reset
	fi
}

split
ktap_print_header
ktap_set_plan $((blocks + 1))
for ((i = 1; i <= blocks; i++)); do
	block $i
done
# Were they found at all?
check "a block of each kind" grep -q '^reject: ' "$tmp"/*.want
ktap_finished
