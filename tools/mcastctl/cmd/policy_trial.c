// SPDX-License-Identifier: GPL-2.0
/* policy check: what is tried on one network. */
#include <errno.h>
#include <linux/mcfab.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "batch.h"
#include "cmd/policy_trial.h"

#define FABRIC	"policy-check"

/* what is printed in the process goes here */
static int said = -1;

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* What was printed since the last time; one line, without the words before a complaint. */
static void take_said(char *text, size_t size)
{
	char all[4096];
	ssize_t len;
	char *at;

	fflush(stdout);
	fflush(stderr);
	len = pread(said, all, sizeof(all) - 1, 0);
	all[len > 0 ? len : 0] = '\0';
	if (ftruncate(said, 0) || lseek(said, 0, SEEK_SET))
		all[0] = '\0';
	at = strstr(all, "Error: ");
	at = at ? at + strlen("Error: ") : all;
	if (!strncmp(at, "policy: ", strlen("policy: ")))
		at += strlen("policy: ");
	at[strcspn(at, "\n")] = '\0';
	snprintf(text, size, "%s", at);
}

static enum status command(const char *fmt, ...)
{
	enum status status;
	char *line = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		abort();
	va_end(ap);
	status = command_run_line(line);
	free(line);
	return status;
}

/* FNV-1a of all messages of an answer: the same plan gives the same answer */
static enum status add_hash(const struct nlmsghdr *nlh, void *data)
{
	const u8 *byte = mnl_nlmsg_get_payload(nlh);
	u64 *hash = data;

	for (u32 i = 0; i < mnl_nlmsg_get_payload_len(nlh); i++)
		*hash = (*hash ^ byte[i]) * 0x100000001b3ull;
	return STATUS_OK;
}

static enum status ask_plan(const struct trial *t, u64 *hash)
{
	const struct trial_group *g = &t->group;
	struct nl_request rq;
	enum status status;

	*hash = 0xcbf29ce484222325ull;
	nl_request_init(&rq, MCFAB_CMD_PLAN_GET, true);
	nl_put_str(&rq, MCFAB_A_PLAN_FABRIC, FABRIC, nl_where("fabric", FABRIC));
	nl_put_str(&rq, MCFAB_A_PLAN_POLICY, t->policy, nl_where("policy", NULL));
	params_put(&rq, MCFAB_A_PLAN_PARAM);
	nl_put_u32(&rq, MCFAB_A_PLAN_SOURCE, g->source, nl_where("from", NULL));
	nl_put_bin(&rq, MCFAB_A_PLAN_DESTINATIONS, g->dst, g->ndst * sizeof(*g->dst),
		   nl_where("to", NULL));
	status = nl_talk(&rq, add_hash, hash);
	nl_request_free(&rq);
	return status;
}

static void wrong(struct trial *t, const char *text)
{
	t->end = TRIAL_WRONG;
	if (text)
		snprintf(t->text, sizeof(t->text), "%s", text);
}

/* The engine's word for what a policy does wrong. */
static bool is_blamed(const struct trial *t)
{
	char blamed[64];

	snprintf(blamed, sizeof(blamed), "policy %s", t->policy);
	return strstr(t->text, blamed);
}

/* The engine itself looks whether plan and decisions are right; false: they are not. */
static bool plan_is_good(struct trial *t)
{
	u64 first, again;

	if (!ask_plan(t, &first) && !ask_plan(t, &again)) {
		if (first == again)
			return true;
		wrong(t, "asked twice for the same message, it makes different plans");
		return false;
	}
	take_said(t->text, sizeof(t->text));
	/* what the policy says itself is no fault of its plans */
	if (!is_blamed(t) && !t->plans && !t->only)
		t->end = TRIAL_REFUSED;
	else
		wrong(t, NULL);
	return false;
}

static bool try_group(struct trial *t)
{
	u64 begun = now_ns();

	if (!plan_is_good(t))
		return false;
	t->plans += 2;
	t->ns += now_ns() - begun;
	return true;
}

