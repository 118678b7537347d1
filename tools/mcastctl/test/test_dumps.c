// SPDX-License-Identifier: GPL-2.0
/*
 * Dumps beside changes, what dumps cost, and the order of answers and events: the module in
 * user space.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/socket.h>

#include "ask.h"
#include "tap.h"

/* what this thread does where the module lets others run */
static __thread void (*on_resched)(void);

void mcfab_user_resched(void)
{
	if (on_resched)
		on_resched();
}

static struct answer ask_parts(const struct nlmsghdr *nlh, mcfab_user_take_t part)
{
	struct answer answer = { .part = part };

	ask_by(nlh, &answer);
	return answer;
}

static struct answer group_of(u8 cmd, const char *name, u32 nmembers, u32 source)
{
	struct nlmsghdr *nlh = about_group(cmd, "f", name);

	if (nmembers)
		put_range(nlh, MCFAB_A_GROUP_MEMBERS, 0, nmembers);
	if (source != UINT32_MAX)
		mnl_attr_put_u32(nlh, MCFAB_A_GROUP_SOURCE, source);
	return ask(nlh);
}

static void begin(void)
{
	CHECK(open_module("2048"));
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
	change = group_of(MCFAB_CMD_GROUP_ASSIGN, "h", 0, UINT32_MAX);
	on_resched = NULL;
	/* should it never have stopped */
	sem_post(&begun);
	return NULL;
}

static pthread_t changer;
static bool changed;

/* Somebody else begins a change between two parts, when the fabric is there for others. */
static void change_it(const void *data, size_t len, void *arg)
{
	(void)data;
	(void)len;
	(void)arg;
	if (changed)
		return;
	changed = true;
	CHECK(!pthread_create(&changer, NULL, changing, NULL));
	sem_wait(&begun);
}

static struct nlmsghdr *get_rows(void)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_TABLE_GET, NLM_F_DUMP, MCFAB_A_TABLE_FABRIC, "f");

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

	begin();
	sem_init(&begun, 0, 0);
	sem_init(&go_on, 0, 0);
	CHECK(!ask(new_mesh("f", 32, true)).error);
	/* many multicast LIDs to look at, and so few rows that they fit into a part */
	CHECK(!group_of(MCFAB_CMD_GROUP_NEW, "g", 0, UINT32_MAX).error);
	CHECK(!group_of(MCFAB_CMD_GROUP_ASSIGN, "g", 0, UINT32_MAX).error);
	CHECK(!group_of(MCFAB_CMD_GROUP_NEW, "k", 1, UINT32_MAX).error);
	CHECK(!group_of(MCFAB_CMD_GROUP_ASSIGN, "k", 0, 1023).error);
	CHECK(!group_of(MCFAB_CMD_GROUP_NEW, "h", 100, UINT32_MAX).error);
	whole = ask(get_rows());
	CHECK(!whole.error && whole.messages > 10 && whole.parts > 1);
	got = ask_parts(get_rows(), change_it);
	printf("# %u rows of %u, then %d\n", got.messages, whole.messages, got.error);
	CHECK(changed);
	CHECK(got.error == -EBUSY && got.text);
	CHECK(got.messages < whole.messages);
	sem_post(&go_on);
	CHECK(!pthread_join(changer, NULL));
	CHECK(!change.error);
	got = ask(get_rows());
	CHECK(!got.error && got.messages > whole.messages);
	mcfab_user_close();
	report("a dump does not look at tables that are being changed");
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
	return ask(new_mesh(name, 1, false));
}

static struct answer one_group(u32 n)
{
	char name[16];

	snprintf(name, sizeof(name), "g%u", n);
	return group_of(MCFAB_CMD_GROUP_NEW, name, 0, UINT32_MAX);
}

static void costs(void)
{
	char buf[1024];

	begin();
	linear("fabrics", request_in(buf, MCFAB_CMD_FABRIC_GET, NLM_F_DUMP, 0, NULL), 8192,
	       one_fabric);
	mcfab_user_close();
	report("a dump of fabrics takes as long as it has fabrics");
	begin();
	CHECK(!ask(new_mesh("f", 32, true)).error);
	linear("groups",
	       request_in(buf, MCFAB_CMD_GROUP_GET, NLM_F_DUMP, MCFAB_A_GROUP_FABRIC, "f"), 4096,
	       one_group);
	mcfab_user_close();
	report("a dump of groups takes as long as it has groups");
}

/* The multicast LIDs of groups are looked for among the sources, from the first to the last. */
static void short_parts(void)
{
	struct nlmsghdr *nlh;
	struct answer got;
	char name[16];
	u32 n;

	begin();
	CHECK(!ask(new_mesh("f", 32, true)).error);
	for (n = 0; n < 256; n++) {
		snprintf(name, sizeof(name), "g%u", n);
		CHECK(!group_of(MCFAB_CMD_GROUP_NEW, name, 1, UINT32_MAX).error);
		CHECK(!group_of(MCFAB_CMD_GROUP_ASSIGN, name, 0, 1023).error);
	}
	nlh = request(MCFAB_CMD_GROUP_GET, NLM_F_DUMP, MCFAB_A_GROUP_FABRIC, "f");
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
static void answered(const void *data, size_t len, void *arg)
{
	(void)data;
	(void)len;
	(void)arg;
	hear(50);
	if (!before)
		before = nheard;
}

static struct answer short_run(void)
{
	struct nlmsghdr *nlh = new_run("f", "unicast", MCFAB_WORKLOAD_TYPE_LONE);

	mnl_attr_put_u32(nlh, MCFAB_A_RUN_COUNT, 1);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_DESTS, 1);
	return ask_parts(nlh, answered);
}

static void order(void)
{
	u32 i;

	begin();
	events = mcfab_user_listen();
	CHECK(events >= 0);
	CHECK(!ask_parts(new_mesh("f", 2, false), answered).error);
	CHECK(before == 1 && heard[0] == MCFAB_CMD_FABRIC_ADD_NTF);
	for (i = 0; i < 5; i++) {
		nheard = 0;
		before = 0;
		CHECK(!short_run().error);
		/* told of and answered, and only then begun */
		CHECK(before == 1 && heard[0] == MCFAB_CMD_FABRIC_CHANGE_NTF);
		stop_run("f");
		hear(50);
		CHECK(nheard == 2 && heard[1] == MCFAB_CMD_RUN_FINISHED_NTF);
	}
	nheard = 0;
	CHECK(!ask(request(MCFAB_CMD_FABRIC_DEL, NLM_F_ACK, MCFAB_A_FABRIC_NAME, "f")).error);
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
