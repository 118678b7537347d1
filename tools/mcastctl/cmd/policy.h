/* SPDX-License-Identifier: GPL-2.0 */
/* Commands of the object policy that have files of their own. */
#ifndef MCASTCTL_CMD_POLICY_H
#define MCASTCTL_CMD_POLICY_H

#include "netlink/keyword.h"

enum status policy_new(struct words *w);
enum status policy_check(struct words *w);
enum status policy_load(struct words *w);
enum status policy_unload(struct words *w);

extern const struct grammar policy_check_grammar;

#endif
