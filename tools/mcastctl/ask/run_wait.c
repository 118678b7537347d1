// SPDX-License-Identifier: GPL-2.0
/*
 * Waiting for a run to end: an event says so, and the run is looked at a few
 * times a second for the progress line and in case the event was lost.
 */
#include <errno.h>
#include <linux/mcfab.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "ask/lookup.h"
#include "ask/run_wait.h"
#include "base/table.h"
#include "netlink/keyword.h"

#define POLL_MS	250

static int signals = -1;		/* a descriptor that interrupts can be read from */
static sigset_t caught;
static bool interrupted;

enum status run_wait_begin(void)
{
	interrupted = false;
	sigemptyset(&caught);
	sigaddset(&caught, SIGINT);
	sigaddset(&caught, SIGTERM);
	sigprocmask(SIG_BLOCK, &caught, NULL);
	signals = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		return refused("signalfd: %s", strerror(errno));
	return nl_events_open(MCFAB_MCGRP_MGMT);
}

void run_wait_end(void)
{
	nl_events_close();
	if (signals >= 0)
		close(signals);
	signals = -1;
	sigprocmask(SIG_UNBLOCK, &caught, NULL);
}

static void progress(struct json_object *run, double begun)
{
	u64 done = get_u64(run, "messages"), expected = get_u64(run, "expected");
	char a[32], b[32], c[32];
	double elapsed = seconds_now() - begun;

	fprintf(stderr, "\rrun %s: %s", get_str(run, "run"), group_digits(a, sizeof(a), done));
	if (expected && done <= expected)
		fprintf(stderr, " of %s messages, %.0f %%", group_digits(b, sizeof(b), expected),
			100.0 * done / expected);
	else
		fprintf(stderr, " messages");
	fprintf(stderr, ", cycle %s, %.1f M flit-hops, %s",
		group_digits(c, sizeof(c), get_u64(run, "cycle")), get_u64(run, "flit-hops") / 1e6,
		human_duration(a, sizeof(a), elapsed));
	if (expected && done && done < expected)
		fprintf(stderr, ", %s left",
			human_duration(b, sizeof(b), elapsed * (expected - done) / done));
	fputs("\033[K", stderr);
	fflush(stderr);
}

static enum status ignore(const struct nlmsghdr *nlh, void *data)
{
	(void)nlh;
	(void)data;
	return STATUS_OK;
}

/* Sleep until something may have happened. */
static enum status doze(void)
{
	struct pollfd pfd[] = {
		{ .fd = nl_events_fd(), .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	struct signalfd_siginfo info;
	int n = poll(pfd, ARRAY_SIZE(pfd), POLL_MS);

	if (n < 0 && errno != EINTR)
		return refused("poll: %s", strerror(errno));
	if (n > 0 && pfd[1].revents && read(signals, &info, sizeof(info)) > 0)
		interrupted = true;
	return n > 0 && pfd[0].revents ? nl_events_read(ignore, NULL) : STATUS_OK;
}

static enum status stop(const char *fabric)
{
	struct json_object *run = NULL;
	enum status status;

	status = ask_one(MCFAB_CMD_RUN_STOP, MCFAB_A_RUN_FABRIC, "fabric", fabric, &run);
	json_object_put(run);
	return status;
}

enum status run_wait(const char *fabric, u32 run, struct json_object **out)
{
	bool terminal = isatty(STDERR_FILENO), stopped = false;
	struct json_object *obj = NULL;
	enum status status = STATUS_OK;
	double begun = seconds_now();

	while (!status) {
		if (interrupted && !stopped) {
			stopped = true;
			/* A policy may never return: the next interrupt is the end. */
			sigprocmask(SIG_UNBLOCK, &caught, NULL);
			/* Losing the race against the end of the run is no error. */
			obj = ask_quietly(MCFAB_CMD_RUN_GET, MCFAB_A_RUN_FABRIC, fabric);
			if (obj && !strcmp(get_str(obj, "state"), "running"))
				status = stop(fabric);
			json_object_put(obj);
		}
		if (!status)
			status = ask_one(MCFAB_CMD_RUN_GET, MCFAB_A_RUN_FABRIC, "fabric", fabric,
					 &obj);
		if (status)
			break;
		if (get_u64(obj, "run") != run) {
			json_object_put(obj);
			status = refused("run %u of %s is over and another one was started", run,
					 fabric);
			break;
		}
		if (strcmp(get_str(obj, "state"), "running")) {
			*out = obj;
			break;
		}
		if (terminal)
			progress(obj, begun);
		json_object_put(obj);
		obj = NULL;
		if (!interrupted || stopped)
			status = doze();
	}
	if (terminal)
		fputs("\r\033[K", stderr);
	return status;
}
