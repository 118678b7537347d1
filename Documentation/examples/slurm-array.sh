#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A scenario on a cluster: each task of an array runs a part, a last job puts them together.
#	sbatch --array=1-16 slurm-array.sh mesh.scenario /shared/results
# Tasks that ended early are submitted again by the same command: what was run is not run again.
#SBATCH --job-name=mcfab
#SBATCH --cpus-per-task=1
set -euo pipefail

scenario=$1 out=$2
mcastctl --engine user experiment run "$scenario" out "$out" \
	shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"

# The first task submits the job that waits for all of them.
if [ "$SLURM_ARRAY_TASK_ID" -eq 1 ]; then
	sbatch --dependency="afterok:$SLURM_ARRAY_JOB_ID" --output=/dev/null \
		--wrap="mcastctl experiment merge '$scenario' out '$out'"
fi
