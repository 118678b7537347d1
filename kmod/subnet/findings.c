// SPDX-License-Identifier: GPL-2.0
/* Findings of the checks of tables, and their text. */
#include "subnet/levels.h"

/**
 * mcfab_found() - note a finding
 * @found: findings so far
 * @type: type of finding
 * @kind: kind of table; 0: all together
 * @lid: LID of the packets concerned, or MCFAB_NONE
 *
 * Context: Any.
 * Return: the finding, to be filled in further; NULL if it is only counted.
 */
struct mcfab_finding *mcfab_found(struct mcfab_findings *found, enum mcfab_finding_type type,
				  enum mcfab_table_kind kind, u32 lid)
{
	struct mcfab_finding *finding;

	found->total++;
	if (found->count == MCFAB_FINDINGS)
		return NULL;
	finding = &found->item[found->count++];
	finding->type = type;
	finding->kind = kind;
	finding->lid = lid;
	finding->sw = MCFAB_NONE;
	finding->switch_lid = 0;
	finding->port = MCFAB_NONE;
	finding->node = MCFAB_NONE;
	finding->source = MCFAB_NONE;
	finding->nswitches = 0;
	return finding;
}

static u32 put_lid(const struct mcfab_finding *f, char *buf, size_t len)
{
	if (f->lid == MCFAB_NONE)
		return 0;
	return scnprintf(buf, len, f->lid >= MCFAB_MULTICAST_LID_MIN ? "LID 0x%04x: " : "LID %u: ",
			 f->lid);
}

static size_t put_loop(const struct mcfab_finding *f, const char *what, char *buf, size_t len)
{
	size_t at = scnprintf(buf, len, "%s of switches", what);
	u32 i;

	for (i = 0; i < f->nswitches; i++) {
		/* room for two numbers of seven digits and dots */
		if (at + 24 > len)
			break;
		at += scnprintf(buf + at, len - at, "%s%u", i ? " > " : " ", f->switches[i]);
	}
	if (i < f->nswitches || i == MCFAB_FINDING_SWITCHES)
		at += scnprintf(buf + at, len - at, " > ...");
	else
		at += scnprintf(buf + at, len - at, " > %u", f->switches[0]);
	return at;
}

/* The switches get half of the room. */
static void put_credit_loop(const struct mcfab_finding *f, char *buf, size_t len)
{
	size_t at = put_loop(f, "credit loop", buf, len / 2);
	u32 i;

	if (f->vls[0] != MCFAB_LANE_NONE)
		at += scnprintf(buf + at, len - at, " from lane %u on", f->vls[0]);
	at += scnprintf(buf + at, len - at, ", packets for LIDs");
	for (i = 0; i < f->nswitches; i++) {
		/* room for two LIDs and dots */
		if (at + 24 > len) {
			scnprintf(buf + at, len - at, ", ...");
			return;
		}
		at += scnprintf(buf + at, len - at,
				f->lids[i] < MCFAB_MULTICAST_LID_MIN ? "%s%u" : "%s0x%04x",
				i ? ", " : " ", f->lids[i]);
	}
}

/**
 * mcfab_finding_text() - print a finding for people
 * @f: finding
 * @buf: where to print it
 * @len: bytes of @buf
 *
 * Context: Any.
 */
void mcfab_finding_text(const struct mcfab_finding *f, char *buf, size_t len)
{
	u32 at = put_lid(f, buf, len);

	buf += at;
	len -= at;
	switch (f->type) {
	case MCFAB_FINDING_TYPE_LOOP:
		put_loop(f, "loop", buf, len);
		break;
	case MCFAB_FINDING_TYPE_UNREACHABLE:
		if (f->kind == MCFAB_TABLE_KIND_LFT)
			scnprintf(buf, len, "node %u is not reached from switch %u", f->node,
				  f->sw);
		else
			scnprintf(buf, len, "member %u is not reached from node %u", f->node,
				  f->source);
		break;
	case MCFAB_FINDING_TYPE_DEAD_PORT:
		scnprintf(buf, len, "port %u of switch %u leads nowhere", f->port, f->sw);
		break;
	case MCFAB_FINDING_TYPE_STRAY:
		scnprintf(buf, len, "switch %u delivers to node %u, which is no destination",
			  f->sw, f->node);
		break;
	case MCFAB_FINDING_TYPE_DUPLICATE:
		scnprintf(buf, len, "member %u gets several copies from node %u", f->node,
			  f->source);
		break;
	case MCFAB_FINDING_TYPE_UNKNOWN_LID:
		if (f->kind == MCFAB_TABLE_KIND_PATH_SL) {
			scnprintf(buf, len, "nobody has it, node %u has a level for it",
				  f->source);
			break;
		}
		scnprintf(buf, len, "nobody has it, switch %u has an entry", f->sw);
		break;
	case MCFAB_FINDING_TYPE_UNKNOWN_SWITCH:
		if (f->switch_lid)
			scnprintf(buf, len, "no switch has the LID %u", f->switch_lid);
		else
			scnprintf(buf, len, "there is no switch %u", f->sw);
		break;
	case MCFAB_FINDING_TYPE_CREDIT_LOOP:
		put_credit_loop(f, buf, len);
		break;
	}
}