/* The next of all ways to take @k of @n numbers, in ascending order; false: it was the last. */
static bool next_choice(u32 *choice, u32 k, u32 n)
{
	u32 i = k;

	while (i && choice[i - 1] == n - k + i - 1)
		i--;
	if (!i)
		return false;
	choice[i - 1]++;
	for (; i < k; i++)
		choice[i] = choice[i - 1] + 1;
	return true;
}

static bool has_source(const struct trial_group *g)
{
	for (u32 i = 0; i < g->ndst; i++)
		if (g->dst[i] == g->source)
			return true;
	return false;
}

/* All messages of a node to so many others. */
static bool try_node(struct trial *t, u32 source, u32 ndst)
{
	u32 choice[] = { 0, 1, 2 };

	do {
		t->group.source = source;
		t->group.ndst = ndst;
		memcpy(t->group.dst, choice, sizeof(choice));
		if (!has_source(&t->group) && !try_group(t))
			return false;
	} while (next_choice(choice, ndst, t->nodes));
	return true;
}

/* All messages to up to three nodes, those to fewer first. */
static bool try_all(struct trial *t)
{
	for (u32 ndst = 1; ndst <= 3; ndst++)
		for (u32 source = 0; source < t->nodes; source++)
			if (!try_node(t, source, ndst))
				return false;
	return true;
}

static u32 below(u64 *state, u32 n)
{
	/* splitmix64 */
	u64 z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (z ^ z >> 31) % n;
}

static bool try_random(struct trial *t)
{
	struct trial_group *g = &t->group;
	u32 all[TRIAL_MAX_NODES];
	u64 state = t->seed;

	for (u32 i = 0; i < t->groups; i++) {
		for (u32 k = 0; k < t->nodes; k++)
			all[k] = k;
		for (u32 k = t->nodes - 1; k; k--) {
			u32 other = below(&state, k + 1), kept = all[k];

			all[k] = all[other];
			all[other] = kept;
		}
		g->source = all[0];
		/* as many small groups as large ones */
		g->ndst = 1 + below(&state, 1 + below(&state, t->nodes - 1));
		memcpy(g->dst, all + 1, g->ndst * sizeof(*g->dst));
		if (!try_group(t))
			return false;
	}
	return true;
}

/* What a run by the policy says of itself; NULL: it was refused or has failed, as @t says. */
static struct json_object *try_run(struct trial *t, const char *words)
{
	char *params = params_text();
	struct json_object *run = NULL;
	enum status status;

	status = command("run " FABRIC " policy %s %s workload %s", t->policy, params, words);
	free(params);
	take_said(t->text, sizeof(t->text));
	if (!status)
		run = ask_quietly(MCFAB_CMD_STATS_GET, MCFAB_A_STATS_FABRIC, FABRIC);
	if (!run)
		t->end = TRIAL_WRONG;
	return run;
}

/* The same messages by all ways of moving flits: the engine relies on what the policy promises. */
static bool try_ways(struct trial *t, const char *workload, bool may_fail)
{
	static const char *const ways[] = { "advance flit", "advance auto" };
	u64 hash[ARRAY_SIZE(ways)] = { 0 };

	for (u32 i = 0; i < ARRAY_SIZE(ways); i++) {
		char *words = xasprintf("%s %s", workload, ways[i]);
		struct json_object *run = try_run(t, words);

		free(words);
		if (!run && may_fail && !i) {
			t->end = TRIAL_GOOD;
			return true;
		}
		if (!run)
			return false;
		hash[i] = get_u64(run, "hash");
		json_object_put(run);
	}
	if (hash[0] == hash[1])
		return true;
	wrong(t, "a run flit by flit is another one than by events: a promise is not kept");
	return false;
}

