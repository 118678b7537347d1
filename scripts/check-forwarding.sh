#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make check-forwarding: the kernel's own tests of bridges and of multicast routing
# (tools/testing/selftests/net/forwarding), in a VM. Each of their cables is a fabric of two
# nodes with a port on each.
#   TESTS='a.sh b.sh'	only these of scripts/forwarding/tests
#   MEDIUM=veth		over veth pairs instead: what fails there is the fault of the VM or of the
#			test
#
# A test that fails over ports is run over veth pairs, too, in the same VM. A skip is a failure.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top"
medium=${MEDIUM:-ports}
[[ $medium = ports || $medium = veth ]] || die "MEDIUM=$medium: ports or veth"
dir=$mcfab_top/results/forwarding
mkdir -p "$dir"
rm -rf "${dir:?}"/*

# These measure rates of streams, up to 1 Gbit/s each. That takes an emulated CPU of 4 GHz, where
# others have 1.
rates="sch_ets.sh sch_tbf_ets.sh sch_tbf_prio.sh sch_tbf_root.sh"

# The list: a test, and which ends get all multicasts (h: all that the test calls h1, h2, ...; -:
# none).
while read -r test flood; do
	[[ -n $test && $test != \#* ]] || continue
	[[ -z ${TESTS:-} || " $TESTS " = *" $test "* ]] || continue
	ghz=1
	[[ " $rates " != *" $test "* ]] || ghz=4
	echo "$medium $test ${flood#-}" >>"$dir/list.$ghz"
done <scripts/forwarding/tests
compgen -G "$dir/list.*" >/dev/null ||
	die "TESTS=${TESTS:-}: no such test, see scripts/forwarding/tests"

# Plain commands: the flags of the make that called us are not theirs.
unset MAKEFLAGS MAKELEVEL
say "building mcastctl, the modules, and starting a VM"
make -s tool
tools=$(scripts/forwarding/tools.sh)
cp -r "$tools" "$dir/tools"

passed=0
failed=0
elsewhere=()
report() # MEDIUM TEST: one line for the test, one for each of its results
{
	local out=$dir/$1-$2 rc seconds ok=0 bad=0 known=0 line name why lines=()

	read -r rc seconds <"$out.rc"
	while IFS= read -r line; do
		if [[ ! $line =~ ^TEST:\ (.*[^ ])\ +\[\ ?([A-Z]+)\ ?\]$ ]]; then
			lines+=("$line")
			continue
		fi
		name=${BASH_REMATCH[1]}
		# the test says that it was too slow, and does it again
		[ "${BASH_REMATCH[2]}" != RETRY ] || continue
		why=$(awk -F '\t' -v test="$2" -v name="$name" '$1 == test && $2 == name { print $3 }' \
			scripts/forwarding/fails-anywhere)
		# XFAIL: the test itself says that there is nothing to be tested here
		if [[ ${BASH_REMATCH[2]} = OK || ${BASH_REMATCH[2]} = XFAIL ]]; then
			ok=$((ok + 1))
			lines+=("      ok      $name")
		elif [ -n "$why" ]; then
			known=$((known + 1))
			lines+=("      not counted: $name: $why")
			[ "$1" = veth ] || elsewhere+=("$2	$name")
		else
			bad=$((bad + 1))
			lines+=("      ${BASH_REMATCH[2]}    $name")
		fi
	done < <(cat "$out.out" "$out.left")
	# Whatever else went wrong is one more failure.
	if [ "$bad" -eq 0 ] && { [ -s "$out.left" ] ||
		[ "$ok" -eq 0 ] || { [ "$known" -eq 0 ] && [ "$rc" -ne 0 ]; }; }; then
		bad=1
		lines+=("      exit status $rc")
	fi
	printf '%-5s %-32s %d passed, %d failed, %d s\n' "$1" "$2" "$ok" "$bad" "$seconds"
	if [ "$bad" -gt 0 ]; then
		printf '%s\n' "${lines[@]}"
	else
		printf '%s\n' "${lines[@]}" | grep '^      ' || :
	fi
	if [ "$1" = "${MEDIUM:-ports}" ]; then
		passed=$((passed + ok))
		failed=$((failed + bad))
	fi
}

export VM_RESULTS=$dir SCRIPT=scripts/vm/forwarding-guest.sh VM_NOLOAD=1
export VM_TIMEOUT=${VM_TIMEOUT:-14400} MCFAB_LIMIT=1800
# An emulated CPU is slower than the timers that the tests wait for. Counting instructions, each
# a nanosecond, makes it a fast one, by its own clock, however slow it is.
export VM_ICOUNT=${VM_ICOUNT-0}
export VM_MODULES="8021q act_csum act_ct act_gact act_mirred act_mpls act_pedit act_police
	act_skbedit act_tunnel_key act_vlan cls_basic cls_flower cls_matchall em_meta ip6_gre
	ip6_tunnel ip_gre ipip macvlan mpls_iptunnel mpls_router sch_ets sch_ingress sch_prio
	sch_red sch_tbf team team_mode_activebackup team_mode_loadbalance team_mode_roundrobin
	vrf vxlan"
# for the guest
export MCFAB_MODULES=${VM_MODULES//[$'\n\t']/ }
status=0
for list in "$dir"/list.*; do
	export VM_GHZ=${list##*.} VM_CONSOLE=console-${list##*.}.log
	cp "$list" "$dir/list"
	rm -f "$dir/status"
	while read -r medium test; do
		report "$medium" "$test"
	done < <(scripts/vm/run.sh || echo "$?" >"$dir/status")
	if [ -s "$dir/status" ]; then
		status=$(cat "$dir/status")
		say "the VM ended with status $status, see $dir/$VM_CONSOLE"
	fi
done
while read -r medium test _; do
	if [ ! -e "$dir/$medium-$test.rc" ]; then
		echo "$medium $test: did not come to its end"
		failed=$((failed + 1))
	fi
done < <(cat "$dir"/list.*)
# What is not counted has to fail over veth pairs, too.
for line in ${elsewhere[@]+"${elsewhere[@]}"}; do
	name=${line#*	}
	if ! grep -sF "TEST: $name " "$dir/veth-${line%%	*}.out" | grep -qv '\[ OK \]$'; then
		echo "not over veth pairs: $name"
		failed=$((failed + 1))
	fi
done
echo "check-forwarding: $passed passed, $failed failed"
[ $((status + failed)) -eq 0 ]
