// SPDX-License-Identifier: GPL-2.0
/*
 * Policies of users' own: shared objects mcfab-policy-NAME.so, compiled from the same source as a
 * module mcfab-policy-NAME.ko. As request_module() does in the kernel, the engine loads one when
 * its name is used for the first time. It stays loaded as long as the process.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/kmod.h>
#include <linux/module.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mcfab_user.h"
#include "policy_abi.h"

/* folders with a colon between them */
static const char *policy_path;
/* the file that is being loaded, and why it is not to stay */
static const char *loading, *unfit;

/**
 * mcfab_user_policy_path() - say where policies of users' own are
 * @path: folders with a colon between them; stays in use; NULL: nowhere
 */
void mcfab_user_policy_path(const char *path)
{
	policy_path = path;
}

bool shim_module_fits(const char *abi)
{
	if (!strcmp(abi, MCFAB_POLICY_ABI))
		return true;
	unfit = "it was compiled with the headers of another version";
	return false;
}

void shim_module_refused(int err)
{
	/* what is linked in is there from the beginning, and fits */
	if (!loading)
		abort();
	unfit = err == -EEXIST ? "there is a policy of its name" :
				 "its struct mcfab_policy_ops is incomplete";
}

static void load(const char *file)
{
	void *handle;

	loading = file;
	unfit = NULL;
	handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	loading = NULL;
	if (!handle)
		fprintf(stderr, "Warning: policy %s\n", dlerror());
	else if (unfit)
		fprintf(stderr, "Warning: policy %s: %s\n", file, unfit);
	if (handle && unfit)
		dlclose(handle);
}

int shim_request_module(const char *name)
{
	const char *at = policy_path, *end;
	char file[4096];

	for (; at && *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, ":");
		if (snprintf(file, sizeof(file), "%.*s/%s.so", (int)(end - at), at, name) >=
		    (int)sizeof(file) || access(file, R_OK))
			continue;
		load(file);
		return 0;
	}
	return -ENOENT;
}
