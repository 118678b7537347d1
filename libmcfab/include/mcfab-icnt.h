/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calls by which GPGPU-Sim (icnt_wrapper.h) and programs written for it use their interconnect,
 * on a network of libmcfab; and one more, icnt_mpush(), for multicasts. There is one network at a
 * time, used by one thread.
 *
 * GPGPU-Sim's wrapper has pointers to these functions under the names of the calls: assign them
 * (icnt_push = mcf_icnt_push). A program that includes this header without icnt_wrapper.h calls the
 * functions by these names.
 *
 * A call that breaks the rules (a push without room, a node that does not exist) says so on
 * standard error and ends the program: these calls have no other way to fail.
 */
#ifndef MCFAB_ICNT_H
#define MCFAB_ICNT_H

#include "mcfab.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct mcf_icnt_options - what the network is like
 * @fabric: as for mcf_fabric_new()
 * @net: as for mcf_net_open()
 * @flit_bytes: bytes of a flit
 * @queue: messages of a node that may wait in its source queue, 1 to MCF_INBOX
 * @hold: as for mcf_net_open()
 */
struct mcf_icnt_options {
	const char *fabric;
	const char *net;
	unsigned int flit_bytes;
	unsigned int queue;
	unsigned int hold;
};

/**
 * mcf_icnt_create() - make the network
 * @options: what it is like
 *
 * Return: 0, or -1: mcf_error() says why.
 */
int mcf_icnt_create(const struct mcf_icnt_options *options);

/** mcf_icnt_destroy() - end and free the network, if there is one */
void mcf_icnt_destroy(void);

/** mcf_icnt_net() - the network, for the calls of mcfab.h; NULL: there is none */
struct mcf_net *mcf_icnt_net(void);

/**
 * mcf_icnt_has_buffer() - may a node push?
 * @input: the node
 * @size: bytes of the message
 *
 * Return: 1 if so, else 0.
 */
int mcf_icnt_has_buffer(unsigned int input, unsigned int size);

/**
 * mcf_icnt_push() - send a message to a node
 * @input: node that sends it; mcf_icnt_has_buffer() allows it
 * @output: node that it is for, another one
 * @data: what mcf_icnt_pop() gives back
 * @size: bytes; it has one flit for each flit_bytes, or part of them
 */
void mcf_icnt_push(unsigned int input, unsigned int output, void *data, unsigned int size);

/**
 * mcf_icnt_mpush() - send a message to several nodes
 * @input: node that sends it; mcf_icnt_has_buffer() allows it
 * @outputs: [@n] nodes that it is for, different ones, without @input
 * @n: how many, at least 1
 * @data: what mcf_icnt_pop() gives back at each of them
 * @size: bytes
 */
void mcf_icnt_mpush(unsigned int input, const unsigned int *outputs, unsigned int n, void *data,
		    unsigned int size);

/**
 * mcf_icnt_pop() - take a message that has come to a node
 * @output: the node
 *
 * Return: the data of the message, or NULL: there is none.
 */
void *mcf_icnt_pop(unsigned int output);

/** mcf_icnt_transfer() - compute a cycle */
void mcf_icnt_transfer(void);

/** mcf_icnt_busy() - 1 if messages are under way or have not been popped everywhere, else 0 */
unsigned int mcf_icnt_busy(void);

/** mcf_icnt_drain() - compute cycles until all messages have come, as far as nodes have room */
void mcf_icnt_drain(void);

/** mcf_icnt_display_stats() - print what has been sent, in how many cycles */
void mcf_icnt_display_stats(void);

/** mcf_icnt_get_flit_size() - bytes of a flit */
unsigned int mcf_icnt_get_flit_size(void);

#ifndef ICNT_WRAPPER_H
#define icnt_has_buffer		mcf_icnt_has_buffer
#define icnt_push		mcf_icnt_push
#define icnt_pop		mcf_icnt_pop
#define icnt_transfer		mcf_icnt_transfer
#define icnt_busy		mcf_icnt_busy
#define icnt_drain		mcf_icnt_drain
#define icnt_display_stats	mcf_icnt_display_stats
#define icnt_get_flit_size	mcf_icnt_get_flit_size
#endif
#define icnt_mpush		mcf_icnt_mpush

#ifdef __cplusplus
}
#endif

#endif
