/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The second node model: a host, its I/O bus and its network interface (NI).
 */
#ifndef MCFAB_ENGINE_STATE_HOST_H
#define MCFAB_ENGINE_STATE_HOST_H

#include "engine/state/shard.h"
#include "stats/stats.h"

/** enum mcfab_job_kind - which way a job goes */
enum mcfab_job_kind {
	MCFAB_JOB_SEND,		/* host, bus, NI: worms with all packets of a message */
	MCFAB_JOB_RECEIVE,	/* NI, bus, host: a packet that has come */
	MCFAB_JOB_COPY,		/* a packet of a worm that waits for an injection channel */
};

/**
 * struct mcfab_job - something that a stage of a node has to do
 * @entry: cycle in which it entered the queue it is in
 * @clock: cycle up to which @part tells
 * @held: cycle since which the NI has held the packet to send copies of it
 * @kind: which way it goes
 * @next: next in the queue
 * @mcast: its message
 * @worm: SEND: the worm being sent, or the first; RECEIVE: the one that has come; COPY: it
 * @end: SEND: one past the last worm
 * @prep: SEND: preparation time before its first start-up
 * @first: NI: first worm of which copies are sent
 * @copy: NI: copies sent; U32_MAX: the packet has not been received yet
 * @copies: NI: how many in all
 * @packet: the packet; SEND on the bus: the first that is still to cross
 * @packets: SEND on the bus: one past the last
 * @dst: RECEIVE: entry of the destination lists
 * @hops: RECEIVE: channels the packet has crossed
 * @part: parts of the latency so far
 */
struct mcfab_job {
	u64 entry;
	u64 clock;
	u64 held;
	enum mcfab_job_kind kind;
	u32 next;
	u32 mcast;
	u32 worm;
	u32 end;
	u32 prep;
	u32 first;
	u32 copy;
	u32 copies;
	u32 packet;
	u32 packets;
	u32 dst;
	u32 hops;
	u32 part[MCFAB_PARTS];
};

/**
 * struct mcfab_host_stage - one that does one job after the other
 * @queue: jobs, that in work first
 * @done: cycle in which the part in work is done; U64_MAX: it has not begun
 * @begun: cycle in which it began
 * @sending: the first job has more parts to come
 */
struct mcfab_host_stage {
	struct mcfab_queue queue;
	u64 done;
	u64 begun;
	bool sending;
};

/**
 * struct mcfab_host - the stages of a node
 * @cpu: the host: a start-up for each message sent, an overhead for each received
 * @bus: moves packets between host and NI, both ways
 * @ni: an overhead for each packet received and for each copy sent
 * @out: copies that wait for an injection channel
 * @parked: FCFS: newest of the packets that were sent to the first child only
 * @held: packets in the NI that it has to send on, those not received yet included
 * @peak: most of them at any time
 * @residence_max: longest time in cycles from when one was received to its last copy
 * @residence: sum of these times
 * @packets: how many
 */
struct mcfab_host {
	struct mcfab_host_stage cpu;
	struct mcfab_host_stage bus;
	struct mcfab_host_stage ni;
	struct mcfab_queue out;
	u32 parked;
	u32 held;
	u32 peak;
	u64 residence_max;
	u64 residence;
	u64 packets;
};

/**
 * struct mcfab_host_times - what the stages take, in cycles
 * @startup: of the host for a message it sends, t_hs
 * @receive: of the host for a message it receives, t_hr
 * @ni_send: of the NI for a copy it sends, t_ns
 * @ni_receive: of the NI for a packet it receives, t_nr
 * @bus: for a packet to cross the I/O bus
 * @bus_last: for a message's last packet
 * @per_packet: the host's overheads are for each packet
 * @forward: who sends on at later senders
 */
struct mcfab_host_times {
	u32 startup;
	u32 receive;
	u32 ni_send;
	u32 ni_receive;
	u32 bus;
	u32 bus_last;
	bool per_packet;
	enum mcfab_forward forward;
};

/**
 * struct mcfab_hosts - what nodes with hosts and network interfaces own (MCFAB_ENG_HOST)
 * @times: what their stages take
 * @host: [nodes] the stages
 * @job: jobs, by their numbers in mcfab_engine.job_pool
 */
struct mcfab_hosts {
	struct mcfab_host_times times;
	struct mcfab_host *host;
	struct mcfab_job *job;
};

#endif
