// SPDX-License-Identifier: GPL-2.0
#include "lib/traffic.h"

#include <math.h>

#include "lib/check.h"
#include "lib/net.h"
#include "lib/tap.h"

const struct traffic_size traffic_size[TRAFFIC_SIZES] = {
	{ "mesh", 2, { 4, 4 } },
	{ "torus", 2, { 8, 8 } },
	{ "torus", 4, { 4, 4, 4, 4 } },
	{ "mesh", 2, { 32, 32 } },
	/* no power of two */
	{ "torus", 3, { 5, 3, 7 } },
	{ "mesh", 1, { 9 } },
};

struct mcfab_workload_cfg traffic_config(enum mcfab_traffic_pattern pattern)
{
	return (struct mcfab_workload_cfg){
		.kind = MCFAB_WORKLOAD_TYPE_POISSON, .dests = 1, .source = MCFAB_NONE,
		.rate = 10000000, .multicast_ppm = MCFAB_PPM, .fraction_ppm = MCFAB_PPM,
		.interval = 100, .pattern = pattern, .hotspot_ppm = MCFAB_PPM,
	};
}

void traffic_open(struct mcfab_workload *w, const struct mcfab_workload_cfg *cfg, u64 seed,
		  u32 nodes)
{
	struct mcfab_err err = { 0 };

	if (mcfab_workload_open(w, cfg, seed, nodes, &err))
		fail_msg("refused: %s", err.msg);
}

void digits(u32 number, u32 n, const u32 *base, u32 *digit)
{
	u32 i;

	for (i = 0; i < n; i++) {
		digit[i] = number % base[i];
		number /= base[i];
	}
}

u32 number(u32 n, const u32 *base, const u32 *digit)
{
	u32 i, value = 0;

	for (i = n; i-- > 0;)
		value = value * base[i] + digit[i];
	return value;
}

bool near(u32 got, u32 n, double p)
{
	return fabs(got - n * p) <= 5 * sqrt(n * p * (1 - p)) + 1e-9;
}
