#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=400
"""What the tracepoints say is true: the events of lone multicasts against their plans,
a load replayed from its events, who blocks whom, deadlocks, one thread against two, a run
that is traced for a while, and the page that describes them."""

import collections
import json
import os
import re
import subprocess
import time

from helpers.life import (DEBUG, TOP, add, begin, busy, finish, note, online, remove, start, state,
                          test, wait)

TRACING = "/sys/kernel/tracing"
EVENTS = f"{TRACING}/events/mcfab"
BUFFER = f"{TRACING}/instances/mcfab-test"
PAGE = os.path.join(TOP, "Documentation/tracing.md")
POLICIES = [["unicast"], ["dp"], ["mp"], ["cp"], ["qg"], ["qg", "cover", "label"]]


def write(path, text):
    """To a file of tracefs."""
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


def read(path):
    """All of a file of tracefs."""
    with open(path, encoding="ascii") as f:
        return f.read()


class Event:
    """An event: its name without prefix, its fields as attributes, numbers as such."""

    def __init__(self, name, text):
        self.name = name
        self.text = text
        for word in text.split():
            key, value = word.split("=", 1)
            number = re.fullmatch(r"-?\d+", value)
            setattr(self, key, int(value) if number else value)

    @property
    def key(self):
        """The worm it is about."""
        return self.gen, self.source, self.seq, self.worm

    @property
    def holder(self):
        """The worm that holds what this one waits for."""
        return self.holder_gen, self.holder_source, self.holder_seq, self.holder_worm

    @property
    def place(self):
        """The channel."""
        return self.router, self.port, self.vc


def traced(run, begin_now=True):
    """The events of what is done, in the order of cycles."""
    os.mkdir(BUFFER)
    try:
        write(f"{BUFFER}/buffer_size_kb", "49152")
        if begin_now:
            write(f"{BUFFER}/events/mcfab/enable", "1")
        run()
        write(f"{BUFFER}/events/mcfab/enable", "0")
        lost = 0
        for cpu in os.listdir(f"{BUFFER}/per_cpu"):
            stats = read(f"{BUFFER}/per_cpu/{cpu}/stats")
            lost += sum(int(n) for n in re.findall(r"(?:overrun|dropped events): (\d+)", stats))
        if lost:
            test(False, "the buffer is large enough", f"{lost} events lost")
        found = re.findall(r": mcfab_(\w+): (.*)", read(f"{BUFFER}/trace"))
        return sorted((Event(*f) for f in found), key=lambda e: e.cycle)
    finally:
        write(f"{BUFFER}/events/mcfab/enable", "0")
        os.rmdir(BUFFER)


def called(events, name):
    """Those of one kind."""
    return [e for e in events if e.name == name]


def by_worm(events):
    """{worm: its events}"""
    out = collections.defaultdict(list)
    for e in events:
        out[e.key].append(e)
    return out


def mcastctl(*args):
    """Its answer in JSON, or what went wrong."""
    done = subprocess.run(["mcastctl", "-j", *map(str, args)], capture_output=True, text=True,
                          check=False)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr


def page():
    """The page's table has every event and every field."""
    with open(PAGE, encoding="utf-8") as f:
        rows = [[c.strip() for c in line.strip().strip("|").split("|")]
                for line in f if line.startswith("|")]
    groups = {r[0].strip("*"): r[1].split(":")[0] for r in rows if r[0].startswith("*")}
    told = {r[0].strip("`"): (r[1], r[2]) for r in rows if r[0].startswith("`mcfab_")}
    there = {d for d in os.listdir(EVENTS) if os.path.isdir(f"{EVENTS}/{d}")}
    test(set(told) == there, "the page tells of every event", set(told) ^ there)

    def fields(text):
        out = set(re.sub(r"\*\w+\*,?", "", text).split())
        for name in re.findall(r"\*(\w+)\*", text):
            out |= fields(groups[name])
        return out

    for name in sorted(there & set(told)):
        format_ = read(f"{EVENTS}/{name}/format")
        got = set(re.findall(r"field:[^;]*?(\w+)(?:\[\d*\])?;", format_))
        got = {f for f in got if not f.startswith("common_")}
        where, own = told[name]
        want = fields(own)
        for group in re.findall(r"\*(\w+)\*", where):
            want |= fields(groups[group])
        test(got == want, f"the page has the fields of {name}", got ^ want)


