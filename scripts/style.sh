#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# checkpatch --strict, kernel-doc, shellcheck, Python syntax and lengths of files on the tree.
# Prints TAP: one test for each checker.
set -uo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

# What checkpatch is told to ignore, each with its reason:
#   FILE_PATH_CHANGES	about patches that add files, we check whole files
#   MACRO_ARG_REUSE	about side effects of arguments; ours are names of members
ignore=FILE_PATH_CHANGES,MACRO_ARG_REUSE
# And names that are another library's: zlib's inflateInit2() and the like; and the types of
# programs that use libmcfab.
others='CHECK:CAMELCASE: .*<inflate|^libmcfab/(include|examples)/.*:PREFER_KERNEL_TYPES:'

cd "$mcfab_top" || exit 1
src=$(scripts/kernel-source.sh) || exit 1
number=0
echo 1..5

result() # status name output
{
	local word=ok

	number=$((number + 1))
	if [ "$1" -ne 0 ]; then
		word="not ok"
		printf '%s\n' "$3" | tail -n 40 | sed 's/^/# /'
	fi
	echo "$word $number $2"
}

# The generator's output is checked by generating it again, not for style; the
# shims look like the kernel's headers that they stand in for. Programs in BPF have no header of
# the kernel, so none of the macros that checkpatch asks for.
mapfile -t code < <(find kmod include libmcfab tools -name '*.[ch]' \
	! -name '*.mod.c' ! -path 'libmcfab/shim/*' ! -path 'tools/policy/bpf/*' -print0 2>/dev/null |
	xargs -0r grep -LE 'YNL-GEN|auto-?generated' | sort)
mapfile -t shell < <({ find libmcfab scripts tests tools -name '*.sh' 2>/dev/null
	grep -rlE '^#!/bin/(ba)?sh' .ci scripts tests tools 2>/dev/null; } |
	sort -u)
mapfile -t python < <(find libmcfab scripts tests tools -name '*.py' 2>/dev/null | sort)

out=
status=0
if [ ${#code[@]} -gt 0 ]; then
	# On all CPUs: it takes minutes.
	out=$(printf '%s\0' "${code[@]}" |
		xargs -0 -P "$(nproc)" -n 50 "$src/scripts/checkpatch.pl" --no-tree --strict --quiet \
			--terse --show-types --no-summary --color=never --ignore "$ignore" -f 2>&1 |
		grep -vE "$others")
	[ -z "$out" ] || status=1
fi
result $status checkpatch "$out"

out=
status=0
if [ ${#code[@]} -gt 0 ]; then
	out=$("$src/scripts/kernel-doc" -none -Werror "${code[@]}" 2>&1) ||
		status=1
fi
result $status kernel-doc "$out"

# SC1091: a file that is sourced from the kernel's source is not here.
out=$(shellcheck -x -e SC1091 "${shell[@]}" 2>&1)
result $? shellcheck "$out"

out=$(python3 - "${python[@]}" 2>&1 <<'PY'
import ast, sys
for name in sys.argv[1:]:
    ast.parse(open(name, encoding="utf-8").read(), name)
PY
)
result $? python-syntax "$out"

# What is longer has more than one subject. Generated files do not count.
most=500
out=
while IFS= read -r file; do
	lines=$(wc -l <"$file")
	[ "$lines" -le $most ] || out+="$file: $lines lines, not $most at most"$'\n'
done < <(find include kmod libmcfab scripts tests tools -regex '.*\.\(c\|h\|py\|sh\|bash\)' \
	! -name '*_gen.*' ! -name '*.mod.c' ! -path include/uapi/linux/mcfab.h | sort)
[ -z "$out" ]
result $? "lengths of files" "$out"
