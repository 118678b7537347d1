#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The points of an experiment, a line each: what is varied, the policy, the variant of the
# figure, the words of its fabric, the words of its run, separated by tabs.
# Usage: points.sh NAME COUNT
set -euo pipefail

# All policies of an experiment get the same network: two virtual channels, buffers of
# a message with its header, which tree worms need, 25 ns cycles, 1 us start-up.
point() # X POLICY HEADERS FABRIC DESTS
{
	local x=$1 policy=$2 headers=$3 fabric=$4 dests=$5

	printf '%s\t%s\t%s\t%s\t%s\n' "$x" "$policy" "$headers" \
		"$fabric vcs 2 buffer $((120 + 2 * dests)) startup 40 cycle-ps 25000" \
		"policy $policy workload lone count $count dests $dests flits 120 headers $headers"
}

# InfiniBand, 16x16: a byte is a flit and takes 4 ns, $count packets fit in each lane's
# buffer, all sources start at cycle 0. Variants are the share of destinations and the
# lanes: how many; shared, by service level from end to end or (free) any at each hop; or
# dedicated to directions.
infiniband() # SOURCES, as words of the workload
{
	local mesh="topology mesh dims 16x16 addressing lid buffer-packets $count"
	local size policy share lanes kind burst

	for size in 32 64 128 256 512 1024 2048 4096 8192; do
		for policy in xy-union xy-unicast; do
			for share in 40 100; do
				burst="workload burst dests $((share == 40 ? 102 : 255)) $1 flits $size"
				for lanes in 1-shared {2,4}-{shared,free,dedicated}; do
					case ${lanes#*-} in
					free) kind="shared lane-select free" ;;
					*) kind=${lanes#*-} ;;
					esac
					printf '%s\t%s\t%s\t%s\t%s\n' $size $policy \
						"$share-$lanes" "$mesh vcs ${lanes%-*}" \
						"policy $policy lanes $kind $burst"
				done
			done
		done
	done
}

name=$1
count=$2
case $name in
ib-one)
	infiniband "source 8.8"
	exit
	;;
ib-multi)
	infiniband "fraction 0.4"
	exit
	;;
ib-all)
	infiniband ""
	exit
	;;
esac
for headers in off on; do
	case $name in
	hcm-torus)
		for x in 1 10 50 100 200 400 700 1000; do
			for policy in dp hcm-uniform hcm-fixed; do
				point $x $policy $headers "topology torus dims 64x64" $x
			done
		done
		;;
	hcm-star)
		for x in 1 5 10 20 50 100 200 400 700; do
			for policy in dp hcm-uniform hcm-fixed; do
				point $x $policy $headers "topology star dims 6" $x
			done
		done
		;;
	tasnem-size)
		for x in 5 8 10 15 16 20 25 30 35 40; do
			for policy in tasnem t2w hcm-uniform hcm-multipath; do
				point $x $policy $headers "topology torus dims ${x}x$x" \
					$((x * x / 5))
			done
		done
		;;
	tasnem-dests)
		for x in 5 20 100 200 400 800 1200 1599; do
			for policy in tasnem t2w hcm-uniform hcm-multipath; do
				point $x $policy $headers "topology torus dims 40x40" $x
			done
		done
		;;
	*)
		echo "$name: no such experiment" >&2
		exit 2
		;;
	esac
done
