/* SPDX-License-Identifier: GPL-2.0 */
/* Lines in the output of a program that it wrote to its standard error. */
#ifndef MCASTCTL_STRAY_H
#define MCASTCTL_STRAY_H

#include "base/util.h"

/*
 * Is a line what infiniband-diags write when a query fails? Who redirects both outputs into one
 * file has such lines between the others. The first one is warned of; *@told: whether one was.
 */
bool stray_line(const char *line, bool *told);

#endif
