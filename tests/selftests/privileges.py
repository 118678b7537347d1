#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# mcfab-test: timeout=400
"""Who may do what: every row of the table in Documentation/limits.md, by everybody it names."""

import os
import re
import shutil
import subprocess
import tempfile
import time

from helpers.life import begin, finish, note, test
from helpers.mcfab_nl import TOP

PAGE = os.path.join(TOP, "Documentation/limits.md")
DENIED = "permission denied: this needs CAP_NET_ADMIN"
AS_NOBODY = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
WHO = {
    "root": [],
    "CAP_NET_ADMIN": [*AS_NOBODY, "--inh-caps=+net_admin", "--ambient-caps=+net_admin"],
    "root in a user namespace": ["unshare", "-Ur"],
    "nobody": AS_NOBODY,
}
OWN_NAMESPACE = ["unshare", "-Urn"]
FABRICS = ["fabric add f0 topology mesh dims 4x4 addressing lid cpus 0-1",
           "fabric add i0 topology irregular switches 6 ports 6 hosts 2 routing updown",
           "group add f0 g members 1,2,3",
           "run f0 policy unicast workload lone dests 2"]
ENDLESS = "run f0 policy unicast workload poisson rate 0.0001 dests 2 warmup 1000000000 detach"
# What a command needs to have something to do; refusals of these are ignored.
BEFORE = {
    "fabric add": ["fabric del f9"],
    "fabric del": ["fabric add f9 topology mesh dims 4x4"],
    "fabric set": ["fabric set f0 cpus 0-1"],
    "group add": ["group del f0 g9"],
    "group del": ["group add f0 g9 members 1,2"],
    "group join": ["group leave f0 g members 4"],
    "group leave": ["group join f0 g members 4"],
    "group assign": ["group del f0 g", "group add f0 g members 1,2,3"],
    "table set": ["table load f0 TABLES"],
    "table load": ["table set f0 switch 0 lid 1 ports 0"],
    "table check": ["table load f0 TABLES"],
    "link down": ["link up i0 switch 1"],
    "link up": ["link down i0 switch 1"],
    "port add": ["port del mcf9"],
    "port del": ["port add mcf9 fabric f0 node 9"],
    "stop": ["stop f0", ENDLESS],
    "stats reset": ["stop f0", "run f0 policy unicast workload lone dests 2"],
    "restore": ["fabric del f9"],
}
# These need the privilege for the time that they take, and change nothing.
COMPUTE = ("plan", "verify", "table check", "demo deadlock")
SHOWN = ["fabric show", "port show f0", "group show f0", "table dump f0 lft", "table dump f0 mft", "link show i0"]
MEASURED = ["stats show f0", "stats show f0 channels"]

folder = tempfile.mkdtemp(prefix="mcfab-privileges-")
# where anybody may read them
tool = shutil.copy(os.path.join(TOP, "tools/mcastctl/mcastctl"), folder)
FILES = {name: os.path.join(folder, name.lower()) for name in ("TABLES", "SAVED")}


def with_files(command):
    """A command with the names of files in place of the words that stand for them."""
    for word, name in FILES.items():
        command = command.replace(word, name)
    return command


