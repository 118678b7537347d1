# SPDX-License-Identifier: GPL-2.0
"""What the tests of threads and of fabrics' lives share: fabrics and runs through
the kernel's YNL client, the router threads as /proc shows them, CPUs on and off."""

import os
import subprocess
import time

from helpers.mcfab_nl import DEBUG, NlError, TOP, client, error_name, ksft

ynl = client()
SIMULATE = os.path.join(TOP, "build/user/fast/simulate")
CPU = "/sys/devices/system/cpu/cpu%d/online"
EMULATED = subprocess.run(["systemd-detect-virt", "--vm"], capture_output=True, text=True,
                          check=False).stdout.strip() == "qemu"


def note(text):
    """A line of explanation."""
    for line in str(text).splitlines():
        print("#", line[:300], flush=True)


def test(good, name, why=""):
    """One result, at once: the machine may not live to see the next one."""
    if not good and why != "":
        note(why)
    ksft.test_result(bool(good), name)
    os.sys.stdout.flush()
    return good


def skip(name, why):
    """A test that cannot be done here."""
    note(why)
    ksft.test_result_skip(name)


def begin():
    """Before the first result."""
    ksft.print_header()


def finish():
    """After the last one; removes what is left."""
    for fabric in ynl.dump("fabric-get", {}):
        refused("run-stop", {"fabric": fabric["name"]})
        refused("fabric-del", {"name": fabric["name"]})
    ksft.set_plan(ksft.ksft_test_number - 1)
    ksft.finished()


def refused(op, attrs):
    """(error name, message) of a refusal; None if it was not refused."""
    try:
        ynl.do(op, attrs)
    except NlError as err:
        return error_name(err.error), (err.nl_msg.extack or {}).get("msg", "")
    return None


def add(name, dims, cpus="0", **attrs):
    """Make a fabric; underscores in names of attributes are hyphens."""
    return ynl.do("fabric-new", {"name": name, "topology": "mesh", "dims": dims, "cpus": cpus,
                                 **hyphens(attrs)})


def hyphens(attrs):
    """Attributes as the spec writes them."""
    return {key.replace("_", "-"): value for key, value in attrs.items()}


def start(name, policy, workload, **attrs):
    """Start a run."""
    return ynl.do("run-start", {"fabric": name, "policy": policy, "workload": workload,
                                **hyphens(attrs)})


def state(name):
    """The run as it is now."""
    return ynl.do("run-get", {"fabric": name})


def wait(name, limit=300):
    """The run when it has ended."""
    end = time.monotonic() + limit
    while True:
        now = state(name)
        if now["state"] != "running" or time.monotonic() > end:
            return now
        time.sleep(0.02)


def stop(name):
    """Stop a run; seconds that took."""
    at = time.monotonic()
    ynl.do("run-stop", {"fabric": name})
    return time.monotonic() - at


def remove(name):
    """Remove a fabric that does not run."""
    ynl.do("fabric-del", {"name": name})


def simulate(dims, fabric, policy, workload, run):
    """What the user-space build of the same engine makes of it."""
    words = [SIMULATE, "dims", "x".join(map(str, dims)), "policy", policy, "workload", workload]
    for attrs in (fabric, run):
        for key, value in hyphens(attrs).items():
            words += [key, str(value)]
    out = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    got = dict(w.split("=", 1) for w in out.split() if "=" in w)
    return got.get("state"), int(got.get("hash", "0"), 16)


def threads():
    """The router threads: name, CPUs allowed, nice level."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii") as f:
                stat = f.read()
            with open(f"/proc/{pid}/status", encoding="ascii") as f:
                status = f.read()
        except (FileNotFoundError, ProcessLookupError):
            continue
        name, rest = stat[stat.index("(") + 1:].rsplit(") ", 1)
        if name.startswith("mcfab/"):
            allowed = status.split("Cpus_allowed_list:")[1].split()[0]
            found.append((name, allowed, int(rest.split()[16])))
    return sorted(found)


def online(cpu, on):
    """Have a CPU come or go."""
    with open(CPU % cpu, "w", encoding="ascii") as f:
        f.write("1" if on else "0")


def busy(seconds, name=None):
    """Sleep while a run goes on; False if it ended before."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if name and state(name)["state"] != "running":
            return False
        time.sleep(0.01)
    return True


def parameter(name, value=None):
    """A module parameter: read, or set."""
    path = f"/sys/module/mcfab/parameters/{name}"
    if value is None:
        with open(path, encoding="ascii") as f:
            return f.read().strip()
    with open(path, "w", encoding="ascii") as f:
        return f.write(str(value))


__all__ = [name for name in dir() if not name.startswith("_")]
