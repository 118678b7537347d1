# SPDX-License-Identifier: GPL-2.0
"""Numbered frames with checksums through every policy: fabrics for all of them, and what has to be
true of the frames. Shared by ports_policies.py and scripts/ports-soak.sh."""

import collections
import contextlib
import json
import os
import random
import subprocess
import tempfile
import time

from helpers import ports
from helpers.ports import must, tool

SOURCE = os.path.join(ports.TOP, "tests/selftests/frames/frames.c")
KINDS = ("torus", "mesh", "irregular")
SPARE = "239.1.1.1"     # a group of which nobody is a member for long
# Flits are long, so that runs are short; buffers hold a packet, as many policies need that.
ALL = ("startup", "0", "flit-bytes", "256", "buffer-packets", "1")
HEAD = ("policy", "network", "sent", "expected", "received", "lost", "wrong", "disorder", "seconds")
ROW = "{:<14} {:<16} {:>8} {:>9} {:>9} {:>6} {:>6} {:>9} {:>8}"

# A fabric: its kind, as policies say what they serve; what "fabric add" needs; its nodes.
Net = collections.namedtuple("Net", "name kind words nodes vcs")
# What became of the frames of a run, or why it was refused; more words of the run.
Outcome = collections.namedtuple("Outcome", "policy net words refused lost failures counts")


def nets(folder):
    """The fabrics. A policy takes the first of a kind that it does not refuse."""
    subnet = os.path.join(folder, "mesh.ibnetdiscover")
    return [
        Net("torus", "torus", ("torus", "dims", "3x4", "vcs", "2"), 12, 2),
        Net("torus-updown", "torus", ("torus", "dims", "3x4", "routing", "updown"), 12, 1),
        Net("mesh", "mesh", ("mesh", "dims", "3x3"), 9, 1),
        Net("mesh-updown", "mesh", ("mesh", "dims", "3x3", "routing", "updown"), 9, 1),
        Net("mesh-vcs", "mesh", ("mesh", "dims", "3x3", "vcs", "2"), 9, 2),
        Net("mesh-subnet", "mesh", ("mesh", "dims", "3x3", "addressing", "lid"), 9, 1),
        Net("irregular", "irregular",
            ("irregular", "switches", "6", "ports", "8", "hosts", "9"), 9, 1),
        Net("irregular-subnet", "irregular",
            ("irregular", "file", subnet, "addressing", "lid"), 9, 1),
    ]


def ordered(policy, net):
    """Do frames of a source to a group come in their order? With several virtual channels a short
    frame may overtake a long one, and worms of ld choose their ways."""
    return net.vcs == 1 and policy != "ld"


def policies():
    """Each policy with the kinds of networks that it serves, and what the list leaves out."""
    names = [policy["name"] for policy in must("--engine", "user", "policy", "show")]
    # shown by name, their modules are loaded
    status, out = ports.sh("mcastctl", "-b", "-", stdin="".join(f"policy show {name}\n"
                                                               for name in names))
    assert not status, out
    serves = {policy["name"]: policy["serves"] for policy in must("policy", "show")}
    _, out = ports.sh("mcastctl", "policy", "show")
    left_out = [line for line in out.splitlines() if line.startswith("not loaded")]
    return serves, left_out + [name for name in names if name not in serves]


