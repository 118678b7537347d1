// SPDX-License-Identifier: GPL-2.0
/*
 * The longest stretch of processor time that a thread computes for the module without a
 * scheduling point, and where it ended. Points are calls of cond_resched(). What tests compute
 * for themselves does not count: the clock runs in the functions wrapped below. Programs are
 * linked with this where the Makefile says so, with STRETCH=1 all of them.
 *
 * MCFAB_STRETCH_LOG=FILE: what was found is added to the file.
 */
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "plan/walk.h"
#include "engine/engine.h"
#include "fabric/fabric.h"
#include "lib/stretch.h"

#define FRAMES	8

extern char *program_invocation_short_name;

static __thread u64 since, spent;
static __thread u32 depth;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static u64 longest;
static void *where[FRAMES];
static int frames;

static u64 now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

void mcfab_user_resched(void)
{
	u64 took;

	if (!depth)
		return;
	took = now() - since;
	if (took > READ_ONCE(longest)) {
		pthread_mutex_lock(&lock);
		if (took > longest) {
			longest = took;
			frames = backtrace(where, FRAMES);
		}
		pthread_mutex_unlock(&lock);
	}
	since = now();
}

void stretch_leave(void)
{
	if (depth)
		spent = now() - since;
}

void stretch_return(void)
{
	if (depth)
		since = now() - spent;
}

/*
 * In the kernel, memory is there when it has been asked for, page by page with scheduling points.
 * Here pages come when they are touched first, which may take longer than what is done with them.
 */
void mcfab_user_allocate(void)
{
	stretch_leave();
}

void mcfab_user_allocated(void *p, size_t size)
{
	volatile char *page = p;
	size_t at;

	for (at = 0; depth && at < size; at += 4096)
		page[at] = page[at];
	stretch_return();
}

static void begin(void)
{
	if (!depth++)
		since = now();
}

static void end(void)
{
	mcfab_user_resched();
	depth--;
}

static __attribute__((destructor)) void report(void)
{
	const char *path = getenv("MCFAB_STRETCH_LOG");
	FILE *log = path ? fopen(path, "a") : NULL;
	char **name;
	int i;

	if (!log)
		return;
	name = backtrace_symbols(where, frames);
	fprintf(log, "# %s: longest stretch %llu us, which ended in\n",
		program_invocation_short_name, (unsigned long long)longest / 1000);
	for (i = 1; name && i < frames; i++)
		fprintf(log, "#   %s\n", name[i]);
	free(name);
	fclose(log);
}

#define WRAP(type, call, args, ...)					\
type __real_##call(__VA_ARGS__);					\
type __wrap_##call(__VA_ARGS__);					\
type __wrap_##call(__VA_ARGS__)						\
{									\
	type ret;							\
									\
	begin();							\
	ret = __real_##call args;					\
	end();								\
	return ret;							\
}

WRAP(bool, mcfab_engine_alone, (e, cycles), struct mcfab_engine *e, u32 cycles)
WRAP(int, mcfab_run_start, (f, cfg, err), struct mcfab_fabric *f, const struct mcfab_run_cfg *cfg,
     struct mcfab_err *err)
WRAP(struct mcfab_fabric *, mcfab_fabric_create, (cfg, err), const struct mcfab_fabric_cfg *cfg,
     struct mcfab_err *err)
WRAP(int, mcfab_walk_predict, (walk, timing, out), struct mcfab_walk *walk,
     const struct mcfab_timing *timing, struct mcfab_prediction *out)

#define WRAP_PHASE(call)						\
void __real_##call(struct mcfab_engine *e, struct mcfab_shard *s);	\
void __wrap_##call(struct mcfab_engine *e, struct mcfab_shard *s);	\
void __wrap_##call(struct mcfab_engine *e, struct mcfab_shard *s)	\
{									\
	begin();							\
	__real_##call(e, s);						\
	if (depth == 1)							\
		end();							\
	else								\
		depth--;						\
}

WRAP_PHASE(mcfab_engine_grant)
WRAP_PHASE(mcfab_engine_move)

u64 stretch_longest(void)
{
	return longest / 1000;
}

void stretch_forget(void)
{
	longest = 0;
	frames = 0;
}
