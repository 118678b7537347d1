// SPDX-License-Identifier: GPL-2.0
/* Fabrics of the library. The module's part begins with the first one and ends with the last. */
#include <pthread.h>
#include <stdlib.h>

#include "api/internal.h"
#include "control/nl.h"
#include "mcfab_user.h"
#include "netdev/ports.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long fabrics, made;

static int open_module(unsigned long *nr)
{
	char why[128] = "";
	int ret = 0;

	pthread_mutex_lock(&lock);
	if (!fabrics)
		ret = mcfab_user_open(why, sizeof(why));
	if (ret >= 0) {
		fabrics++;
		*nr = ++made;
	}
	pthread_mutex_unlock(&lock);
	return ret < 0 ? lib_refuse("%s", why) : 0;
}

static void close_module(void)
{
	pthread_mutex_lock(&lock);
	if (!--fabrics)
		mcfab_user_close();
	pthread_mutex_unlock(&lock);
}

/* the fabric behind a name; there is nobody else who could remove it */
static struct mcfab_fabric *hold(const char *name)
{
	struct mcfab_fabric *core = mcfab_nl_ports_ops.get(&init_net, name, NULL);

	return IS_ERR(core) ? NULL : core;
}

static void remove_fabric(struct mcf_fabric *f)
{
	struct answer a;

	mcfab_nl_ports_ops.put(f->core);
	lib_ask_words("fabric-del", false, f->name, NULL, &a);
	lib_answer_free(&a);
}

static int add_fabric(struct mcf_fabric *f, const char *options, const struct mcf_graph *g)
{
	struct answer a;
	int ret = lib_ask_words("fabric-new", false, f->name, options, &a);

	lib_answer_free(&a);
	if (ret)
		return ret;
	f->core = hold(f->name);
	if (!f->core)
		return lib_refuse("the fabric is gone");
	if (!g || f->core->cfg.graph)
		return 0;
	lib_refuse("topology %s: a graph needs topology irregular", f->core->cfg.topology);
	remove_fabric(f);
	return -1;
}

static int make(struct mcf_fabric *f, const char *options, const struct mcf_graph *g)
{
	int ret = 0;

	if (g)
		ret = lib_graph_send(f->name, g);
	ret = ret ?: add_fabric(f, options, g);
	if (ret && g)
		lib_graph_discard(f->name);
	return ret;
}

static struct mcf_fabric *fabric_new(const char *options, const struct mcf_graph *g)
{
	struct mcf_fabric *f = calloc(1, sizeof(*f));
	unsigned long nr;

	if (!f) {
		lib_refuse("out of memory");
		return NULL;
	}
	if (open_module(&nr)) {
		free(f);
		return NULL;
	}
	snprintf(f->name, sizeof(f->name), "lib%lu", nr);
	if (!make(f, options, g))
		return f;
	free(f);
	close_module();
	return NULL;
}

struct mcf_fabric *mcf_fabric_new(const char *options)
{
	return fabric_new(options, NULL);
}

struct mcf_fabric *mcf_fabric_new_graph(const char *options, const struct mcf_graph *g)
{
	return fabric_new(options, g);
}

void mcf_fabric_free(struct mcf_fabric *f)
{
	if (!f)
		return;
	lib_net_end(f);
	remove_fabric(f);
	free(f);
	close_module();
}
