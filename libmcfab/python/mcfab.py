# SPDX-License-Identifier: GPL-2.0
"""mcfab's engine for Python, through libmcfab; no compiler is needed.

    import mcfab
    fabric = mcfab.Fabric("topology mesh dims 16x16")
    plan = fabric.plan("policy mp", 35, [17, 40, 153, 200])
    fabric.run("policy mp workload lone count 2000 dests 10")
    fabric.stats("multicast.completion.mean")
    with fabric.net("policy unicast flits 5") as net:
        net.push(0, [255], 5, cookie=1)
        net.step(100)
        print(list(net.pop_all()))

Options and names are those of mcastctl(8) and of the netlink specification, see mcfab.h. What has
many numbers is a numpy array where numpy is installed, else an array of module array.

The library is libmcfab.so.0; MCFAB_LIBRARY in the environment names another file.
"""
import array
import collections
import ctypes
import math
import os

try:
    import numpy
except ImportError:
    numpy = None

U32, U64, DOUBLE = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_double
POINTER, STRING, SIZE, INT = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int

#: for Net.pop(): the oldest delivery of any node
ANY = 0xffffffff


class Error(Exception):
    """The library refused a call; the text names the argument."""


class _Worm(ctypes.Structure):
    _fields_ = [("source", U32), ("step", U32), ("after", U32), ("ndests", U32), ("nhops", U32),
                ("dests", ctypes.POINTER(U32))]


class _Delivery(ctypes.Structure):
    _fields_ = [("cookie", U64), ("cycle", U64), ("generated", U64), ("source", U32),
                ("node", U32)]


class _Host(ctypes.Structure):
    _fields_ = [(name, U32) for name in ("sw", "port", "flit_cycles", "flit_cycles_back")]


class _Link(ctypes.Structure):
    _fields_ = [(name, U32) for name in ("sw", "port", "peer", "peer_port", "delay", "delay_back",
                                         "flit_cycles", "flit_cycles_back")]


class _Graph(ctypes.Structure):
    _fields_ = [("switches", U32), ("hosts", U32), ("links", U32), ("root", U32),
                ("ports", POINTER), ("host", ctypes.POINTER(_Host)),
                ("link", ctypes.POINTER(_Link))]


Worm = collections.namedtuple("Worm", "source step after hops dests")
Delivery = collections.namedtuple("Delivery", "cookie cycle generated source node")

_CALLS = {
    "mcf_error": (STRING, []),
    "mcf_version": (STRING, []),
    "mcf_fabric_new": (POINTER, [STRING]),
    "mcf_fabric_new_graph": (POINTER, [STRING, ctypes.POINTER(_Graph)]),
    "mcf_fabric_free": (None, [POINTER]),
    "mcf_number": (DOUBLE, [POINTER, STRING, STRING]),
    "mcf_count": (INT, [POINTER, STRING, STRING, ctypes.POINTER(U64)]),
    "mcf_text": (INT, [POINTER, STRING, STRING, STRING, SIZE]),
    "mcf_column": (ctypes.c_long, [POINTER, STRING, STRING, POINTER, SIZE]),
    "mcf_plan_new": (POINTER, [POINTER, STRING, U32, POINTER, U32]),
    "mcf_plan_free": (None, [POINTER]),
    "mcf_plan_number": (DOUBLE, [POINTER, STRING]),
    "mcf_plan_worm": (INT, [POINTER, U32, ctypes.POINTER(_Worm)]),
    "mcf_plan_arrivals": (U32, [POINTER, POINTER, POINTER, U32]),
    "mcf_run": (INT, [POINTER, STRING]),
    "mcf_run_list": (INT, [POINTER, STRING, U32] + 5 * [POINTER]),
    "mcf_net_open": (POINTER, [POINTER, STRING, U32]),
    "mcf_net_close": (None, [POINTER]),
    "mcf_push": (INT, [POINTER, U32, POINTER, U32, U32, U64]),
    "mcf_room": (U32, [POINTER, U32]),
    "mcf_step": (INT, [POINTER, U64]),
    "mcf_step_until": (INT, [POINTER, U64]),
    "mcf_cycle": (U64, [POINTER]),
    "mcf_busy": (U64, [POINTER]),
    "mcf_pop": (INT, [POINTER, U32, ctypes.POINTER(_Delivery)]),
}


