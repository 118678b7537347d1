/* SPDX-License-Identifier: GPL-2.0 */
/* A fabric and a run in mcastctl's words, pairs of keyword and value. */
#ifndef TESTS_WORDS_H
#define TESTS_WORDS_H

#include "fabric/fabric.h"

/* what no keyword is called is a parameter of the policy, which knows its own */
void words_take(u32 n, char *const *word);
/* make the fabric and start the run, or NULL and why */
struct mcfab_fabric *words_open(struct mcfab_err *err);

#endif
