# SPDX-License-Identifier: GPL-2.0
"""What is sent when, and who is a member when: the same for every policy."""

NODES = 16
SENDER = 5
FPS = 25            # frames of the video in a second
WHOLE_EVERY = 12    # every so many frames one is a whole picture
PACKETS = 4         # packets of a frame
WHOLE_PACKETS = 16  # packets of a whole picture
# They join in this order; who has been a member for longest leaves.
VIEWERS = [14, 3, 8, 1, 10, 7, 12, 2, 15, 4, 9, 0]
FEWEST, MOST = 4, 11
CHANGE_EVERY = 60   # after so many packets the members change, between two frames
CROSS = [(0, 10), (2, 8), (7, 13), (15, 4)]     # other traffic, from node to node
CROSS_GAP = 0.02    # seconds between two of its packets


def stream(frames):
    """The packets of the video: its frame for each. All packets of a frame are sent at once."""
    return [frame for frame in range(frames)
            for _ in range(PACKETS if frame % WHOLE_EVERY else WHOLE_PACKETS)]


def changes(frames):
    """Who joins and who leaves before which packet: {packet: [(node, joins)]}."""
    waiting, members = VIEWERS[FEWEST:], VIEWERS[:FEWEST]
    plan = {0: [(node, True) for node in members]}
    due, before, more = CHANGE_EVERY, 0, True
    for nr, frame in enumerate(stream(frames)):
        if nr >= due and frame != before:
            due += CHANGE_EVERY
            if len(members) in (FEWEST, MOST):
                more = len(members) == FEWEST
            # the group grows or shrinks by one: two come and one goes, or one goes
            go = members[:1]
            come = waiting[:2] if more else []
            members, waiting = members[1:] + come, waiting[len(come):] + go
            plan[nr] = [(node, False) for node in go] + [(node, True) for node in come]
        before = frame
    return plan


def audiences(frames):
    """The members at the time of each packet of the video."""
    plan, members, table = changes(frames), set(), []
    for nr in range(len(stream(frames))):
        for node, joins in plan.get(nr, ()):
            (members.add if joins else members.remove)(node)
        table.append(frozenset(members))
    return table
