/* SPDX-License-Identifier: GPL-2.0 */
/* Waiting for a run to end. */
#ifndef MCASTCTL_RUN_WAIT_H
#define MCASTCTL_RUN_WAIT_H

#include <json-c/json.h>

#include "base/util.h"

/*
 * To be called before the run starts, so that its end is not missed: subscribe,
 * and turn an interrupt into a request to stop the run.
 */
enum status run_wait_begin(void);
/*
 * Wait for run number @run of @fabric, with a progress line on a terminal;
 * *out is the run as it ended.
 */
enum status run_wait(const char *fabric, u32 run, struct json_object **out);
void run_wait_end(void);

#endif
