// SPDX-License-Identifier: GPL-2.0
/*
 * Dumps beside changes, what dumps cost, and the order of answers and events: the module in
 * user space.
 */
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/mcfab.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "mcfab_user.h"
#include "tap.h"
#include "util.h"

static int type;

/** struct answer - to a request */
struct answer {
	int error;
	bool text;		/* it says why */
	u32 parts;		/* datagrams */
	u32 messages;		/* but for the last one */
	void (*part)(void);	/* called for each datagram */
};

/* what this thread does where the module lets others run */
static __thread void (*on_resched)(void);

void mcfab_user_resched(void)
{
	if (on_resched)
		on_resched();
}

static struct nlmsghdr *request(char *buf, u8 cmd, u16 flags, u16 name_attr, const char *name)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = 1;
	if (name)
		mnl_attr_put_strz(nlh, name_attr, name);
	return nlh;
}

static void take_end(const struct nlmsghdr *nlh, struct answer *answer)
{
	bool done = nlh->nlmsg_type == NLMSG_DONE;
	const struct nlattr *attr;

	memcpy(&answer->error, mnl_nlmsg_get_payload(nlh), sizeof(answer->error));
	if (nlh->nlmsg_flags & NLM_F_ACK_TLVS)
		mnl_attr_for_each(attr, nlh, done ? sizeof(int) : sizeof(struct nlmsgerr))
			answer->text |= mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG;
}

static void take(const void *data, size_t len, void *arg)
{
	const struct nlmsghdr *nlh = data;
	struct answer *answer = arg;
	int left = len;

	for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
		if (nlh->nlmsg_type == NLMSG_DONE || nlh->nlmsg_type == NLMSG_ERROR)
			take_end(nlh, answer);
		else
			answer->messages++;
	answer->parts++;
	if (answer->part)
		answer->part();
}

static struct answer ask_by(const struct nlmsghdr *nlh, void (*part)(void))
{
	struct answer answer = { .part = part };
	int ret = mcfab_user_request(nlh, take, &answer);

	if (ret)
		answer.error = ret;
	return answer;
}

static struct answer ask(const struct nlmsghdr *nlh)
{
	return ask_by(nlh, NULL);
}

static struct answer new_fabric(const char *name, u32 side, bool lids, void (*part)(void))
{
	char buf[1024];
	struct nlmsghdr *nlh = request(buf, MCFAB_CMD_FABRIC_NEW, NLM_F_ACK,
				       MCFAB_A_FABRIC_NAME, name);

	mnl_attr_put_strz(nlh, MCFAB_A_FABRIC_TOPOLOGY, "mesh");
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_DIMS, side);
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_DIMS, side);
	if (lids)
		mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_ADDRESSING, MCFAB_ADDRESSING_MODE_LID);
	return ask_by(nlh, part);
}

static struct answer about_group(u8 cmd, const char *name, u32 nmembers, u32 source)
{
	static u32 member[1024];
	char buf[8192];
	struct nlmsghdr *nlh;
	u32 i;

	nlh = request(buf, cmd, NLM_F_ACK, MCFAB_A_GROUP_FABRIC, "f");
	mnl_attr_put_strz(nlh, MCFAB_A_GROUP_NAME, name);
	for (i = 0; i < nmembers; i++)
		member[i] = i;
	if (nmembers)
		mnl_attr_put(nlh, MCFAB_A_GROUP_MEMBERS, nmembers * sizeof(u32), member);
	if (source != UINT32_MAX)
		mnl_attr_put_u32(nlh, MCFAB_A_GROUP_SOURCE, source);
	return ask(nlh);
}

static void begin(void)
{
	char why[128];

	setenv("MCFAB_MAX_MEMORY_MB", "2048", 1);
	type = mcfab_user_open(why, sizeof(why));
	CHECK(type > 0);
}

/* Between the two: a change has begun; it may go on. */
static sem_t begun, go_on;
static struct answer change;

static void pause_change(void)
{
	on_resched = NULL;
	sem_post(&begun);
	sem_wait(&go_on);
}

static void *changing(void *arg)
{
	(void)arg;
	on_resched = pause_change;
	change = about_group(MCFAB_CMD_GROUP_ASSIGN, "h", 0, UINT32_MAX);
	on_resched = NULL;
	/* should it never have stopped */
	sem_post(&begun);
	return NULL;
}

