#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: debug timeout=300
"""InfiniBand subnets through the kernel: LIDs, groups, forwarding tables that are built,
set, loaded and checked, traffic that follows them, and everything that is refused."""

import time

from helpers.mcfab_nl import Tap, client, error_name, refusal, u32s

EAST, NORTH, WEST, SOUTH, HOST = 1, 2, 3, 4, 5


def request(**values):
    """A request about fabric s."""
    return {"fabric": "s", **{k.replace("_", "-"): v for k, v in values.items()}}


def lft(switch, lid, *ports, **more):
    """An entry of a linear forwarding table."""
    return {"kind": "lft", "switch": switch, "lid": lid, "ports": bytes(ports), **more}


def mft(switch, lid, *ports):
    """A row of a multicast forwarding table."""
    return {"kind": "mft", "switch": switch, "lid": lid, "ports": bytes(ports)}


def entries(ynl, kind, **more):
    """Entries of tables as the kernel shows them."""
    shown = ynl.dump("table-get", request(kind=kind, **more))
    return [e for m in shown for e in m["entry"]]


def rows(ynl, **more):
    """Rows of multicast forwarding tables: (switch, LID) to ports."""
    return {(e["switch"], e["lid"]): list(e.get("ports", [])) for e in entries(ynl, "mft", **more)}


def check(ynl, **more):
    """What a check finds, as text; the number first."""
    parts = ynl.dump("table-check", request(**more))
    return parts[0]["findings"], [f["text"] for p in parts[1:] for f in p["finding"]]


def refused(tap, ynl, what, operation, values, error, text, dump=False):
    """An operation is refused with an error and a message."""
    err = refusal(lambda: (ynl.dump if dump else ynl.do)(operation, values))
    msg = err.nl_msg.extack.get("msg", "") if err and err.nl_msg.extack else ""
    tap.check(err and error_name(err.error) == error and text in msg, f"refused: {what}",
              f"{err and error_name(err.error)}: {msg}")


def finish(ynl):
    """Wait for the end of a run."""
    for _ in range(1000):
        now = ynl.do("run-get", request())
        if now["state"] != "running":
            return now
        time.sleep(0.05)
    return now


def fabric(tap, ynl):
    """The fabric, its defaults, its LIDs."""
    made = ynl.do("fabric-new", {"name": "s", "topology": "mesh", "dims": [5, 5],
                                 "addressing": "lid"})
    want = {"addressing": "lid", "switching": "cut-through", "vc-release": "sent",
            "link-arbitration": "packet", "inject": 1, "consume": 1, "startup": 0,
            "cycle-ps": 4000, "buffer-packets": 1}
    tap.check(want.items() <= made.items(), "addressing lid: its defaults", str(made))
    nodes = ynl.dump("node-get", request())
    good = True
    for n in nodes:
        x, y = n["coord"]
        good &= n["lid"] == x * 5 + y + 1 and n["switch-lid"] == n["lid"] + 25
        good &= n["switch-port"] == HOST
    tap.check(good, "node-get: LIDs")
    plain = ynl.do("fabric-new", {"name": "p", "topology": "mesh", "dims": [3, 3]})
    tap.check(plain["addressing"] == "nodes", "by default without LIDs")
    refused(tap, ynl, "groups without LIDs", "group-new", {"fabric": "p", "name": "g"},
            "ENOTSUP", "no LIDs")
    refused(tap, ynl, "tables without LIDs", "table-get", {"fabric": "p", "kind": "lft"},
            "ENOTSUP", "no LIDs", dump=True)
    refused(tap, ynl, "LIDs in three dimensions", "fabric-new",
            {"name": "q", "topology": "mesh", "dims": [3, 3, 3], "addressing": "lid"},
            "ENOTSUP", "two dimensions")
    refused(tap, ynl, "LIDs on a torus", "fabric-new",
            {"name": "q", "topology": "torus", "dims": [4, 4], "addressing": "lid"},
            "ENOTSUP", "two dimensions")
    refused(tap, ynl, "more hosts than LIDs", "fabric-new",
            {"name": "q", "topology": "mesh", "dims": [200, 200], "addressing": "lid"},
            "ENOTSUP", "49151")
    refused(tap, ynl, "wormhole switching", "run-start",
            {"fabric": "p", "policy": "xy-union", "workload": "lone", "dests": 2},
            "ENOTSUP", "set switching vct")
    tap.check(ynl.do("fabric-get", {"name": "p"})["addressing"] == "nodes",
              "a run that is refused implies nothing")
    ynl.do("fabric-del", {"name": "p"})


