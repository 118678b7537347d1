#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Credit loops of random subnets: "table check" against ibdmchk -M of Debian's package ibutils.

Usage: test_credits.py MCASTCTL [SUBNETS [SEED]]

Both read the same dumps as OpenSM writes them; ibdmchk wants the network and SL-to-VL tables in
formats of its own. Unicast tables are spanning trees, shortest ways, or any ways that arrive;
multicast tables are random trees that all sources share. Half of the subnets have virtual lanes:
by the service level alone, or by any rule of input port, output port and service level; each
path has a service level, multicast packets have level 0. Where lanes depend on ports there are no
multicast tables: ibdmchk takes it that multicast packets never change lanes, as its source says.
"""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
GUID = 0x5a0000


class Subnet:
    """A random network of switches with hosts, and tables for it."""

    def __init__(self, rng):
        self.rng = rng
        self.switches = rng.randint(3, 10)
        self.links = []         # (switch, port, switch, port)
        self.hosts = []         # (switch, port); host i has LID i + 1
        self.used = [0] * self.switches
        order = list(range(self.switches))
        rng.shuffle(order)
        for i in range(1, self.switches):
            self.link(order[i], order[rng.randrange(i)])
        for _ in range(rng.randint(0, self.switches)):
            self.link(*rng.sample(range(self.switches), 2))
        for switch in range(self.switches):
            for _ in range(rng.choice((0, 1, 1, 2))):
                self.hosts.append((switch, self.port(switch)))
        while len(self.hosts) < 2:
            self.hosts.append((0, self.port(0)))
        self.ports = max(self.used)
        self.kind = rng.choice(("tree", "shortest", "any"))
        self.lft = [self.toward(switch) for switch, _ in self.hosts]
        self.lanes = rng.choice((0, 0, 0, 2, 2, 3))
        self.levels = rng.randint(1, 2 * max(self.lanes, 1))
        self.by_level = rng.random() < 0.3
        trees = 0 if self.lanes and not self.by_level else rng.choice((0, 1, 3))
        self.mft = {0xc000 + i: self.shared_tree() for i in range(trees)}

    def port(self, switch):
        self.used[switch] += 1
        return self.used[switch]

    def link(self, a, b):
        self.links.append((a, self.port(a), b, self.port(b)))

    def ends(self, switch):
        """(port, switch behind it) of a switch, in any order."""
        found = [(p, b) for a, p, b, _ in self.links if a == switch]
        found += [(q, a) for a, _, b, q in self.links if b == switch]
        self.rng.shuffle(found)
        return found

    def tree(self, root, breadth):
        """The way to root: {switch: port}; breadth first, or a tree of any shape."""
        way, seen = {}, [root]
        queue = [root]
        while queue:
            at = queue.pop(0 if breadth else self.rng.randrange(len(queue)))
            for _, switch in self.ends(at):
                if switch in seen:
                    continue
                way[switch] = self.rng.choice([p for p, b in self.ends(switch) if b == at])
                seen.append(switch)
                queue.append(switch)
        return way

    def toward(self, root):
        if self.kind != "tree":
            return self.tree(root, self.kind == "shortest")
        if not hasattr(self, "spanning"):
            self.spanning = [{self.peer(s, p), (s, p)} for s, p in self.tree(0, True).items()]
        way, queue = {}, [root]
        while queue:
            at = queue.pop()
            for pair in self.spanning:
                (a, p), (b, q) = sorted(pair)
                for near, far, port in ((a, b, q), (b, a, p)):
                    if near == at and far != root and far not in way:
                        way[far] = port
                        queue.append(far)
        return way

    def peer(self, switch, port):
        for a, p, b, q in self.links:
            if (a, p) == (switch, port):
                return b, q
            if (b, q) == (switch, port):
                return a, p
        raise KeyError

    def shared_tree(self):
        """Rows {switch: ports} of a tree between random members."""
        members = self.rng.sample(range(len(self.hosts)),
                                  self.rng.randint(2, len(self.hosts)))
        up = self.tree(self.hosts[members[0]][0], self.rng.random() < 0.5)
        rows = {}
        for member in members:
            switch, port = self.hosts[member]
            rows.setdefault(switch, set()).add(port)
            while switch in up:
                behind, back = self.peer(switch, up[switch])
                rows.setdefault(switch, set()).add(up[switch])
                rows.setdefault(behind, set()).add(back)
                switch = behind
        return rows

    def switch_lid(self, switch):
        return len(self.hosts) + 1 + switch

    def lane(self, switch, in_port, out_port, level):
        if self.by_level:
            return level % self.lanes
        return random.Random(f"{switch} {in_port} {out_port} {level}").randrange(self.lanes)

    def lane_rows(self):
        """(switch, input port, output port, lane of each service level)"""
        for switch in range(self.switches):
            for out_port in range(1, self.ports + 1):
                for in_port in range(self.ports + 1):
                    yield switch, in_port, out_port, [self.lane(switch, in_port, out_port, level)
                                                      for level in range(16)]

    def write_lanes(self):
        """As OpenSM dumps them."""
        last = None
        with open("opensm-sl2vl.dump", "w", encoding="utf-8") as out:
            for switch, in_port, out_port, lanes in self.lane_rows():
                if switch != last:
                    out.write(f'Switch {GUID + switch:#018x}, base LID {self.switch_lid(switch)}, '
                              f'"s{switch}"\n#in out : 0  1  2\n#---------\n')
                last = switch
                out.write(f"{in_port:<3d} {out_port:<3d} :"
                          + "".join(f" {lane:<2d}" for lane in lanes) + "\n")
            out.write("#---------\n\n")

    def write_lanes_of_ibdmchk(self):
        with open("subnet.slvl", "w", encoding="utf-8") as out:
            for switch, in_port, out_port, lanes in self.lane_rows():
                pairs = " ".join(f"0x{a:x}{b:x}" for a, b in zip(lanes[::2], lanes[1::2]))
                out.write(f"{GUID + switch:#018x} {in_port} {out_port} {pairs}\n")

    def write_levels(self):
        """Of all paths; both read this, with GUIDs of adapters."""
        with open("subnet.psl", "w", encoding="utf-8") as out:
            for source in range(len(self.hosts)):
                for lid in range(1, len(self.hosts) + 1):
                    level = self.rng.randrange(self.levels)
                    out.write(f"{self.port_guid(source) - 1:#018x} {lid} {level}\n")

    def port_guid(self, host):
        return GUID + 0x1000 + 0x10 * host + 1

    def write_topology(self):
        """For mcastctl."""
        with open("net.topo", "w", encoding="utf-8") as out:
            for i in range(self.switches):
                out.write(f"switch {i} ports {self.ports + 1} lid {self.switch_lid(i)} "
                          f"guid {GUID + i:#018x}\n")
            for i, (switch, port) in enumerate(self.hosts):
                out.write(f"host {i} switch {switch} port {port} lid {i + 1} "
                          f"guid {self.port_guid(i):#018x} "
                          f"node-guid {self.port_guid(i) - 1:#018x}\n")
            for a, p, b, q in self.links:
                out.write(f"link {a} {p} {b} {q}\n")

    def write_list(self):
        """The same network for ibdmchk: each link from both of its ends."""
        def switch_end(i, port):
            return (f"{{ SW Ports:{self.ports:02x} SystemGUID:{GUID + i:016x} "
                    f"NodeGUID:{GUID + i:016x} PortGUID:{GUID + i:016x} VenID:0002C9 DevID:B924 "
                    f"Rev:000000A1 {{s{i}}} LID:{self.switch_lid(i):04x} PN:{port:02x} }}")

        def host_end(i):
            guid = self.port_guid(i)
            return (f"{{ CA Ports:01 SystemGUID:{guid - 1:016x} NodeGUID:{guid - 1:016x} "
                    f"PortGUID:{guid:016x} VenID:0002C9 DevID:6274 Rev:000000A0 {{h{i}}} "
                    f"LID:{i + 1:04x} PN:01 }}")

        pairs = [(switch_end(a, p), switch_end(b, q)) for a, p, b, q in self.links]
        pairs += [(host_end(i), switch_end(*at)) for i, at in enumerate(self.hosts)]
        with open("subnet.lst", "w", encoding="utf-8") as out:
            for one, other in pairs:
                out.write(f"{one} {other} PHY=4x LOG=ACT SPD=2.5\n")
                out.write(f"{other} {one} PHY=4x LOG=ACT SPD=2.5\n")

    def write_tables(self):
        """As OpenSM dumps them."""
        with open("subnet.fdbs", "w", encoding="utf-8") as out:
            for switch in range(self.switches):
                out.write(f"dump_ucast_routes: Switch {GUID + switch:#018x}\n"
                          "LID    : Port : Hops : Optimal\n")
                for host, (at, port) in enumerate(self.hosts):
                    port = port if at == switch else self.lft[host][switch]
                    out.write(f"0x{host + 1:04x} : {port:03d}  : 01   : yes\n")
                out.write("\n")
        with open("subnet.mcfdbs", "w", encoding="utf-8") as out:
            for switch in range(self.switches):
                out.write(f"\nSwitch {GUID + switch:#018x}\nLID    : Out Port(s)\n")
                for lid, rows in self.mft.items():
                    if switch in rows:
                        ports = "".join(f"0x{p:03x}  " for p in sorted(rows[switch]))
                        out.write(f"0x{lid:04X} : {ports}\n")


def ask_mcastctl(tool, net):
    """(credit loop found, whole output)"""
    files = ["subnet.fdbs"] + (["subnet.mcfdbs"] if net.mft else [])
    files += ["opensm-sl2vl.dump", "subnet.psl"] if net.lanes else []
    batch = f"fabric add s topology irregular file net.topo addressing lid vcs {net.lanes or 1}\n"
    batch += f"table load s {' '.join(files)}\n"
    batch += "table check s\n"
    pathlib.Path("check.batch").write_text(batch, encoding="utf-8")
    done = subprocess.run([tool, "--engine", "user", "-batch", "check.batch"], text=True,
                          capture_output=True, check=False, timeout=60)
    text = done.stdout + done.stderr
    found = re.search(r"^(nothing|\d+) found$", text, re.M)
    if not found:
        raise RuntimeError(f"mcastctl: {text}")
    others = set(re.findall(r"^  ([a-z-]+): ", text, re.M)) - {"credit-loop"}
    if others:
        raise RuntimeError(f"mcastctl finds {others}: {text}")
    return "credit-loop" in text, text


def ask_ibdmchk(net):
    """(credit loop found, whole output)"""
    lanes = ["-d", "subnet.slvl", "-c", "subnet.psl"] if net.lanes else []
    done = subprocess.run(["ibdmchk", "-M", "-s", "subnet.lst", "-f", "subnet.fdbs", "-m",
                           "subnet.mcfdbs", *lanes], text=True, capture_output=True, check=False,
                          timeout=60)
    text = done.stdout + done.stderr
    if "no credit loops found" in text:
        return False, text
    if "credit loops in routing" in text:
        return True, text
    raise RuntimeError(f"ibdmchk: {text}")


def main():
    if not shutil.which("ibdmchk"):
        print("TAP version 13\n1..1\nok 1 the same verdicts # SKIP ibutils is not installed")
        return 0
    tool = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else TOP / "tools/mcastctl/mcastctl")
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(10 ** 6)
    print("TAP version 13\n1..1")
    print(f"# seed {seed}")
    count = {(lanes, loop): 0 for lanes in (True, False) for loop in (True, False)}
    for i in range(number):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            net = Subnet(random.Random(seed + i))
            net.write_topology()
            net.write_list()
            net.write_tables()
            if net.lanes:
                net.write_lanes()
                net.write_lanes_of_ibdmchk()
                net.write_levels()
            ours, theirs = ask_mcastctl(tool, net), ask_ibdmchk(net)
            os.chdir("/")
        count[net.lanes > 0, ours[0]] += 1
        if ours[0] != theirs[0]:
            print(f"# subnet {i} ({net.kind}, {net.lanes} lanes): " + (ours[1] + theirs[1]).replace("\n", "\n# "))
            print(f"not ok 1 the same verdicts\n# once more: test_credits.py MCASTCTL 1 {seed + i}")
            return 1
    seen = all(count.values())
    print(f"{'ok' if seen else 'not ok'} 1 the same verdicts on {number} subnets, "
          f"{count[True, True] + count[False, True]} of them with credit loops, "
          f"{count[True, True]} of these with lanes")
    return 0 if seen else 1


sys.exit(main())
