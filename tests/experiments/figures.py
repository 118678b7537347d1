# SPDX-License-Identifier: GPL-2.0
"""The results of an experiment's runs, as guest.sh and user.sh leave them, and verdicts."""
import json
import os


def load(folder):
    """(x, policy, variant) -> statistics, None where the policy was refused; reasons."""
    points, reasons = {}, {}
    for name in os.listdir(folder):
        parts = name.split(".")
        if len(parts) != 4 or parts[3] not in ("json", "refused"):
            continue
        key = int(parts[0]), parts[1], parts[2]
        with open(os.path.join(folder, name), encoding="utf-8") as got:
            text = got.read()
        points[key] = json.loads(text) if parts[3] == "json" else None
        if parts[3] == "refused":
            # one reason for all sizes: without the size at its end
            reason = text.strip().removeprefix("Error: ").partition(", not ")[0]
            reasons.setdefault(reason, []).append(key[0])
    return points, reasons


def verdict(what, holds, fails):
    """Say where something holds and where not."""
    if not holds and not fails:
        print(f"{what}: not measured")
        return
    word = "holds" if not fails else "DOES NOT HOLD" if not holds else "holds in part"
    print(f"{what}: {word} ({len(holds)} of {len(holds) + len(fails)} points)")
    for line in fails[:8]:
        print(f"  not at {line}")
    if len(fails) > 8:
        print(f"  and {len(fails) - 8} more")


def compare(what, pairs):
    """@pairs: (where, less, more): is less never above more?"""
    holds = [where for where, less, more in pairs if less <= more]
    fails = [f"{where}: {less:.2f} against {more:.2f}" for where, less, more in pairs
             if less > more]
    verdict(what, holds, fails)
