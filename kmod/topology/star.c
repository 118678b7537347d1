// SPDX-License-Identifier: GPL-2.0
/*
 * Star graph S_n: its nodes are the permutations of the symbols 1 ... n, and two are
 * neighbours if one becomes the other when its first symbol is exchanged with another
 * one (N.-C. Wang, C.-P. Yen and C.-P. Chu, "Multicasting on wormhole-routed symmetric
 * networks with Hamiltonian cycle model", section 4.2). n! nodes of degree n - 1.
 *
 * A node's id is the lexicographic rank of its permutation, 0 for 12...n; its
 * coordinates are the symbols. Port p exchanges the first with the (p + 2)-th
 * symbol: the generator g_(p + 2), which leads back by the same port.
 *
 * Labels follow a Hamiltonian cycle, given as a cyclic word of generators: the node
 * with label i is 12...n after the first i of them. H_3 = 2 3 2 3 2 3. H_n walks the
 * cycle H of S_(n - 1) in the substar whose last symbol is n, and leaves it for
 * the n - 1 others on the way. With X_g the path that H without a letter g is, it
 * spans a substar from one end of a g-link to the other:
 *  - letter g between nodes with first symbols a and b becomes n X_g n X_g n, which
 *    spans the substars with last symbols a and b and ends where g would have;
 *  - for even n, one letter d has to span three: n X_2 n X_d n X_2 n. It is the last
 *    one, of which the first symbols are d (before) and 1 (after), and 2.
 * The last letter is always replaced, then, backwards, every letter whose two
 * symbols are both still to be spanned, until all are.
 *
 * S_4 gets the labels that the paper prints in its examples. For n >= 5 the paper's
 * labels are not known: it refers to a labelling that leaves choices open, and what is
 * made of them here (which rotation X_g is, where replacements stand) is ours.
 */
#include <linux/sched.h>

#include "topology/topology.h"

/* After so many nodes other processes get the processor. */
#define BREATH	1024

#define LEAST_SYMBOLS	3
#define MOST_SYMBOLS	8

static int star_init(struct mcfab_topo *topo, struct mcfab_err *err)
{
	u32 symbols = topo->radix[0], i;

	err->index = 0;
	if (topo->ndims != 1)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_DIMS,
				    "a star graph has one number, that of its symbols");
	if (symbols < LEAST_SYMBOLS || symbols > MOST_SYMBOLS)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_DIMS,
				    "a star graph has %u to %u symbols, not %u", LEAST_SYMBOLS,
				    MOST_SYMBOLS, symbols);
	topo->ndims = symbols;
	topo->nodes = 1;
	for (i = 0; i < symbols; i++) {
		topo->radix[i] = symbols;
		topo->stride[i] = 0;
		topo->nodes *= i + 1;
	}
	topo->routers = topo->nodes;
	topo->ports = symbols - 1;
	topo->degree = symbols - 1;
	return 0;
}

/* Lexicographic rank of a permutation. */
static u32 rank_of(const u16 *symbol, u32 n)
{
	u32 rank = 0, i, j;

	for (i = 0; i < n; i++) {
		u32 smaller = 0;

		for (j = i + 1; j < n; j++)
			smaller += symbol[j] < symbol[i];
		rank = rank * (n - i) + smaller;
	}
	return rank;
}

/* The next permutation in lexicographic order; after the last one, anything. */
static void next_permutation(u16 *symbol, u32 n)
{
	u32 i, j;

	for (i = n - 1; i && symbol[i - 1] > symbol[i]; i--)
		;
	if (!i)
		return;
	for (j = n - 1; symbol[j] < symbol[i - 1]; j--)
		;
	swap(symbol[i - 1], symbol[j]);
	for (j = n - 1; i < j; i++, j--)
		swap(symbol[i], symbol[j]);
}

/*
 * X_g: the word rotated to the left until it ends in letter g, without that letter. Returns where
 * the output goes on.
 */
static u8 *put_path(u8 *out, const u8 *word, u32 len, u8 letter)
{
	u32 end = len - 1, i;

	if (word[end] != letter)
		for (end = 0; word[end] != letter; end++)
			;
	for (i = 1; i < len; i++)
		*out++ = word[end + i < len ? end + i : end + i - len];
	return out;
}

/* Letter g with its detours through the substars of @count last symbols. */
static u8 *put_detour(u8 *out, const u8 *word, u32 len, u8 letter, u32 n, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		*out++ = n;
		out = put_path(out, word, len, count == 3 && i != 1 ? 2 : letter);
	}
	*out++ = n;
	return out;
}

/* Mark of a letter that is to be replaced, beside its first symbol. */
#define REPLACED	0x80