def implied(tap, ynl):
    """A policy of tables makes the LIDs it needs."""
    ynl.do("fabric-new", {"name": "i", "topology": "mesh", "dims": [3, 3],
                          "switching": "cut-through", "buffer": 32})
    parts = ynl.dump("plan-get", {"fabric": "i", "policy": "xy-union", "source": 0,
                                  "destinations": [u32s([4, 8])]})
    tap.check(parts[0]["summary"]["traffic"] == 5 and parts[0]["summary"]["worms"] == 1,
              "a plan without LIDs implies them", str(parts[0]))
    tap.check(ynl.do("fabric-get", {"name": "i"})["addressing"] == "lid", "and they stay")
    ynl.do("fabric-del", {"name": "i"})


def groups(tap, ynl):
    """Groups: make, change, show, refuse."""
    before = ynl.do("fabric-get", {"name": "s"})["subnet-generation"]
    # the union paper's example: hosts with the LIDs 4, 5, 19, 21 and 23
    members = [15, 20, 18, 4, 14]
    made = ynl.do("group-new", request(name="g", members=[u32s(members)]))
    tap.check(made["members-total"] == 5 and made["lids-total"] == 0, "group-new", str(made))
    tap.check(ynl.do("fabric-get", {"name": "s"})["subnet-generation"] > before,
              "changes are counted")
    for what, operation, values, error, text in (
            ("a name twice", "group-new", {"name": "g"}, "EEXIST", "a group g exists"),
            ("no name", "group-new", {}, "EINVAL", "missing"),
            ("a member that is no node", "group-new", {"name": "h", "members": [u32s([25])]},
             "EINVAL", "node 25 is not below 25"),
            ("a member twice", "group-new", {"name": "h", "members": [u32s([1, 2, 1])]},
             "EINVAL", "node 1 is given twice"),
            ("to join again", "group-join", {"name": "g", "members": [u32s([4])]}, "EEXIST",
             "node 4 is a member"),
            ("to join nothing", "group-join", {"name": "h", "members": [u32s([4])]}, "ENOENT",
             "no group h"),
            ("to join with nobody", "group-join", {"name": "g"}, "EINVAL", "missing"),
            ("to leave without being there", "group-leave", {"name": "g", "members": [u32s([3])]},
             "ENOENT", "node 3 is no member"),
            ("to delete what is not there", "group-del", {"name": "h"}, "ENOENT", "no group h"),
            ("a source that is no node", "group-assign", {"name": "g", "source": 25}, "EINVAL",
             "not below 25"),
            ("a multicast LID that is none", "group-new", {"name": "h", "lid": 0xbfff},
             "ERANGE", "")):
        refused(tap, ynl, what, operation, request(**values), error, text)
    shown = ynl.do("group-assign", request(name="g", source=12))
    tap.check(shown["source-lid"] == 0xc000 and shown["lids-total"] == 1, "group-assign",
              str(shown))
    refused(tap, ynl, "a multicast LID that is taken", "group-new",
            request(name="h", lid=0xc000), "EEXIST", "0xc000 belongs to group g")
    ynl.do("group-new", request(name="other", members=[u32s(range(25))]))
    ynl.do("group-assign", request(name="other"))
    parts = ynl.dump("group-get", request())
    mine = [p for p in parts if p["name"] == "other"]
    nodes = [n for p in mine for part in p.get("members", []) for n in part]
    lids = [n for p in mine for n in p.get("lids", [])]
    tap.check(nodes == list(range(25)) and lids[0::2] == list(range(25)) and
              lids[1::2] == list(range(0xc001, 0xc01a)), "group-get: members, LIDs of sources",
              str(parts))
    one = ynl.dump("group-get", request(name="g"))
    tap.check({p["name"] for p in one} == {"g"} and one[0]["members"] == [sorted(members)],
              "group-get: one of them", str(one))
    ynl.do("group-del", request(name="other"))


