# SPDX-License-Identifier: GPL-2.0
"""What tests share that see to it that nobody is held up: others who use generic netlink, who
come with a writer for its lock, and requests that are answered late."""

import os
import socket
import struct
import subprocess
import threading
import time

from helpers.life import EMULATED, NlError, hyphens, note, skip, test, ynl
from helpers.mcfab_nl import DEBUG, NLMSG_ERROR, Raw, client, error_name, nla

# They register a family of generic netlink.
MODULES = ("psample", "drop_monitor")


class Control:
    """CTRL_CMD_GETFAMILY, as everybody does it who uses generic netlink."""

    def __init__(self):
        self.sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16)
        self.sock.bind((0, 0))

    def ask(self):
        """Seconds that it takes."""
        payload = struct.pack("=BBH", 3, 1, 0) + nla(2, b"nlctrl\0")
        at = time.monotonic()
        self.sock.send(struct.pack("=IHHII", 16 + len(payload), 16, 1, 1, 0) + payload)
        self.sock.recv(65536)
        return time.monotonic() - at


class Later(threading.Thread):
    """A request whose answer is waited for by a thread; one at a time."""

    def __init__(self, op, **attrs):
        super().__init__()
        self.op = op
        self.attrs = hyphens(attrs)
        self.error = None
        self.answer = None
        self.start()

    def run(self):
        try:
            self.answer = asker.do(self.op, self.attrs)
        except NlError as err:
            self.error = err

    def refusal(self):
        """(error name, message), when it has come; None if it went well."""
        self.join()
        if not self.error:
            return None
        return (error_name(self.error.error), (self.error.nl_msg.extack or {}).get("msg", ""))


class Crowd(Raw):
    """Requests of one socket, of which none waits for the answer of the one before."""

    def __init__(self):
        super().__init__(ynl.nlproto.family_id)

    def ask(self, op, attrs):
        """One more; the attributes as bytes."""
        self.sock.send(self.message(struct.pack("=BBH", ynl.ops[op].req_value, 1, 0) + attrs))
        return self.seq

    def told(self):
        """The next acknowledgment or refusal: (number of the request, error name, message)."""
        while True:
            data = self.sock.recv(1 << 17)
            _, kind, _, seq, _ = struct.unpack_from("=IHHII", data)
            if kind == NLMSG_ERROR:
                code = struct.unpack_from("=i", data, 16)[0]
                return seq, error_name(code), data[36:]

    def close(self):
        """Nobody waits for the rest."""
        self.sock.close()


def writer(module):
    """Have a family registered and unregistered: seconds that others waited meanwhile."""
    waits = []
    for command in (["modprobe", module], ["modprobe", "-r", module]):
        with subprocess.Popen(command) as child:
            while child.poll() is None:
                waits.append(control.ask())
                time.sleep(0.002)
    return max(waits)


def unhindered(what, times=3):
    """Whoever else uses generic netlink does not notice."""
    module = next((m for m in MODULES if not subprocess.run(
        ["modprobe", "-nq", m], check=False).returncode), None)
    if not module:
        skip(f"{what}: a writer and others get through", "no module with a family is here")
        return
    # The machine has its own pauses; a handler that computes is in the way every time.
    wait = min(writer(module) for _ in range(times))
    note(f"{what}: others waited {wait * 1e3:.1f} ms at most, {idle * 1e3:.2f} ms are usual")
    test(wait < LIMIT, f"{what}: a writer and others get through", f"{wait} s, not {LIMIT}")


def until(condition, limit=60):
    """Wait for something; what it was in the end."""
    end = time.monotonic() + limit
    while not (got := condition()) and time.monotonic() < end:
        time.sleep(0.01)
    return got


def fabric(name):
    """What is shown of a fabric, or None."""
    return next((f for f in ynl.dump("fabric-get", {}) if f["name"] == name), None)


def building(name):
    """Wait until a fabric is shown so."""
    return until(lambda: (fabric(name) or {}).get("state") == "building")


# To make a client takes seconds in a slow machine.
asker = client()
control = Control()
idle = sorted(control.ask() for _ in range(21))[10]
# 100 ms; an emulated machine is some 20 times slower, and not alone on its host.
LIMIT = max(10 if DEBUG else 1 if EMULATED else 0.1, 1000 * idle)


def jobs():
    """How many threads work on requests."""
    found = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm", encoding="ascii") as f:
                found += f.read().strip() == "mcfab-job"
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found
