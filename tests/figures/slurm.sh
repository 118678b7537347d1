#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The Slurm script of Documentation/examples on a cluster of one node, all of it on loopback:
# munged, slurmctld and slurmd in the foreground, without systemd and cgroups. Prints TAP.
set -uo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)

for need in munged slurmctld slurmd sbatch; do
	if ! PATH=$PATH:/usr/sbin command -v $need >/dev/null; then
		echo "1..0 # SKIP $need is not installed (munge, slurmctld, slurmd, slurm-client)"
		exit 0
	fi
done
if [ "$(id -u)" -ne 0 ]; then
	echo "1..0 # SKIP slurmd needs root"
	exit 0
fi

tmp=$(mktemp -d)
pids=()
# shellcheck disable=SC2317 # by the trap
cleanup()
{
	local pid

	for pid in "${pids[@]}"; do
		kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	rm -rf "$tmp"
}
trap cleanup EXIT
chmod 755 "$tmp"
mkdir -m 755 "$tmp/munge" "$tmp/state" "$tmp/spool" "$tmp/out" "$tmp/alone"

export SLURM_CONF=$tmp/slurm.conf PATH=$top/tools/mcastctl:$PATH:/usr/sbin
host=$(hostname -s)
cat >"$SLURM_CONF" <<CONF
ClusterName=mcfab
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$tmp/munge/socket
CredType=cred/munge
CommunicationParameters=NoInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
StateSaveLocation=$tmp/state
SlurmdSpoolDir=$tmp/spool
SlurmctldPidFile=$tmp/slurmctld.pid
SlurmdPidFile=$tmp/slurmd.pid
ReturnToService=2
MailProg=/bin/true
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
CONF
head -c 1024 /dev/urandom >"$tmp/munge/key"
chmod 600 "$tmp/munge/key"
chown -R munge "$tmp/munge"

setpriv --reuid munge --regid munge --clear-groups munged --foreground \
	--socket "$tmp/munge/socket" --key-file "$tmp/munge/key" --pid-file "$tmp/munge/pid" \
	--seed-file "$tmp/munge/seed" >"$tmp/munged.log" 2>&1 &
pids+=($!)
slurmctld -D -f "$SLURM_CONF" >"$tmp/slurmctld.log" 2>&1 &
pids+=($!)
slurmd -D -f "$SLURM_CONF" -N "$host" >"$tmp/slurmd.log" 2>&1 &
pids+=($!)

# in 0.5 s
patience()
{
	local left=$1

	shift
	until "$@" >/dev/null 2>&1; do
		left=$((left - 1))
		[ $left -gt 0 ] || return 1
		sleep 0.5
	done
}

is_idle() { sinfo -h -o %T | grep -q idle; }

result() # status name
{
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number $2"
	else
		echo "not ok $number $2"
		tail -n 5 "$tmp"/*.log "$tmp"/job* 2>/dev/null | sed 's/^/# /'
	fi
}

cat >"$tmp/s.scenario" <<'SCENARIO'
vary policy dp mp qg
vary rate 0.0002 0.0004
seeds 3
fabric topology mesh dims 8x8
run policy {policy} workload poisson rate {rate} dests 5 warmup 500 batches 20 batch-cycles 100 precision 0
x rate
series policy
metric completion
SCENARIO

number=0
echo 1..3
patience 60 is_idle
result $? "a cluster of one node"
cd "$tmp" && sbatch --array=1-4 --output="$tmp/job-%a" \
	"$top/Documentation/examples/slurm-array.sh" "$tmp/s.scenario" "$tmp/out" >"$tmp/sbatch.log" 2>&1 &&
	patience 120 test -s "$tmp/out/s.json"
result $? "four tasks, and a job that puts their results together"
mcastctl --engine user experiment run "$tmp/s.scenario" out "$tmp/alone" >"$tmp/alone.log" 2>&1 &&
	cmp "$tmp/alone/s.csv" "$tmp/out/s.csv" && cmp "$tmp/alone/s.json" "$tmp/out/s.json"
result $? "the files are those of one process"
