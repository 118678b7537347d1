// SPDX-License-Identifier: GPL-2.0
/* Numbers of channels by what a router, a channel or a node has. */
#include "base/divide.h"
#include "lib/net.h"

#include "lib/tap.h"

/* every divisor, where a quotient begins and ends, up to the greatest dividend */
static void test_exact(void **state)
{
	u64 random = 1;
	u32 d, i;

	for (d = 1; d <= 256; d++) {
		u64 by = mcfab_divide_by(d);

		for (i = 0; i < 2000; i++) {
			u32 at = (i < 1000 ? i : rng_below(&random, MCFAB_DIVIDE_MAX / d)) * d;

			assert_int_equal(mcfab_divide(at, by), at / d);
			assert_int_equal(mcfab_divide(at + d - 1, by), at / d);
		}
		for (i = 1; i <= 2 * d; i++)
			assert_int_equal(mcfab_divide(MCFAB_DIVIDE_MAX - i, by),
					 (MCFAB_DIVIDE_MAX - i) / d);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),
	};

	return run_tap(tests);
}
