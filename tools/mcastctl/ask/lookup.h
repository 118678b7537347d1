/* SPDX-License-Identifier: GPL-2.0 */
/* Asking the kernel what there is: fabrics, policies, nodes by label. */
#ifndef MCASTCTL_LOOKUP_H
#define MCASTCTL_LOOKUP_H

#include <json-c/json.h>
#include <linux/mcfab.h>

#include "base/nodes.h"
#include "netlink/netlink.h"

/* One object, by the attribute (0: none) and name given; refusals are printed. */
enum status ask_one(u8 cmd, u16 attr, const char *key, const char *name, struct json_object **out);
/* The same without a word on the screen; NULL: there is none. */
struct json_object *ask_quietly(u8 cmd, u16 attr, const char *name);
/* All objects as an array, read again if they change meanwhile. */
enum status ask_all(u8 cmd, struct json_object **out);
enum status ask_all_of(u8 cmd, u16 attr, const char *fabric, struct json_object **out);

/** struct dump_request - a request that is answered by any number of messages */
struct dump_request {
	u8 cmd;
	void (*put)(struct nl_request *rq, const void *what);	/* attributes; may be NULL */
	const void *what;
	nl_reply reply;
	void (*reset)(void *data);	/* forget what came: it comes again, changed */
	void *data;
};

enum status ask_dump(const struct dump_request *dump);
/* The same for objects as an array. */
enum status ask_list(u8 cmd, void (*put)(struct nl_request *rq, const void *what),
		     const void *what, struct json_object **out);
/* Send a request that is answered by one object. */
enum status ask(struct nl_request *rq, struct json_object **out);

enum status lookup_fabric(const char *name, struct json_object **out);

/* Are the nodes of a fabric, whose object lookup_fabric() gave, permutations? */
bool lookup_permutes(struct json_object *fabric);
/* How many symbols they have then, else 0. */
u32 lookup_symbols(struct json_object *fabric);

/* Ids of nodes in a fabric, whose object lookup_fabric() gave. */
enum status lookup_nodes(struct json_object *fabric, const char *key, const struct node_ref *ref,
			 u32 n, u32 *ids);

/* Names of the policies that have a module, loaded or not; to be put. */
struct json_object *installed_policies(void);

/* Suggestions for names that the kernel does not know. */
void lookup_suggest(void);

/* The parameters of a policy: other words of a grammar (keyword.h). */
void params_begin(void);
void params_policy(const char *policy);
int params_find(const char *word, bool exact);
bool params_allow(int index, const char *value);
enum status params_take(int index, const char *value);
enum status params_check(void);
char *params_closest(const char *word);
char *params_names(void);
void params_put(struct nl_request *rq, u16 attr);
char *params_text(void);

/** struct params_set - parameters as they were given */
struct params_set {
	u32 n;
	struct {
		char name[MCFAB_NAME_MAX + 1];
		char value[MCFAB_NAME_MAX + 1];
	} set[MCFAB_MAX_PARAMS];
};

/* Those that were taken, for params_use() to give back: of commands with several policies. */
const struct params_set *params_given(void);
void params_use(const struct params_set *set);
/* What the kernel says about the parameters of a policy, to be put; NULL: nothing. */
struct json_object *params_of(const char *policy);

#define PARAMS_HELP "its parameters may follow, each with a value; see \"policy show\""
#define HEADERS_HELP "whether a header has a flit for each destination that remains, stripped" \
	" when it is delivered (on), or one for all (off, default)"

#define GRAMMAR_PARAMS						\
	.other_after = "policy", .other_begin = params_policy,	\
	.other_find = params_find, .other_allows = params_allow,	\
	.other_take = params_take, .other_check = params_check,	\
	.other_closest = params_closest, .other_names = params_names

#endif