static pthread_t changer;
static bool changed;

/* Somebody else begins a change between two parts, when the fabric is there for others. */
static void change_it(void)
{
	if (changed)
		return;
	changed = true;
	CHECK(!pthread_create(&changer, NULL, changing, NULL));
	sem_wait(&begun);
}

static struct nlmsghdr *get_rows(char *buf)
{
	struct nlmsghdr *nlh = request(buf, MCFAB_CMD_TABLE_GET, NLM_F_DUMP, MCFAB_A_TABLE_FABRIC,
				       "f");

	mnl_attr_put_u32(nlh, MCFAB_A_TABLE_KIND, MCFAB_TABLE_KIND_MFT);
	return nlh;
}

/*
 * Tables change under no lock, so a dump that let others have the fabric ends where one of them
 * has begun a change.
 */
static void change_beside_dump(void)
{
	struct answer whole, got;
	char buf[1024];

	begin();
	sem_init(&begun, 0, 0);
	sem_init(&go_on, 0, 0);
	CHECK(!new_fabric("f", 32, true, NULL).error);
	/* many multicast LIDs to look at, and so few rows that they fit into a part */
	CHECK(!about_group(MCFAB_CMD_GROUP_NEW, "g", 0, UINT32_MAX).error);
	CHECK(!about_group(MCFAB_CMD_GROUP_ASSIGN, "g", 0, UINT32_MAX).error);
	CHECK(!about_group(MCFAB_CMD_GROUP_NEW, "k", 1, UINT32_MAX).error);
	CHECK(!about_group(MCFAB_CMD_GROUP_ASSIGN, "k", 0, 1023).error);
	CHECK(!about_group(MCFAB_CMD_GROUP_NEW, "h", 100, UINT32_MAX).error);
	whole = ask(get_rows(buf));
	CHECK(!whole.error && whole.messages > 10 && whole.parts > 1);
	got = ask_by(get_rows(buf), change_it);
	printf("# %u rows of %u, then %d\n", got.messages, whole.messages, got.error);
	CHECK(changed);
	CHECK(got.error == -EBUSY && got.text);
	CHECK(got.messages < whole.messages);
	sem_post(&go_on);
	CHECK(!pthread_join(changer, NULL));
	CHECK(!change.error);
	got = ask(get_rows(buf));
	CHECK(!got.error && got.messages > whole.messages);
	mcfab_user_close();
	report("a dump does not look at tables that are being changed");
}

static u64 cpu_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000000ULL + ts.tv_nsec / 1000;
}

/* The least time of some tries. */
static u64 time_of(const struct nlmsghdr *nlh, u32 messages)
{
	u64 least = UINT64_MAX, took;
	u32 i;

	for (i = 0; i < 5; i++) {
		u64 at = cpu_us();
		struct answer got = ask(nlh);

		took = cpu_us() - at;
		CHECK(!got.error && got.messages >= messages);
		if (took < least)
			least = took;
	}
	return least;
}

/* What is shown costs the same for each, whatever else there is. */
static void linear(const char *what, struct nlmsghdr *nlh, u32 most, struct answer (*make)(u32))
{
	u64 few = 0, many;
	u32 n;

	for (n = 0; n < most; n++) {
		if (n == most / 8)
			few = time_of(nlh, n);
		CHECK(!make(n).error);
	}
	many = time_of(nlh, most);
	printf("# %u %s: %llu us, %u: %llu us\n", most / 8, what, (unsigned long long)few, most,
	       (unsigned long long)many);
	/* 8 and noise; 64 if all were looked at for each of them */
	CHECK(many < 20 * few);
}

static struct answer one_fabric(u32 n)
{
	char name[16];

	snprintf(name, sizeof(name), "m%u", n);
	return new_fabric(name, 1, false, NULL);
}

static struct answer one_group(u32 n)
{
	char name[16];

	snprintf(name, sizeof(name), "g%u", n);
	return about_group(MCFAB_CMD_GROUP_NEW, name, 0, UINT32_MAX);
}

