/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module in user space: its requests, answered in the process that makes
 * them. Requests and answers are messages of the generic-netlink family
 * "mcfab", byte for byte as on a socket.
 *
 * One thread makes requests at a time; runs have threads of their own. Tests make some in another
 * thread while the first one waits for it.
 */
#ifndef MCFAB_USER_H
#define MCFAB_USER_H

#include <stddef.h>

struct nlmsghdr;

/**
 * typedef mcfab_user_take_t - takes a datagram of an answer
 * @data: messages, one or more
 * @len: bytes of them
 * @arg: what mcfab_user_request() was given
 */
typedef void (*mcfab_user_take_t)(const void *data, size_t len, void *arg);

int mcfab_user_open(char *why, size_t size);
void mcfab_user_close(void);
void mcfab_user_policy_path(const char *path);
int mcfab_user_request(const struct nlmsghdr *nlh, mcfab_user_take_t take, void *arg);
int mcfab_user_listen(void);
void mcfab_user_unlisten(void);
unsigned long long mcfab_user_student(unsigned long long df);

/* For tests. */
unsigned long mcfab_user_stale(void);
unsigned long mcfab_user_deferred(void);
unsigned long long mcfab_user_memory_left(void);
void mcfab_user_fail(long nth);
long mcfab_user_fail_left(void);
void mcfab_user_kill(long nth);
int mcfab_user_killed(void);
void mcfab_user_fail_fill(long nth);
/* called by the module where it lets others run, if a test has it; never with MODE=fast */
void mcfab_user_resched(void);
/* called with each memory that is taken, if a test has it */
void mcfab_user_allocated(void *p, size_t size);

#endif