def _load():
    lib = ctypes.CDLL(os.environ.get("MCFAB_LIBRARY", "libmcfab.so.0"))
    for name, (result, arguments) in _CALLS.items():
        call = getattr(lib, name)
        call.restype, call.argtypes = result, arguments
    return lib


_lib = _load()


def _fail():
    raise Error(_lib.mcf_error().decode())


def version():
    """Version of the library."""
    return _lib.mcf_version().decode()


def _room(code, count):
    """An empty array of numbers: "I" (32 bits), "Q" (64 bits) or "d"; and its address."""
    if numpy:
        made = numpy.zeros(count, dtype={"I": numpy.uint32, "Q": numpy.uint64, "d": float}[code])
        return made, made.ctypes.data
    made = array.array(code, bytes(count * array.array(code).itemsize))
    return made, made.buffer_info()[0]


def _numbers(code, name, values):
    """Whole numbers from a list or an array, and their address; it lives as long as the array."""
    most = 2 ** 32 if code == "I" else 2 ** 64
    values = [int(value) for value in values]
    for value in values:
        if not 0 <= value < most:
            raise Error(f"{name} {value}: out of range")
    made = array.array(code, values)
    return made, made.buffer_info()[0]


def _structures(kind, name, rows):
    """An array of structures, from tuples whose last values may be left out: 0."""
    rows = [_numbers("I", name, row)[0] for row in rows]
    return (kind * len(rows))(*(kind(*row) for row in rows))


class Graph:
    """An irregular network: ports of each switch; hosts (switch, port); links (switch, port,
    other switch, port there). Further values of a tuple are delays and rates, in the order of
    struct mcf_host and struct mcf_link in mcfab.h."""

    def __init__(self, ports, hosts, links, root=ANY):
        self._ports, address = _numbers("I", "ports", ports)
        self._hosts = _structures(_Host, "hosts", hosts)
        self._links = _structures(_Link, "links", links)
        self.graph = _Graph(len(self._ports), len(self._hosts), len(self._links), root, address,
                            self._hosts, self._links)


class Fabric:
    """A network with its routers, and the results of its last run; of a Graph, if one is given."""

    def __init__(self, options, graph=None):
        self._net = None
        if graph:
            self._fabric = _lib.mcf_fabric_new_graph(options.encode(), ctypes.byref(graph.graph))
        else:
            self._fabric = _lib.mcf_fabric_new(options.encode())
        if not self._fabric:
            _fail()

    def close(self):
        """Free it; it is not to be used any more."""
        if getattr(self, "_fabric", None):
            if self._net:
                self._net.close()
            _lib.mcf_fabric_free(self._fabric)
            self._fabric = None

    __del__ = close

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def _get(self, what, name):
        """A value of any kind: a number or a text."""
        text, whole = ctypes.create_string_buffer(1024), U64()
        args = self._fabric, what.encode(), name.encode()
        if not _lib.mcf_count(*args, ctypes.byref(whole)):
            # a word is kept as a number, and meant as a word
            if not _lib.mcf_text(*args, text, len(text)):
                return text.value.decode()
            return whole.value
        value = _lib.mcf_number(*args)
        if not math.isnan(value):
            return value
        if _lib.mcf_text(*args, text, len(text)):
            _fail()
        return text.value.decode()

    def get(self, name):
        """A value of the fabric: "nodes", "dims.1", ..."""
        return self._get("fabric", name)

    def progress(self, name):
        """A value of the last run: "state", "hash", "deliveries", ..."""
        return self._get("run", name)

    def stats(self, name):
        """A value of its statistics: "multicast.completion.mean", ..."""
        return self._get("stats", name)

    def column(self, what, name):
        """An array with a value for each channel ("link"), node, batch, bucket ("histogram") ..."""
        args = self._fabric, what.encode(), name.encode()
        count = _lib.mcf_column(*args, None, 0)
        if count < 0:
            _fail()
        made, address = _room("d", count)
        if _lib.mcf_column(*args, address, count) < 0:
            _fail()
        return made

    def plan(self, options, source, dests):
        """What a policy makes of one multicast."""
        return Plan(self._fabric, options, source, dests)

    def run(self, options):
        """Run traffic and wait until it is over; returns how it ended."""
        if _lib.mcf_run(self._fabric, options.encode()):
            _fail()
        return self.progress("state")

    def run_list(self, options, messages):
        """Run messages (cycle, source, dests, flits), flits 0: as the options say."""
        messages = list(messages)
        dests = [dest for message in messages for dest in message[2]]
        columns = [_numbers("Q", "cycle", (m[0] for m in messages)),
                   _numbers("I", "source", (m[1] for m in messages)),
                   _numbers("I", "dests", (len(m[2]) for m in messages)),
                   _numbers("I", "dests", dests),
                   _numbers("I", "flits", (m[3] for m in messages))]
        if _lib.mcf_run_list(self._fabric, options.encode(), len(messages),
                             *(address for _, address in columns)):
            _fail()
        return self.progress("state")

    def net(self, options, hold=0):
        """A network that is stepped; it has to be closed before the fabric does something else."""
        self._net = Net(self._fabric, options, hold)
        return self._net


