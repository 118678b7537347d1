/* SPDX-License-Identifier: GPL-2.0 */
/* Sets of CPUs. See libmcfab/cpumask.c. */
#ifndef SHIM_LINUX_CPUMASK_H
#define SHIM_LINUX_CPUMASK_H

#include <linux/bitmap.h>
#include <linux/kernel.h>

/* more than any machine has */
#define SHIM_MAX_CPUS	4096

struct cpumask {
	DECLARE_BITMAP(bits, SHIM_MAX_CPUS);
};

typedef struct cpumask cpumask_var_t[1];

/* CPUs that this process may run on, and one more than the highest there can be. */
extern const struct cpumask *const cpu_online_mask;
extern unsigned int nr_cpu_ids;

#define cpumask_bits(mask)		((mask)->bits)
#define cpumask_test_cpu(cpu, mask)	test_bit((cpu), cpumask_bits(mask))
#define cpumask_clear_cpu(cpu, mask)	clear_bit((cpu), cpumask_bits(mask))
#define cpumask_empty(mask)		bitmap_empty(cpumask_bits(mask), SHIM_MAX_CPUS)
#define cpumask_weight(mask)		bitmap_weight(cpumask_bits(mask), SHIM_MAX_CPUS)
#define cpumask_copy(dst, src)		(*(dst) = *(src))
#define for_each_cpu(cpu, mask)		for_each_set_bit(cpu, cpumask_bits(mask), SHIM_MAX_CPUS)

static inline bool zalloc_cpumask_var(cpumask_var_t *mask, gfp_t gfp)
{
	(void)gfp;
	memset(*mask, 0, sizeof(**mask));
	return true;
}

static inline void free_cpumask_var(struct cpumask *mask)
{
	(void)mask;
}

static inline bool cpumask_and(struct cpumask *dst, const struct cpumask *a,
			       const struct cpumask *b)
{
	unsigned long any = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(dst->bits); i++)
		any |= dst->bits[i] = a->bits[i] & b->bits[i];
	return any;
}

static inline bool cpumask_subset(const struct cpumask *part, const struct cpumask *whole)
{
	struct cpumask both;

	cpumask_and(&both, part, whole);
	return !memcmp(&both, part, sizeof(both));
}

int cpulist_parse(const char *list, struct cpumask *mask);

#endif
