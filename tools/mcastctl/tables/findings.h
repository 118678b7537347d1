/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel finds wrong with forwarding tables. */
#ifndef MCASTCTL_FINDINGS_H
#define MCASTCTL_FINDINGS_H

#include <json-c/json.h>
#include <stdio.h>

#include "tables/subnet.h"

/*
 * Check the tables in use, or those that are being loaded: an object with the number
 * "findings" and the list "finding" of the first ones.
 */
enum status findings_ask(const char *fabric, bool staged, struct json_object **out);
/* A line for each of the list, with the names of those it is about. */
void findings_print(FILE *f, const struct subnet *s, struct json_object *found);

#endif