def built(tap, ynl):
    """The worked example; linear tables."""
    want = {12: [EAST, WEST], 11: [WEST], 10: [NORTH], 15: [NORTH, HOST], 13: [EAST, NORTH],
            14: [SOUTH, HOST], 9: [SOUTH], 20: [HOST], 18: [HOST], 4: [HOST]}
    want[13] = sorted(want[13])
    got = rows(ynl)
    tap.check(got == {(sw, 0xc000): sorted(p) for sw, p in want.items()},
              "the worked example, switch by switch", str(got))
    tap.check(rows(ynl, switch=13) == {(13, 0xc000): [EAST, NORTH]}, "rows of one switch")
    shown = entries(ynl, "lft", switch_lid=13 + 25)
    tap.check(len(shown) == 1 and shown[0]["switch"] == 12 and shown[0]["lid"] == 1 and
              len(shown[0]["ports"]) == 50, "linear tables: a row for a switch", str(shown)[:80])
    one = entries(ynl, "lft", switch=12, lid=13)
    tap.check(list(one[0]["ports"]) == [HOST], "linear tables: one LID", str(one))
    lanes = entries(ynl, "sl2vl", switch=12)
    tap.check([e["port"] for e in lanes] == [1, 2, 3, 4, 5] and
              all(list(e["vls"]) == [0] * 16 for e in lanes), "sl2vl with one lane", str(lanes))
    tap.check(check(ynl) == (0, []), "nothing is wrong with what is built", str(check(ynl)))
    for what, values, error, text in (
            ("tables of no kind", {}, "EINVAL", "missing"),
            ("tables of no switch", {"kind": "lft", "switch": 25}, "ENOENT", "not below 25"),
            ("tables of no switch's LID", {"kind": "lft", "switch-lid": 7}, "ENOENT",
             "no switch has the LID 7"),
            ("a multicast LID in linear tables", {"kind": "lft", "lid": 0xc000}, "EINVAL",
             "those tables have no such LID")):
        refused(tap, ynl, what, "table-get", request(**values), error, text, dump=True)


def overridden(tap, ynl):
    """Entries that the user sets."""
    for what, values, text in (
            ("a switch that is not there", [lft(25, 1, EAST)], "switch 25 is not below 25"),
            ("a LID that nobody has", [lft(0, 51, EAST)], "nobody has the LID 51"),
            ("a port out of range", [lft(0, 1, 6)], "port 6 is not in 0 to 5"),
            ("LID 0", [lft(0, 0, EAST)], "LID 0 is no unicast LID"),
            ("an unknown multicast LID", [mft(0, 0xc00f, EAST)], "belongs to no group"),
            ("the second entry of two", [lft(0, 1, EAST), lft(0, 1, 9)], "port 9"),
            ("a switch of another LID", [lft(0, 1, EAST, **{"switch-lid": 27})],
             "switch 0 has not the LID 27"),
            ("an entry without a switch", [{"kind": "lft", "lid": 1, "ports": b"\1"}],
             "a switch or a switch-lid"),
            ("an entry without a kind", [{"switch": 0, "lid": 1, "ports": b"\1"}],
             "an entry has a kind"),
            ("an entry without a LID", [{"kind": "mft", "switch": 0, "ports": b"\1"}], "has a lid"),
            ("an SL-to-VL table without ports", [{"kind": "sl2vl", "switch": 0}],
             "an in-port, a port and vls"),
            ("one entry of an SL-to-VL table",
             [{"kind": "sl2vl", "switch": 0, "in-port": 1, "port": 2, "vls": bytes(16)}],
             "loaded as a whole"),
            ("levels of a path without a source", [{"kind": "path-sl", "lid": 1, "sls": b"\1"}],
             "a node, a lid and sls")):
        refused(tap, ynl, what, "table-set", request(entry=values), "EINVAL", text)
    refused(tap, ynl, "no entry", "table-set", request(), "EINVAL", "missing")
    tap.check(list(entries(ynl, "lft", switch=0, lid=1)[0]["ports"]) == [HOST],
              "nothing of that was set")
    # a switch by its LID; packets for node 4 go in a circle
    ynl.do("table-set", request(entry=[
        {"kind": "lft", "switch-lid": 13 + 25, "lid": 21, "ports": bytes([NORTH])},
        lft(17, 21, SOUTH)]))
    number, texts = check(ynl)
    tap.check(number == len(texts) and "LID 21: loop of switches 12 > 17 > 12" in texts,
              "a loop is found and named", str(texts))
    summary = ynl.dump("plan-get", request(policy="xy-unicast", source=12,
                                           destinations=[u32s([4, 13])]))[0]["summary"]
    tap.check(summary["lost"] == 1 and summary["drops"] == 1 and summary["destinations"] == 1,
              "a plan shows what is lost", str(summary))
    ynl.do("table-set", request(entry=[
        {"kind": "lft", "switch": sw, "lid": 21, "restore": True} for sw in (12, 17)]))
    tap.check(check(ynl)[0] == 0, "restored")
    ynl.do("table-set", request(entry=[mft(13, 0xc000, EAST)]))
    tap.check(check(ynl)[1] == ["LID 0xc000: member 18 is not reached from node 12"],
              "a member that is not reached", str(check(ynl)))
    summary = ynl.dump("plan-get", request(policy="xy-union", source=12, group="g"))[0]["summary"]
    tap.check(summary["lost"] == 1 and summary["destinations"] == 4, "its plan", str(summary))
    ynl.do("group-leave", request(name="g", members=[u32s([18])]))
    ynl.do("group-join", request(name="g", members=[u32s([18])]))
    tap.check(check(ynl)[0] == 0, "what was set goes when the group changes")


