/* SPDX-License-Identifier: GPL-2.0 */
/* Splitting a line of a batch into words, as a shell would. */
#ifndef MCASTCTL_SPLIT_H
#define MCASTCTL_SPLIT_H

/*
 * Split @line in place. Blanks separate words, quotes keep them together, a
 * backslash takes the next character as it is, a hash at the beginning of a
 * word starts a comment unless a digit follows: #11 is a label.
 * Returns the number of words, to be freed as one array; -1: an open quote.
 */
int batch_split(char *line, char ***words);

#endif