/* Free of deadlock for any destinations, or as far as plans of random messages tell. */
static bool try_proof(struct trial *t)
{
	char *params = params_text(), *at;

	command("verify " FABRIC " policy %s %s", t->policy, params);
	free(params);
	take_said(t->text, sizeof(t->text));
	if (is_blamed(t)) {
		wrong(t, NULL);
		return false;
	}
	at = strstr(t->text, ": ");
	snprintf(t->proof, sizeof(t->proof), "%.90s", at ? at + 2 : t->text);
	t->text[0] = '\0';
	return true;
}

static bool make_fabric(struct trial *t)
{
	enum status status;

	command("fabric del " FABRIC);
	take_said(t->text, sizeof(t->text));
	status = command("fabric add " FABRIC " topology %s%s", t->network, t->option);
	take_said(t->text, sizeof(t->text));
	if (status)
		t->end = TRIAL_REFUSED;
	return !status;
}

static bool try_groups(struct trial *t)
{
	if (t->only)
		return try_group(t);
	return t->groups ? try_random(t) : try_all(t);
}

static bool try_it(struct trial *t)
{
	char refusal[sizeof(t->text)] = "";
	bool good = false;

	for (const char *const *option = t->options; *option && !good; option++) {
		t->option = *option;
		t->end = TRIAL_UNFINISHED;
		good = make_fabric(t) && try_groups(t);
		if (!good && t->end != TRIAL_REFUSED)
			return false;
		if (!*refusal)
			memcpy(refusal, t->text, sizeof(refusal));
	}
	if (!good)
		memcpy(t->text, refusal, sizeof(refusal));
	if (!good || t->only)
		return good;
	t->running = true;
	if (!try_ways(t, "lone count 200 dests 3 flits 16", false) ||
	    !try_ways(t, "burst dests 2 flits 4", true))
		return false;
	return t->groups || try_proof(t);
}

/* In the process: its standard output and error go into a file. */
static void child(struct trial *t)
{
	said = memfd_create("mcastctl", MFD_CLOEXEC);
	if (said < 0 || dup2(said, STDOUT_FILENO) < 0 || dup2(said, STDERR_FILENO) < 0)
		_exit(1);
	options.json = false;
	/* the parent's socket is the parent's */
	if (!options.user)
		nl_close();
	if (!nl_open(options.netns) && try_it(t) && t->end == TRIAL_UNFINISHED)
		t->end = TRIAL_GOOD;
	/* what cannot be asked at all is no trial */
	if (t->end == TRIAL_UNFINISHED) {
		take_said(t->text, sizeof(t->text));
		t->end = TRIAL_REFUSED;
	}
	if (!options.user)
		command("fabric del " FABRIC);
	_exit(0);
}

/* The process is stopped if it makes no plan for so many seconds, or no run in ten times that. */
static int wait_for(pid_t pid, const struct trial *t, u32 seconds)
{
	u32 before = 0, still = 0, limit;
	int status;

	for (;;) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return status;
		usleep(20000);
		still = t->plans == before ? still + 1 : 0;
		before = t->plans;
		limit = t->running ? 10 * seconds : seconds;
		if (still > limit * 50) {
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			return -1;
		}
	}
}

void trial_run(struct trial *t, u32 seconds)
{
	struct trial *shared = mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = 0;
	pid_t pid;

	if (shared == MAP_FAILED)
		return;
	*shared = *t;
	fflush(stdout);
	pid = fork();
	if (!pid)
		child(shared);
	if (pid > 0)
		status = wait_for(pid, shared, seconds);
	*t = *shared;
	munmap(shared, sizeof(*t));
	if (t->end != TRIAL_UNFINISHED)
		return;
	t->end = TRIAL_WRONG;
	if (status == -1)
		snprintf(t->text, sizeof(t->text), "it does not return for %u s", seconds);
	else if (pid > 0 && WIFSIGNALED(status))
		snprintf(t->text, sizeof(t->text), "it crashes: %s", strsignal(WTERMSIG(status)));
	else
		snprintf(t->text, sizeof(t->text), "the trial could not be made");
}
