/* SPDX-License-Identifier: GPL-2.0 */
/* Networks that are stepped: a run whose messages the caller hands in, computed by the caller. */
#ifndef LIBMCFAB_OUTSIDE_H
#define LIBMCFAB_OUTSIDE_H

#include "workload/outside.h"

struct mcfab_fabric;

/**
 * struct mcfab_ports - where the messages of a fabric's runs come from, in place of its devices
 * @o: the outside
 */
struct mcfab_ports {
	struct mcfab_outside o;
};

/* runner.c */
bool mcfab_runner_step(struct mcfab_fabric *fabric);

#endif
