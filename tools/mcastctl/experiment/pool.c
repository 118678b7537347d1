// SPDX-License-Identifier: GPL-2.0
/*
 * Processes for points. What a child prints comes through two pipes, and both are read while it
 * runs, so that it never waits for its parent.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiment/pool.h"

#define LOOK_MS		250
#define CHILD_FAILED	127		/* before it began */

enum stream { OUT, ERR, STREAMS };

/** struct child - a process at work; pid 0: the slot is free */
struct child {
	pid_t pid;
	u32 nr;
	int fd[STREAMS];		/* -1: it has closed this one */
	char *text[STREAMS];
	size_t len[STREAMS];
};

/** struct work - a pool at work */
struct work {
	const struct pool *pool;
	struct child *child;
	u32 running;
	int signals;
	sigset_t caught;
	bool interrupted;
	bool stopped;			/* start no more */
};

/* In a child. */
static int collected = -1, nowhere = -1;
static atomic_bool asked_to_end;

void pool_child_output(bool collect)
{
	fflush(stdout);
	dup2(collect ? collected : nowhere, STDOUT_FILENO);
}

bool pool_child_interrupted(void)
{
	return asked_to_end;
}

static void on_signal(int signal)
{
	(void)signal;
	asked_to_end = true;
}

/* A signal ends a run, not the process, which has to take its fabric away. */
static void catch_signals(const sigset_t *caught)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigprocmask(SIG_UNBLOCK, caught, NULL);
}

static void be_child(const struct work *w, u32 nr, u32 slot, pid_t parent, int out, int err)
{
	int result;

	catch_signals(&w->caught);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(CHILD_FAILED);
	collected = out;
	nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (nowhere < 0 || dup2(err, STDERR_FILENO) < 0)
		_exit(CHILD_FAILED);
	pool_child_output(false);
	result = w->pool->child(nr, slot, w->pool->data);
	fflush(stdout);
	_exit(result);
}

static enum status failed(const char *what)
{
	return refused("%s: %s", what, strerror(errno));
}

static void close_pipes(int pipes[STREAMS][2])
{
	for (u32 i = 0; i < STREAMS; i++) {
		for (u32 end = 0; end < 2; end++) {
			if (pipes[i][end] >= 0)
				close(pipes[i][end]);
		}
	}
}

static enum status start(struct work *w, u32 nr, u32 slot)
{
	int pipes[STREAMS][2] = { { -1, -1 }, { -1, -1 } };
	struct child *c = &w->child[slot];
	pid_t parent = getpid(), pid;

	for (u32 i = 0; i < STREAMS; i++) {
		if (pipe2(pipes[i], O_CLOEXEC)) {
			close_pipes(pipes);
			return failed("pipe");
		}
	}
	/* what is buffered must not be written twice */
	fflush(NULL);
	pid = fork();
	if (!pid)
		be_child(w, nr, slot, parent, pipes[OUT][1], pipes[ERR][1]);
	if (pid < 0) {
		close_pipes(pipes);
		return failed("fork");
	}
	*c = (struct child){ .pid = pid, .nr = nr };
	for (u32 i = 0; i < STREAMS; i++) {
		close(pipes[i][1]);
		c->fd[i] = pipes[i][0];
		c->text[i] = xstrdup("");
	}
	w->running++;
	return STATUS_OK;
}

static void take_output(struct child *c, u32 i)
{
	char part[65536];
	ssize_t n = read(c->fd[i], part, sizeof(part));

	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0) {
		close(c->fd[i]);
		c->fd[i] = -1;
		return;
	}
	c->text[i] = xrealloc(c->text[i], c->len[i] + n + 1, 1);
	memcpy(c->text[i] + c->len[i], part, n);
	c->len[i] += n;
	c->text[i][c->len[i]] = '\0';
}

static enum status take_end(struct work *w, struct child *c)
{
	struct pool_end end = { .nr = c->nr, .interrupted = w->stopped,
				.out = c->text[OUT], .err = c->text[ERR] };
	enum status status;
	int how = 0;

	while (waitpid(c->pid, &how, 0) < 0 && errno == EINTR)
		;
	end.exit = WIFSIGNALED(how) ? -WTERMSIG(how) : WEXITSTATUS(how);
	status = w->pool->over(&end, w->pool->data);
	free(c->text[OUT]);
	free(c->text[ERR]);
	c->pid = 0;
	w->running--;
	return status;
}

static void stop(struct work *w)
{
	w->stopped = true;
	for (u32 i = 0; i < w->pool->jobs; i++) {
		if (w->child[i].pid)
			kill(w->child[i].pid, SIGTERM);
	}
}

static void take_signal(struct work *w)
{
	struct signalfd_siginfo info;

	if (read(w->signals, &info, sizeof(info)) <= 0)
		return;
	w->interrupted = true;
	stop(w);
}

/* Wait until something happens, and take what did. */
static enum status wait_for_children(struct work *w)
{
	struct pollfd *fd = xcalloc(w->pool->jobs * STREAMS + 1, sizeof(*fd));
	enum status status = STATUS_OK, one;
	u32 n = 0;

	for (u32 i = 0; i < w->pool->jobs; i++) {
		struct child *c = &w->child[i];

		for (u32 s = 0; s < STREAMS; s++, n++)
			fd[n] = (struct pollfd){ .fd = c->pid ? c->fd[s] : -1, .events = POLLIN };
	}
	fd[n] = (struct pollfd){ .fd = w->signals, .events = POLLIN };
	if (poll(fd, n + 1, LOOK_MS) < 0 && errno != EINTR)
		status = failed("poll");
	if (!status && fd[n].revents)
		take_signal(w);
	for (u32 i = 0; i < n && !status; i++) {
		if (fd[i].revents)
			take_output(&w->child[i / STREAMS], i % STREAMS);
	}
	free(fd);
	for (u32 i = 0; i < w->pool->jobs; i++) {
		struct child *c = &w->child[i];

		if (c->pid && c->fd[OUT] < 0 && c->fd[ERR] < 0) {
			one = take_end(w, c);
			status = status ? status : one;
		}
	}
	return status;
}

static enum status start_children(struct work *w)
{
	enum status status = STATUS_OK;
	s64 nr;

	for (u32 i = 0; i < w->pool->jobs && !status && !w->stopped; i++) {
		if (w->child[i].pid)
			continue;
		nr = w->pool->next(w->pool->data);
		if (nr < 0)
			break;
		status = start(w, nr, i);
	}
	return status;
}

enum status pool_run(const struct pool *pool, bool *interrupted)
{
	struct work w = { .pool = pool };
	enum status status = STATUS_OK, one;

	sigemptyset(&w.caught);
	sigaddset(&w.caught, SIGINT);
	sigaddset(&w.caught, SIGTERM);
	sigprocmask(SIG_BLOCK, &w.caught, NULL);
	w.signals = signalfd(-1, &w.caught, SFD_CLOEXEC | SFD_NONBLOCK);
	if (w.signals < 0)
		status = failed("signalfd");
	w.child = xcalloc(pool->jobs, sizeof(*w.child));
	for (;;) {
		one = status ? STATUS_OK : start_children(&w);
		if (!one && !w.running)
			break;
		if (!one)
			one = wait_for_children(&w);
		if (one && !status) {
			status = one;
			stop(&w);
		}
		pool->look(w.running, pool->data);
	}
	free(w.child);
	if (w.signals >= 0)
		close(w.signals);
	sigprocmask(SIG_UNBLOCK, &w.caught, NULL);
	*interrupted = w.interrupted;
	return status;
}
