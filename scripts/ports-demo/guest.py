#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""In the VM: a video to a changing group, by one policy after the other. The table goes to the
terminal, what each policy measured to POLICY.json in the results. See scripts/ports-demo.sh."""

import json
import os
import statistics
import struct
import sys
import time

from helpers import ports
from helpers.ports import must
import schedule

GROUP = "239.1.2.3"
VIDEO, CROSS = 5000, 5001       # UDP ports
BYTES = 1400                    # of a datagram: 24 flits of 64 bytes, with all headers
CYCLE_PS = 40000000             # a link carries 64 bytes in 40 us: 12.8 Mbit/s
FABRIC = ("topology", "torus", "dims", "4x4", "vcs", "2", "buffer", "8", "startup", "0",
          "flit-bytes", "64", "cycle-ps", str(CYCLE_PS))
HEAD = "{:<14} {:>20}  {:>13}  {:>9} {:>15}"
ROW = "{:<14} {:>6} {:>6} {:>6}  {:>6} {:>6}  {:>9} {:>7} {:<7}  {:>6} {:>6} {:>5} {:>5}"


def play(setup, sender, viewers, cross):
    """Send all packets, each at its time; members come and go between them."""
    frames = setup["frames"]
    plan = schedule.changes(frames)
    events = [(frame / schedule.FPS, nr, None) for nr, frame in enumerate(schedule.stream(frames))]
    for turn in range(int(frames / schedule.FPS / schedule.CROSS_GAP)):
        events += [((turn + pair / len(cross)) * schedule.CROSS_GAP, pair, cross[pair])
                   for pair in range(len(cross))]
    begun = time.monotonic()
    for second, nr, pair in sorted(events, key=lambda event: event[0]):
        time.sleep(max(0, begun + second * setup["pace"] - time.monotonic()))
        if pair:
            pair[0].sendto(bytes(BYTES), pair[1])
            continue
        for node, joins in plan.get(nr, ()):
            (ports.join if joins else ports.leave)(viewers[node], node, GROUP)
        sender.sendto(struct.pack("I", nr) + bytes(BYTES - 4), (GROUP, VIDEO))


def crossing():
    """Sockets of the other traffic: a sender with its receiver's address, for each pair."""
    pairs, receivers = [], []
    for source, sink in schedule.CROSS:
        receivers.append(ports.udp(sink, port=CROSS))
        pairs.append((ports.udp(source, port=CROSS), (ports.address(sink), CROSS)))
        # the receiver's hardware address is asked for now
        pairs[-1][0].sendto(b"?", pairs[-1][1])
        receivers[-1].recv(100)
    return pairs, receivers


def lost():
    """Copies that came to no socket, as the ports count them."""
    return sum(port[counter] for port in must("port", "show", "demo")
               for counter in ("tx-no-run", "tx-copies-lost"))


def delays(frames, sender, viewers):
    """Who got each packet after how many ns: [{node: ns}]."""
    sent = dict(ports.sent(sender))
    audiences = schedule.audiences(frames)
    got = [{} for _ in audiences]
    for node, sock in viewers.items():
        for data, stamp in ports.all_taken(sock):
            nr = struct.unpack_from("I", data)[0]
            if node in got[nr]:
                sys.exit(f"node {node} got packet {nr} twice")
            got[nr][node] = stamp - sent[nr]
    for nr, members in enumerate(audiences):
        if not members.issuperset(got[nr]):
            sys.exit(f"packet {nr} was for {sorted(members)} and came to {sorted(got[nr])}")
    return got


def left(got, frames):
    """Copies that did not come to members because they left with the next change."""
    plan, audiences = schedule.changes(frames), schedule.audiences(frames)
    gone, count = set(), 0
    for nr in reversed(range(len(got))):
        count += len(gone & audiences[nr] - got[nr].keys())
        if nr in plan:
            gone = {node for node, joins in plan[nr] if not joins}
    return count


def measure(policy, setup):
    """A run of the policy, and what it comes to."""
    begun, frames = time.monotonic(), setup["frames"]
    before = lost()
    must("run", "demo", "policy", policy, "workload", "ports", "pace", str(setup["pace"]),
         "detach")
    # all is read when it is over, so it has to have room
    viewers = {node: ports.stamped(ports.udp(node, port=VIDEO, room=1 << 25), node)
               for node in schedule.VIEWERS}
    sender = ports.stamped(ports.udp(schedule.SENDER, port=VIDEO, room=1 << 25),
                           schedule.SENDER)
    cross, receivers = crossing()
    play(setup, sender, viewers, cross)
    slip = must("stats", "show", "demo")["slip"]
    run = must("stop", "demo")
    time.sleep(1)
    got = delays(frames, sender, viewers)
    for sock in (sender, *viewers.values(), *receivers, *(pair[0] for pair in cross)):
        sock.close()
    each = sorted(ns / 1e6 for packet in got for ns in packet.values())
    spread = [(max(packet.values()) - min(packet.values())) / 1e6
              for packet in got if packet]
    audiences = schedule.audiences(frames)
    channels = must("stats", "show", "demo", "channels")
    return {
        "policy": policy, "packets": len(got), "seconds": time.monotonic() - begun,
        "delay": (statistics.mean(each), each[len(each) * 99 // 100], each[-1]),
        "spread": (statistics.mean(spread), max(spread)),
        "flit-hops": run["flit-hops"], "channels": channels, "sender": schedule.SENDER,
        "members": {node: sum(node in members for members in audiences)
                    for node in schedule.VIEWERS},
        "copies": sum(map(len, audiences)), "received": len(each),
        "left": left(got, frames), "lost": lost() - before,
        "late": slip["late"] / max(1, slip["deliveries"]), "slip": slip["mean-ns"],
    }


def row(result):
    """A line of the table."""
    most = max(result["channels"], key=lambda channel: channel["flits"])
    return ROW.format(
        result["policy"], *(f"{ms:.2f}" for ms in result["delay"]),
        *(f"{ms:.2f}" for ms in result["spread"]), result["flit-hops"], most["flits"],
        f"{most['from']} > {most['to']}", result["copies"], result["received"], result["left"],
        result["lost"])


def main():
    setup = {"frames": int(os.environ["MCFAB_DEMO_FRAMES"]),
             "pace": int(os.environ["MCFAB_DEMO_PACE"])}
    must("fabric", "add", "demo", *FABRIC)
    ports.make("demo", schedule.NODES)
    ports.unlimited(schedule.SENDER)
    print(HEAD.format("", "one-way delay, ms", "spread, ms", "", "busiest channel"))
    print(ROW.format("policy", "mean", "99 %", "max", "mean", "max", "flit-hops", "flits", "",
                     "copies", "came", "left", "lost"), flush=True)
    wrong = []
    for policy in os.environ["MCFAB_DEMO_POLICIES"].split():
        result = measure(policy, setup)
        print(row(result), flush=True)
        with open(f"{os.environ['MCFAB_RESULTS']}/{policy}.json", "w", encoding="ascii") as file:
            json.dump(result, file)
        if result["copies"] != result["received"] + result["left"] + result["lost"]:
            wrong.append(f"{policy}: of {result['copies']} copies {result['received']} came, "
                         f"{result['left']} went to members that had left, the ports count "
                         f"{result['lost']} lost")
        print(f"# {policy}: {result['seconds']:.0f} s; "
              f"{result['late']:.1%} of the deliveries came more than 1 ms late, mean "
              f"{result['slip'] / 1e6:.2f} ms", file=sys.stderr, flush=True)
    ports.remove(schedule.NODES)
    must("fabric", "del", "demo")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
