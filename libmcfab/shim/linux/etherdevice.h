/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses of Ethernet. */
#ifndef SHIM_LINUX_ETHERDEVICE_H
#define SHIM_LINUX_ETHERDEVICE_H

#include <linux/types.h>
#include <stdio.h>

#define ETH_ALEN 6

static inline bool mac_pton(const char *s, u8 *mac)
{
	unsigned int byte;
	int i, n;

	for (i = 0; i < ETH_ALEN; i++, s += n) {
		if (sscanf(s, i ? ":%2x%n" : "%2x%n", &byte, &n) != 1 || n != (i ? 3 : 2))
			return false;
		mac[i] = byte;
	}
	return !*s;
}

static inline u64 ether_addr_to_u64(const u8 *addr)
{
	u64 u = 0;
	int i;

	for (i = 0; i < ETH_ALEN; i++)
		u = u << 8 | addr[i];
	return u;
}

static inline void u64_to_ether_addr(u64 u, u8 *addr)
{
	int i;

	for (i = ETH_ALEN - 1; i >= 0; i--, u >>= 8)
		addr[i] = u & 0xff;
}

#endif
