// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers as a user writes them: no sign, blank or junk is let through, and
 * what does not fit is told apart from what is no number at all.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

static int digit(char c, u32 base)
{
	int d;

	if (c >= '0' && c <= '9')
		d = c - '0';
	else if (c >= 'a' && c <= 'f')
		d = c - 'a' + 10;
	else if (c >= 'A' && c <= 'F')
		d = c - 'A' + 10;
	else
		return -1;
	return d < (int)base ? d : -1;
}

/* Read digits; *end is the first character that is none. */
static int digits(const char *s, u32 base, const char **end, u64 *out)
{
	bool over = false;
	u64 value = 0;
	int d;

	if (digit(*s, base) < 0)
		return -EINVAL;
	for (; (d = digit(*s, base)) >= 0; s++) {
		if (__builtin_mul_overflow(value, (u64)base, &value) ||
		    __builtin_add_overflow(value, (u64)d, &value))
			over = true;
	}
	*end = s;
	*out = value;
	return over ? -ERANGE : 0;
}

static int in_range(u64 value, u64 min, u64 max, u64 *out)
{
	if (value < min || value > max)
		return -ERANGE;
	*out = value;
	return 0;
}

/**
 * number_u64() - read a whole number: 12, 0xff, 20k, 5M, 1G
 * @s: what the user wrote
 * @min: least value allowed
 * @max: greatest value allowed
 * @out: the value
 */
int number_u64(const char *s, u64 min, u64 max, u64 *out)
{
	u64 value, unit = 1;
	const char *end;
	int err;

	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		err = digits(s + 2, 16, &end, &value);
	} else {
		err = digits(s, 10, &end, &value);
		if (err == -EINVAL)
			return err;
		if (*end == 'k')
			unit = 1000;
		else if (*end == 'M')
			unit = 1000000;
		else if (*end == 'G')
			unit = 1000000000;
		if (unit > 1)
			end++;
	}
	if (err == -EINVAL || *end)
		return -EINVAL;
	if (err || __builtin_mul_overflow(value, unit, &value))
		return -ERANGE;
	return in_range(value, min, max, out);
}

/** number_s32() - read a whole number that may be negative */
int number_s32(const char *s, s32 min, s32 max, s32 *out)
{
	bool minus = *s == '-';
	const char *end;
	s64 value;
	u64 abs;
	int err;

	err = digits(s + minus, 10, &end, &abs);
	if (err == -EINVAL || *end)
		return -EINVAL;
	if (err || abs > INT32_MAX)
		return -ERANGE;
	value = minus ? -(s64)abs : (s64)abs;
	if (value < min || value > max)
		return -ERANGE;
	*out = value;
	return 0;
}

/* Read "e-4" behind a number. */
static int exponent(const char *s, const char **end, int *out)
{
	bool minus;
	u64 value;
	int err;

	*out = 0;
	*end = s;
	if (*s != 'e' && *s != 'E')
		return 0;
	s++;
	minus = *s == '-';
	if (minus)
		s++;
	err = digits(s, 10, end, &value);
	if (err == -EINVAL)
		return err;
	if (err || value > 30)
		return -ERANGE;
	*out = minus ? -(int)value : (int)value;
	return 0;
}

/*
 * Collect the digits of "12.34" in *value and count those behind the point in
 * *behind. Zeros at the very end of a fraction are worth nothing and skipped.
 */
static int mantissa(const char *s, const char **end, u64 *value, int *behind)
{
	const char *dot, *last;
	bool any = false;

	*value = 0;
	*behind = 0;
	for (; isdigit((unsigned char)*s); s++, any = true) {
		if (__builtin_mul_overflow(*value, (u64)10, value) ||
		    __builtin_add_overflow(*value, (u64)(*s - '0'), value))
			return -ERANGE;
	}
	if (*s == '.') {
		dot = ++s;
		for (last = s; isdigit((unsigned char)*s); s++, any = true) {
			if (*s != '0')
				last = s + 1;
		}
		for (; dot < last; dot++, (*behind)++) {
			if (__builtin_mul_overflow(*value, (u64)10, value) ||
			    __builtin_add_overflow(*value, (u64)(*dot - '0'), value))
				return -EDOM;
		}
	}
	*end = s;
	return any ? 0 : -EINVAL;
}

/**
 * number_decimal() - read 0.0002, 2e-4 or 5% as a count of 1/scale
 * @s: what the user wrote
 * @scale: power of ten
 * @min: least value allowed, in 1/scale
 * @max: greatest value allowed, in 1/scale
 * @out: the value, in 1/scale
 */
int number_decimal(const char *s, u32 scale, u64 min, u64 max, u64 *out)
{
	int behind, shift, err;
	const char *end;
	u64 value;

	err = mantissa(s, &end, &value, &behind);
	if (err)
		return err;
	err = exponent(end, &end, &shift);
	if (err)
		return err;
	if (*end == '%') {
		shift -= 2;
		end++;
	}
	if (*end)
		return -EINVAL;

	for (; scale > 1; scale /= 10)
		shift++;
	shift -= behind;
	for (; value && shift > 0; shift--) {
		if (__builtin_mul_overflow(value, (u64)10, &value))
			return -ERANGE;
	}
	for (; value && shift < 0; shift++) {
		if (value % 10)
			return -EDOM;
		value /= 10;
	}
	return in_range(value, min, max, out);
}

/* numbers with @separator, in lower case, between them */
static int numbers(const char *s, char separator, u32 *number, u32 *count)
{
	const char *end;
	bool over = false;
	u32 n = 0;
	u64 value;
	int err;

	for (;; s = end + 1) {
		err = digits(s, 10, &end, &value);
		if (err == -EINVAL || (*end && tolower((unsigned char)*end) != separator))
			return -EINVAL;
		if (err || value > UINT32_MAX || n == NUMBER_MAX_RADICES)
			over = true;
		else
			number[n++] = value;
		if (!*end)
			break;
	}
	if (over)
		return -ERANGE;
	*count = n;
	return 0;
}

/**
 * number_dims() - read the radices of a mesh: 16x16, 4x4x4, 64
 * @s: what the user wrote
 * @radix: [NUMBER_MAX_RADICES] the radices
 * @ndims: how many
 *
 * Whether they make sense is for the kernel to say.
 */
int number_dims(const char *s, u32 *radix, u32 *ndims)
{
	return numbers(s, 'x', radix, ndims);
}

/**
 * number_list() - read numbers with commas between them: 1,2,3
 * @s: what the user wrote
 * @number: [NUMBER_MAX_RADICES] the numbers
 * @count: how many
 */
int number_list(const char *s, u32 *number, u32 *count)
{
	return numbers(s, ',', number, count);
}

/** number_bool() - read on or off */
int number_bool(const char *s, bool *out)
{
	if (!strcmp(s, "on") || !strcmp(s, "yes") || !strcmp(s, "1"))
		*out = true;
	else if (!strcmp(s, "off") || !strcmp(s, "no") || !strcmp(s, "0"))
		*out = false;
	else
		return -EINVAL;
	return 0;
}

void number_format(char *buf, size_t len, u64 value, u32 scale)
{
	char frac[16] = "";
	u32 rest = scale ? value % scale : 0;
	size_t n = 0;
	u32 unit;

	/* Digit by digit, until nothing but zeros would follow. */
	for (unit = scale / 10; rest && unit && n < sizeof(frac) - 1; unit /= 10) {
		frac[n++] = '0' + rest / unit;
		rest %= unit;
	}
	snprintf(buf, len, "%llu%s%s", scale ? value / scale : value, n ? "." : "", frac);
}
