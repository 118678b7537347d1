/* SPDX-License-Identifier: GPL-2.0 */
/* RCU without grace periods: nothing is unregistered while threads run. */
#ifndef SHIM_LINUX_RCUPDATE_H
#define SHIM_LINUX_RCUPDATE_H

#include <asm/barrier.h>

#define rcu_read_lock()			do { } while (0)
#define rcu_read_unlock()		do { } while (0)
#define synchronize_rcu()		do { } while (0)
#define rcu_dereference(p)		smp_load_acquire(&(p))
#define rcu_dereference_protected(p, c)	(p)
#define rcu_assign_pointer(p, v)	smp_store_release(&(p), (v))

#endif
