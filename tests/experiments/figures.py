# SPDX-License-Identifier: GPL-2.0
"""The results of an experiment's runs, as guest.sh leaves them."""
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
