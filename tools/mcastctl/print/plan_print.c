// SPDX-License-Identifier: GPL-2.0
/*
 * Printing a plan while its messages come in: the summary, then each worm with
 * its destinations before its hops, then the arrivals. In JSON the keys are
 * those of the netlink spec, and their order is part of the interface.
 */
#include <linux/mcfab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/table.h"
#include "netlink/attrs.h"
#include "netlink/keyword.h"
#include "print/plan_print.h"

#define WIDTH	79

/* With --pretty, things begin on a line of their own. */
static void line(u32 depth)
{
	if (options.pretty)
		printf("\n%*s", 2 * depth, "");
}

static void decimal(u64 micro)
{
	char text[32];

	number_format(text, sizeof(text), micro, MCFAB_PPM);
	fputs(text, stdout);
}

static void json_name(const char *key, const char *value)
{
	struct json_object *s = json_object_new_string(value);

	printf("\"%s\":%s,", key, json_object_to_json_string_ext(s, json_flags()));
	json_object_put(s);
}

/* A node in text: its id, a host, or the permutation that has this rank. */
static const char *node_text(const struct plan_print *p, u32 id, char *text, size_t size)
{
	if (!p->hosts)
		return node_permutation(text, size, id, p->symbols);
	snprintf(text, size, "h%u", id);
	return text;
}

/* In text, words of a list wrap behind a margin. */
static void item(struct plan_print *p, const char *text)
{
	u32 len = strlen(text);

	if (p->column + 1 + len > WIDTH) {
		printf("\n%10s", "");
		p->column = 10;
	}
	printf(" %s", text);
	p->column += 1 + len;
}

/* The summary as the kernel sent it. */
static void json_summary(const struct nlmsghdr *nlh)
{
	struct json_object *message = attr_message(nlh);

	printf("\"summary\":%s,", json_object_to_json_string_ext(get_obj(message, "summary"),
								 JSON_C_TO_STRING_PLAIN));
	json_object_put(message);
}

static void begin(struct plan_print *p, const struct nlmsghdr *nlh)
{
	char text[16];

	if (!options.json) {
		printf("%s on %s: source %s, %u destination%s", p->policy, p->fabric,
		       node_text(p, p->source, text, sizeof(text)), p->ndst,
		       p->ndst == 1 ? "" : "s");
		if (p->packets)
			printf(", %u packets", p->packets);
		putchar('\n');
		return;
	}
	putchar('{');
	line(1);
	json_name("fabric", p->fabric);
	line(1);
	json_name("policy", p->policy);
	line(1);
	printf("\"source\":%u,", p->source);
	line(1);
	fputs("\"destinations\":[", stdout);
	for (u32 i = 0; i < p->ndst; i++)
		printf("%s%u", i ? "," : "", p->dst[i]);
	fputs("],", stdout);
	line(1);
	json_summary(nlh);
	line(1);
	fputs("\"worm\":[", stdout);
}

static void end_worm(struct plan_print *p)
{
	if (!p->in_worm)
		return;
	p->in_worm = false;
	if (!options.json) {
		putchar('\n');
		return;
	}
	/* A worm without hops delivers at the router it is sent from. */
	if (!p->hdone)
		fputs("],\"hops\":[", stdout);
	fputs("]}", stdout);
}

static void begin_worm(struct plan_print *p, const struct nlattr **attr)
{
	u32 step = nl_attr_uint(attr[MCFAB_A_PLAN_WORM_STEP]);
	u32 source = nl_attr_uint(attr[MCFAB_A_PLAN_WORM_SOURCE]);
	u32 round = 0;
	char text[16];
	const struct nlattr *after = attr[MCFAB_A_PLAN_WORM_AFTER];

	if (attr[MCFAB_A_PLAN_WORM_ROUND])
		round = nl_attr_uint(attr[MCFAB_A_PLAN_WORM_ROUND]);
	p->in_worm = true;
	p->worm = nl_attr_uint(attr[MCFAB_A_PLAN_WORM_ID]);
	p->ndone = 0;
	p->hdone = 0;
	if (options.json) {
		if (p->worm)
			putchar(',');
		line(2);
		printf("{\"id\":%u,\"step\":%u,\"round\":%u,\"source\":%u,\"after\":",
		       p->worm, step, round, source);
		if (after)
			printf("%u", (u32)nl_attr_uint(after));
		else
			fputs("null", stdout);
		fputs(",\"destinations\":[", stdout);
		return;
	}
	printf("  worm %u: step %u, round %u, sent by %s", p->worm, step, round,
	       node_text(p, source, text, sizeof(text)));
	if (after)
		printf(" after worm %u", (u32)nl_attr_uint(after));
	if (attr[MCFAB_A_PLAN_WORM_HOPS_TOTAL])
		printf(", %u hops", (u32)nl_attr_uint(attr[MCFAB_A_PLAN_WORM_HOPS_TOTAL]));
	fputs("\n    to    ", stdout);
	p->column = 10;
}

