/* SPDX-License-Identifier: GPL-2.0 */
/* Files packed by gzip, unpacked as they are read. */
#ifndef MCASTCTL_GUNZIP_H
#define MCASTCTL_GUNZIP_H

#include <stdbool.h>
#include <stdio.h>

#include "base/util.h"

struct gunzip;

/* Is a file packed? It is told by its first two bytes; of a plain file nothing is read. */
bool gunzip_packed(FILE *f);

/* Begin with a packed file, of which gunzip_packed() has read the first two bytes. */
struct gunzip *gunzip_open(FILE *f);

/* The next byte; EOF at the end, or at an error, which is printed and goes to @status. */
int gunzip_byte(struct gunzip *g, enum status *status);

void gunzip_close(struct gunzip *g);

#endif