def loaded(tap, ynl):
    """Tables that are loaded at once."""
    refused(tap, ynl, "to append before the beginning", "table-append",
            request(entry=[lft(0, 1, EAST)]), "ENOENT", "begin first")
    refused(tap, ynl, "to commit before the beginning", "table-commit", request(), "ENOENT",
            "begin first")
    now = entries(ynl, "lft")
    ynl.do("table-begin", request())
    refused(tap, ynl, "to commit nothing", "table-commit", request(), "ENODATA",
            "nothing was loaded")
    for entry in now:
        answer = ynl.do("table-append", request(entry=[lft(entry["switch"], entry["lid"],
                                                           *entry["ports"])]))
    tap.check(answer["entries"] == 25 * 50 and answer["findings"] == 0, "table-append",
              str(answer))
    refused(tap, ynl, "to load a port out of range", "table-append",
            request(entry=[lft(3, 1, 17)]), "EINVAL", "port 17")
    answer = ynl.do("table-commit", request())
    tap.check(answer["findings"] == 0 and entries(ynl, "lft") == now, "the same again",
              str(answer))
    ynl.do("table-begin", request())
    for entry in now:
        ynl.do("table-append", request(entry=[lft(entry["switch"], entry["lid"],
                                                  *entry["ports"])]))
    ynl.do("table-append", request(entry=[lft(12, 21, NORTH), lft(17, 21, SOUTH),
                                          lft(1, 4711, EAST), lft(99, 1, EAST)]))
    refused(tap, ynl, "tables with a loop", "table-commit", request(), "EINVAL", "findings: ")
    tap.check(entries(ynl, "lft") == now, "and nothing has changed")
    number, texts = check(ynl, staged=True)
    tap.check("LID 4711: nobody has it, switch 1 has an entry" in texts and
              "there is no switch 99" in texts and
              "LID 21: loop of switches 12 > 17 > 12" in texts, "all of it is told", str(texts))
    answer = ynl.do("table-commit", request(force=True))
    tap.check(answer["findings"] == number and len(answer["finding"]) == number and
              entries(ynl, "lft") != now, "forced", str(answer))
    refused(tap, ynl, "to abort what is in place", "table-abort", request(), "ENOENT",
            "begin first")
    ynl.do("table-begin", request())
    for entry in now:
        ynl.do("table-append", request(entry=[lft(entry["switch"], entry["lid"],
                                                  *entry["ports"])]))
    ynl.do("table-commit", request())
    ynl.do("table-begin", request())
    ynl.do("table-append", request(entry=[mft(0, 0xc123, EAST)]))
    ynl.do("table-abort", request())
    tap.check(check(ynl)[0] == 0, "put right, and aborted")


