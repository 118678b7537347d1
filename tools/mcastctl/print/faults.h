/* SPDX-License-Identifier: GPL-2.0 */
/* The failures of a run: "fail 5000:s3:2,9000:s3:2:up,7000:s5". */
#ifndef MCASTCTL_FAULTS_H
#define MCASTCTL_FAULTS_H

#include "fault_word.h"
#include "netlink/netlink.h"

/** struct fault - a link or a switch goes down or comes up */
struct fault {
	char *word;			/* as typed */
	struct fault_word is;
};

/** struct faults - a list of them; zero it */
struct faults {
	struct fault *fault;
	u32 n;
};

/* A list with commas; to be freed also after an error, which is printed. */
enum status faults_parse(struct faults *faults, const char *list);
void faults_free(struct faults *faults);
void faults_put(struct nl_request *rq, const struct faults *faults);

#endif
