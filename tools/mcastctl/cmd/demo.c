// SPDX-License-Identifier: GPL-2.0
/* demo: commands that show something from beginning to end, on a fabric of their own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "batch.h"
#include "command.h"

#define DEMO_FABRIC	"mcfab-demo"

/** struct demo_step - a command */
struct demo_step {
	const char *why;	/* what is to be seen */
	const char *command;	/* %s: a file that is removed in the end */
	enum status status;	/* what it ends with */
};

static const struct demo_step deadlock_steps[] = {
	{ "A mesh whose nodes have one consumption channel each.",
	  "fabric add " DEMO_FABRIC " topology mesh dims 8x8 consume 1", STATUS_OK },
	{ "Can dual-path deadlock there? The fewest messages that do go into a file.",
	  "verify " DEMO_FABRIC " policy dp witness %s", STATUS_DEADLOCKS },
	{ "They deadlock in a run, too.",
	  "run " DEMO_FABRIC " policy dp replay %s", STATUS_OK },
	{ "Each worm waits for a channel that the next one holds.",
	  "stats show " DEMO_FABRIC " deadlock", STATUS_OK },
	{ "What would cure it? Longer buffers, or more consumption channels.",
	  "verify " DEMO_FABRIC " policy dp phases", STATUS_OK },
	{ "The same mesh with as many consumption channels.",
	  "fabric del " DEMO_FABRIC, STATUS_OK },
	{ NULL, "fabric add " DEMO_FABRIC " topology mesh dims 8x8 consume 4", STATUS_OK },
	{ "Now it is proved that nothing can deadlock.",
	  "verify " DEMO_FABRIC " policy dp", STATUS_OK },
	{ "And the messages arrive.",
	  "run " DEMO_FABRIC " policy dp workload file %s", STATUS_OK },
	{ NULL, "fabric del " DEMO_FABRIC, STATUS_OK },
};

static enum status run_step(const struct demo_step *step, const char *file)
{
	char *line = xasprintf(strstr(step->command, "%s") ? step->command : "%s%s",
			       strstr(step->command, "%s") ? file : step->command, "");
	enum status status;

	if (step->why)
		printf("\n%s\n\n", step->why);
	printf("# mcastctl %s\n", line);
	fflush(stdout);
	status = command_run_line(line);
	free(line);
	return status == step->status ? STATUS_OK : status ? status : STATUS_REFUSED;
}

/* The first step makes the fabric: if that is refused, there may be another of its name. */
static void remove_fabric(void)
{
	char line[] = "fabric del " DEMO_FABRIC;

	command_run_line(line);
}

static enum status show_deadlock(struct words *w)
{
	char file[] = "/tmp/mcfab-demo-XXXXXX";
	enum status status = command_end(w);
	size_t i;
	int fd;

	if (!status && options.json)
		status = usage("demo deadlock is for people: leave out -j");
	if (status)
		return status;
	fd = mkstemp(file);
	if (fd < 0)
		return refused("%s: %s", file, strerror(errno));
	close(fd);
	for (i = 0; !status && i < ARRAY_SIZE(deadlock_steps); i++)
		status = run_step(&deadlock_steps[i], file);
	if (status && i > 1)
		remove_fabric();
	unlink(file);
	return status;
}

static const struct command commands[] = {
	{
		.name = "deadlock", .synopsis = "",
		.help = "build a deadlock, explain it, cure it, prove that it is cured",
		.more = "The fabric " DEMO_FABRIC " is made for it, and removed in the end.\n",
		.run = show_deadlock,
	},
};

const struct object object_demo = {
	.name = "demo", .help = "Commands that show something from beginning to end.",
	.command = commands, .n = ARRAY_SIZE(commands),
};
