// SPDX-License-Identifier: GPL-2.0
/*
 * policy load, policy unload: policies in BPF, which the module mcfab_bpf takes. The kernel keeps
 * a loaded policy as long as its link has a name in the BPF file system: FOLDER/POLICY.
 */
#include <errno.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <linux/mcfab.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "cmd/policy.h"
#include "command.h"

#define WHERE	"policies in BPF need the kernel: not with \"--engine user\""

#ifdef HAVE_LIBBPF
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#define BPFFS	"/sys/fs/bpf"
#define FOLDER	BPFFS "/mcfab"
#define TYPE	"mcfab_bpf_policy"
/* most policies of a file */
#define MOST	64
#define LETTERS	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

/** struct load - what is loaded from one file */
struct load {
	const char *file;
	struct bpf_object *obj;
	struct bpf_link *link[MOST];
	char *name[MOST];
	u32 n;
	FILE *said;		/* by libbpf and the verifier */
	char *log;
	size_t log_len;
};

static FILE *said;

static int note(enum libbpf_print_level level, const char *fmt, va_list args)
{
	return level == LIBBPF_WARN && said ? vfprintf(said, fmt, args) : 0;
}

static bool may(u32 cap)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return !syscall(SYS_capget, &head, data) &&
	       data[CAP_TO_INDEX(cap)].effective & CAP_TO_MASK(cap);
}

/* The types of modules are shown to CAP_SYS_ADMIN only. */
static enum status check_privileges(void)
{
	const char *lacks = !may(CAP_SYS_ADMIN) ? "CAP_SYS_ADMIN" :
			    !may(CAP_NET_ADMIN) ? "CAP_NET_ADMIN" : NULL;

	return lacks ? refused("permission denied: policies in BPF need %s", lacks) : STATUS_OK;
}

static void load_module(void)
{
	char *const argv[] = { (char[]){ "modprobe" }, (char[]){ "-q" },
			       (char[]){ "mcfab_bpf" }, NULL };
	pid_t pid;

	if (!posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ))
		waitpid(pid, NULL, 0);
}

static enum status check_kernel(void)
{
	struct statfs fs;

	if (access("/sys/kernel/btf/vmlinux", F_OK))
		return refused("this kernel has no BTF: CONFIG_DEBUG_INFO_BTF is not set");
	if (access("/sys/module/mcfab_bpf", F_OK))
		load_module();
	if (access("/sys/module/mcfab_bpf", F_OK))
		return refused("the module mcfab_bpf is not loaded: modprobe mcfab_bpf says why");
	if (access("/sys/kernel/btf/mcfab_bpf", F_OK))
		return refused("this kernel has no BTF for mcfab_bpf: built without pahole?");
	if (statfs(BPFFS, &fs) || fs.f_type != BPF_FS_MAGIC)
		return refused("%s is no BPF file system: mount -t bpf none %s", BPFFS,
			       BPFFS);
	if (mkdir(FOLDER, 0700) && errno != EEXIST)
		return refused(FOLDER ": %s", strerror(errno));
	return STATUS_OK;
}

/* Where the type of policies has a member, as this file was compiled; -1: nowhere. */
static int member_at(const struct btf *btf, const char *member)
{
	int id = btf ? btf__find_by_name_kind(btf, TYPE, BTF_KIND_STRUCT) : -1;
	const struct btf_type *t = id > 0 ? btf__type_by_id(btf, id) : NULL;

	for (u32 i = 0; t && i < btf_vlen(t); i++)
		if (!strcmp(btf__name_by_offset(btf, btf_members(t)[i].name_off), member))
			return btf_member_bit_offset(t, i) / 8;
	return -1;
}

/* The name that a policy has in a file; NULL: it has none. */
static const char *name_of(struct load *l, const struct bpf_map *map)
{
	int at = member_at(bpf_object__btf(l->obj), "name");
	size_t size = 0, len;
	const char *data = bpf_map__initial_value(map, &size);

	if (!data || at < 0 || (size_t)at >= size)
		return NULL;
	len = strnlen(data + at, size - at);
	if (!len || len > MCFAB_NAME_MAX || len == size - at || strspn(data + at, LETTERS) < len)
		return NULL;
	return data + at;
}

/* All policies of the file have names that nobody has. */
static enum status check_names(struct load *l)
{
	struct json_object *there;
	struct bpf_map *map;

