/* SPDX-License-Identifier: GPL-2.0 */
/* Messages: a buffer with an end. See libmcfab/nlattr.c. */
#ifndef SHIM_LINUX_SKBUFF_H
#define SHIM_LINUX_SKBUFF_H

#include <linux/types.h>

/**
 * struct sk_buff - a message that is being written
 * @data: its bytes, behind the structure
 * @len: how many are written
 * @size: how many may be
 */
struct sk_buff {
	unsigned char *data;
	unsigned int len;
	unsigned int size;
};

struct sk_buff *shim_skb_new(size_t size, bool exact);
bool shim_skb_stale(const struct sk_buff *skb);

static inline int skb_tailroom(const struct sk_buff *skb)
{
	return skb->size - skb->len;
}

#endif
