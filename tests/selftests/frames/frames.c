// SPDX-License-Identifier: GPL-2.0
/*
 * Send datagrams through ports from every node, and check what comes to every node.
 * Usage: frames COUNT SEED FD=ADDRESS... GROUP=NODE,NODE...
 *
 * FD is the socket of a node, bound, in its groups, and without blocking; the first is that of node
 * 0. COUNT datagrams are sent in all, by all nodes in turn. Their lengths, their destinations and
 * their bytes follow from SEED, sender and number, so the receiver knows them without being told.
 * One thread sends and receives: a receiver never lags behind its sender.
 *
 * The outcome is a line of JSON. Of copies that are wrong the first are described on stderr.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <zlib.h>

#define UDP_PORT	5000
#define MOST_NODES	64
#define MOST_GROUPS	64
#define LONGEST		1400	/* bytes behind the head */
#define POOL		(1 << 16)
#define BATCH		32	/* datagrams of a system call */
#define COMPLAINTS	8	/* wrong copies that are described */
/* it is over if nothing comes and nothing can be sent for so long */
#define QUIET_MS	4000
#define GATHER_NS	2000000

/* what stands before the bytes of a datagram */
struct head {
	uint32_t sum;		/* CRC-32 of all that follows */
	uint32_t nr;		/* of this sender */
	uint16_t source;
	uint16_t target;	/* a group, or behind them a node */
	uint16_t length;
	uint16_t reserved;
};

struct frame {
	struct head head;
	unsigned char body[LONGEST];
};

/* what follows from seed, sender and number */
struct draw {
	uint32_t target;
	uint32_t length;
	uint32_t at;		/* its bytes in the pool */
};

struct node {
	int fd;
	struct sockaddr_in addr;
	uint64_t to_send;
	uint64_t sent;
	uint64_t expected;	/* copies of what it sent */
	uint64_t received;	/* of these, those that came and were right */
	uint64_t came;		/* datagrams that came to its socket */
	unsigned char *seen;	/* bits: [source][number] */
	uint64_t *last;		/* number of the last copy, and 1: [source][target] */
};

static struct node node[MOST_NODES];
static struct {
	struct sockaddr_in addr;
	uint64_t members;
} group[MOST_GROUPS];
static uint32_t nnodes, ngroups;
static uint64_t seed, each;	/* most datagrams of a sender */
static uint64_t wrong, doubles, disordered;
static unsigned char pool[POOL + LONGEST];

