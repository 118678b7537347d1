// SPDX-License-Identifier: GPL-2.0
/* Quantiles of Student's t against those of printed tables, and intervals of means. */
#include <math.h>

#include "base/student.h"
#include "netlink/keyword.h"
#include "tap.h"

static bool near(double a, double b, double by)
{
	return fabs(a - b) <= by;
}

static void test_quantiles(void)
{
	static const struct {
		u32 df;
		double t;
	} printed[] = {
		{ 1, 12.706 }, { 2, 4.303 }, { 3, 3.182 }, { 4, 2.776 }, { 9, 2.262 },
		{ 19, 2.093 }, { 30, 2.042 }, { 60, 2.000 }, { 120, 1.980 }, { 4000000000, 1.960 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(printed); i++)
		CHECK(near(student_t975(printed[i].df), printed[i].t, 0.0005));
	report("quantiles of printed tables");
}

static void test_means(void)
{
	static const double value[] = { 2, 4, 4, 4, 5, 5, 7, 9 }, same[] = { -3, -3, -3 };
	struct student_mean m = student_mean(value, 8);

	/* standard deviation of the sample sqrt(32 / 7), seven degrees of freedom */
	CHECK(m.n == 8 && near(m.mean, 5, 0.000000001));
	CHECK(near(m.half, 2.3646 * sqrt(32.0 / 7 / 8), 0.0001));
	m = student_mean(value, 2);
	CHECK(near(m.mean, 3, 0.000000001) && near(m.half, 12.706, 0.0005));
	m = student_mean(same, 3);
	CHECK(m.mean == -3 && near(m.half, 0, 0.000000001));
	report("means of several values");
	m = student_mean(value, 1);
	CHECK(m.n == 1 && m.mean == 2 && m.half < 0);
	m = student_mean(value, 0);
	CHECK(m.n == 0 && m.mean == 0 && m.half < 0);
	report("one value has no interval, none has no mean");
}

int main(void)
{
	puts("TAP version 13");
	test_quantiles();
	test_means();
	printf("1..%d\n", tests);
	return bad_tests != 0;
}
