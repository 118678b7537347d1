// SPDX-License-Identifier: GPL-2.0
/* GPGPU-Sim's interconnect on a network that is stepped. */
#include <stdio.h>
#include <stdlib.h>

#include "api/internal.h"
#include "base/types.h"
#include "mcfab-icnt.h"

/* messages that a drain waits for stand still for so many cycles: they wait for full nodes */
#define DRAIN_CYCLES	100000

/*
 * The network
 * @f: its fabric, NULL: there is none
 * @net: the network
 * @flit_bytes: bytes of a flit
 * @queue: messages that may wait at a node
 * @messages: that were pushed
 * @sent: copies of them, one for each destination
 * @popped: copies that were popped
 */
static struct {
	struct mcf_fabric *f;
	struct mcf_net *net;
	u32 flit_bytes;
	u32 queue;
	u64 messages;
	u64 sent;
	u64 popped;
} icnt;

static void give_up(const char *call)
{
	fprintf(stderr, "libmcfab: %s: %s\n", call, icnt.net ? mcf_error() : "no network");
	abort();
}

int mcf_icnt_create(const struct mcf_icnt_options *options)
{
	mcf_icnt_destroy();
	if (!options->flit_bytes)
		return lib_refuse("flit_bytes 0: at least 1");
	if (!options->queue || options->queue > MCF_INBOX)
		return lib_refuse("queue %u: out of range (1 to %u)", options->queue, MCF_INBOX);
	icnt.f = mcf_fabric_new(options->fabric);
	icnt.net = icnt.f ? mcf_net_open(icnt.f, options->net, options->hold) : NULL;
	icnt.flit_bytes = options->flit_bytes;
	icnt.queue = options->queue;
	if (icnt.net)
		return 0;
	mcf_icnt_destroy();
	return -1;
}

void mcf_icnt_destroy(void)
{
	mcf_fabric_free(icnt.f);
	memset(&icnt, 0, sizeof(icnt));
}

struct mcf_net *mcf_icnt_net(void)
{
	return icnt.net;
}

int mcf_icnt_has_buffer(unsigned int input, unsigned int size)
{
	return icnt.net && mcf_room(icnt.net, input) > MCF_INBOX - icnt.queue;
}

void mcf_icnt_mpush(unsigned int input, const unsigned int *outputs, unsigned int n, void *data,
		    unsigned int size)
{
	u32 flits = icnt.net ? DIV_ROUND_UP(size, icnt.flit_bytes) : 0;

	if (icnt.net && !mcf_icnt_has_buffer(input, size))
		lib_refuse("input %u: it has no room", input);
	else if (icnt.net && !mcf_push(icnt.net, input, outputs, n, flits, (uintptr_t)data))
		goto pushed;
	give_up(__func__);
pushed:
	icnt.messages++;
	icnt.sent += n;
}

void mcf_icnt_push(unsigned int input, unsigned int output, void *data, unsigned int size)
{
	mcf_icnt_mpush(input, &output, 1, data, size);
}

void *mcf_icnt_pop(unsigned int output)
{
	struct mcf_delivery d;

	if (!icnt.net || output == MCF_ANY || !mcf_pop(icnt.net, output, &d))
		return NULL;
	icnt.popped++;
	return (void *)(uintptr_t)d.cookie;
}

void mcf_icnt_transfer(void)
{
	if (!icnt.net || mcf_step(icnt.net, 1))
		give_up(__func__);
}

unsigned int mcf_icnt_busy(void)
{
	return icnt.popped != icnt.sent;
}

void mcf_icnt_drain(void)
{
	u64 before;

	while (icnt.net && mcf_busy(icnt.net)) {
		before = mcf_cycle(icnt.net);
		if (mcf_step_until(icnt.net, DRAIN_CYCLES))
			give_up(__func__);
		if (mcf_cycle(icnt.net) - before == DRAIN_CYCLES)
			return;
	}
}

void mcf_icnt_display_stats(void)
{
	if (!icnt.net)
		return;
	printf("%llu messages, %llu copies, %llu popped, %llu cycles\n", icnt.messages, icnt.sent,
	       icnt.popped, (unsigned long long)mcf_cycle(icnt.net));
}

unsigned int mcf_icnt_get_flit_size(void)
{
	return icnt.flit_bytes;
}
