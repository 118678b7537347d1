/* SPDX-License-Identifier: GPL-2.0 */
/* State of worms that branch, where heads and tails alone are events (tail/trees.c). */
#ifndef MCFAB_ENGINE_STATE_TREE_H
#define MCFAB_ENGINE_STATE_TREE_H

#include "base/types.h"

/**
 * struct mcfab_tree - what a tail waits for that is to cross a record's channel next, or
 *		       (lock-step) to leave its buffer (MCFAB_ENG_TREES)
 * @came: cycle in which the last flit has come to where it crosses from, 0: a source
 * @left: levels of the tree within reach that are not all granted, or not looked at
 * @todo: first record of the nearest of these levels whose branches are to be looked at
 * @beyond: first of those found so far in the level after it
 * @next: next record in either list
 * @root: whose tail waits for branches of this record to be granted, or MCFAB_NONE
 * @stretches: entries in use of its part of mcfab_trees.stretch
 * @shown: flits that have crossed, while mcfab_trees_show() is at it
 */
struct mcfab_tree {
	u64 came;
	u32 left;
	u32 todo;
	u32 beyond;
	u32 next;
	u32 root;
	u32 stretches;
	u32 shown;
};

/* stretches of one packet's flits that may be on the way to a channel at once, with gaps between */
#define MCFAB_MAX_STRETCHES	4U

/**
 * struct mcfab_stretch - flits that come to a channel one in every cycle: those from some flit on,
 *		      up to where a later one begins
 * @first: the first of them, counted from 0
 * @back: cycles before mcfab_tree.came in which the last one of the packet would have come
 *	  with them
 *
 * Nobody but those who count flits in between wants to know (tree_flits.c).
 */
struct mcfab_stretch {
	u32 first;
	u32 back;
};

/**
 * struct mcfab_trees - what mode tree-tail owns
 * @tree: [nrecs] a record's place in its worm's tree
 * @stretch: [nrecs * mcfab_tree_stretches()] a record's stretches
 */
struct mcfab_trees {
	struct mcfab_tree *tree;
	struct mcfab_stretch *stretch;
};

#endif
