// SPDX-License-Identifier: GPL-2.0
/*
 * The CPUs there are: those the process may run on, as a job's scheduler or
 * taskset(1) set them when it began.
 */
#include <linux/cpumask.h>
#include <linux/limits.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct cpumask online;
const struct cpumask *const cpu_online_mask = &online;
unsigned int nr_cpu_ids = SHIM_MAX_CPUS;

/* before main(): no thread has changed its own yet */
static void __attribute__((constructor)) find_cpus(void)
{
	long configured = sysconf(_SC_NPROCESSORS_CONF);

	/* the system call: the C library knows sets of 1024 only */
	if (syscall(SYS_sched_getaffinity, 0, sizeof(online.bits), online.bits) <= 0)
		__set_bit(0, online.bits);
	if (configured > 0 && configured < SHIM_MAX_CPUS)
		nr_cpu_ids = configured;
}

/* a number, or N for the last CPU; @at moves behind it */
static int take_cpu(const char **at, unsigned int *cpu)
{
	unsigned long value = nr_cpu_ids - 1;
	char *end;

	if (**at == 'N') {
		(*at)++;
	} else {
		if (**at < '0' || **at > '9')
			return -EINVAL;
		value = strtoul(*at, &end, 10);
		*at = end;
	}
	if (value >= nr_cpu_ids)
		return -ERANGE;
	*cpu = value;
	return 0;
}

/* "all", "3", "0-7" or "0-7:1/2": the first one of every two */
static int take_range(const char **at, struct cpumask *mask)
{
	unsigned int begin = 0, end = nr_cpu_ids - 1, used = 1, group = 1, cpu;
	int ret = 0;

	if (!strncmp(*at, "all", 3)) {
		*at += 3;
	} else {
		ret = take_cpu(at, &begin);
		end = begin;
		if (!ret && **at == '-') {
			(*at)++;
			ret = take_cpu(at, &end);
		}
	}
	if (!ret && **at == ':') {
		int len = 0;

		if (sscanf(*at, ":%u/%u%n", &used, &group, &len) != 2 || !len)
			return -EINVAL;
		*at += len;
	}
	if (ret || begin > end || !group || used > group)
		return ret ?: -EINVAL;
	for (cpu = begin; cpu <= end; cpu++)
		if ((cpu - begin) % group < used)
			__set_bit(cpu, mask->bits);
	return 0;
}

/**
 * cpulist_parse() - read a list of CPUs like 0-2,5
 * @list: the list, as the kernel takes it
 * @mask: set to what it says
 *
 * Return: 0, -EINVAL, or -ERANGE for a CPU there cannot be.
 */
int cpulist_parse(const char *list, struct cpumask *mask)
{
	int ret;

	memset(mask, 0, sizeof(*mask));
	for (;;) {
		list += strspn(list, ", \t\n");
		if (!*list)
			return 0;
		ret = take_range(&list, mask);
		if (ret)
			return ret;
		if (*list && !strchr(", \t\n", *list))
			return -EINVAL;
	}
}
