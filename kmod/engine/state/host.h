/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The second node model: a host, its I/O bus and its network interface (NI).
 */
#ifndef MCFAB_ENGINE_STATE_HOST_H
#define MCFAB_ENGINE_STATE_HOST_H

#include "engine/state/shard.h"
#include "stats/stats.h"

/** enum mcfab_job_kind - through which stages a job goes */
enum mcfab_job_kind {
	MCFAB_JOB_SEND,		/* host, bus, NI: worms with all packets of a message */
	MCFAB_JOB_RECEIVE,	/* NI, bus, host: a packet that has come */
	MCFAB_JOB_COPY,		/* a packet of a worm that waits for an injection channel */
};

/**
 * struct mcfab_job - a job of a node's stages
 * @entry: cycle in which it entered its present queue
 * @clock: cycle up to which @part counts
 * @held: cycle since which the NI has held the packet to send copies of it
 * @kind: through which stages it goes
 * @next: next in the queue
 * @mcast: its message
 * @worm: SEND: the worm being sent, or the first; RECEIVE: the worm that has come; COPY: the worm
 *	  to send
 * @end: SEND: one past the last worm
 * @prep: SEND: preparation time before its first start-up
 * @first: NI: first worm of which copies are sent
 * @copy: NI: number of copies sent; U32_MAX: the packet has not been received yet
 * @copies: NI: number of copies to send in all
 * @packet: the packet; SEND on the bus: the first packet that is still to cross
 * @packets: SEND on the bus: one past the last packet
 * @dst: RECEIVE: entry of the destination lists
 * @hops: RECEIVE: channels the packet has crossed
 * @relayed: COPY: packet that the NI sends on and of which this is a copy, or MCFAB_NONE
 * @unsent: RECEIVE, with MCFAB_ENG_MEMORY: copies whose tails have not left the node
 * @behind: RECEIVE: next packet in the NI's memory
 * @over: RECEIVE: the NI has made all copies
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
	u32 relayed;
	u32 unsent;
	u32 behind;
	bool over;
	u32 part[MCFAB_PARTS];
};

/**
 * struct mcfab_host_stage - a stage of a node, which does one job after the other
 * @queue: its jobs; the first one is in work
 * @done: cycle in which the present part of the first job is done; U64_MAX: it has not begun
 * @begun: cycle in which that part began
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
 * @held: packets that the NI has to send on, including packets that wait to be received
 * @peak: greatest value of @held so far
 * @residence_max: longest time in cycles from a packet's reception to its last copy
 * @residence: sum of these times
 * @packets: number of these packets
 * @room: MCFAB_ENG_MEMORY: packets to be sent on for which there is still memory. A packet takes
 *	  its place with its consumption channel, and gives it back when the tails of all its copies
 *	  have left the node
 * @kept: MCFAB_ENG_MEMORY: newest of the packets in the memory that have come
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
	atomic_t room;
	u32 kept;
};

/**
 * struct mcfab_host_times - times of the stages, in cycles
 * @startup: time of the host for a message that it sends, t_hs
 * @receive: time of the host for a message that it receives, t_hr
 * @ni_send: time of the NI for a copy that it sends, t_ns
 * @ni_receive: time of the NI for a packet that it receives, t_nr
 * @bus: time of a packet on the I/O bus
 * @bus_last: time of a message's last packet on the I/O bus
 * @memory: packets to be sent on that the NI has room for
 * @per_packet: the host spends its times for each packet, not for each message
 * @forward: whether host or NI sends on at later senders, and in which order
 */
struct mcfab_host_times {
	u32 startup;
	u32 receive;
	u32 ni_send;
	u32 ni_receive;
	u32 bus;
	u32 bus_last;
	u32 memory;
	bool per_packet;
	enum mcfab_forward forward;
};

/**
 * struct mcfab_hosts - what nodes with hosts and network interfaces own (MCFAB_ENG_HOST)
 * @times: times of their stages
 * @host: [nodes] the stages
 * @job: jobs, by their numbers in mcfab_engine.job_pool
 */
struct mcfab_hosts {
	struct mcfab_host_times times;
	struct mcfab_host *host;
	struct mcfab_job *job;
};

#endif
