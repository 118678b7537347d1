#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""What "stats show NAME openmetrics" prints is OpenMetrics text by the parser of Prometheus' own
client library, and has the numbers of "-j stats show".

Usage: openmetrics.py MCASTCTL
"""
import json
import subprocess
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse

FABRIC = "fabric add m topology mesh dims 3x3"
RUN = "run m policy %s flits 8 workload poisson rate 0.001 dests 3 warmup 1000 " \
      "batches 20 batch-cycles 1000"
failed = False
count = 0


def ok(name, good, why=""):
    global count, failed
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} openmetrics: {name}")
    if not good:
        print(f"# {why}")
        failed = True


def batch(lines, *options):
    return subprocess.run([sys.argv[1], *options, "-E", "user", "--force", "-b", "-"],
                          check=False, text=True, input="\n".join(lines) + "\n",
                          capture_output=True)


def objects(lines):
    text, found = batch(lines, "-j").stdout.strip(), []
    while text:
        one, end = json.JSONDecoder().raw_decode(text)
        found.append(one)
        text = text[end:].strip()
    return found


def metrics(lines):
    out = batch(lines).stdout
    return {f.name: f for f in parse(out[out.index("# TYPE"):])}


def total(family, **labels):
    return sum(s.value for s in family.samples
               if all(s.labels.get(k) == v for k, v in labels.items()))


def compare(name, run):
    before = [FABRIC, run]
    got = metrics(before + ["stats show m openmetrics"])
    stats, links = objects(before + ["stats show m", "stats show m channels"])[-2:]
    state = got["mcfab_run_state"].samples[0]
    ok(f"{name}: state", (state.value, state.labels["state"], state.labels["policy"]) ==
       (1, stats["state"], stats["policy"]), state)
    for family, key in (("simulated_cycles", "cycle"), ("messages", "messages"),
                        ("deliveries", "deliveries"), ("flit_hops", "flit-hops")):
        ok(f"{name}: {family}", total(got["mcfab_" + family]) == stats[key], stats[key])
    for kind in ("offered", "accepted", "effective", "delivered"):
        value = total(got["mcfab_load_flits_per_node_cycle"], kind=kind)
        ok(f"{name}: {kind} load", abs(value - stats[kind + "-ppb"] / 1e9) < 1e-9, value)
    for family, key in (("link_flits", "flits"), ("link_wait_cycles", "wait-cycles")):
        samples = got["mcfab_" + family].samples
        ok(f"{name}: {family}", {(s.labels["channel"], s.value) for s in samples} ==
           {(str(link["channel"]), link[key]) for link in links}, samples[:2])
    seen = {(s.labels["class"], s.labels["of"], s.labels.get("quantile"), s.name[20:]): s.value
            for s in got["mcfab_latency_cycles"].samples}
    for kind in ("multicast", "unicast"):
        if kind not in stats or not stats[kind]["completion"]["count"]:
            continue
        cls = stats[kind]
        for of, part in (("completion", "completion"), ("delivery", "tail")):
            ok(f"{name}: {kind} {of}",
               seen[kind, of, None, "_count"] == cls[part]["count"] and
               seen[kind, of, None, "_sum"] == cls[part]["sum"] and
               all(seen[kind, of, str(q), ""] == cls[part + "-quantiles"][p]
                   for q, p in ((0.5, "p50"), (0.9, "p90"), (0.95, "p95"), (0.99, "p99"))), seen)


compare("multicast", RUN % "dp")
compare("mixed", RUN % "unicast" + " multicast-fraction 0.5")
compare("lone", "run m policy qg workload lone count 20 dests 4")
refused = batch([FABRIC, "stats show m openmetrics"])
ok("no run", "fabric m has had no run" in refused.stderr and
   "# TYPE" not in refused.stdout, refused)
refused = batch([FABRIC, RUN % "dp", "stats show m openmetrics"], "-j")
ok("with -j", "openmetrics" in refused.stderr and "without -j" in refused.stderr, refused.stderr)
refused = batch([FABRIC, RUN % "dp", "stats show m openmetric5"])
ok("a typo", 'did you mean "openmetrics"' in refused.stderr, refused.stderr)
refused = batch([FABRIC, RUN % "dp", "stats show m openmetrics now"])
ok("a word too many", 'unexpected "now"' in refused.stderr, refused.stderr)
print(f"1..{count}")
sys.exit(failed)
