// SPDX-License-Identifier: GPL-2.0
/* The options before the object: main() reads them. */
#include "base/options.h"

struct options options;
