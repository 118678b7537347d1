#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make pages: write Documentation/results from the results of "make figures SET=full".
#   RESULTS=results/figures	where these results are
# A page for each paper, with its pictures. Results of other scenarios than those in scenarios/ are
# refused, so a page shows what its scenarios say.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top"
results=${RESULTS:-results/figures}
[ -d "$results" ] || die "RESULTS=$results: no such folder; run make figures SET=full first"
pages=Documentation/results
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

declare -A papers=(
	[qg]="Quadrant groups on meshes"
	[union]="The union of dimension order and labels on InfiniBand meshes"
	[hc]="Hamiltonian cycles on tori and star graphs"
	[tasnem]="TASNEM on tori"
	[irr]="Irregular networks"
	[mesh]="Latency over load"
)

env -u MAKEFLAGS -u MAKELEVEL make -s -C tools/mcastctl
mkdir -p "$stage/pages"
for paper in "${!papers[@]}"; do
	mkdir "$stage/$paper"
	cp "scenarios/$paper"-*.scenario "$stage/$paper"
	for file in "$stage/$paper"/*; do
		name=$(basename "$file" .scenario)
		cp "$results/$name".{csv,json} "$stage/$paper"
	done
	tools/mcastctl/mcastctl --engine user experiment report "$stage/$paper" \
		out "$stage/$paper" format markdown
	{
		printf '# %s\n\n' "${papers[$paper]}"
		printf '<!-- Written by scripts/pages.sh; do not edit. -->\n\n'
		printf 'The scenarios %s, the full set of each; %s\n' "\`scenarios/$paper-*\`" \
			"[how to read this page](README.md)."
		(cd scenarios && sha256sum "$paper"-*.scenario) |
			sed -E 's/^(.{16}).* (.*)$/<!-- \2 \1 -->/'
		echo
		# what README.md says is not said again on each page
		sed '1,/^## /{/^## /!d}' "$stage/$paper/report.md"
	} >"$stage/pages/$paper.md"
	cp "$stage/$paper"/*.svg "$stage/pages"
done

# verdicts of a page, in the order in which they are good news
count()
{
	local n

	for verdict in "holds" "holds where decided" "holds partly" "undecided" "contradicted" \
		"not measured" "not checked"; do
		n=$(grep -c "^| $verdict | " "$1" || true)
		printf '| %s ' "$n"
	done
}

{
	cat <<'END'
# Results

<!-- Written by scripts/pages.sh; do not edit. -->

What the tables and figures of the papers show when they are measured, by the full set of the
[scenarios](../scenarios.md). [experiments.md](../experiments.md) says how to measure them again, and what
explains the differences.

In the pictures bands are 95 % intervals, over seeds where there are several. A cross is a saturated
network: at the upper edge where the metric has no value there. Diamonds are values that a paper prints.
Sentences of the papers are quoted by the line of their text. Each has checks: the comparisons that have to
come out in one way. A comparison is true or false if the interval of the difference excludes zero, else it
is open.

| page | claims: hold | hold where decided | hold partly | undecided | contradicted | not measured | not checked |
| --- | --: | --: | --: | --: | --: | --: | --: |
END
	for paper in qg union hc tasnem irr mesh; do
		printf '| [%s](%s.md) ' "${papers[$paper]}" "$paper"
		count "$stage/pages/$paper.md"
		echo "|"
	done
} >"$stage/pages/README.md"
# nothing is changed if anything above has failed
mkdir -p "$pages"
rm -f "$pages"/*.svg
cp "$stage"/pages/* "$pages"
