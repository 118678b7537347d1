/* SPDX-License-Identifier: GPL-2.0 */
/* Forwarding tables for people, for programs, and as text that ibroute would print. */
#ifndef MCASTCTL_TABLES_SHOW_H
#define MCASTCTL_TABLES_SHOW_H

#include "tables/tables.h"

/* All that the filter lets through: a row for each entry, or with -j the kernel's entries. */
enum status tables_show(const struct table_filter *filter, const struct subnet *s);
/* Linear tables, multicast ones (@kind), or (0) both as ibroute prints them, to @f. */
enum status tables_dump(const char *fabric, u32 kind, const struct subnet *s, FILE *f);

#endif
