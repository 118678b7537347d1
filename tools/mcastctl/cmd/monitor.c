// SPDX-License-Identifier: GPL-2.0
/* monitor: print events as they happen. */
#include <linux/mcfab.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/options.h"
#include "base/table.h"
#include "command.h"
#include "netlink/attrs.h"
#include "netlink/netlink.h"

static const struct keyword monitor_keys[] = {
	{ .name = "timestamp", .type = KEY_FLAG, .help = "begin each line with the time" },
	{ .name = "count", .type = KEY_UINT, .arg = "N", .help = "end after N events" },
};

static const struct grammar monitor_grammar = { KEYWORDS(monitor_keys) };

struct monitor {
	bool timestamp;
	u64 left;			/* 0: no limit */
	bool over;
	struct json_object *down;	/* names of fabrics of which something is down */
};

static void print_time(char *buf, size_t len)
{
	struct timespec ts;
	struct tm tm;
	size_t n;

	clock_gettime(CLOCK_REALTIME, &ts);
	localtime_r(&ts.tv_sec, &tm);
	n = strftime(buf, len, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(buf + n, len - n, ".%06ld", ts.tv_nsec / 1000);
}

static const char *name_of(u8 cmd)
{
	return cmd < attr_nops && attr_ops[cmd].name ? attr_ops[cmd].name : "unknown";
}

/* Links that fail are told of like runs that start; so are the last ones that are mended. */
static void print_down(struct json_object *known, struct json_object *obj)
{
	u64 links = get_u64(obj, "links-down"), switches = get_u64(obj, "switches-down");
	const char *name = get_str(obj, "name");
	char text[64];

	if (links || switches) {
		printf(", %s", down_text(text, sizeof(text), links, switches));
		json_object_object_add(known, name, NULL);
	} else if (has(known, name)) {
		fputs(", all links and switches are up", stdout);
		json_object_object_del(known, name);
	}
}

static void print_text(struct monitor *m, u8 cmd, struct json_object *obj)
{
	switch (cmd) {
	case MCFAB_CMD_FABRIC_ADD_NTF:
		if (!has(obj, "nodes"))
			printf("fabric %s is being built: %s\n", get_str(obj, "name"),
			       get_str(obj, "topology"));
		else
			printf("fabric %s added: %s, %s nodes\n", get_str(obj, "name"),
			       get_str(obj, "topology"), get_str(obj, "nodes"));
		break;
	case MCFAB_CMD_FABRIC_DEL_NTF:
		printf("fabric %s removed\n", get_str(obj, "name"));
		json_object_object_del(m->down, get_str(obj, "name"));
		break;
	case MCFAB_CMD_FABRIC_CHANGE_NTF:
		printf("fabric %s: run %s, %s", get_str(obj, "name"), get_str(obj, "run"),
		       get_str(obj, "state"));
		print_down(m->down, obj);
		putchar('\n');
		break;
	case MCFAB_CMD_RUN_FINISHED_NTF:
		printf("fabric %s: run %s, %s, %s messages, cycle %s", get_str(obj, "fabric"),
		       get_str(obj, "run"), get_str(obj, "state"), get_str(obj, "messages"),
		       get_str(obj, "cycle"));
		if (has(obj, "hash"))
			printf(", hash %016llx", get_u64(obj, "hash"));
		putchar('\n');
		break;
	case MCFAB_CMD_DEADLOCK_NTF:
		printf("fabric %s: run %s, deadlock of %s worms at cycle %s\n",
		       get_str(obj, "fabric"), get_str(obj, "run"), get_str(obj, "worms"),
		       get_str(obj, "cycle"));
		break;
	default:
		puts(name_of(cmd));
	}
}

static enum status event(const struct nlmsghdr *nlh, void *data)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	struct json_object *obj = attr_message(nlh), *outer;
	struct monitor *m = data;
	char when[64];

	if (m->over)
		goto out;
	print_time(when, sizeof(when));
	if (options.json) {
		outer = json_object_new_object();
		json_object_object_add(outer, "event", json_object_new_string(name_of(genl->cmd)));
		if (m->timestamp)
			json_object_object_add(outer, "time", json_object_new_string(when));
		json_object_object_add(outer, "msg", json_object_get(obj));
		json_print(outer);
	} else {
		if (m->timestamp)
			printf("%s ", when);
		print_text(m, genl->cmd, obj);
	}
	fflush(stdout);
	m->over = m->left && !--m->left;
out:
	json_object_put(obj);
	return STATUS_OK;
}

static enum status monitor(struct words *w)
{
	struct value values[ARRAY_SIZE(monitor_keys)] = { 0 };
	struct monitor m = { .down = json_object_new_object() };
	enum status status;

	/* As in iproute2. */
	if (words_peek(w) && !strcmp(words_peek(w), "-t")) {
		words_next(w);
		m.timestamp = true;
	}
	status = keywords_parse(w, &monitor_grammar, values);
	if (!status && values[1].given && !values[1].number)
		status = usage("count 0: out of range (from 1)");
	if (!status)
		status = nl_open(options.netns);
	if (!status)
		status = nl_events_open(MCFAB_MCGRP_MGMT);
	m.timestamp |= values[0].given;
	m.left = values[1].number;
	while (!status && !m.over && !ferror(stdout))
		status = nl_events_read(event, &m);
	nl_events_close();
	json_object_put(m.down);
	return status;
}

static const struct command commands[] = {
	{
		.synopsis = "[ -t | timestamp ] [ count N ]", .help = "print events as they happen",
		.grammar = &monitor_grammar, .run = monitor,
	},
};

const struct object object_monitor = {
	.name = "monitor", .help = "Events.",
	.command = commands, .n = ARRAY_SIZE(commands), .standard = &commands[0],
};
