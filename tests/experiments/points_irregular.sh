#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The points of an experiment on random irregular networks, in the lines of points.sh. x is
# what is varied, the policy's place has the scheme, the variant is
# DESTINATIONS-SETTING-TOPOLOGY.
# Usage: points_irregular.sh NAME COUNT
set -euo pipefail

topologies=10

# The words of a scheme. Everything is as the paper has it by default: less-greedy, FPFS, the
# best k.
policy() # SCHEME
{
	case $1 in
	ni) echo kbinomial ;;
	path) echo multidrop ;;
	tree) echo bitstring ;;
	greedy) echo multidrop schedule greedy ;;
	adaptive) echo unicast adaptive on ;;
	*) echo "$1" ;;
	esac
}

network() # SWITCHES PORTS HOSTS TOPOLOGY
{
	echo "topology irregular switches $1 ports $2 hosts $3 connectivity 80 topology-seed $4"
}

line() # X SCHEME VARIANT FABRIC RUN
{
	printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "policy $(policy "$2") $5"
}

# Lone multicasts, the same for all schemes. What is not said is the default of the paper:
# 32 hosts, eight switches of 8 ports, a packet of 128 flits.
single() # X SETTING "SWITCHES PORTS HOSTS" FABRIC FLITS MTU
{
	local x=$1 setting=$2 size=$3 fabric=$4 flits=$5 mtu=$6 scheme dests topology

	for topology in $(seq $topologies); do
		for dests in 7 15 31; do
			for scheme in ni path tree greedy ssr binomial; do
				# shellcheck disable=SC2086 # a list of words
				line "$x" $scheme "$dests-$setting-$topology" \
					"$(network $size "$topology") $fabric" \
					"workload lone count $count dests $dests flits $flits mtu $mtu"
			done
		done
	done
}

# The same with host overheads for each message and for each packet, R = 1 and 2.
overheads() # X FLITS MTU
{
	local overhead

	for overhead in message packet; do
		single "$1" $overhead "8 8 32" "host-overhead $overhead" "$2" "$3"
		single "$1" ${overhead}R2 "8 8 32" "host-overhead $overhead ni-ratio 2" "$2" "$3"
	done
}

# Under load, less to more. X is the effective applied load, flits for each node and cycle,
# in 1/1000: multicasts by destinations. A run that is not done is saturated: by its verdict, or
# because a message of its window is still under way 100,000 cycles after it.
load() # SETTING "SWITCHES PORTS HOSTS" FABRIC FLITS "DESTS..." "SCHEME..." X...
{
	local setting=$1 size=$2 fabric=$3 flits=$4 degrees=$5 schemes=$6
	local x scheme dests topology rate

	shift 6
	for x; do
		for topology in $(seq "$count"); do
			for dests in $degrees; do
				rate=$(awk "BEGIN { printf \"%.9f\", $x / 1000 / $dests / $flits }")
				for scheme in $schemes; do
					# shellcheck disable=SC2086 # a list of words
					line "$x" "$scheme" "$dests-$setting-$topology" \
						"$(network $size "$topology") $fabric" \
						"workload poisson rate $rate dests $dests flits $flits mtu 128 warmup 500000 batches 20 batch-cycles 50000 precision 0 max-cycles 1600000"
				done
			done
		done
	done
}

multicasts() # SETTING "SWITCHES PORTS HOSTS" FABRIC FLITS
{
	load "$@" "3 15" "ni path tree" 5 10 15 20 30 40 50 60 70 80 90 100 110 120 130
}

name=$1
count=$2
case $name in
irr-load-* | irr-unicast)
	[ "$count" -le $topologies ] || {
		echo "COUNT=$count: there are $topologies topologies" >&2
		exit 2
	}
	;;
esac
case $name in
irr-ratio)
	for x in 500 1000 2000 5000; do	# R in 1/1000
		single $x default "8 8 32" "ni-ratio $((x / 1000)).$((x % 1000 / 100))" 128 128
	done
	;;
irr-overhead)
	for x in 250 500 1000 2000 4000; do
		single $x default "8 8 32" "startup $x" 128 128
	done
	;;
irr-hosts)
	for x in 32 64 128 256; do
		single $x default "$((x / 4)) 8 $x" "" 128 128
	done
	;;
irr-ports)
	for x in 8 16 32; do
		single $x default "$((64 / x)) $x 32" "" 128 128
	done
	;;
irr-switches)
	for x in 8 12 16 24 32; do
		single $x default "$x 8 32" "" 128 128
	done
	;;
irr-length)
	for x in 128 256 512 1024 2048; do
		overheads "$x" "$x" 128
	done
	;;
irr-packet)
	for x in 32 64 128; do
		overheads $x 128 $x
	done
	# a message of four packets of 128 flits, to compare with four of 32
	overheads 512 512 128
	;;
irr-load-ratio)
	for x in 500 1000 2000 5000; do
		multicasts $x "8 8 32" "ni-ratio $((x / 1000)).$((x % 1000 / 100))" 128
	done
	;;
irr-load-switches)
	for x in 8 16 32; do
		multicasts $x "$x 8 32" "" 128
	done
	;;
irr-load-length)
	for x in 128 512 1024; do
		multicasts $x "8 8 32" "" $x
	done
	;;
irr-unicast)
	# shellcheck disable=SC2046 # a list of loads
	load 0 "8 8 32" "startup 0 host-receive 0 ni-send 0 ni-receive 0 io-bus 0" 128 1 \
		"unicast adaptive" $(seq 20 10 500)
	;;
*)
	echo "$name: no such experiment" >&2
	exit 2
	;;
esac
