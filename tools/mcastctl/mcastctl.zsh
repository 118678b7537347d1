#compdef mcastctl
# SPDX-License-Identifier: GPL-2.0
# Completion for mcastctl: the tool itself knows what may follow, so that names of fabrics, policies
# and their parameters are those of the kernel.

local -a offered=("${(@f)$($words[1] complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")

case $words[CURRENT-1] in
-E | --engine)
	offered=(kernel user)
	;;
--policy-path)
	_files -/
	return
	;;
-b | --batch | file | svg)
	_files
	return
	;;
esac
if [[ $words[2] == restore && $CURRENT -eq 3 ]] ||
	[[ $words[2] == table && $words[3] == load && $CURRENT -gt 4 ]]; then
	_files
fi
compadd -- ${offered:#}