def waiting(tap, ynl):
    """Two entries make XY routing a circle round four switches."""
    now = entries(ynl, "lft")
    ynl.do("table-set", request(entry=[lft(1, 2, NORTH), lft(5, 6, SOUTH)]))
    found = [f for p in ynl.dump("table-check", request()) for f in p.get("finding", [])]
    tap.check(len(found) == 1 and found[0]["type"] == "credit-loop" and "kind" not in found[0] and
              "lid" not in found[0] and list(found[0]["switches"]) == [0, 1, 6, 5] and
              list(found[0]["lids"]) == [7, 2, 1, 6], "a credit loop", str(found))
    ynl.do("table-begin", request())
    for entry in entries(ynl, "lft"):
        ynl.do("table-append", request(entry=[lft(entry["switch"], entry["lid"],
                                                  *entry["ports"])]))
    tap.check(ynl.do("table-commit", request())["findings"] == 0, "tables with one are loaded")
    ynl.do("table-set", request(entry=[{"kind": "lft", "switch": sw, "lid": lid, "restore": True}
                                       for sw, lid in ((1, 2), (5, 6))]))
    tap.check(check(ynl)[0] == 0 and entries(ynl, "lft") == now, "and none any more")


def traffic(tap, ynl):
    """Runs over the tables, and what is refused meanwhile."""
    run = request(policy="xy-union", workload="burst", group="g", flits=32)
    for what, values, error, text in (
            ("a group that is not there", {"group": "h"}, "ENOENT", "no group h"),
            ("a group and dests", {"dests": 3}, "EINVAL", "leave it out"),
            ("a group in a list", {"workload": "file"}, "EINVAL", "means nothing")):
        refused(tap, ynl, what, "run-start", {**run, **values}, error, text)
    for policy in ("xy-union", "xy-unicast", "table"):
        started = ynl.do("run-start", {**run, "policy": policy})
        done = finish(ynl)
        tap.check(started["group"] == "g" and "dests" not in started and
                  done["state"] == "done" and done["deliveries"] == 25 * 5 - 5,
                  f"{policy}: a burst to a group", str(done))
    ynl.do("upload-begin", request(type="messages", messages_total=2, destinations_total=1,
                                   grouped=True))
    group = ynl.do("group-get", request(name="g"))["id"]
    ynl.do("upload-append", request(type="messages", cycles=[bytes(16)], sources=[u32s([0, 1])],
                                    counts=[u32s([0, 1])], groups=[u32s([group, 0])],
                                    destinations=[u32s([7])]))
    ynl.do("run-start", request(policy="table", workload="file"))
    done = finish(ynl)
    tap.check(done["state"] == "done" and done["deliveries"] == 6, "a list with a group",
              str(done))
    # node 4 is out of reach of the sources to its west
    ynl.do("table-set", request(entry=[lft(sw, 21, 255) for sw in range(25)]))
    ynl.do("run-start", {**run, "policy": "xy-unicast"})
    done = finish(ynl)
    tap.check(done["state"] == "done" and done["deliveries"] == 24 * 4 + 4 - 4,
              "packets without an entry are dropped, and the run ends", str(done))
    ynl.do("table-set", request(entry=[{"kind": "lft", "switch": sw, "lid": 21,
                                        "restore": True} for sw in range(25)]))
    ynl.do("run-start", request(policy="xy-union", workload="poisson", group="g", flits=32,
                                **{"rate-ppb": 1000, "max-cycles": 10 ** 12,
                                   "batches": 1000, "batch-cycles": 10 ** 9}))
    for operation, values in (("group-del", {"name": "g"}),
                              ("group-new", {"name": "h"}),
                              ("group-join", {"name": "g", "members": [u32s([1])]}),
                              ("table-set", {"entry": [lft(0, 1, EAST)]})):
        refused(tap, ynl, f"{operation} while a run is active", operation, request(**values),
                "EBUSY", "a run is under way")
    tap.check(ynl.do("group-assign", request(name="g"))["lids-total"] == 25,
              "multicast LIDs can be given meanwhile")
    ynl.do("run-stop", request())


def dropped(ynl):
    """Copies that were lost in the last run, by reason."""
    stats = ynl.do("stats-get", request())
    return {k: v for k, v in stats.get("dropped", {}).items() if v}


