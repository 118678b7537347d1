#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Usage: scan-console.sh LOG
# Print the lines by which a kernel says that something is wrong; fail if any.
# Case matters: the checkers also announce themselves at boot.
! grep -nE \
	-e '\bBUG\b: |\bBUG:|kernel BUG at' \
	-e 'WARNING: ' \
	-e 'Oops(:|\[)|Kernel panic|general protection fault' \
	-e '(KASAN|KCSAN|UBSAN|KFENCE|KMSAN): ' \
	-e 'INFO: (possible|task|rcu_|trying to register|rcu:)' \
	-e 'possible (circular|recursive|irq) lock' \
	-e '(inconsistent|bad unlock) (lock state|balance)' \
	-e 'suspicious RCU usage|DEBUG_LOCKS_WARN_ON|lockdep.*turning off' \
	-e 'soft lockup|hard LOCKUP|rcu.*(stall|detected)|workqueue lockup' \
	-e 'scheduling while atomic|sleeping function called' \
	-e 'kmemleak: [0-9]+ new|unreferenced object' \
	-e 'ODEBUG: |refcount_t: |list_(add|del) corruption' \
	-e 'Unable to handle|unable to handle|Call Trace:' \
	"$1"
