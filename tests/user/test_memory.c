// SPDX-License-Identifier: GPL-2.0
/* The bound on memory: what is refused counts for nothing. */
#include <pthread.h>

#include "base/memory.h"
#include "lib/net.h"

#include "lib/tap.h"

#define ROUNDS	4000000

/* as much as a number can be does not fit, whatever is charged: it must not be a credit */
static void test_huge(void **state)
{
	u64 left = mcfab_memory_left();

	assert_true(mcfab_memory_charge(1000));
	assert_false(mcfab_memory_charge(U64_MAX));
	assert_false(mcfab_memory_charge(U64_MAX - 999));
	assert_int_equal(mcfab_memory_left(), left - 1000);
	assert_true(mcfab_memory_charge(left - 1000));
	assert_int_equal(mcfab_memory_left(), 0);
	assert_false(mcfab_memory_charge(1));
	mcfab_memory_uncharge(left);
	assert_int_equal(mcfab_memory_left(), left);
}

static void *ask_too_much(void *done)
{
	while (!__atomic_load_n((bool *)done, __ATOMIC_RELAXED))
		if (mcfab_memory_charge(mcfab_memory_limit() + 1))
			return done;
	return NULL;
}

/* what fits is not refused because somebody else asks for too much */
static void test_others(void **state)
{
	u32 refused = 0, i;
	bool done = false;
	pthread_t thread;
	void *granted;

	assert_int_equal(pthread_create(&thread, NULL, ask_too_much, &done), 0);
	for (i = 0; i < ROUNDS; i++) {
		if (mcfab_memory_charge(1))
			mcfab_memory_uncharge(1);
		else
			refused++;
	}
	__atomic_store_n(&done, true, __ATOMIC_RELAXED);
	pthread_join(thread, &granted);
	assert_null(granted);
	assert_int_equal(refused, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_others),
	};

	return run_tap(tests);
}