/* H_n from H_(n - 1), the @len letters of @word; @symbol has room for as many bytes. */
static void grow_word(u8 *out, const u8 *word, u32 len, u32 n, u8 *symbol)
{
	u32 last = word[len - 1], covered = BIT(last) | BIT(1), count = 2, i;
	u8 at[MOST_SYMBOLS];

	if (!(n & 1)) {
		covered |= BIT(2);
		count = 3;
	}
	for (i = 0; i < n; i++)
		at[i] = i + 1;
	/* first symbol before each letter */
	for (i = 0; i < len; i++) {
		symbol[i] = at[0];
		swap(at[0], at[word[i] - 1]);
	}
	for (i = len - 1; i-- > 0;) {
		u32 both = BIT(symbol[i]) | BIT(symbol[i + 1] & ~REPLACED);

		if (covered & both)
			continue;
		covered |= both;
		symbol[i] |= REPLACED;
	}
	for (i = 0; i + 1 < len; i++) {
		if (symbol[i] & REPLACED)
			out = put_detour(out, word, len, word[i], n, 2);
		else
			*out++ = word[i];
	}
	put_detour(out, word, len, last, n, count);
}

/* Labels of all nodes. @space: 3 * nodes bytes */
static void star_labels(struct mcfab_topo *topo, u8 *space)
{
	static const u8 h3[] = { 2, 3, 2, 3, 2, 3 };
	u8 *word = space, *old = space + topo->nodes, *symbol = space + 2 * topo->nodes;
	u32 len = ARRAY_SIZE(h3), n, i;
	u16 at[MOST_SYMBOLS];

	memcpy(word, h3, sizeof(h3));
	for (n = LEAST_SYMBOLS + 1; n <= topo->ndims; n++) {
		memcpy(old, word, len);
		grow_word(word, old, len, n, symbol);
		len *= n;
	}
	for (i = 0; i < topo->ndims; i++)
		at[i] = i + 1;
	for (i = 0; i < len; i++) {
		u32 node = rank_of(at, topo->ndims);

		topo->label[node] = i;
		topo->by_label[i] = node;
		swap(at[0], at[word[i] - 1]);
	}
}

static void star_fill(struct mcfab_topo *topo)
{
	u32 n = topo->ndims, node, port, i;
	u16 at[MOST_SYMBOLS];

	for (i = 0; i < n; i++)
		at[i] = i + 1;
	for (node = 0; node < topo->nodes; node++) {
		if (!(node % BREATH))
			cond_resched();
		for (i = 0; i < n; i++)
			topo->coord[node * n + i] = at[i];
		for (port = 0; port < topo->ports; port++) {
			swap(at[0], at[port + 1]);
			topo->peer[mcfab_topo_channel(topo, node, port)] =
				mcfab_topo_channel(topo, rank_of(at, n), port);
			swap(at[0], at[port + 1]);
		}
		next_permutation(at, n);
	}
	/* A table that is not filled yet has just the room for the words. */
	star_labels(topo, (u8 *)topo->router);
	for (node = 0; node < topo->nodes; node++)
		topo->router[node] = node;
}

static void star_port_name(const struct mcfab_topo *topo, u32 port, char *buf, size_t len)
{
	if (port >= topo->ports)
		snprintf(buf, len, "?");
	else
		snprintf(buf, len, "g%u", port + 2);
}

/*
 * Distance by the permutation that takes @a to @b: it has symbols out of place, and the cycles that
 * they form. Sending home costs one hop per such symbol and one more to get into each cycle, less
 * two if the first symbol is in a cycle already.
 */
static u32 star_distance(const struct mcfab_topo *topo, u32 a, u32 b)
{
	const u16 *ca = topo->coord + a * topo->ndims;
	const u16 *cb = topo->coord + b * topo->ndims;
	u8 home[MOST_SYMBOLS + 1];
	u32 hops = 0, seen = 0, i, at;

	for (i = 0; i < topo->ndims; i++)
		home[cb[i]] = i;
	for (i = 0; i < topo->ndims; i++) {
		if (seen & BIT(i) || ca[i] == cb[i])
			continue;
		for (at = i; !(seen & BIT(at)); at = home[ca[at]]) {
			seen |= BIT(at);
			hops++;
		}
		hops++;
	}
	return ca[0] == cb[0] ? hops : hops - 2;
}

const struct mcfab_topo_ops mcfab_star_ops = {
	.name		= "star",
	.title		= "star graph of permutations",
	.serve		= MCFAB_POLICY_STAR,
	.init		= star_init,
	.fill		= star_fill,
	.port_name	= star_port_name,
	.distance	= star_distance,
};