static void die(const char *what)
{
	fprintf(stderr, "frames: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void usage(const char *what)
{
	fprintf(stderr, "frames: %s\nusage: frames COUNT SEED FD=ADDRESS... GROUP=NODE,NODE...\n",
		what);
	exit(1);
}

/* splitmix64 */
static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/* A quarter of the datagrams goes to single nodes, the others to groups. */
static struct draw draw(uint32_t source, uint32_t nr)
{
	uint64_t x = mix(seed ^ mix((uint64_t)source << 32 | nr)), y = mix(x);
	struct draw d = {
		.length = 1 + (x & 0xffff) % LONGEST,
		.at = (x >> 16 & 0xffff) % POOL,
	};

	if ((x >> 32) % 4)
		d.target = (y & 0xffffffff) % ngroups;
	else
		d.target = ngroups +
			   (source + 1 + (y & 0xffffffff) % (nnodes - 1)) % nnodes;
	return d;
}

static uint64_t receivers(uint32_t source, uint32_t target)
{
	if (target >= ngroups)
		return 1ULL << (target - ngroups);
	return group[target].members & ~(1ULL << source);
}

static uint32_t sum(const struct frame *f, size_t bytes)
{
	size_t skip = sizeof(f->head.sum);

	return crc32(0, (const unsigned char *)f + skip, bytes - skip);
}

/* Send what the socket takes of the next datagrams of a node. */
static void send_some(uint32_t source)
{
	static struct frame frame[BATCH];
	static struct mmsghdr msg[BATCH];
	static struct iovec iov[BATCH];
	struct node *from = &node[source];
	uint32_t n = 0, i;
	int done;

	for (; n < BATCH && from->sent + n < from->to_send; n++) {
		struct draw d = draw(source, from->sent + n);
		struct sockaddr_in *to = d.target < ngroups ? &group[d.target].addr :
					 &node[d.target - ngroups].addr;
		struct frame *f = &frame[n];

		f->head = (struct head){
			.nr = from->sent + n, .source = source, .target = d.target,
			.length = d.length,
		};
		memcpy(f->body, pool + d.at, d.length);
		iov[n].iov_base = f;
		iov[n].iov_len = sizeof(f->head) + d.length;
		f->head.sum = sum(f, iov[n].iov_len);
		msg[n].msg_hdr = (struct msghdr){
			.msg_name = to, .msg_namelen = sizeof(*to),
			.msg_iov = &iov[n], .msg_iovlen = 1,
		};
	}
	if (!n)
		return;
	done = sendmmsg(from->fd, msg, n, 0);
	if (done < 0 && errno != EAGAIN && errno != EINTR)
		die("sendmmsg");
	for (i = 0; done > 0 && i < (uint32_t)done; i++)
		from->expected += __builtin_popcountll(receivers(source, frame[i].head.target));
	from->sent += done > 0 ? done : 0;
}

/* Why a datagram is not what somebody sent to this node, or NULL. */
static const char *fault(uint32_t at, const struct frame *f, size_t bytes)
{
	const struct head *h = &f->head;
	struct draw d;

	if (bytes < sizeof(*h) || bytes > sizeof(*f))
		return "has another length";
	if (sum(f, bytes) != h->sum)
		return "has a wrong checksum";
	if (h->source >= nnodes || h->nr >= node[h->source].sent)
		return "was not sent";
	d = draw(h->source, h->nr);
	if (h->target != d.target || h->length != d.length || bytes - sizeof(*h) != d.length ||
	    memcmp(f->body, pool + d.at, d.length))
		return "has other bytes";
	if (!(receivers(h->source, h->target) >> at & 1))
		return "is for others";
	return NULL;
}

static void check(uint32_t at, const struct frame *f, size_t bytes)
{
	const char *why = fault(at, f, bytes);
	const struct head *h = &f->head;
	uint64_t bit, *last;

	if (why) {
		if (wrong++ < COMPLAINTS)
			fprintf(stderr, "node %u: %zu bytes, number %u of node %u to %u: %s\n", at,
				bytes, h->nr, h->source, h->target, why);
		return;
	}
	bit = h->source * each + h->nr;
	if (node[at].seen[bit / 8] >> bit % 8 & 1) {
		doubles++;
		return;
	}
	node[at].seen[bit / 8] |= 1 << bit % 8;
	node[h->source].received++;
	last = &node[at].last[h->source * (ngroups + nnodes) + h->target];
	if (h->nr < *last)
		disordered++;
	else
		*last = h->nr + 1ULL;
}

/* Take what a node has got. */
static void receive_all(uint32_t at)
{
	static struct frame frame[BATCH];
	static struct mmsghdr msg[BATCH];
	static struct iovec iov[BATCH];
	int done, i;

	do {
		for (i = 0; i < BATCH; i++) {
			iov[i] = (struct iovec){ &frame[i], sizeof(frame[i]) };
			msg[i].msg_hdr = (struct msghdr){ .msg_iov = &iov[i], .msg_iovlen = 1 };
		}
		/* MSG_TRUNC: the true length, should it be longer than any that was sent */
		done = recvmmsg(node[at].fd, msg, BATCH, MSG_TRUNC, NULL);
		if (done < 0 && errno != EAGAIN && errno != EINTR)
			die("recvmmsg");
		for (i = 0; i < done; i++)
			check(at, &frame[i], msg[i].msg_len);
		node[at].came += done > 0 ? done : 0;
	} while (done == BATCH);
}

static bool all_sent(void)
{
	uint32_t i;

	for (i = 0; i < nnodes; i++)
		if (node[i].sent < node[i].to_send)
			return false;
	return true;
}

static bool all_received(void)
{
	uint32_t i;

	for (i = 0; i < nnodes; i++)
		if (node[i].received < node[i].expected)
			return false;
	return true;
}

/*
 * Wait until there is something to receive or room to send, and take what there is. It always
 * waits a little more, as many datagrams at once cost less. Return: false if nothing comes any
 * more.
 */
static bool receive_some(void)
{
	const struct timespec more = { .tv_nsec = GATHER_NS };
	struct pollfd fds[MOST_NODES];
	uint32_t i;

	for (i = 0; i < nnodes; i++) {
		fds[i].fd = node[i].fd;
		fds[i].events = POLLIN | (node[i].sent < node[i].to_send ? POLLOUT : 0);
	}
	if (poll(fds, nnodes, QUIET_MS) <= 0)
		return false;
	nanosleep(&more, NULL);
	for (i = 0; i < nnodes; i++)
		receive_all(i);
	return true;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void address(struct sockaddr_in *addr, const char *text)
{
	addr->sin_family = AF_INET;
	addr->sin_port = htons(UDP_PORT);
	if (!inet_aton(text, &addr->sin_addr))
		usage("a wrong address");
}

/* 5=10.0.0.1: the socket of the next node, 239.1.0.1=0,2,3: the next group */
static void take_word(char *word)
{
	char *value = strchr(word, '='), *next;

	if (!value)
		usage("a word without =");
	*value++ = 0;
	if (!strchr(word, '.')) {
		if (nnodes == MOST_NODES)
			usage("too many nodes");
		node[nnodes].fd = atoi(word);
		address(&node[nnodes++].addr, value);
		return;
	}
	if (ngroups == MOST_GROUPS)
		usage("too many groups");
	address(&group[ngroups].addr, word);
	for (next = strtok(value, ","); next; next = strtok(NULL, ","))
		group[ngroups].members |= 1ULL << atoi(next) % MOST_NODES;
	ngroups++;
}

static void prepare(uint64_t count)
{
	uint32_t i;

	each = (count + nnodes - 1) / nnodes;
	for (i = 0; i < nnodes; i++) {
		node[i].to_send = count / nnodes + (i < count % nnodes);
		node[i].seen = calloc((nnodes * each + 7) / 8, 1);
		node[i].last = calloc(nnodes * (ngroups + nnodes), sizeof(*node[i].last));
		if (!node[i].seen || !node[i].last)
			die("memory");
	}
	for (i = 0; i < sizeof(pool); i++)
		pool[i] = mix(seed + i);
}

static void report(double seconds)
{
	uint64_t sent = 0, expected = 0, received = 0;
	uint32_t i;

	for (i = 0; i < nnodes; i++) {
		sent += node[i].sent;
		expected += node[i].expected;
		received += node[i].received;
	}
	printf("{\"sent\":%ju,\"expected\":%ju,\"received\":%ju,\"wrong\":%ju,\"doubles\":%ju,"
	       "\"disordered\":%ju,\"seconds\":%.2f,\"nodes\":[", (uintmax_t)sent,
	       (uintmax_t)expected, (uintmax_t)received, (uintmax_t)wrong, (uintmax_t)doubles,
	       (uintmax_t)disordered, seconds);
	for (i = 0; i < nnodes; i++)
		printf("%s{\"expected\":%ju,\"received\":%ju,\"came\":%ju}", i ? "," : "",
		       (uintmax_t)node[i].expected, (uintmax_t)node[i].received,
		       (uintmax_t)node[i].came);
	puts("]}");
}

int main(int argc, char **argv)
{
	double begun, last;
	uint32_t i;
	int word;

	if (argc < 6)
		usage("too few words");
	seed = strtoull(argv[2], NULL, 0);
	for (word = 3; word < argc; word++)
		take_word(argv[word]);
	if (nnodes < 2 || !ngroups)
		usage("there have to be nodes and groups");
	prepare(strtoull(argv[1], NULL, 0));
	begun = now();
	do {
		last = now();
		for (i = 0; i < nnodes; i++)
			send_some(i);
	} while (!(all_sent() && all_received()) && receive_some());
	report(last - begun);
	return 0;
}