def run(words, before=()):
    """The tool: (status, what it printed)."""
    done = subprocess.run([*before, tool, *words], check=False, text=True, stderr=subprocess.STDOUT,
                          stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout


def batch(commands):
    """Many commands of root: what they print."""
    text = with_files("\n".join(commands)) + "\n"
    return subprocess.run([tool, "-j", "--force", "-b", "-"], check=False, input=text, text=True,
                          stderr=subprocess.STDOUT, stdout=subprocess.PIPE).stdout


def state(name):
    """All that there is to change. What a run measures changes by itself."""
    return batch(SHOWN if name == "stop" else SHOWN + MEASURED)


def prepare(name):
    """The state that a command finds."""
    if name in BEFORE:
        batch(BEFORE[name])
    return state(name)


def table_of_page():
    """Rows of the page's table: (command, {who: may they?})."""
    with open(PAGE, encoding="utf-8") as page:
        section = page.read().split("\n## Privileges\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in section.split("\n") if line.startswith("|")]
    head = rows[0][1:]
    assert sorted(head) == sorted(WHO), head
    for row in rows[2:]:
        assert set(row[1:]) <= {"yes", "no"}, row
        yield row[0].strip("`"), dict(zip(head, (cell == "yes" for cell in row[1:])))


def all_commands():
    """The tool's commands that the kernel answers, as its help lists them; those of experiment
    send others."""
    listed = re.findall(r"^  ([a-z]+(?: [a-z]+)?)  +[a-z]", run(["help"])[1].split("Options:")[0],
                        re.M)
    return {command for command in listed if not command.startswith("experiment ") and
            command not in ("policy new", "policy check", "policy load", "policy unload")}


def name_of(command):
    """Object and verb, or the one word that is both."""
    words = command.split()
    return words[0] if words[0] in ("plan", "verify", "run", "compare", "stop", "monitor", "save",
                                    "restore") else " ".join(words[:2])


def monitor(before):
    """As run(): does it show events? They are repeated until it is there to see one."""
    with subprocess.Popen([*before, tool, "monitor"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as child:
        os.set_blocking(child.stdout.fileno(), False)
        seen, end = b"", time.monotonic() + 20
        while b"f9" not in seen and child.poll() is None and time.monotonic() < end:
            batch(["fabric add f9 topology mesh dims 2x2", "fabric del f9"])
            seen += child.stdout.read() or b""
        child.terminate()
    return b"f9" not in seen, seen


def by(who, command):
    """Somebody's command: (status, what it printed)."""
    if command == "monitor":
        return monitor(WHO[who])
    return run(with_files(command).split(), WHO[who])


def look(command, may):
    """What everybody may do."""
    for who in may:
        status, text = by(who, command)
        test(status == 0, f"{command}: by {who}", (status, text))


def change(command, may):
    """What some may do: those change something, the others nothing."""
    name = name_of(command)
    earlier = prepare(name)
    for who in (who for who, can in may.items() if not can):
        status, text = by(who, command)
        test(status != 0 and DENIED in text, f"{command}: not by {who}", (status, text))
    later = state(name)
    test(earlier == later, f"{command}: nothing changed",
         [pair for pair in zip(earlier.split("\n"), later.split("\n")) if pair[0] != pair[1]])
    for who in (who for who, can in may.items() if can):
        earlier = prepare(name)
        status, text = by(who, command)
        changed = state(name) != earlier
        test(status == 0 and changed == (name not in COMPUTE), f"{command}: by {who}",
             (status, text, changed))


def elsewhere(rows):
    """Root of a user namespace with a network namespace of its own."""
    earlier = state("fabric show")
    status, text = run(["-j", "fabric", "show"], OWN_NAMESPACE)
    test(status == 0 and text.strip() == "[]", "in a namespace of their own: no fabric is seen",
         (status, text))
    for command, may in rows:
        if not may["nobody"]:
            status, text = run(with_files(command).split(), OWN_NAMESPACE)
            test(status != 0 and (DENIED in text or "no such" in text),
                 f"in a namespace of their own: not {command}", (status, text))
    status, text = run("fabric add f9 topology mesh dims 4x4".split(), OWN_NAMESPACE)
    test(status != 0 and DENIED in text, "nor a fabric there", (status, text))
    test(state("fabric show") == earlier, "and nothing changed here")


def autoload():
    """A policy's module is loaded for the privileged only."""
    def loaded():
        with open("/proc/modules", encoding="ascii") as modules:
            return "mcfab_ssr " in modules.read()

    subprocess.run(["modprobe", "-r", "mcfab_ssr"], check=False)
    for who, before in WHO.items():
        if who in ("root", "CAP_NET_ADMIN"):
            continue
        status, text = run(["policy", "show", "ssr"], before)
        test(status != 0 and not loaded(), f"policy show ssr: does not load it for {who}",
             (status, text))
    for who in ("CAP_NET_ADMIN", "root"):
        status, text = run(["policy", "show", "ssr"], WHO[who])
        test(status == 0 and loaded(), f"policy show ssr: loads it for {who}", (status, text))
        subprocess.run(["modprobe", "-r", "mcfab_ssr"], check=False)


def main():
    """All of it."""
    begin()
    os.chmod(folder, 0o755)
    note(batch(FABRICS))
    with open(FILES["SAVED"], "w", encoding="ascii") as file:
        file.write("fabric add f9 topology mesh dims 2x2\n")
    with open(FILES["TABLES"], "w", encoding="ascii") as file:
        file.write(run("table dump f0 lft".split())[1])
    rows = list(table_of_page())
    missing = all_commands() - {name_of(command) for command, _ in rows}
    test(len(rows) > 20 and not missing, "the page has all commands of the tool", missing)
    for command, may in rows:
        (look if all(may.values()) else change)(command, may)
    elsewhere(rows)
    autoload()
    shutil.rmtree(folder)
    finish()


main()
