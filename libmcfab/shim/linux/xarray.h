/* SPDX-License-Identifier: GPL-2.0 */
/* Pointers by number: an array of those that are there, ascending. */
#ifndef SHIM_LINUX_XARRAY_H
#define SHIM_LINUX_XARRAY_H

#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/slab.h>

#define XA_PRESENT		0u
#define XA_FLAGS_ACCOUNT	1u

struct shim_xa_entry {
	unsigned long index;
	void *p;
};

struct xarray {
	struct shim_xa_entry *entry;
	unsigned long used, room;
};

static inline void xa_init_flags(struct xarray *xa, gfp_t flags)
{
	memset(xa, 0, sizeof(*xa));
}

static inline void xa_destroy(struct xarray *xa)
{
	kfree(xa->entry);
	xa_init_flags(xa, 0);
}

/* place of the first that is not below @index */
static inline unsigned long shim_xa_place(const struct xarray *xa, unsigned long index)
{
	unsigned long low = 0, high = xa->used, mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (xa->entry[mid].index < index)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static inline void *xa_load(const struct xarray *xa, unsigned long index)
{
	unsigned long at = shim_xa_place(xa, index);

	return at < xa->used && xa->entry[at].index == index ? xa->entry[at].p : NULL;
}

static inline void *xa_find(const struct xarray *xa, unsigned long *index, unsigned long max,
			    unsigned int mark)
{
	unsigned long at = shim_xa_place(xa, *index);

	if (at == xa->used || xa->entry[at].index > max)
		return NULL;
	*index = xa->entry[at].index;
	return xa->entry[at].p;
}

static inline void *xa_find_after(const struct xarray *xa, unsigned long *index,
				  unsigned long max, unsigned int mark)
{
	++*index;
	return xa_find(xa, index, max, mark);
}

#define xa_for_each(xa, index, entry)						\
	for ((index) = 0, (entry) = xa_find((xa), &(index), ULONG_MAX, XA_PRESENT);	\
	     (entry);								\
	     (entry) = xa_find_after((xa), &(index), ULONG_MAX, XA_PRESENT))

static inline int xa_insert(struct xarray *xa, unsigned long index, void *p, gfp_t gfp)
{
	unsigned long at = shim_xa_place(xa, index);
	struct shim_xa_entry *more;

	if (xa_load(xa, index))
		return -EBUSY;
	if (xa->used == xa->room) {
		more = kmalloc_array(2 * xa->room + 4, sizeof(*more), gfp);
		if (!more)
			return -ENOMEM;
		if (xa->used)
			memcpy(more, xa->entry, xa->used * sizeof(*more));
		kfree(xa->entry);
		xa->entry = more;
		xa->room = 2 * xa->room + 4;
	}
	memmove(xa->entry + at + 1, xa->entry + at, (xa->used - at) * sizeof(*xa->entry));
	xa->entry[at] = (struct shim_xa_entry){ index, p };
	xa->used++;
	return 0;
}

static inline void *xa_erase(struct xarray *xa, unsigned long index)
{
	unsigned long at = shim_xa_place(xa, index);
	void *p = xa_load(xa, index);

	if (!p)
		return NULL;
	xa->used--;
	memmove(xa->entry + at, xa->entry + at + 1, (xa->used - at) * sizeof(*xa->entry));
	return p;
}

#endif
