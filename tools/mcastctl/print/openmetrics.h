/* SPDX-License-Identifier: GPL-2.0 */
/* Statistics as OpenMetrics text, for Prometheus and the programs around it. */
#ifndef MCASTCTL_OPENMETRICS_H
#define MCASTCTL_OPENMETRICS_H

#include "base/util.h"

/* Print what the current or last run of a fabric measured; refusals are printed. */
enum status openmetrics_show(const char *fabric);

#endif
