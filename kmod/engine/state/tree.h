/* SPDX-License-Identifier: GPL-2.0 */
/* State of worms that branch, moved by heads and tails (mode tree-tail, tail/trees.c). */
#ifndef MCFAB_ENGINE_STATE_TREE_H
#define MCFAB_ENGINE_STATE_TREE_H

#include "base/types.h"

/**
 * struct mcfab_tree - a record's place in its worm's tree (MCFAB_ENG_TREES)
 * @came: from this cycle on the tail may cross the record's channel (lock-step: leave its buffer),
 *	  as far as its way to there goes; 0: it is in a source
 * @left: of a root, see tail/trees.c: levels within its reach with records that wait for a grant,
 *	  or that it has not looked at
 * @todo: of a root: first record of the nearest of these levels that it has not looked at
 * @beyond: of a root: first record that it has found so far in the level after that one
 * @next: next record in the list @todo or @beyond
 * @root: root whose look goes on when this record's branches are granted, or MCFAB_NONE
 * @stretches: entries in use of its part of mcfab_trees.stretch
 * @shown: flits that have crossed, while mcfab_trees_show() counts
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

/* most stretches of a packet's flits that a record notes */
#define MCFAB_MAX_STRETCHES	4U

/**
 * struct mcfab_stretch - flits that come to a channel one in every cycle, without a gap
 * @first: first flit, counted from 0; the stretch ends where the next stretch begins
 * @back: if the stretch went on to the packet's last flit, that flit would come so many cycles
 *	  before mcfab_tree.came
 *
 * Only counts of flits between two events need stretches (tail/tree_flits.c).
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
