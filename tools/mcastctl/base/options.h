/* SPDX-License-Identifier: GPL-2.0 */
#ifndef MCASTCTL_OPTIONS_H
#define MCASTCTL_OPTIONS_H

#include <stdbool.h>

/** struct options - the options before the object */
struct options {
	bool json;
	bool pretty;
	bool force;			/* a batch goes on after an error */
	bool user;			/* requests go to the engine built in, not to the kernel */
	const char *netns;
};

extern struct options options;

#endif
