// SPDX-License-Identifier: GPL-2.0
/*
 * What a step of a 16×16 mesh costs: of an empty network, and under random messages of 5 flits, a
 * cycle at a time as a simulator of processors would.
 *
 *	cc -O2 step.c $(pkg-config --cflags --libs libmcfab) -o step
 *	./step [FABRIC [NET]]
 */
#include <stdio.h>
#include <time.h>

#include <mcfab.h>

#define NODES	256
#define EMPTY	1000000
#define CYCLES	20000

static unsigned long long rnd = 1;

static unsigned int below(unsigned int n)
{
	rnd = rnd * 6364136223846793005ULL + 1442695040888963407ULL;
	return (rnd >> 33) % n;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + t.tv_nsec / 1e9;
}

/* each node sends a message in @part of 10000 cycles */
static double load(struct mcf_net *net, unsigned int part)
{
	double begin = seconds();
	struct mcf_delivery d;
	unsigned int i, s, to;

	for (i = 0; i < CYCLES; i++) {
		for (s = 0; s < NODES; s++) {
			to = below(NODES);
			if (below(10000) < part && to != s)
				mcf_push(net, s, &to, 1, 5, i);
		}
		if (mcf_step(net, 1))
			return -1;
		while (mcf_pop(net, MCF_ANY, &d))
			;
	}
	return (seconds() - begin) / CYCLES;
}

int main(int argc, char **argv)
{
	struct mcf_fabric *f = mcf_fabric_new(argc > 1 ? argv[1] :
					      "topology mesh dims 16x16 buffer 4 startup 0");
	const char *options = argc > 2 ? argv[2] : "policy unicast flits 5";
	struct mcf_net *net = f ? mcf_net_open(f, options, 0) : NULL;
	double begin, before;
	int i;

	if (!net) {
		fprintf(stderr, "step: %s\n", mcf_error());
		return 1;
	}
	begin = seconds();
	for (i = 0; i < EMPTY; i++)
		mcf_step(net, 1);
	printf("empty: %.0f ns for each cycle\n", (seconds() - begin) / EMPTY * 1e9);
	before = load(net, 0);
	printf("0.01 messages per node and cycle: %.0f ns for each cycle, of which %.0f ns here\n",
	       load(net, 100) * 1e9, before * 1e9);
	mcf_fabric_free(f);
	return 0;
}