def rules(tap, ynl):
    """What switches do otherwise than by default: ingress, port-numbers."""
    new = {"name": "s", "topology": "mesh", "dims": [4, 1], "addressing": "lid"}
    made = ynl.do("fabric-new", new)
    tap.check(made["ingress"] == "exclude" and made["port-numbers"] == [1, 2, 3, 4, 5],
              "rules: defaults", str(made))
    ynl.do("fabric-del", {"name": "s"})
    plain = {**new, "addressing": "nodes"}
    for what, values, text in (
            ("ingress without LIDs", {**plain, "ingress": "exclude"}, "with addressing lid"),
            ("port numbers without LIDs", {**plain, "port-numbers": [1, 2, 3, 4, 5]},
             "with addressing lid"),
            ("four port numbers", {**new, "port-numbers": [1, 2, 3, 4]},
             "4 numbers, not 5: east, north, west, south, host"),
            ("six port numbers", {**new, "port-numbers": [1, 2, 3, 4, 5, 1]}, "6 numbers, not 5"),
            ("a port number twice", {**new, "port-numbers": [1, 2, 3, 2, 5]},
             "port 2 is given twice"),
            ("a first port number of 0", {**new, "port-numbers": [0, 2, 3, 4, 5]},
             "port 0 is not in 1 to 5"),
            ("a last port number of 0", {**new, "port-numbers": [1, 2, 3, 4, 0]},
             "port 0 is not in 1 to 5"),
            ("a port number of 6", {**new, "port-numbers": [1, 2, 3, 4, 6]},
             "port 6 is not in 1 to 5")):
        refused(tap, ynl, what, "fabric-new", values, "EINVAL", text)
    refused(tap, ynl, "ingress 3", "fabric-new", {**new, "ingress": 3}, "ERANGE", "")

    # the same row of switches that all send by all ports, without and with ways back
    for ingress, want in (("exclude", {}), ("allow", {"loop": 5, "stray": 2, "duplicate": 2})):
        made = ynl.do("fabric-new", {**new, "ingress": ingress, "vcs": 2, "buffer-packets": 4,
                                     "port-numbers": [3, 5, 1, 2, 4]})
        tap.check(made["ingress"] == ingress and made["port-numbers"] == [3, 5, 1, 2, 4],
                  f"ingress {ingress}: told", str(made))
        ynl.do("group-new", request(name="g", members=[u32s([0, 1, 2, 3])], lid=0xc000))
        ynl.do("table-set", request(entry=[
            mft(sw, 0xc000, *([3] if sw < 3 else []), *([1] if sw else []), 4)
            for sw in range(4)]))
        tap.check(all(n["switch-port"] == 4 for n in ynl.dump("node-get", request())),
                  f"ingress {ingress}: hosts are on port 4")
        number, texts = check(ynl)
        if want:
            tap.check(any("loop" in t for t in texts) and
                      any("0xc000" in t and "node 0" in t for t in texts),
                      "ingress allow: a shared tree is found to be a loop", str(texts))
        else:
            tap.check(number == 0, "ingress exclude: a shared tree is good", str(texts))
        summary = ynl.dump("plan-get", request(policy="table", source=0,
                                               group="g"))[0]["summary"]
        tap.check(summary["traffic"] == (11 if want else 3) and
                  summary.get("drops", 0) == want.get("loop", 0) and
                  summary.get("strays", 0) == want.get("stray", 0) and
                  summary.get("duplicates", 0) == want.get("duplicate", 0),
                  f"ingress {ingress}: a plan", str(summary))
        ynl.do("run-start", request(policy="table", workload="burst", source=0, group="g",
                                    flits=32))
        done = finish(ynl)
        tap.check(done["state"] == "done" and done["deliveries"] == 3 and dropped(ynl) == want,
                  f"ingress {ingress}: a run", f"{done} {dropped(ynl)}")
        ynl.do("fabric-del", {"name": "s"})


def main():
    """All of it."""
    tap = Tap()
    ynl = client()
    fabric(tap, ynl)
    implied(tap, ynl)
    groups(tap, ynl)
    built(tap, ynl)
    overridden(tap, ynl)
    loaded(tap, ynl)
    waiting(tap, ynl)
    traffic(tap, ynl)
    ynl.do("fabric-del", {"name": "s"})
    rules(tap, ynl)
    tap.finish()


main()
