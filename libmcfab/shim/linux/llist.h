/* SPDX-License-Identifier: GPL-2.0 */
/* Lists to which several threads add without locks, and which one thread takes as a whole. */
#ifndef SHIM_LINUX_LLIST_H
#define SHIM_LINUX_LLIST_H

#include <linux/atomic.h>
#include <linux/container_of.h>

struct llist_head {
	struct llist_node *first;
};

struct llist_node {
	struct llist_node *next;
};

#define llist_entry(ptr, type, member)	container_of(ptr, type, member)

#define llist_for_each_safe(pos, n, node)			\
	for ((pos) = (node); (pos) && ((n) = (pos)->next, true); (pos) = (n))

static inline void init_llist_head(struct llist_head *list)
{
	list->first = NULL;
}

static inline bool llist_empty(const struct llist_head *list)
{
	return !__atomic_load_n(&list->first, __ATOMIC_RELAXED);
}

static inline bool llist_add(struct llist_node *new, struct llist_head *list)
{
	struct llist_node *first = __atomic_load_n(&list->first, __ATOMIC_RELAXED);

	do {
		new->next = first;
	} while (!__atomic_compare_exchange_n(&list->first, &first, new, false,
					      __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
	return !first;
}

static inline struct llist_node *llist_del_all(struct llist_head *list)
{
	return __atomic_exchange_n(&list->first, NULL, __ATOMIC_SEQ_CST);
}

#endif