static void destinations(struct plan_print *p, const struct nlattr *attr)
{
	u32 n = mnl_attr_get_payload_len(attr) / sizeof(u32);
	const u32 *node = mnl_attr_get_payload(attr);
	char text[16];

	for (u32 i = 0; i < n; i++, p->ndone++) {
		if (options.json)
			printf("%s%u", p->ndone ? "," : "", node[i]);
		else
			item(p, node_text(p, node[i], text, sizeof(text)));
	}
}

/* One end of a hop: a node, or a host or switch. */
static const char *end_text(const struct plan_print *p, u32 id, char *text, size_t size)
{
	if (!p->named)
		return node_text(p, id, text, size);
	snprintf(text, size, "%c%u", id & MCFAB_HOP_HOST ? 'h' : 's', id & ~(u32)MCFAB_HOP_HOST);
	return text;
}

/* A path is written 1>2>3, a branch begins again with its node: 2>7. */
static void hop_text(struct plan_print *p, const u32 *hop)
{
	char text[48], from[16], to[16];

	end_text(p, hop[0], from, sizeof(from));
	end_text(p, hop[1], to, sizeof(to));
	if (!p->hdone) {
		fputs("\n    hops  ", stdout);
		p->column = 10;
	}
	if (p->hdone && p->last == hop[0])
		snprintf(text, sizeof(text), "> %s", to);
	else
		snprintf(text, sizeof(text), "%s%s > %s", p->hdone ? "; " : "", from, to);
	item(p, text);
	p->last = hop[1];
}

/* Hosts and switches have names, and no ports. */
static void hop_json(struct plan_print *p, const u32 *hop)
{
	char from[16], to[16];

	fputs(p->hdone ? "," : "],\"hops\":[", stdout);
	if (p->named)
		printf("[\"%s\",\"%s\",%u]", end_text(p, hop[0], from, sizeof(from)),
		       end_text(p, hop[1], to, sizeof(to)), hop[2]);
	else
		printf("[%u,%u,%u,%u]", hop[0], hop[1], hop[2], hop[3]);
}

static void hops(struct plan_print *p, const struct nlattr *attr)
{
	u32 n = mnl_attr_get_payload_len(attr) / (4 * sizeof(u32));
	const u32 *hop = mnl_attr_get_payload(attr);

	for (u32 i = 0; i < n; i++, hop += 4) {
		/* a worm that a host sends starts there */
		if (!p->hdone)
			p->named = hop[0] & MCFAB_HOP_HOST;
		if (!options.json)
			hop_text(p, hop);
		else
			hop_json(p, hop);
		p->hdone++;
	}
}

static void worm(struct plan_print *p, const struct nlattr *nest)
{
	const struct nlattr *attr[MCFAB_A_PLAN_WORM_HOPS + 1];
	u32 id;

	attr_index_nest(nest, attr, ARRAY_SIZE(attr));
	if (!attr[MCFAB_A_PLAN_WORM_ID])
		return;
	id = nl_attr_uint(attr[MCFAB_A_PLAN_WORM_ID]);
	if (!p->in_worm || id != p->worm) {
		if (!attr[MCFAB_A_PLAN_WORM_STEP] || !attr[MCFAB_A_PLAN_WORM_SOURCE])
			return;
		end_worm(p);
		begin_worm(p, attr);
	}
	if (attr[MCFAB_A_PLAN_WORM_DESTINATIONS])
		destinations(p, attr[MCFAB_A_PLAN_WORM_DESTINATIONS]);
	if (attr[MCFAB_A_PLAN_WORM_HOPS])
		hops(p, attr[MCFAB_A_PLAN_WORM_HOPS]);
}

/* What goes wrong with tables that are not as they should be. */
static void print_failures(const struct plan_print *p)
{
	const struct {
		const char *text;
		u32 n;
	} all[] = {
		{ "destinations not reached", p->lost },
		{ "copies dropped by switches", p->drops },
		{ "copies at nodes they are not for", p->strays },
		{ "copies at destinations that had one", p->duplicates },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		if (all[i].n)
			printf("%s: %u\n", all[i].text, all[i].n);
	}
}

