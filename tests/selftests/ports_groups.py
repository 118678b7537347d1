#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug late timeout=240
"""Groups of a subnet that are bound to addresses: frames of ports follow the tables of the group's
multicast LIDs to its members."""

from helpers import mcfab_nl as nl
from helpers import ports
from helpers.ports import tool

NODES = 9
GROUP, FREE = "239.129.2.3", "239.1.1.1"
MEMBERS, ALL = (1, 5, 8), ",".join(map(str, range(NODES)))


def refusals(tap):
    """Addresses that no group may have."""
    for address, complaint in (
            ("10.0.0.1", "address 10.0.0.1: is no multicast address"),
            ("fe80::1", "address fe80::1: is no multicast address"),
            ("here", "address here: is neither"),
            ("02:00:00:00:00:01", "that of one station"),
            ("01:00:5e:01:02:zz", "not like"),
            ("01:00:5e:01:02:03", "belongs to group g")):
        status, _, err = tool("group", "add", "f", "x", "members", "1,2", "address", address)
        tap.check(status and complaint in err, f"address {address} is refused", err)
    _, groups, _ = tool("group", "show", "f")
    tap.check([group["name"] for group in groups] == ["g", "all"] and
              groups[0]["address"] == "01:00:5e:01:02:03", "nothing was made", str(groups))


def goes(tap, policy, words):
    """Frames to the group, to another, to one port."""
    status, _, err = tool("run", "f", "policy", policy, *words, "workload", "ports", "detach")
    tap.check(not status, f"{policy}: a run from ports", err)
    if status:
        return
    ports.ready("f")
    sender = ports.udp(0)
    # node 2 has joined, but is no member; node 8 is one, but has not joined
    sockets = {node: ports.udp(node, GROUP) for node in (1, 2, 5)}
    free = ports.udp(3, FREE, port=5001)
    before = tool("port", "show", "f")[1]
    for nr in range(100):
        sender.sendto(nr.to_bytes(4, "big"), (GROUP, 5000))
        sender.sendto(nr.to_bytes(4, "big"), (FREE, 5001))
    got = {node: len(ports.drain(sock)) for node, sock in sockets.items()}
    after = tool("port", "show", "f")[1]
    came = {new["node"]: new["rx-frames"] - old["rx-frames"] for old, new in zip(before, after)}
    tap.check(got == {1: 100, 2: 0, 5: 100} and came[8] >= 100,
              f"{policy}: the members of the group get its frames, nobody else", f"{got} {came}")
    others = len(ports.drain(free))
    tap.check(others == 100, f"{policy}: who has joined another address gets its frames", str(others))
    sender.sendto(b"there", (ports.address(5), 5000))
    tap.check(sockets[5].recv(100) == b"there", f"{policy}: a frame to one port, by ARP", "")
    lost = after[0]["tx-copies-lost"]
    tap.check(not lost, f"{policy}: nothing is lost", str(lost))
    status, out, err = tool("stop", "f")
    tap.check(not status and out["state"] == "done" and out.get("hash"), f"{policy}: the run ends",
              f"{out}{err}")
    for sock in (*sockets.values(), free, sender):
        sock.close()


def main():
    tap = nl.Tap()
    status, _, err = tool("fabric", "add", "f", "topology", "mesh", "dims", "3x3", "addressing",
                          "lid", "startup", "0", "buffer", "96")
    assert not status, err
    for name, members, address in (("g", ",".join(map(str, MEMBERS)), GROUP),
                                   ("all", ALL, "ff:ff:ff:ff:ff:ff")):
        status, _, err = tool("group", "add", "f", name, "members", members, "address", address)
        tap.check(not status, f"group {name} is bound to {address}", err)
    refusals(tap)
    ports.make("f", NODES)
    ports.keep_all(0)
    for policy, *words in (("table",), ("xy-union",), ("xy-unicast",), ("dp",)):
        goes(tap, policy, words)
    _, group, _ = tool("group", "show", "f", "g")
    tap.check(len(group["lids"]) == NODES, "each node has a multicast LID for the group",
              str(group))
    status, _, err = tool("group", "del", "f", "g")
    tap.check(not status, "a group goes that was bound", err)
    tool("fabric", "del", "f")
    ports.remove(NODES)
    tap.finish()


if __name__ == "__main__":
    main()