def lone(policy, source, dests):
    """A lone multicast does what its plan says, when it says so."""
    name = " ".join(policy)
    events = traced(lambda: mcastctl("run", "t", "policy", *policy, "workload", "lone", "count",
                                     1, "dests", dests, "source", source))
    deliveries = [e for e in called(events, "deliver") if not e.relay]
    plan = mcastctl("plan", "t", "policy", *policy, "from", source, "to",
                    ",".join(str(e.node) for e in deliveries))
    if not isinstance(plan, dict):
        test(False, f"{name}: plan", plan)
        return
    test(len(deliveries) == dests and called(events, "generate")[0].worms == len(plan["worm"]),
         f"{name}: as many worms and deliveries as planned", called(events, "generate")[0].text)
    for kind, want in (
            ("grant", lambda w: w["hops"]),
            ("inject", lambda w: [w["source"]]),
            ("absorb", lambda w: w["destinations"])):
        got = collections.defaultdict(list)
        for e in called(events, kind):
            got[e.worm].append([e.router, e.to, e.vc, e.port] if kind == "grant" else e.node)
        bad = [(w["id"], want(w), got[w["id"]]) for w in plan["worm"]
               if want(w) != got[w["id"]]]
        test(not bad, f"{name}: {kind} events are those of the plan", bad)
    # A round begins with a start-up, and a worm is of one round.
    rounds = {(w["source"], w["after"], w["round"]) for w in plan["worm"]}
    startups = called(events, "startup")
    test(len(startups) == len(rounds) and
         sum(e.worms for e in startups) == len(plan["worm"]) and
         all(e.ready - e.begin >= 33 for e in startups),
         f"{name}: a start-up for each round", [e.text for e in startups])
    if not any(e.waited for e in called(events, "grant")):
        got = sorted([e.node, e.tail] for e in deliveries)
        test(got == sorted(plan["arrivals"]),
             f"{name}: arrivals as predicted", got)


def replay(events, what):
    """Events of a load with one VC: what they say of channels and waits is consistent."""
    owner, granted, held = {}, {}, []
    wrong = collections.defaultdict(list)
    order = {"release": 2, "block": 1}
    waited = collections.defaultdict(list)
    asked, last = {}, {}
    for e in sorted(events, key=lambda e: (e.cycle, order.get(e.name, 0))):
        if e.name == "header":
            asked[e.key, e.router] = e.cycle
        elif e.name == "grant":
            if owner.get(e.place) is not None:
                wrong["no channel is granted while another worm holds it"].append(e.text)
            if asked[e.key, e.router] + e.waited != e.cycle:
                wrong["a wait is as long as from the header to the grant"].append(e.text)
            owner[e.place] = e.key
            granted[e.place] = e.cycle
            waited[e.key].append(e.waited)
        elif e.name == "block":
            if e.port >= 0 and e.holder != owner.get(e.place):
                wrong["a block names the worm that holds the channel"].append(e.text)
        elif e.name == "release":
            if owner.get(e.place) != e.key or e.held != e.cycle + 1 - granted[e.place]:
                wrong["a channel is released by its holder"].append(e.text)
            owner[e.place] = None
            held.append(e.held)
        elif e.name == "deliver":
            last[e.key] = e
    # A copy on the way may come late by what the worm waits for behind it.
    wrong["a worm's last delivery was blocked as long as its header waited"] += [
        e.text for e in last.values() if e.blocked != sum(waited[e.key])]
    for name in ("no channel is granted while another worm holds it",
                 "a wait is as long as from the header to the grant",
                 "a block names the worm that holds the channel",
                 "a channel is released by its holder",
                 "a worm's last delivery was blocked as long as its header waited"):
        test(not wrong[name], f"{what}: {name}", wrong[name][:3])
    late = [e for e in called(events, "grant") if e.waited]
    blocks = {(e.key, e.router) for e in called(events, "block")}
    test(late and all((e.key, e.router) in blocks for e in late) and
         len(blocks) == len(late), f"{what}: one block for each grant that was waited for",
         (len(late), len(blocks)))
    test(not any(owner.values()) and held, f"{what}: every channel is released", "")
    test(len(called(events, "absorb")) == len(called(events, "deliver")),
         f"{what}: what is absorbed is delivered")


def load(cpus, fabric, policy, run):
    """The events of a burst on some CPUs."""
    add("t", [8, 8], cpus, **fabric)
    events = traced(lambda: (start("t", policy, "burst", **run), wait("t")))
    remove("t")
    return events


def neutral(events):
    """All that must not depend on threads."""
    return sorted(e.name + re.sub(r"id=\d+ ", "", e.text) for e in events
                  if e.name != "run_start")


def bursts():
    """Bursts: replayed, and the same by one thread and by two."""
    shapes = {"one VC": ({}, "dp", {"dests": 4}),
              "two VCs, credits": ({"vcs": 2, "buffer": 3, "credit_delay": 1, "link_delay": 2},
                                   "mp", {"dests": 5, "flits": 8}),
              "sent": ({"vc_release": "sent", "buffer": 16, "switching": "cut-through"}, "unicast",
                       {"dests": 3, "flits": 8})}
    for name, (fabric, policy, run) in shapes.items():
        one = load("0", fabric, policy, run)
        two = load("0-1", fabric, policy, run)
        note(f"{name}: {len(one)} events")
        if name == "one VC":
            replay(one, name)
        test(neutral(one) == neutral(two), f"{name}: the same events by two threads",
             list(set(neutral(one)) ^ set(neutral(two)))[:3])
        known = [e for e in called(one, "block") if e.holder_source >= 0]
        test(known and {e.holder for e in known} <= set(by_worm(called(one, "inject"))),
             f"{name}: holders are worms under way", len(known))
        ends = called(one, "run_end")
        test(len(ends) == 1 and ends[0].state == "done" and ends[0].messages == 64 and
             ends[0].deliveries == 64 * run["dests"] == len(called(one, "deliver")),
             f"{name}: the end of the run", [e.text for e in ends])