static void begin_arrivals(struct plan_print *p)
{
	end_worm(p);
	p->in_arrivals = true;
	if (!options.json) {
		printf("traffic %llu channels, longest worm %u, steps %u, ", p->traffic,
		       p->longest, p->steps);
		printf("network latency %u, worms %u\n", p->network_latency, p->worms);
		print_failures(p);
		puts("without contention, in cycles from generation:");
		printf("  completion %llu, mean over destinations ", p->completion);
		decimal(p->mean_destination);
		fputs(", mean over worms ", stdout);
		decimal(p->mean_worm);
		fputs("\narrivals (node@cycle):\n          ", stdout);
		p->column = 10;
		return;
	}
	line(1);
	fputs("],", stdout);
	line(1);
	fputs("\"arrivals\":[", stdout);
}

static void arrivals(struct plan_print *p, const struct nlattr *attr)
{
	u32 n = mnl_attr_get_payload_len(attr) / (2 * sizeof(u64));
	const char *data = mnl_attr_get_payload(attr);
	char text[48], node[16];
	u64 pair[2];

	if (!p->in_arrivals)
		begin_arrivals(p);
	for (u32 i = 0; i < n; i++, p->narrivals++) {
		memcpy(pair, data + i * sizeof(pair), sizeof(pair));
		if (options.json) {
			printf("%s[%llu,%llu]", p->narrivals ? "," : "", pair[0],
			       pair[1]);
			continue;
		}
		snprintf(text, sizeof(text), "%s@%llu",
			 node_text(p, pair[0], node, sizeof(node)), pair[1]);
		item(p, text);
	}
}

static void summary(struct plan_print *p, const struct nlmsghdr *nlh, const struct nlattr *nest)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, nest) {
		u64 value = nl_attr_uint(attr);

		switch (mnl_attr_get_type(attr)) {
		case MCFAB_A_PLAN_SUMMARY_WORMS:
			p->worms = value;
			break;
		case MCFAB_A_PLAN_SUMMARY_STEPS:
			p->steps = value;
			break;
		case MCFAB_A_PLAN_SUMMARY_TRAFFIC:
			p->traffic = value;
			break;
		case MCFAB_A_PLAN_SUMMARY_LONGEST:
			p->longest = value;
			break;
		case MCFAB_A_PLAN_SUMMARY_NETWORK_LATENCY:
			p->network_latency = value;
			break;
		case MCFAB_A_PLAN_SUMMARY_COMPLETION:
			p->completion = value;
			break;
		case MCFAB_A_PLAN_SUMMARY_MEAN_DESTINATION_UCYCLES:
			p->mean_destination = value;
			break;
		case MCFAB_A_PLAN_SUMMARY_MEAN_WORM_UCYCLES:
			p->mean_worm = value;
			break;
		case MCFAB_A_PLAN_SUMMARY_LOST:
			p->lost = value;
			break;
		case MCFAB_A_PLAN_SUMMARY_DROPS:
			p->drops = value;
			break;
		case MCFAB_A_PLAN_SUMMARY_STRAYS:
			p->strays = value;
			break;
		case MCFAB_A_PLAN_SUMMARY_DUPLICATES:
			p->duplicates = value;
			break;
		case MCFAB_A_PLAN_SUMMARY_PACKETS:
			p->packets = value;
			break;
		}
	}
	p->begun = true;
	if (!p->silent)
		begin(p, nlh);
}

enum status plan_print_message(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *attr[MCFAB_A_PLAN_MAX + 1];
	struct plan_print *p = data;

	attr_index(nlh, attr, ARRAY_SIZE(attr));
	if (attr[MCFAB_A_PLAN_BUILDING])
		return STATUS_OK;
	if (attr[MCFAB_A_PLAN_SUMMARY] && !p->begun)
		summary(p, nlh, attr[MCFAB_A_PLAN_SUMMARY]);
	if (!p->begun)
		return refused("the kernel sent a plan without its summary");
	if (p->silent)
		return STATUS_OK;
	if (attr[MCFAB_A_PLAN_WORM])
		worm(p, attr[MCFAB_A_PLAN_WORM]);
	if (attr[MCFAB_A_PLAN_ARRIVALS])
		arrivals(p, attr[MCFAB_A_PLAN_ARRIVALS]);
	return STATUS_OK;
}

enum status plan_print_end(struct plan_print *p)
{
	if (!p->begun)
		return refused("the kernel sent no plan");
	if (p->silent)
		return STATUS_OK;
	if (!p->in_arrivals)
		begin_arrivals(p);
	if (options.json) {
		putchar(']');
		line(0);
		putchar('}');
	}
	putchar('\n');
	return STATUS_OK;
}

void plan_print_free(struct plan_print *p)
{
	free(p->dst);
}
