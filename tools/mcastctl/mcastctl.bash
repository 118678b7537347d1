# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Completion for mcastctl: the tool itself knows what may follow, so that names
# of fabrics, policies and their parameters are those of the kernel.

_mcastctl()
{
	local words=("${COMP_WORDS[@]:1:COMP_CWORD}")

	mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null)
	case ${COMP_WORDS[COMP_CWORD - 1]} in
	-E | --engine)
		mapfile -t COMPREPLY < <(compgen -W 'kernel user' -- "${COMP_WORDS[COMP_CWORD]}")
		;;
	--policy-path)
		mapfile -t COMPREPLY < <(compgen -d -- "${COMP_WORDS[COMP_CWORD]}")
		;;
	-b | --batch | file | svg)
		mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
		;;
	esac
	# The files of "table load FABRIC FILE...".
	if [[ ${words[0]} == table && ${words[1]} == load ]] && ((COMP_CWORD > 3)); then
		mapfile -t COMPREPLY < <(compgen -f -W force -- "${COMP_WORDS[COMP_CWORD]}")
	fi
	if [[ ${words[0]} == restore ]] && ((COMP_CWORD == 2)); then
		mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
	fi
}

complete -F _mcastctl mcastctl