	bpf_object__for_each_map(map, l->obj) {
		const char *name;

		if (bpf_map__type(map) != BPF_MAP_TYPE_STRUCT_OPS)
			continue;
		name = name_of(l, map);
		if (!name)
			return refused("%s: %s: its name is 1 to %u letters, digits, - and _",
				       l->file, bpf_map__name(map), MCFAB_NAME_MAX);
		if (l->n == ARRAY_SIZE(l->name))
			return refused("%s: more than %u policies", l->file, l->n);
		for (u32 i = 0; i < l->n; i++)
			if (!strcmp(l->name[i], name))
				return refused("%s: two policies are called %s", l->file, name);
		l->name[l->n++] = xstrdup(name);
		there = ask_quietly(MCFAB_CMD_POLICY_GET, MCFAB_A_POLICY_NAME, name);
		json_object_put(there);
		if (there)
			return refused("%s: there is a policy %s already", l->file, name);
	}
	return l->n ? STATUS_OK :
		      refused("%s: no policy: none of its variables is a struct " TYPE, l->file);
}

/* What libbpf and the verifier said goes before the refusal: it is long. */
static enum status failed(struct load *l, const char *what, int err)
{
	fflush(l->said);
	if (l->log_len)
		fprintf(stderr, "%.*s", (int)l->log_len, l->log);
	return refused("%s: %s: %s", l->file, what, strerror(-err));
}

static enum status attach(struct load *l)
{
	struct bpf_map *map;
	u32 i = 0;

	bpf_object__for_each_map(map, l->obj) {
		char *path;
		int err;

		if (bpf_map__type(map) != BPF_MAP_TYPE_STRUCT_OPS)
			continue;
		l->link[i] = bpf_map__attach_struct_ops(map);
		if (!l->link[i])
			return errno == EEXIST ?
				refused("%s: there is a policy %s already", l->file, l->name[i]) :
				failed(l, l->name[i], -errno);
		path = xasprintf(FOLDER "/%s", l->name[i]);
		err = bpf_link__pin(l->link[i], path);
		free(path);
		if (err)
			return failed(l, l->name[i], err);
		i++;
	}
	return STATUS_OK;
}

static enum status load(struct load *l)
{
	enum status status;
	int err;

	l->obj = bpf_object__open_file(l->file, NULL);
	if (!l->obj)
		return failed(l, "it cannot be read as BPF", -errno);
	status = check_names(l);
	if (status)
		return status;
	err = bpf_object__load(l->obj);
	if (err)
		return failed(l, "the kernel does not take it", err);
	return attach(l);
}

enum status policy_load(struct words *w)
{
	struct load l = { .file = words_next(w) };
	enum status status = command_end(w);

	if (!status && !l.file)
		status = usage("FILE is missing: an object file in BPF");
	if (!status && options.user)
		status = refused(WHERE);
	status = status ?: check_privileges() ?: check_kernel() ?:
		 nl_open(options.netns);
	if (status)
		return status;
	l.said = text_file(&l.log, &l.log_len);
	said = l.said;
	libbpf_set_print(note);
	status = load(&l);
	said = NULL;
	for (u32 i = 0; i < l.n; i++) {
		if (l.link[i] && status)
			bpf_link__unpin(l.link[i]);
		bpf_link__destroy(l.link[i]);
		if (!status && !options.json)
			printf("policy %s is loaded\n", l.name[i]);
		free(l.name[i]);
	}
	bpf_object__close(l.obj);
	fclose(l.said);
	free(l.log);
	return status;
}

enum status policy_unload(struct words *w)
{
	const char *name = words_next(w);
	enum status status = command_end(w);
	char *path;
	int fd;

	if (!status && (!name || !*name || strchr(name, '/')))
		status = usage("NAME is missing: that of a policy in BPF");
	if (!status && options.user)
		status = refused(WHERE);
	status = status ?: check_privileges();
	if (status)
		return status;
	path = xasprintf(FOLDER "/%s", name);
	fd = bpf_obj_get(path);
	if (fd < 0 && errno == ENOENT)
		status = refused("no policy %s in BPF is loaded: there is no %s", name, path);
	else if (fd < 0 || bpf_link_detach(fd) || unlink(path))
		status = refused("%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	free(path);
	return status;
}

#else

/* The commands exist, so that they can say why they do not work. */
static enum status explain(struct words *w)
{
	words_next(w);
	return command_end(w) ?:
	       refused("%s", options.user ? WHERE :
		       "this mcastctl was built without libbpf (1.4 or newer), and knows no BPF");
}

enum status policy_load(struct words *w)
{
	return explain(w);
}

enum status policy_unload(struct words *w)
{
	return explain(w);
}

#endif
