/* SPDX-License-Identifier: GPL-2.0 */
/* Sorting. */
#ifndef SHIM_LINUX_SORT_H
#define SHIM_LINUX_SORT_H

#include <linux/types.h>
#include <string.h>

typedef int (*cmp_func_t)(const void *a, const void *b);
typedef int (*cmp_r_func_t)(const void *a, const void *b, const void *priv);
typedef void (*swap_func_t)(void *a, void *b, int size);
typedef void (*swap_r_func_t)(void *a, void *b, int size, const void *priv);

static inline void shim_swap(char *a, char *b, size_t size)
{
	while (size--) {
		char byte = *a;

		*a++ = *b;
		*b++ = byte;
	}
}

/*
 * A heapsort, as the kernel's; neither is stable, and they may order equal
 * elements differently: compare functions must give a total order.
 */
static inline void sort_r(void *base, size_t num, size_t size, cmp_r_func_t cmp,
			  swap_r_func_t swap_func, const void *priv)
{
	size_t heap = num / 2, last = num;
	char *at = base;

	(void)swap_func;
	while (last > 1) {
		size_t parent, child;

		if (heap)
			heap--;
		else
			shim_swap(at, at + --last * size, size);
		parent = heap;
		while ((child = 2 * parent + 1) < last) {
			if (child + 1 < last &&
			    cmp(at + child * size, at + (child + 1) * size, priv) < 0)
				child++;
			if (cmp(at + parent * size, at + child * size, priv) >= 0)
				break;
			shim_swap(at + parent * size, at + child * size, size);
			parent = child;
		}
	}
}

struct shim_sort {
	cmp_func_t cmp;
};

static inline int shim_sort_cmp(const void *a, const void *b, const void *priv)
{
	return ((const struct shim_sort *)priv)->cmp(a, b);
}

static inline void sort(void *base, size_t num, size_t size, cmp_func_t cmp, swap_func_t swap_func)
{
	struct shim_sort priv = { cmp };

	(void)swap_func;
	sort_r(base, num, size, shim_sort_cmp, NULL, &priv);
}

#endif
