/* SPDX-License-Identifier: GPL-2.0 */
/* A failure of a link or a switch, as a user writes it: "5000:s3:2", "9000:s3:2:up", "7000:s5". */
#ifndef LIBMCFAB_FAULT_WORD_H
#define LIBMCFAB_FAULT_WORD_H

#include <stdbool.h>
#include <stddef.h>

/* u32 and u64 are those of whoever includes this */

/**
 * struct fault_word - a link or a switch goes down or comes up
 * @at: at the end of this cycle
 * @sw: the switch
 * @port: its port that the link is at
 * @has_port: there is one; else it is the whole switch
 * @up: it comes up
 */
struct fault_word {
	u64 at;
	u32 sw;
	u32 port;
	bool has_port;
	bool up;
};

/**
 * fault_word_parse() - read CYCLE:SWITCH[:PORT][:up|:down]
 * @word: [@len] the word
 * @len: its length
 * @fault: filled in
 *
 * Return: is it of that form?
 */
bool fault_word_parse(const char *word, size_t len, struct fault_word *fault);

#endif
