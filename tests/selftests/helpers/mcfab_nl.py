# SPDX-License-Identifier: GPL-2.0
"""What the netlink tests share: the kernel's own YNL client, driven by our spec,
and raw messages for what that client would never send."""

import errno
import os
import socket
import struct
import sys
import time

TOP = os.environ.get("MCFAB_TOP") or os.path.realpath(
    os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../.."))
KSRC = os.environ.get("MCFAB_KSRC", "")
DEBUG = bool(os.environ.get("MCFAB_DEBUG"))
SPEC = os.path.join(TOP, "Documentation/netlink/specs/mcfab.yaml")

sys.dont_write_bytecode = True
if not os.path.exists(os.path.join(KSRC, "tools/net/ynl/lib/ynl.py")):
    print("1..0 # SKIP the kernel's source is missing (MCFAB_KSRC)")
    sys.exit(4)
sys.path.insert(0, os.path.join(KSRC, "tools/net/ynl"))
sys.path.insert(0, os.path.join(KSRC, "tools/testing/selftests/kselftest"))

# pylint: disable=wrong-import-position
import helpers.fast_yaml                                # noqa: E402,F401
import ksft                                             # noqa: E402
from lib import NlError, YnlFamily                      # noqa: E402

NLM_F_REQUEST, NLM_F_ACK, NLM_F_DUMP = 1, 4, 0x300
NLMSG_ERROR, NLMSG_DONE = 2, 3
NLA_F_NESTED = 0x8000


class Client(YnlFamily):
    """A client that leaves out what only says that the rest will take a while."""

    def dump(self, method, vals):
        got = super().dump(method, vals)
        if method in ("plan-get", "table-check", "table-get"):
            got = [part for part in got if "building" not in part]
        return got


def client(schema=""):
    """A client of the family; schema "" does not check the spec against one."""
    return Client(SPEC, schema)


def u32s(numbers):
    """A list of numbers as the client wants a binary attribute."""
    return struct.pack(f"={len(numbers)}I", *numbers)


def u64s(numbers):
    """The same in 64 bits."""
    return struct.pack(f"={len(numbers)}Q", *numbers)


class Tap:
    """KTAP without having to count tests beforehand."""

    def __init__(self):
        self.results = []

    def check(self, condition, name, note=""):
        """One result; the note goes before a failure."""
        self.results.append((bool(condition), name, note))
        if not condition:
            print(f"# FAILED: {name}: {note}", flush=True)
        return bool(condition)

    def finish(self):
        """Print all of it and exit."""
        ksft.print_header()
        ksft.set_plan(len(self.results))
        for good, name, note in self.results:
            if not good and note:
                ksft.print_msg(note.replace("\n", " "))
            ksft.test_result(good, name)
        ksft.finished()


def request(ynl, operation, values):
    """Send it the way it is meant."""
    name, _, dump = operation.partition(" ")
    return ynl.dump(name, values) if dump else ynl.do(name, values)


def refusal(call):
    """The NlError of a call, or None if it went through."""
    try:
        call()
    except NlError as err:
        return err
    return None


def error_name(code):
    """EINVAL and so on."""
    return errno.errorcode.get(abs(code), str(code))


def nla(kind, payload=b""):
    """One attribute."""
    pad = b"\0" * (-len(payload) % 4)
    return struct.pack("=HH", 4 + len(payload), kind) + payload + pad


def events(ynl, want, limit=20):
    """Notifications until one of the name comes."""
    got = []
    end = time.monotonic() + limit
    while time.monotonic() < end:
        ynl.check_ntf()
        got += ynl.async_msg_queue
        ynl.async_msg_queue = []
        if any(e["name"] == want for e in got):
            break
        time.sleep(0.05)
    return got


class Raw:
    """Messages byte by byte."""

    def __init__(self, family_id):
        self.family_id = family_id
        self.seq = 1
        self.sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16)
        self.sock.setsockopt(270, 10, 1)    # NETLINK_CAP_ACK
        self.sock.setsockopt(270, 11, 1)    # NETLINK_EXT_ACK
        self.sock.setsockopt(270, 12, 1)    # NETLINK_GET_STRICT_CHK
        self.sock.bind((0, 0))
        self.sock.settimeout(30)

    def message(self, payload, flags=NLM_F_REQUEST | NLM_F_ACK, length=None):
        """A netlink message around what starts with the genetlink header."""
        self.seq += 1
        size = 16 + len(payload) if length is None else length
        return struct.pack("=IHHII", size, self.family_id, flags, self.seq, 0) + payload

    def send(self, payload, flags=NLM_F_REQUEST | NLM_F_ACK, length=None):
        """Send, and return the error number of the answer (0: accepted)."""
        self.sock.send(self.message(payload, flags, length))
        while True:
            data = self.sock.recv(1 << 17)
            while len(data) >= 16:
                size, kind, _, seq, _ = struct.unpack_from("=IHHII", data)
                if seq == self.seq and kind in (NLMSG_ERROR, NLMSG_DONE):
                    return -struct.unpack_from("=i", data, 16)[0]
                data = data[(size + 3) & ~3:]
