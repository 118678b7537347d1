/* SPDX-License-Identifier: GPL-2.0 */
/* What the slow simulator made of a run against what the engine did. */
#ifndef TESTS_COMPARE_H
#define TESTS_COMPARE_H

#include "lib/capture.h"
#include "lib/slow.h"

/* what differs, delivery by delivery and message by message, or NULL */
const char *compare_runs(const struct slow_result *a, const struct capture *b,
			 const struct outcome *end);

#endif
