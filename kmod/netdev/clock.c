// SPDX-License-Identifier: GPL-2.0
/*
 * Clocks of ports. Simulated time begins, with each run, at the date of its beginning, and goes on
 * by cycle-ps for each cycle. While a run without a pace has nothing to do, and between runs, it
 * stands still. Each port has a clock of its own (a PTP hardware clock), which programs may set and
 * adjust; time stamps of frames are by that clock.
 */
#include "netdev/port.h"

/* a rate has 16 bits behind the point, and counts parts per million */
#define RATE_UNIT	(65536ULL * 1000000)
/* fastest and slowest, in 10^-9: clocks of real devices are set to less */
#define MOST_PPB	100000000

/* simulated time at the end of a cycle */
static u64 time_of(const struct mcfab_ports *ports, u64 cycle)
{
	return ports->epoch + mcfab_pace_times(cycle, ports->cycle_ps, 1000);
}

/**
 * mcfab_clock_cycle() - the cycle that is over now
 * @ports: the ports of a fabric
 *
 * Context: any.
 * Return: the cycle; the last one, if no run is under way.
 */
u64 mcfab_clock_cycle(const struct mcfab_ports *ports)
{
	/* pairs with begin() of ports.c */
	if (smp_load_acquire(&ports->running) && ports->pace.scale)
		return mcfab_pace_cycle(&ports->pace, mcfab_pace_now(&ports->pace));
	return READ_ONCE(ports->cycle);
}

/* simulated time now */
static u64 time_now(const struct mcfab_ports *ports)
{
	return time_of(ports, mcfab_clock_cycle(ports));
}

/* what a clock shows at a simulated time, which may be before its last change; under its lock */
static u64 shown(const struct mcfab_clock *clock, u64 now)
{
	bool before = now < clock->at, slow = clock->rate < 0;
	u64 since = before ? clock->at - now : now - clock->at;
	u64 more = mul_u64_u64_div_u64(since, slow ? -clock->rate : clock->rate, RATE_UNIT);

	since += slow ? -more : more;
	return before ? clock->time - since : clock->time + since;
}

static struct mcfab_port *port_of(struct ptp_clock_info *info)
{
	return container_of(info, struct mcfab_port, clock.info);
}

/* let the clock go on from what it shows now; under its lock */
static void rebase(struct mcfab_port *port)
{
	u64 now = time_now(port->ports);

	port->clock.time = shown(&port->clock, now);
	port->clock.at = now;
}

static int clock_adjfine(struct ptp_clock_info *info, long scaled_ppm)
{
	struct mcfab_port *port = port_of(info);

	spin_lock_bh(&port->clock.lock);
	rebase(port);
	port->clock.rate = scaled_ppm;
	spin_unlock_bh(&port->clock.lock);
	return 0;
}

static int clock_adjtime(struct ptp_clock_info *info, s64 delta)
{
	struct mcfab_port *port = port_of(info);

	spin_lock_bh(&port->clock.lock);
	port->clock.time += delta;
	spin_unlock_bh(&port->clock.lock);
	return 0;
}

static int clock_gettime(struct ptp_clock_info *info, struct timespec64 *ts)
{
	struct mcfab_port *port = port_of(info);
	u64 now;

	spin_lock_bh(&port->clock.lock);
	now = shown(&port->clock, time_now(port->ports));
	spin_unlock_bh(&port->clock.lock);
	*ts = ns_to_timespec64(now);
	return 0;
}

static int clock_settime(struct ptp_clock_info *info, const struct timespec64 *ts)
{
	struct mcfab_port *port = port_of(info);

	spin_lock_bh(&port->clock.lock);
	port->clock.at = time_now(port->ports);
	port->clock.time = timespec64_to_ns(ts);
	spin_unlock_bh(&port->clock.lock);
	return 0;
}

static const struct ptp_clock_info clock_info = {
	.owner = THIS_MODULE,
	.name = "mcfab",
	.max_adj = MOST_PPB,
	.adjfine = clock_adjfine,
	.adjtime = clock_adjtime,
	.gettime64 = clock_gettime,
	.settime64 = clock_settime,
};

/**
 * mcfab_clock_open() - make the clock of a port
 * @port: the port; its clock shows simulated time
 *
 * Context: may sleep.
 * Return: 0 or a negative error code.
 */
int mcfab_clock_open(struct mcfab_port *port)
{
	struct mcfab_clock *clock = &port->clock;

	spin_lock_init(&clock->lock);
	/* a run that ends waits for softirqs before the next one may change the pace */
	local_bh_disable();
	clock->at = time_now(port->ports);
	local_bh_enable();
	clock->time = clock->at;
	clock->info = clock_info;
	clock->ptp = ptp_clock_register(&clock->info, NULL);
	return PTR_ERR_OR_ZERO(clock->ptp);
}

/**
 * mcfab_clock_close() - remove the clock of a port
 * @port: the port
 *
 * Context: may sleep.
 */
void mcfab_clock_close(struct mcfab_port *port)
{
	ptp_clock_unregister(port->clock.ptp);
}

/**
 * mcfab_clock_index() - number of the clock of a port
 * @port: the port
 *
 * Context: any.
 * Return: N of /dev/ptpN.
 */
int mcfab_clock_index(const struct mcfab_port *port)
{
	return ptp_clock_index(port->clock.ptp);
}

/**
 * mcfab_clock_stamp() - what the clock of a port showed at the end of a cycle
 * @port: the port
 * @cycle: the cycle
 *
 * Context: any but an interrupt, softirqs off.
 * Return: the time stamp.
 */
ktime_t mcfab_clock_stamp(struct mcfab_port *port, u64 cycle)
{
	u64 time;

	spin_lock(&port->clock.lock);
	time = shown(&port->clock, time_of(port->ports, cycle));
	spin_unlock(&port->clock.lock);
	return ns_to_ktime(time);
}