static void costs(void)
{
	char buf[1024];

	begin();
	linear("fabrics", request(buf, MCFAB_CMD_FABRIC_GET, NLM_F_DUMP, 0, NULL), 8192,
	       one_fabric);
	mcfab_user_close();
	report("a dump of fabrics takes as long as it has fabrics");
	begin();
	CHECK(!new_fabric("f", 32, true, NULL).error);
	linear("groups", request(buf, MCFAB_CMD_GROUP_GET, NLM_F_DUMP, MCFAB_A_GROUP_FABRIC, "f"),
	       4096, one_group);
	mcfab_user_close();
	report("a dump of groups takes as long as it has groups");
}

/* The multicast LIDs of groups are looked for among the sources, from the first to the last. */
static void short_parts(void)
{
	struct nlmsghdr *nlh;
	struct answer got;
	char buf[1024];
	char name[16];
	u32 n;

	begin();
	CHECK(!new_fabric("f", 32, true, NULL).error);
	for (n = 0; n < 256; n++) {
		snprintf(name, sizeof(name), "g%u", n);
		CHECK(!about_group(MCFAB_CMD_GROUP_NEW, name, 1, UINT32_MAX).error);
		CHECK(!about_group(MCFAB_CMD_GROUP_ASSIGN, name, 0, 1023).error);
	}
	nlh = request(buf, MCFAB_CMD_GROUP_GET, NLM_F_DUMP, MCFAB_A_GROUP_FABRIC, "f");
	got = ask(nlh);
	printf("# %u messages in %u parts\n", got.messages, got.parts);
	CHECK(!got.error && got.messages == 2 * 256);
	/* 65,536 nodes are looked at for each, and a few more; the last part is the end */
	CHECK(got.parts >= 4);
	mnl_attr_put_strz(nlh, MCFAB_A_GROUP_NAME, "g200");
	got = ask(nlh);
	CHECK(!got.error && got.messages == 2);
	mcfab_user_close();
	report("parts of a dump of groups are short");
}

static int events;
/* commands of the events so far, and how many before the answer */
static u8 heard[16];
static u32 nheard, before;

static void hear(int timeout)
{
	struct pollfd fd = { .fd = events, .events = POLLIN };
	char buf[32768];

	while (nheard < sizeof(heard) && poll(&fd, 1, timeout) > 0) {
		const struct nlmsghdr *nlh = (void *)buf;
		const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);

		if (recv(events, buf, sizeof(buf), 0) <= 0)
			break;
		heard[nheard++] = genl->cmd;
	}
}

/* An answer has come: what happens now, and in some milliseconds? */
static void answered(void)
{
	hear(50);
	if (!before)
		before = nheard;
}

static struct answer short_run(void)
{
	char buf[1024];
	struct nlmsghdr *nlh = request(buf, MCFAB_CMD_RUN_START, NLM_F_ACK, MCFAB_A_RUN_FABRIC,
				       "f");

	mnl_attr_put_strz(nlh, MCFAB_A_RUN_POLICY, "unicast");
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_WORKLOAD, MCFAB_WORKLOAD_TYPE_LONE);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_COUNT, 1);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_DESTS, 1);
	return ask_by(nlh, answered);
}

static void order(void)
{
	char buf[1024];
	u32 i;

	begin();
	events = mcfab_user_listen();
	CHECK(events >= 0);
	CHECK(!new_fabric("f", 2, false, answered).error);
	CHECK(before == 1 && heard[0] == MCFAB_CMD_FABRIC_ADD_NTF);
	for (i = 0; i < 5; i++) {
		nheard = 0;
		before = 0;
		CHECK(!short_run().error);
		/* told of and answered, and only then begun */
		CHECK(before == 1 && heard[0] == MCFAB_CMD_FABRIC_CHANGE_NTF);
		ask(request(buf, MCFAB_CMD_RUN_STOP, NLM_F_ACK, MCFAB_A_RUN_FABRIC, "f"));
		hear(50);
		CHECK(nheard == 2 && heard[1] == MCFAB_CMD_RUN_FINISHED_NTF);
	}
	nheard = 0;
	CHECK(!ask(request(buf, MCFAB_CMD_FABRIC_DEL, NLM_F_ACK, MCFAB_A_FABRIC_NAME, "f")).error);
	hear(50);
	CHECK(nheard == 1 && heard[0] == MCFAB_CMD_FABRIC_DEL_NTF);
	mcfab_user_close();
	report("what begins is told of and answered before it can end");
}

int main(void)
{
	puts("TAP version 13\n1..5");
	fflush(stdout);
	change_beside_dump();
	costs();
	short_parts();
	order();
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