def further(name, cycles):
    """Sleep until a run is so many cycles further, or has ended."""
    # what is shown is some 50 ms old: from the next that is shown on
    shown = state(name)["cycle"]
    while state(name)["state"] == "running" and state(name)["cycle"] == shown:
        time.sleep(0.01)
    end = state(name)["cycle"] + cycles
    while state(name)["state"] == "running" and state(name)["cycle"] < end:
        time.sleep(0.01)


def late():
    """Tracing that begins in the middle of a run, where headers fly ahead: nothing else changes."""
    run = {"dests": 1, "rate_ppb": 1900000, "flits": 32, "warmup": 0, "batches": 20,
           "batch_cycles": 2000, "precision_ppm": 0}
    add("t", [16, 16], "0", startup=0)
    began = time.monotonic()
    start("t", "unicast", "poisson", **run)
    wait("t")
    # some seconds, however fast the machine is
    run["batch_cycles"] *= max(1, int(5 / (time.monotonic() - began)))
    start("t", "unicast", "poisson", **run)
    alone = wait("t")

    def both():
        start("t", "unicast", "poisson", **run)
        going = busy(0.3, "t")
        write(f"{BUFFER}/events/mcfab/filter", "source == 17")
        # the kernel switches events on and off one by one, and the run goes on meanwhile:
        # tracing_on stops and begins all of them together
        write(f"{BUFFER}/tracing_on", "0")
        write(f"{BUFFER}/events/mcfab/enable", "1")
        write(f"{BUFFER}/tracing_on", "1")
        # the source sends one packet in some 500 cycles, which is on its way for some 60
        further("t", 5000)
        write(f"{BUFFER}/tracing_on", "0")
        write(f"{BUFFER}/events/mcfab/enable", "0")
        test(going and state("t")["state"] == "running", "a run goes on while it is traced")

    # where QEMU translates code, another CPU may stumble over an event that is being switched on
    online(1, False)
    try:
        events = traced(both, False)
    finally:
        online(1, True)
    end = wait("t")
    remove("t")
    test(end["state"] == alone["state"] == "done" and end["hash"] == alone["hash"],
         "a run that is traced for a while comes to the same results", (alone, end))
    told = [e for e in events if hasattr(e, "worm")]
    # a worm that arrived just before the end may have released its last channel after it
    whole = [worm for worm in by_worm(told).values()
             if {e.name for e in worm} >= {"inject", "header", "grant", "deliver", "release"} and
             worm[-1].cycle < told[-1].cycle]
    note(f"{len(events)} events, {len(whole)} worms from source to end")
    test(whole and all(e.cycle > 0 and e.source == 17 for e in events),
         "worms are told of from then on", len(events))
    test(all(len(called(w, "grant")) == len(called(w, "release")) ==
             called(w, "deliver")[0].hops for w in whole),
         "each of their channels is granted and released")


def deadlock():
    """The waits of a deadlock form a cycle, each for what the next one holds."""
    events = load("0", {"consume": 1, "stall_limit": 500}, "dp", {"dests": 6})
    waits = called(events, "deadlock_wait")
    summary = called(events, "deadlock")
    test(len(summary) == 1 and summary[0].waits == len(waits) > 1 and
         called(events, "run_end")[0].state == "deadlocked",
         "a deadlock is told of", [e.text for e in summary])
    test([e.holder for e in waits] == [e.key for e in waits[1:] + waits[:1]],
         "each waits for what the next one holds", [e.text for e in waits])
    blocks = {(e.key, e.place, e.cycle): e.holder for e in called(events, "block")}
    test(all((e.key, e.place, e.since) in blocks for e in waits),
         "every wait began with a block", [e.text for e in waits])
    consume = [e for e in called(events, "block") if e.port < 0]
    test(consume and all(e.dir == "consume" for e in consume) and
         any(e.holder_source >= 0 for e in consume),
         "who takes the consumption channel is told", len(consume))


def main():
    """All of it."""
    begin()
    if not os.path.isdir(EVENTS):
        test(False, "there are tracepoints")
        finish()
    page()
    made = add("t", [16, 16], "0")
    for i, policy in enumerate(POLICIES):
        for source, dests in ((0, 1), (137, 10)) + (() if DEBUG else ((255, 40),)):
            lone(policy, source, dests + i)
    first = called(traced(lambda: mcastctl("run", "t", "policy", "dp", "workload", "lone",
                                           "dests", 1)), "run_start")[0]
    test(first.fabric == "t" and first.id == made["id"] and first.policy == "dp" and
         first.netns == os.stat("/proc/self/ns/net").st_ino and first.workload == "lone",
         "events name fabric and namespace", first.text)
    remove("t")
    bursts()
    late()
    deadlock()
    finish()


main()
