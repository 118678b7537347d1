/* SPDX-License-Identifier: GPL-2.0 */
/* All turns that a policy allows, whatever the destinations. */
#ifndef MCFAB_VERIFY_TURNS_H
#define MCFAB_VERIFY_TURNS_H

#include "verify/waits.h"

bool mcfab_turns_known(const struct mcfab_waits *w, const struct mcfab_policy *pol);
int mcfab_turns_add(struct mcfab_waits *w, const struct mcfab_policy *pol);

#endif
