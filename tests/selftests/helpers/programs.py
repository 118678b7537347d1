# SPDX-License-Identifier: GPL-2.0
"""Programs in the namespaces of ports, and waiting for what they do."""

import os
import select
import signal
import socket
import subprocess
import sys
import time

from helpers.ports import SLOW, sh

GROUPS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "groups.py")
running = []


def wait(condition, seconds=20):
    """Look ten times a second until something is so; what it is in the end."""
    end = time.monotonic() + seconds * SLOW
    while True:
        now = condition()
        if now or time.monotonic() > end:
            return now
        time.sleep(0.1)


def run(node, *words):
    """Exit status and all output of a program in the namespace of a node."""
    return sh("ip", "netns", "exec", f"n{node}", "timeout", str(60 * SLOW), *words)


def own(*words, **options):
    """A program that goes on beside the test, and ends with it."""
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, **options)
    running.append(child)
    return child


def start(node, *words, **options):
    """The same in the namespace of a node."""
    return own("ip", "netns", "exec", f"n{node}", *words, **options)


def end(child, with_signal=signal.SIGTERM):
    """A program is told to end, and does; what it had printed."""
    if with_signal:
        child.send_signal(with_signal)
    try:
        return child.communicate(timeout=20 * SLOW)[0]
    except subprocess.TimeoutExpired:
        child.kill()
        return child.communicate()[0] + " (had to be killed)"
    finally:
        running.remove(child)


def end_report(child):
    """A program that prints a report, and then waits for more to do, is told to end."""
    select.select([child.stdout], [], [], 20 * SLOW)
    return end(child)


def end_all():
    """All that still run."""
    for child in list(running):
        end(child, signal.SIGKILL)


def mac(group):
    """The Ethernet address of a group, as /proc/net/dev_mcast has it."""
    if ":" in group:
        return "3333" + socket.inet_pton(socket.AF_INET6, group)[12:].hex()
    addr = socket.inet_aton(group)
    return "01005e" + bytes([addr[1] & 127, *addr[2:]]).hex()


def in_proc(child, file):
    """Words of the lines of a file in the network namespace of a program."""
    try:
        with open(f"/proc/{child.pid}/net/{file}", encoding="ascii") as lines:
            return [line.split() for line in lines]
    except OSError:
        return []


def has_joined(child, group):
    """Wait until the device of a program's namespace was asked for a group."""
    return wait(lambda: child.poll() is not None or
                any(words[-1] == mac(group) for words in in_proc(child, "dev_mcast"))) and \
        child.poll() is None


def listens(child, port):
    """Wait until there is a TCP socket that listens in a program's namespace."""
    def any_listens():
        return any(words[1].endswith(f":{port:04X}") and words[3] == "0A"
                   for file in ("tcp", "tcp6") for words in in_proc(child, file)[1:])
    return wait(lambda: child.poll() is not None or any_listens()) and child.poll() is None


def join(node, device, groups):
    """groups.py joins groups there; it counts from now on."""
    return start(node, sys.executable, "-IS", GROUPS, "join", device, *groups)


def send(node, device, packets, groups):
    """groups.py sends packets to groups."""
    return run(node, sys.executable, "-IS", GROUPS, "send", device, str(packets), *groups)
