/* SPDX-License-Identifier: GPL-2.0 */
/* The commands by which a run is repeated. */
#ifndef MCASTCTL_REPEAT_H
#define MCASTCTL_REPEAT_H

#include <json-c/json.h>

/*
 * What "stats show" tells besides: versions, the fabric, the run, and the commands that
 * make both again. NULL: they are not there any more, or another run is.
 */
struct json_object *repeat_of(const char *fabric, struct json_object *stats);
void repeat_print(struct json_object *repeat);

#endif