class Plan:
    """The worms of one multicast."""

    def __init__(self, fabric, options, source, dests):
        made, address = _numbers("I", "dests", dests)
        self._plan = _lib.mcf_plan_new(fabric, options.encode(), source, address, len(made))
        if not self._plan:
            _fail()

    def __del__(self):
        if getattr(self, "_plan", None):
            _lib.mcf_plan_free(self._plan)

    def get(self, name):
        """A number of the plan: "worms", "traffic", "completion", ..."""
        value = _lib.mcf_plan_number(self._plan, name.encode())
        if math.isnan(value):
            _fail()
        return value

    @property
    def worms(self):
        """Its worms; after is None where the source has the message."""
        worms, worm = [], _Worm()
        while not _lib.mcf_plan_worm(self._plan, len(worms), ctypes.byref(worm)):
            worms.append(Worm(worm.source, worm.step, None if worm.after == ANY else worm.after,
                              worm.nhops, worm.dests[:worm.ndests]))
        return worms

    @property
    def arrivals(self):
        """Arrays of destinations and their cycles, if nothing is in the way."""
        count = _lib.mcf_plan_arrivals(self._plan, None, None, 0)
        (nodes, first), (cycles, second) = _room("I", count), _room("Q", count)
        _lib.mcf_plan_arrivals(self._plan, first, second, count)
        return nodes, cycles


class Net:
    """A network that is stepped."""

    def __init__(self, fabric, options, hold):
        self._net = _lib.mcf_net_open(fabric, options.encode(), hold)
        if not self._net:
            _fail()

    def close(self):
        """End it: what is under way arrives, and statistics are complete."""
        if self._net:
            _lib.mcf_net_close(self._net)
            self._net = None

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def _open(self):
        if not self._net:
            raise Error("the network is closed")
        return self._net

    def push(self, source, dests, length, cookie=0):
        """Hand in a message; False: the source has no room for it."""
        made, address = _numbers("I", "dests", dests)
        ret = _lib.mcf_push(self._open(), source, address, len(made), length, cookie)
        if ret < 0:
            _fail()
        return not ret

    def room(self, source):
        """How many messages push() takes of a node."""
        return _lib.mcf_room(self._open(), source)

    def step(self, cycles=1, until_delivery=False):
        """Compute cycles, perhaps no further than to the next delivery."""
        call = _lib.mcf_step_until if until_delivery else _lib.mcf_step
        if call(self._open(), cycles):
            _fail()

    @property
    def cycle(self):
        """The cycle that was computed last."""
        return _lib.mcf_cycle(self._open())

    @property
    def busy(self):
        """Messages that have not arrived everywhere."""
        return _lib.mcf_busy(self._open())

    def pop(self, node=ANY):
        """The oldest delivery of a node, or of all; None: there is none."""
        delivery = _Delivery()
        if not _lib.mcf_pop(self._open(), node, ctypes.byref(delivery)):
            return None
        return Delivery(*(getattr(delivery, name) for name in Delivery._fields))

    def pop_all(self, node=ANY):
        """All deliveries that are there, the oldest first."""
        while (delivery := self.pop(node)) is not None:
            yield delivery
