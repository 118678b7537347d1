// SPDX-License-Identifier: GPL-2.0
/*
 * A directory protocol on a mesh, as a program of its own that steps its network: cores ask the
 * home node of a line for it; a home sends the line, or, if somebody writes, first one multicast to
 * all that have a copy, and waits for their answers. Requests, invalidations and answers have one
 * flit, lines have five.
 *
 *	cc coherence.c $(pkg-config --cflags --libs libmcfab) -o coherence
 *	./coherence [TRANSACTIONS [NET [FABRIC]]]
 *
 * All calls are those of mcfab-icnt.h, so that other networks can be put behind it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mcfab-icnt.h>

#define NODES		256
#define LINES		2	/* of each home */
#define WORDS		(NODES / 64)
#define SMALL		8	/* bytes of a message without a line */
#define LINE		72	/* and with one */
#define THINK		200	/* cycles between transactions of a core, at most */
#define WRITES		10	/* of 100 transactions */

enum what { READ, WRITE, DATA, INVALIDATE, ANSWER };

struct message {
	enum what what;
	unsigned int from;
	unsigned int line;
	unsigned int left;	/* nodes that have not got it */
	struct message *next;	/* in a home's queue, or among those that are free */
};

/* a line at its home: who has a copy, and who is being served */
struct entry {
	unsigned long long copy[WORDS];
	struct message *serving;
	unsigned int answers;	/* that have not come */
	struct message *first, **last;
};

/* what a core does */
struct core {
	unsigned int left;	/* transactions */
	int waits;		/* for a line */
	unsigned long long wakes;
	unsigned long long asked;
};

static struct entry directory[NODES][LINES];
static struct core core[NODES];
static struct message *unused;
static unsigned long long rnd = 1, now, done, latency, invalidations, copies;

static unsigned int below(unsigned int n)
{
	rnd = rnd * 6364136223846793005ULL + 1442695040888963407ULL;
	return (rnd >> 33) % n;
}

static struct message *new_message(enum what what, unsigned int from, unsigned int line,
				   unsigned int left)
{
	struct message *m = unused;

	if (m)
		unused = m->next;
	else
		m = malloc(sizeof(*m));
	if (!m)
		abort();
	*m = (struct message){ .what = what, .from = from, .line = line, .left = left };
	return m;
}

static void free_message(struct message *m)
{
	m->next = unused;
	unused = m;
}

static void send(unsigned int from, unsigned int to, enum what what, unsigned int line)
{
	icnt_push(from, to, new_message(what, from, line, 1), what == DATA ? LINE : SMALL);
}

/* everybody with a copy but the writer has to give it up */
static unsigned int invalidate(unsigned int home, struct entry *e, const struct message *m)
{
	unsigned int to[NODES], n = 0, i;

	for (i = 0; i < NODES; i++)
		if (e->copy[i / 64] >> i % 64 & 1 && i != m->from && i != home)
			to[n++] = i;
	memset(e->copy, 0, sizeof(e->copy));
	if (!n)
		return 0;
	icnt_mpush(home, to, n, new_message(INVALIDATE, home, m->line, n), SMALL);
	invalidations++;
	copies += n;
	return n;
}

static void serve(unsigned int home, struct entry *e);

/* all is as it has to be: the line goes to who asked for it */
static void finish(unsigned int home, struct entry *e)
{
	struct message *m = e->serving;

	e->copy[m->from / 64] |= 1ULL << m->from % 64;
	send(home, m->from, DATA, m->line);
	free_message(m);
	e->serving = NULL;
	serve(home, e);
}

/* the next request for a line, if nobody is being served */
static void serve(unsigned int home, struct entry *e)
{
	struct message *m = e->first;

	if (e->serving || !m)
		return;
	e->first = m->next;
	e->serving = m;
	e->answers = m->what == WRITE ? invalidate(home, e, m) : 0;
	if (!e->answers)
		finish(home, e);
}

static void ask(unsigned int home, struct message *m)
{
	struct entry *e = &directory[home][m->line];

	m->next = NULL;
	if (!e->first)
		e->last = &e->first;
	*e->last = m;
	e->last = &m->next;
	serve(home, e);
}

static void take(unsigned int node, struct message *m)
{
	struct entry *e;

	switch (m->what) {
	case READ:
	case WRITE:
		ask(node, m);
		return;
	case INVALIDATE:
		send(node, m->from, ANSWER, m->line);
		break;
	case ANSWER:
		e = &directory[node][m->line];
		if (!--e->answers)
			finish(node, e);
		break;
	case DATA:
		core[node].waits = 0;
		core[node].left--;
		core[node].wakes = now + 1 + below(THINK);
		latency += now - core[node].asked;
		done++;
	}
	if (!--m->left)
		free_message(m);
}

static void think(unsigned int node)
{
	unsigned int home;

	if (core[node].waits || !core[node].left || core[node].wakes > now)
		return;
	home = below(NODES - 1);
	home += home >= node;
	core[node].waits = 1;
	core[node].asked = now;
	send(node, home, below(100) < WRITES ? WRITE : READ, below(LINES));
}

static double processor_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	unsigned int transactions = argc > 1 ? strtoul(argv[1], NULL, 10) : 100, i;
	const struct mcf_icnt_options options = {
		.net = argc > 2 ? argv[2] : "policy unicast flits 5",
		.fabric = argc > 3 ? argv[3] : "topology mesh dims 16x16 router booksim startup 0",
		.flit_bytes = 16,
		.queue = MCF_INBOX,
	};
	double begin, seconds;
	struct message *m;

	if (mcf_icnt_create(&options)) {
		fprintf(stderr, "coherence: %s\n", mcf_error());
		return 1;
	}
	for (i = 0; i < NODES; i++)
		core[i] = (struct core){ .left = transactions, .wakes = below(THINK) };
	begin = processor_time();
	for (now = 0; done < (unsigned long long)NODES * transactions; now++) {
		for (i = 0; i < NODES; i++) {
			think(i);
			while ((m = icnt_pop(i)))
				take(i, m);
		}
		icnt_transfer();
	}
	seconds = processor_time() - begin;
	printf("%llu transactions in %llu cycles, mean latency %.2f cycles\n", done, now,
	       (double)latency / done);
	printf("%llu invalidations to %.2f nodes each\n", invalidations,
	       invalidations ? (double)copies / invalidations : 0);
	fprintf(stderr, "%.3f s of processor time, %.2f us for each cycle\n", seconds,
		seconds * 1e6 / now);
	mcf_icnt_destroy();
	while ((m = unused)) {
		unused = m->next;
		free(m);
	}
	return 0;
}