class Fabric:
    """A fabric with a port and a socket on each node, some groups, and no frames but ours."""

    def __init__(self, net, program, seed):
        self.net, self.program, self.seed = net, program, seed
        must("fabric", "add", "f", "topology", *net.words, *ALL)
        ports.make("f", net.nodes, quiet=True)
        self.sockets = [ports.udp(node, room=1 << 26) for node in range(net.nodes)]
        draw = random.Random(seed)
        self.groups = {}
        for size in (2, 2, 2, 3, 3, 4, net.nodes - 1):
            group = f"239.1.0.{len(self.groups) + 1}"
            self.groups[group] = sorted(draw.sample(range(net.nodes), size))
            for node in self.groups[group]:
                ports.join(self.sockets[node], node, group)
            if "addressing" in net.words:
                must("group", "add", "f", f"g{len(self.groups)}", "members",
                     ",".join(map(str, self.groups[group])), "address", group)

    def close(self):
        """All of it goes."""
        for sock in self.sockets:
            sock.close()
        ports.remove(self.net.nodes)
        must("fabric", "del", "f")

    def counts(self):
        """Counters of the ports, in the order of nodes."""
        return sorted(must("port", "show", "f"), key=lambda port: port["node"])

    def ready(self):
        """Wait until ports take frames: the kernel starts their queues some time after the run.
        Their counters."""
        deadline = time.monotonic() + 20 * ports.SLOW
        while True:
            counts = self.counts()
            if all(port["carrier"] for port in counts) and \
                    all(ports.running(sock, node) for node, sock in enumerate(self.sockets)):
                break
            assert time.monotonic() < deadline, f"ports have no carrier: {counts}"
            time.sleep(0.05)
        # whoever has had RTNL since then knows that the queues have been started
        ports.join(self.sockets[0], 0, SPARE)
        ports.leave(self.sockets[0], 0, SPARE)
        return counts

    def send(self, frames):
        """What the program says of so many frames."""
        words = [f"{sock.fileno()}={ports.address(node)}"
                 for node, sock in enumerate(self.sockets)]
        words += [f"{group}={','.join(map(str, members))}"
                  for group, members in self.groups.items()]
        done = subprocess.run([self.program, str(frames), str(self.seed), *words],
                              pass_fds=[sock.fileno() for sock in self.sockets],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        if done.returncode:
            raise RuntimeError(done.stdout)
        *said, line = done.stdout.splitlines()
        return json.loads(line), said

    def run(self, policy, frames, *words):
        """A run by a policy with so many frames."""
        status, _, err = tool("run", "f", "policy", policy, "workload", "ports", *words, "detach")
        if status:
            assert err.strip(), f"{policy} is refused without a word"
            return Outcome(policy, self.net, words, err.strip(), 0, [], None)
        before = self.ready()
        counts, said = self.send(frames)
        status, run, err = tool("stop", "f")
        if status or run["state"] != "done":
            said.append(f"the run did not end: {run} {err}")
        moved = {name: [now[name] - then[name] for now, then in zip(self.counts(), before)]
                 for name in ("rx-frames", "tx-copies-lost")}
        lost = sum(moved["tx-copies-lost"])
        return Outcome(policy, self.net, words, "", lost,
                       said + failures(policy, self.net, frames, counts, moved), counts)


def failures(policy, net, frames, counts, moved):
    """What is not as it should be, in words. @moved: by how much counters of ports went up."""
    wrong = []
    if counts["sent"] != frames:
        wrong.append(f"{counts['sent']} of {frames} frames could be sent")
    for what in ("wrong", "doubles"):
        if counts[what]:
            wrong.append(f"{counts[what]} copies: {what}")
    if counts["disordered"] and ordered(policy, net):
        wrong.append(f"{counts['disordered']} copies out of order")
    for node, its in enumerate(counts["nodes"]):
        lost = moved["tx-copies-lost"][node]
        if its["received"] + lost != its["expected"]:
            wrong.append(f"of {its['expected']} copies from node {node} {its['received']} came, "
                         f"{lost} are counted as lost")
        if its["came"] != moved["rx-frames"][node]:
            wrong.append(f"port {node} got {moved['rx-frames'][node]}, its socket {its['came']}")
    return wrong


def row(outcome):
    """A line of the table."""
    counts = outcome.counts
    if outcome.refused:
        return f"{outcome.policy:<14} {outcome.net.kind:<16} {outcome.refused}"
    return ROW.format(outcome.policy, outcome.net.name, counts["sent"], counts["expected"],
                      counts["received"], outcome.lost, counts["wrong"] + counts["doubles"],
                      counts["disordered"], f"{counts['seconds']:.1f}")


@contextlib.contextmanager
def prepared():
    """The program that sends and receives, and the fabrics."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "frames")
        status, out = ports.sh("gcc", "-O2", "-Wall", "-Wextra", "-o", program, SOURCE, "-lz")
        if status:
            raise RuntimeError(out)
        # the same mesh as a subnet of which nobody says that it is one
        must("fabric", "add", "f", "topology", "mesh", "dims", "3x3", "addressing", "lid")
        status, out = ports.sh("mcastctl", "topology", "show", "f", "format", "ibnetdiscover")
        if status:
            raise RuntimeError(out)
        must("fabric", "del", "f")
        with open(os.path.join(folder, "mesh.ibnetdiscover"), "w", encoding="ascii") as file:
            file.write(out)
        yield program, nets(folder)


def through(serves, frames, seed, lossy=0):
    """Send so many frames by each policy, divided among the kinds that it serves. Outcomes, one
    by one; at last those of policies that no fabric of a kind takes, which is a failure. On the
    first fabric @lossy frames more go to ports that drop what comes while another frame waits
    there."""
    with prepared() as (program, all_nets):
        served, refused = set(), collections.defaultdict(list)
        for net in all_nets:
            todo = [policy for policy, kinds in serves.items()
                    if net.kind in kinds and (policy, net.kind) not in served]
            if not todo:
                continue
            fabric = Fabric(net, program, seed)
            here = []
            try:
                for policy in todo:
                    kinds = len(set(serves[policy]) & set(KINDS))
                    outcome = fabric.run(policy, (frames + kinds - 1) // kinds)
                    if outcome.refused:
                        refused[policy, net.kind].append(outcome)
                        continue
                    here.append(policy)
                    yield outcome
                if lossy:
                    yield fabric.run(here[0], lossy, "rx-limit", "1")
                    lossy = 0
            finally:
                fabric.close()
            served.update((policy, net.kind) for policy in here)
        for key, outcomes in refused.items():
            if key not in served:
                said = "; ".join(outcome.refused for outcome in outcomes)
                yield outcomes[-1]._replace(failures=[f"it is refused: {said}"])
