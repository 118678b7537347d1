/* SPDX-License-Identifier: GPL-2.0 */
/* Classes of traffic in a run: "class req share 0.8 dests 1 class inv share 0.2 dests 8". */
#ifndef MCASTCTL_CLASSES_H
#define MCASTCTL_CLASSES_H

#include <json-c/json.h>

#include "netlink/keyword.h"

#define CLASS_WORD	"class"

/** struct traffic_class - a class as the user wrote it */
struct traffic_class {
	const char *name;
	struct value *values;		/* of class_grammar() */
	u32 source;			/* node of "source" */
	u32 *hotspots;			/* nodes of "hotspots" */
};

/** struct classes - a list of them; zero it */
struct classes {
	struct traffic_class *class;
	u32 n;
};

const struct grammar *class_grammar(void);
/* All words that are left; to be freed also after an error, which is printed. */
enum status classes_parse(struct classes *classes, struct words *w);
/* Does any class name nodes, for which the fabric is needed? */
bool classes_name_nodes(const struct classes *classes);
enum status classes_lookup(struct classes *classes, struct json_object *fabric);
void classes_put(struct nl_request *rq, const struct classes *classes);
void classes_free(struct classes *classes);

#endif
