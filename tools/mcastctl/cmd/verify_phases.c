// SPDX-License-Identifier: GPL-2.0
/*
 * The least hardware with which a policy is free of deadlock. Freedom is a step function of buffers
 * and of consumption channels: once there are enough, more do no harm. So the steps are found by
 * bisection.
 */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "cmd/verify.h"
#include "netlink/keyword.h"

/** struct price - an option, and how much of it there has to be */
struct price {
	const char *option;
	enum verify_key key;
	u64 first;		/* what is tried first, then twice as much */
	u64 most;
	u64 least;		/* the result; 0: not with any */
};

/* The request for a proof for any destinations, and no more. */
static void request_any(const char *name, const struct value *values, struct nl_request *rq)
{
	const struct nl_where nowhere = { 0 };
	struct value with[VERIFY_KEYS];

	memcpy(with, values, sizeof(with));
	with[VERIFY_CROWDS] = (struct value){ .given = true };
	verify_request(name, with, rq);
	nl_put_flag(rq, MCFAB_A_VERIFY_ANY_ONLY, nowhere);
}

/* A wrong request is refused with its reason. */
static enum status ask_first(const char *name, const struct value *values)
{
	struct answer answer = { 0 };
	struct nl_request rq;
	enum status status;

	verify_answer_begin(&answer);
	request_any(name, values, &rq);
	status = nl_talk(&rq, verify_take, &answer);
	nl_request_free(&rq);
	verify_answer_end(&answer);
	return status;
}

/* Is it free with so much of an option? Nothing else is said. A request that is refused is not. */
static enum status ask_with(const char *name, const struct value *values, enum verify_key key,
			    u64 number, bool *proved)
{
	struct value with[VERIFY_KEYS];
	struct answer answer = { 0 };
	enum status status = STATUS_OK;
	struct nl_request rq;

	memcpy(with, values, sizeof(with));
	with[key] = (struct value){ .given = true, .number = number };
	verify_answer_begin(&answer);
	request_any(name, with, &rq);
	nl_try(&rq, verify_take, &answer, &status);
	nl_request_free(&rq);
	*proved = verify_proved(&answer);
	verify_answer_end(&answer);
	return status;
}

/* Twice as much, as long as it is not enough; then halves of the difference. */
static enum status find_least(const char *name, const struct value *values, struct price *p)
{
	u64 low = 0, high = p->first;
	bool proved = false;
	enum status status;

	for (;;) {
		status = ask_with(name, values, p->key, high, &proved);
		if (status || proved || high == p->most)
			break;
		low = high;
		high = 2 * high < p->most ? 2 * high : p->most;
	}
	if (status || !proved)
		return status;
	while (high - low > 1) {
		u64 middle = low + (high - low) / 2;

		status = ask_with(name, values, p->key, middle, &proved);
		if (status)
			return status;
		if (proved)
			high = middle;
		else
			low = middle;
	}
	p->least = high;
	return STATUS_OK;
}

/* More virtual channels may be fewer in each half: one after the other. */
static enum status find_vcs(const char *name, const struct value *values, struct price *p)
{
	enum status status = STATUS_OK;
	bool proved = false;

	for (u64 n = 1; !status && n <= p->most; n++) {
		status = ask_with(name, values, p->key, n, &proved);
		if (proved) {
			p->least = n;
			return status;
		}
	}
	return status;
}

static u64 option_of(struct json_object *fabric, const struct value *values, const struct price *p)
{
	return values[p->key].given ? values[p->key].number : get_u64(fabric, p->option);
}

static void print_prices(const char *name, const struct value *values, struct json_object *fabric,
			 const struct price *price, u32 n)
{
	printf("%s on %s: proved free of deadlock with\n", values[VERIFY_POLICY].word, name);
	for (u32 i = 0; i < n; i++) {
		const char *with = "with";

		printf("  %s ", price[i].option);
		if (price[i].least)
			printf("%llu or more", price[i].least);
		else
			printf("of any number up to %llu not", price[i].most);
		for (u32 k = 0; k < n; k++) {
			if (k == i)
				continue;
			printf("%s %s %llu", *with == 'w' ? ", with" : " and", price[k].option,
			       option_of(fabric, values, &price[k]));
			with = "and";
		}
		putchar('\n');
	}
}

static void print_prices_json(const char *name, const struct value *values,
			      const struct price *price, u32 n)
{
	struct json_object *all = json_object_new_object();

	json_object_object_add(all, "fabric", json_object_new_string(name));
	json_object_object_add(all, "policy",
			       json_object_new_string(values[VERIFY_POLICY].word));
	for (u32 i = 0; i < n; i++)
		json_object_object_add(all, price[i].option, price[i].least ?
				       json_object_new_uint64(price[i].least) : NULL);
	json_print(all);
}

enum status verify_phases(const char *name, const struct value *values)
{
	u64 flits = values[VERIFY_FLITS].given ? values[VERIFY_FLITS].number : 32;
	struct price price[] = {
		{ "buffer", VERIFY_BUFFER, .first = flits, .most = MCFAB_MAX_BUFFER },
		{ "consume", VERIFY_CONSUME, .first = 1, .most = MCFAB_MAX_CONSUME },
		{ "vcs", VERIFY_VCS, .first = 1, .most = MCFAB_MAX_VCS },
	};
	struct json_object *fabric = NULL;
	enum status status = ask_first(name, values);

	if (!status)
		status = lookup_fabric(name, &fabric);
	for (u32 i = 0; !status && i < ARRAY_SIZE(price); i++)
		status = price[i].key == VERIFY_VCS ? find_vcs(name, values, &price[i]) :
						      find_least(name, values, &price[i]);
	if (!status && options.json)
		print_prices_json(name, values, price, ARRAY_SIZE(price));
	else if (!status)
		print_prices(name, values, fabric, price, ARRAY_SIZE(price));
	json_object_put(fabric);
	return status;
}
