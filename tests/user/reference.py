#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare the module's plans with an independent reference, on random cases.

Usage: reference.py PLAN_DUMP [CASES [SEED]]

Everything here is written from the description of the algorithms, slowly and
with other means than the module: coordinates as tuples, the snake walked node by
node, exact fractions. Prints TAP.
"""
import itertools
import random
import subprocess
import sys
from fractions import Fraction


class Mesh:
    def __init__(self, radix):
        self.radix = radix
        self.n = len(radix)
        order = self.snake(self.n)
        self.label = {c: i for i, c in enumerate(order)}
        # x is the fastest digit of an id
        ids = itertools.product(*[range(k) for k in reversed(radix)])
        self.nodes = [tuple(reversed(c)) for c in ids]
        self.id = {c: i for i, c in enumerate(self.nodes)}

    def snake(self, n):
        """Coordinates in label order: whole snakes of n-1 dimensions, turn about."""
        if n == 0:
            return [()]
        inner = self.snake(n - 1)
        order = []
        for x in range(self.radix[n - 1]):
            turn = inner if x % 2 == 0 else inner[::-1]
            order += [c + (x,) for c in turn]
        return order

    def neighbours(self, c):
        for d in range(self.n):
            for step in (1, -1):
                x = c[d] + step
                if 0 <= x < self.radix[d]:
                    yield c[:d] + (x,) + c[d + 1:]

    @staticmethod
    def dist(a, b):
        return sum(abs(x - y) for x, y in zip(a, b))

    def step_label(self, u, v):
        near = [w for w in self.neighbours(u) if self.dist(w, v) < self.dist(u, v)]
        if self.label[v] > self.label[u]:
            return max((w for w in near if self.label[w] <= self.label[v]),
                       key=lambda w: self.label[w])
        return min((w for w in near if self.label[w] >= self.label[v]),
                   key=lambda w: self.label[w])

    def step_dimension(self, u, v):
        for d in range(self.n):
            if u[d] != v[d]:
                return u[:d] + (u[d] + (1 if v[d] > u[d] else -1),) + u[d + 1:]
        raise AssertionError


class Worm:
    def __init__(self, mesh, sender, dests, step, via=None):
        self.sender, self.dests, self.after, self.round = sender, dests, None, 0
        self.path = []
        at = sender
        for v in dests:
            while at != v:
                at = via if via and not self.path else step(at, v)
                self.path.append(at)

    def hops(self, d):
        return self.path.index(d) + 1


class Tree(Worm):
    """Each way of the worm on its own; links that ways share are crossed once."""
    def __init__(self, mesh, sender, dests, way):
        super().__init__(mesh, sender, [], None)
        self.dests = dests
        self.depth = {sender: 0}
        behind = {}     # by node, the nodes to which the worm goes on, in the order of destinations
        for d in dests:
            at = sender
            for depth, v in enumerate(way(sender, d), 1):
                if v not in self.depth:
                    self.depth[v] = depth
                    behind.setdefault(at, []).append(v)
                at = v
        todo = [sender]
        for u in todo:
            todo += behind.get(u, [])
        self.path = todo[1:]

    def hops(self, d):
        return self.depth[d]


def unicast(mesh, p, dests):
    order = sorted(dests, key=lambda d: (mesh.dist(p, d), mesh.id[d]))
    return [Worm(mesh, p, [d], mesh.step_dimension) for d in order]


def umesh(mesh, p, dests):
    """Halves of the chain by slices: who has the message keeps the half that it is in."""
    worms, todo = [], [(p, None, sorted([p, *dests]))]
    for holder, after, chain in todo:
        while len(chain) > 1:
            # a holder below or above the middle keeps half at most, in the middle one more
            half, odd = divmod(len(chain), 2)
            at = chain.index(holder)
            cut = half + (1 if odd and at >= half else 0)
            low, high = chain[:cut], chain[cut:]
            if holder in high:
                target, given, chain = low[-1], low, high
            else:
                target, given, chain = high[0], high, low
            worm = Worm(mesh, holder, [target], mesh.step_dimension)
            worm.after = after
            worms.append(worm)
            todo.append((target, len(worms) - 1, given))
    return worms


def torus_tree(mesh, p, dests):
    """Ways by ancestors: the parent is nearer to the root in the last coordinate off it."""
    root = tuple(k // 2 for k in mesh.radix)

    def ancestors(u):
        line = [u]
        while u != root:
            d = max(d for d in range(mesh.n) if u[d] != root[d])
            u = u[:d] + (u[d] + (1 if u[d] < root[d] else -1),) + u[d + 1:]
            line.append(u)
        return line

    def way(u, v):
        up, down = ancestors(u), ancestors(v)
        while len(up) > 1 and len(down) > 1 and up[-2] == down[-2]:
            up.pop()
            down.pop()
        return up[1:] + down[-2::-1]

    order = sorted(mesh.nodes)      # by coordinates
    at = order.index(p)
    order = order[at:] + order[:at]
    dests = set(dests)
    return [Tree(mesh, p, [d for d in order if d in dests], way)]


def dual(mesh, p, dests):
    key = mesh.label.get
    up = sorted((d for d in dests if key(d) > key(p)), key=key)
    down = sorted((d for d in dests if key(d) < key(p)), key=key, reverse=True)
    return [Worm(mesh, p, w, mesh.step_label) for w in (up, down) if w]


def multi(mesh, p, dests):
    worms = []
    for sign in (1, -1):
        def rank(c, sign=sign):
            return sign * mesh.label[c]
        left = sorted((d for d in dests if rank(d) > rank(p)), key=rank)
        via = {}
        for w in mesh.neighbours(p):
            if rank(w) > rank(p):
                dim = next(i for i in range(mesh.n) if w[i] != p[i])
                via[dim] = w
        subset = {}
        for i in range(mesh.n - 1):
            if i in via:
                side = via[i][i] - p[i]
                subset[i] = [d for d in left if (d[i] - p[i]) * side > 0]
                left = [d for d in left if d not in subset[i]]
        if left:
            top = max(via)
            subset[top] = sorted(subset.get(top, []) + left, key=rank)
        worms += [Worm(mesh, p, subset[i], mesh.step_label, via[i])
                  for i in sorted(subset) if subset[i]]
    return worms


def column(mesh, p, dests):
    columns = {}
    for d in dests:
        columns.setdefault((d[:-1], d[-1] < p[-1]), []).append(d)
    worms = []
    for (base, lower), members in columns.items():
        members.sort(key=lambda d: d[-1], reverse=lower)
        w = Worm(mesh, p, members, mesh.step_dimension)
        worms.append((-len(w.path), mesh.id[base + (0,)], lower, w))
    return [w[3] for w in sorted(worms, key=lambda w: w[:3])]


def divisor(mesh, group):
    best = None
    for d in range(mesh.n):
        xs = [c[d] for c in group]
        mid = (min(xs) + max(xs)) // 2
        differ = abs(sum(x > mid for x in xs) - sum(x <= mid for x in xs))
        if best is None or differ < best[0]:
            best = (differ, d, mid)
    return best[1], best[2]


def qg_groups(mesh, p, dests, td, in_space=False):
    """in_space: of equally heavy parts the first in space is cut, which is not the reading."""
    area = dests + [p]
    mids = [(min(c[d] for c in area) + max(c[d] for c in area)) // 2 for d in range(mesh.n)]
    primary = {}
    for c in dests:
        primary.setdefault(tuple(c[d] > mids[d] for d in range(mesh.n)), []).append(c)

    def near(group):
        return min(group, key=lambda c: (mesh.dist(c, p), mesh.id[c]))

    def weight(group):
        far = min(group, key=lambda c: (-mesh.dist(c, p), mesh.id[c]))
        return mesh.dist(far, near(group)) + len(group) + mesh.dist(near(group), p)

    average = Fraction(sum(weight(g) for g in primary.values()), len(primary))
    groups = []
    for group in primary.values():
        parts = [group]
        while len(parts) < 2 ** mesh.n:
            bad = [g for g in parts if len(g) > 1 and weight(g) > (1 + td) * average]
            if not bad:
                break
            # equally heavy ones: the one with the lowest destination id
            heavy = min(bad, key=lambda g: (-weight(g), 0 if in_space else
                                            min(mesh.id[c] for c in g)))
            d, mid = divisor(mesh, heavy)
            at = parts.index(heavy)
            parts[at:at + 1] = [[c for c in heavy if c[d] <= mid],
                                [c for c in heavy if c[d] > mid]]
        groups += parts
    return [(near(g), g) for g in groups]


def chain(mesh, rep, group):
    d, _ = divisor(mesh, group)
    xs = [c[d] for c in group]
    sign = -1 if max(xs) - rep[d] < rep[d] - min(xs) else 1
    order = sorted((c for c in group if c != rep), key=lambda c: (sign * c[d], mesh.id[c]))
    return [Worm(mesh, rep, order, mesh.step_dimension)]


def qg(mesh, p, dests, td, cover):
    first, second = {"column": (column, column), "label": (dual, dual),
                     "multipath": (multi, multi), "chain": (unicast, None)}[cover]
    groups = dict(qg_groups(mesh, p, dests, td))
    worms = first(mesh, p, list(groups))
    for i, w in enumerate(list(worms)):
        for rep in w.dests:
            rest = [c for c in groups[rep] if c != rep]
            if not rest:
                continue
            later = second(mesh, rep, rest) if second else chain(mesh, rep, groups[rep])
            for x in later:
                x.after = i
            worms += later
    return worms


def finish(worms, inject):
    """Rounds, and the last arrival of every worm (L 32, T_s 33, prep 2, prep-relay 5)."""
    def same(w):
        return [x for x in worms if x.sender == w.sender and x.after == w.after]

    for w in worms:
        w.round = same(w).index(w) // inject
    for w in worms:
        if w.round:
            start = max(x.last for x in same(w) if x.round == w.round - 1) + 33
        elif w.after is None:
            start = 2 + 33
        else:
            start = worms[w.after].arrival[w.sender] + 5 + 33
        w.arrival = {d: start + w.hops(d) + 32 for d in w.dests}
        if len(set(w.path)) < len(w.path):      # chains may pass a node before its turn
            at, w.arrival = -1, {}
            for d in w.dests:
                at = w.path.index(d, at + 1)
                w.arrival[d] = start + at + 1 + 32
        w.last = max(w.arrival.values())


def radices(rng):
    n = rng.choice([1, 2, 2, 2, 2, 3, 3, 3, 4, 5, 6, 8])
    limit = {1: 40, 2: 16, 3: 7, 4: 5, 5: 4, 6: 3, 8: 2}[n]
    while True:
        radix = [rng.randint(1, limit) for _ in range(n)]
        size = 1
        for k in radix:
            size *= k
        if 2 <= size <= 1024:
            return radix


def describe(mesh, p, dests, inject, policy, options, worms):
    """A line for plan_dump, and what it has to answer."""
    finish(worms, inject)
    ask = " ".join([",".join(map(str, mesh.radix)), policy, options, str(inject), str(mesh.id[p]),
                    ",".join(str(mesh.id[d]) for d in dests)])
    answer = ";".join(
        f"{mesh.id[w.sender]} {-1 if w.after is None else w.after} {w.round} "
        f"{','.join(str(mesh.id[d]) for d in w.dests)} "
        f"{','.join(str(mesh.id[c]) for c in w.path)} {w.last}" for w in worms)
    return ask, answer


def tie_cases(rng, count):
    """Multicasts of qg in which it matters which of two equally heavy parts is cut."""
    mesh = Mesh((7, 11))
    found = [(mesh, 68, [55, 21, 15, 22, 39, 17, 49, 28], "0.3")]
    while len(found) < count:
        mesh = Mesh((rng.randint(4, 9), rng.randint(5, 12)))
        for _ in range(200):
            p, *dests = rng.sample(range(len(mesh.nodes)), rng.randint(7, 14))
            at = [mesh.nodes[d] for d in dests]
            td = rng.choice(["0", "0.2", "0.3"])
            if differs(mesh, mesh.nodes[p], at, Fraction(td)):
                found.append((mesh, p, dests, td))
    for mesh, p, dests, td in found:
        at = [mesh.nodes[d] for d in dests]
        if not differs(mesh, mesh.nodes[p], at, Fraction(td)):
            raise AssertionError("not a case of a tie")
        worms = qg(mesh, mesh.nodes[p], at, Fraction(td), "label")
        yield "qg ties", *describe(mesh, mesh.nodes[p], at, 4, "qg", f"cover=label/td={td}", worms)


def differs(mesh, p, dests, td):
    return sorted(r for r, _ in qg_groups(mesh, p, dests, td)) != \
        sorted(r for r, _ in qg_groups(mesh, p, dests, td, in_space=True))


def make_case(rng, meshes):
    radix = tuple(radices(rng))
    mesh = meshes.setdefault(radix, Mesh(radix))
    size = len(mesh.nodes)
    p, *dests = rng.sample(mesh.nodes, rng.randint(2, min(size, rng.choice([4, 12, 40, 1024]))))
    inject = rng.choice([1, 2, 2 * mesh.n])
    policy = rng.choice(["unicast", "umesh", "dp", "ld", "mp", "cp", "torus-tree", "qg", "qg", "qg",
                         "qg"])
    options, torus = "-", ""
    if policy == "qg":
        cover = rng.choice(["column", "label", "multipath", "chain"])
        td = rng.choice(["0", "0.2", "0.5", "0.5", "0.8", "1.333333", "7"])
        options = f"cover={cover}/td={td}"
        worms = qg(mesh, p, dests, Fraction(td), cover)
        name = f"qg {cover}"
    else:
        # with nothing in the way ld goes as dp does
        worms = {"unicast": unicast, "umesh": umesh, "dp": dual, "ld": dual, "mp": multi,
                 "cp": column, "torus-tree": torus_tree}[policy](mesh, p, dests)
        name = policy
    if policy == "torus-tree":
        options = "allow-deadlock=on"
        torus = "t" if min(radix) > 1 and rng.randrange(2) else ""
    ask, answer = describe(mesh, p, dests, inject, policy, options, worms)
    return name, torus + ask, answer


def main():
    tool = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 4000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    rng = random.Random(seed)
    meshes = {}
    cases = [make_case(rng, meshes) for _ in range(count)]
    cases += tie_cases(rng, 24)
    run = subprocess.run([tool], input="".join(c[1] + "\n" for c in cases), text=True,
                         capture_output=True, check=False)
    answers = run.stdout.splitlines()
    sys.stderr.write(run.stderr)
    names = sorted({c[0] for c in cases})
    print(f"1..{len(names)}")
    failed = 0
    for number, name in enumerate(names, 1):
        tried, bad = 0, []
        for i, case in enumerate(cases):
            if case[0] != name:
                continue
            tried += 1
            got = answers[i] if i < len(answers) else "(nothing)"
            if got != case[2]:
                bad.append((case[1], got, case[2]))
        for ask, got, want in bad[:3]:
            print(f"# case      {ask}\n# module    {got}\n# reference {want}")
        failed += bool(bad)
        print(f"{'not ok' if bad else 'ok'} {number} - plans of {name} equal the reference's: "
              f"{tried} cases, seed {seed}")
    return 1 if failed or run.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
