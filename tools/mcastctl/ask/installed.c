// SPDX-License-Identifier: GPL-2.0
/*
 * Policies that are installed: the kernel knows only those that are loaded, the
 * aliases of the modules tell of the others. The engine in user space has no others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "ask/lookup.h"
#include "base/options.h"

#define ALIAS	"alias mcfab-policy-"

/** installed_policies() - names of the policies with a module, as a list to be put */
struct json_object *installed_policies(void)
{
	struct json_object *all = json_object_new_array();
	struct utsname name;
	char *path, *line = NULL;
	size_t room = 0;
	FILE *f;

	if (options.user || uname(&name))
		return all;
	path = xasprintf("/lib/modules/%s/modules.alias", name.release);
	f = fopen(path, "r");
	free(path);
	while (f && getline(&line, &room, f) >= 0) {
		size_t skip = strlen(ALIAS), len;

		if (strncmp(line, ALIAS, skip))
			continue;
		len = strcspn(line + skip, " \t\n");
		json_object_array_add(all, json_object_new_string_len(line + skip, len));
	}
	free(line);
	if (f)
		fclose(f);
	return all;
}
