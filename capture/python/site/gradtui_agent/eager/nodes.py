"""What nodes of the graph look like.

Nodes are known by their sequence numbers, which PyTorch gives them in the order in which
a thread makes them. Versions of PyTorch that do not tell get numbers from us, in the
nodes' metadata.
"""

import torch

from . import tensors
from .tensors import version_of
from .wire import pending

ACCUMULATE = "AccumulateGrad"
_KEY = "gradtui"

# The edges and slots of records.
IN, NODE, NONE, EXTRA = 0, 1, 2, 3
SAVED_IN, SAVED_OUT, SAVED_HIDDEN, SAVED_EMPTY, SAVED_EXTRA, SAVED_VIEW = 0, 1, 2, 3, 5, 6

unreadable = 0  # more than 0: what is saved belongs to hooks of the program

sequence = getattr(torch._C._autograd, "_get_sequence_nr", None)
numbered = sequence is None  # whether the numbers are ours
_next = _first = 0  # the next number, and the first one of this recording

if numbered:

    def sequence():
        """The number that the next node gets."""
        return _next

    def number(g):
        """The sequence number of a node; -1 if it has none yet."""
        return g.metadata.get(_KEY, -1)

    def unnumbered(g):
        """Whether a node has got no number in this recording."""
        return number(g) < _first

    def path_of(order, index, root):
        """How the new nodes of an operation are reached from that of its result: (index of
        that, its type, ((from, edge, to, type), ...), how many they are). None: some are
        not; (): there are none."""
        if root is None:
            return None if order else ()
        todo, steps = [root], []
        for g in todo:
            for i, (h, _) in enumerate(g.next_functions):
                if h in index and h not in todo:
                    todo.append(h)
                    steps.append((index[g], i, index[h], type(h)))
        return (index[root], type(root), tuple(steps), len(order)) if root in index and len(todo) == len(order) else None

    def number_along(path, out):
        """Numbers the nodes of an operation that has made a tensor; not as many as expected
        if they are others than those on the path."""
        global _next
        if not path:
            _next += tensors.requires_grad(out)  # no node was expected
            return
        root, kind, steps, size = path
        g = tensors.grad_fn(out)
        if g.__class__ is not kind:
            return
        found = [g] * size
        for a, i, b, kind in steps:
            h = found[a].next_functions[i][0]
            if h.__class__ is not kind or _KEY in h.metadata:
                return
            found[b] = h
        for h in found:
            h.metadata[_KEY] = _next
            _next += 1

else:

    def path_of(order, index, root):
        """PyTorch counts."""
        return ()

    def number(g):
        """The sequence number of a node."""
        return g._sequence_nr()


kinds = {ACCUMULATE}  # names of nodes that there have been


_MOST_RANGES = 256  # that are remembered; gradtui ignores what it is told again


class Known:
    """The sequence numbers that gradtui has been told, as ranges."""

    def __init__(self):
        self.top = [0, 0]  # the newest range: from, to
        self.older = []

    def add(self, low, high):
        if low == self.top[1]:
            self.top[1] = high
        elif low > self.top[1]:
            if self.top[0] < self.top[1]:
                self._keep(*self.top)
            self.top[:] = low, high
        else:
            self._keep(low, high)

    def _keep(self, low, high):
        older = self.older
        if older and older[-1][1] == low:
            older[-1] = older[-1][0], high
            return
        older.append((low, high))
        if len(older) > _MOST_RANGES:
            del older[: _MOST_RANGES // 2]

    def __contains__(self, n):
        if self.top[0] <= n < self.top[1]:
            return True
        for low, high in reversed(self.older):
            if low <= n < high:
                return True
        return False


_known = {}  # thread -> Known


def reset():
    """Forgets all nodes."""
    global unreadable, _first
    _known.clear()
    unreadable = 0
    _first = _next


def known_of(ident):
    k = _known.get(ident)
    if k is None:
        k = _known[ident] = Known()
    return k


def _slots(kind):
    """The attributes of a type of nodes that hold what it has saved."""
    found = _slot_names.get(kind)
    if found is None:
        found = _slot_names[kind] = tuple((a, a[len("_saved_"):]) for a in dir(kind) if a.startswith("_saved_"))
    return found


_slot_names = {}


def new_below(roots, is_new):
    """The nodes that are reached from some through nodes that are new, each after those
    that it points to."""
    order = []
    seen = set()
    stack = [(g, False) for g in reversed(roots)]
    while stack:
        g, left = stack.pop()
        if left:
            order.append(g)
            continue
        if g in seen or type(g).__name__ == ACCUMULATE or not is_new(g):
            continue
        seen.add(g)
        stack.append((g, True))
        for h, _ in reversed(g.next_functions):
            if h is not None:
                stack.append((h, False))
    if numbered:
        global _next
        for g in order:
            g.metadata[_KEY] = _next
            _next += 1
    else:
        order.sort(key=number)
    return order


_Undispatched = torch._C._DisableTorchDispatch  # while there is one, no Python code answers for PyTorch


class Looker:
    """Describes nodes that an operation has made, or that are found.

    ins and outs are lists of (tensor, Ref); befores are the gradient edges and versions
    that the inputs had before the operation; newest is the number that others are counted
    back from, None for absolute descriptions."""

    def __init__(self, order, newest=None, ins=(), outs=(), befores=()):
        self.order = order
        self.newest = newest
        self.index = {g: j for j, g in enumerate(order)}
        self.ins = {}
        self.edges = {}
        for k, (t, r) in enumerate(ins):
            self.ins.setdefault(r.n, k)
            edge, _ = befores[k]
            if edge is not None:
                self.edges.setdefault(edge, k)
        self.versions = [b[1] for b in befores]
        self.given = ins
        self.outs = outs
        self.extra = []
        self.kept = []  # what is referred to lives until it is said

    def nodes(self):
        return tuple(map(self.node, self.order))

    def node(self, g):
        n = number(g)
        seq = n if self.newest is None else self.newest - n
        edges = tuple(self.edge(h, i) for h, i in g.next_functions)
        saved, attrs = self.saved(g)
        name = type(g).__name__
        kinds.add(name)
        results = results_of(g)
        return (name, seq, 1 if results is None else len(results), edges, saved, attrs, 0, results)

    def edge(self, h, i):
        if h is None:
            return (NONE, 0, 0)
        if type(h).__name__ == ACCUMULATE:
            r = meet(h.variable)
            k = self.ins.get(r.n)
            if k is not None and r.grad is None:
                return (IN, k, 0)
            return self.absolute((-r.n, 0), lambda: (4, r.n, 0))
        if self.newest is not None:
            j = self.index.get(h)
            if j is not None:
                return (NODE, j, i)
            k = self.edges.get((number(h), i))
            if k is not None:
                return (IN, k, 0)
        n = number(h)
        return self.absolute((n, i), lambda: (EXTRA, n, i))

    def absolute(self, value, own):
        if self.newest is None:
            return own()
        self.extra.append(value)
        return (EXTRA, len(self.extra) - 1, 0)

    def saved(self, g):
        if unreadable:
            return (), ()
        # A result comes back as another object, which PyTorch detaches.
        guard = _Undispatched()
        try:
            return self.readable(g)
        finally:
            del guard

    def readable(self, g):
        found, attrs = [], []
        kind = type(g)
        if isinstance(g, torch._C._FunctionBase):
            try:
                values = g.saved_tensors
            except RuntimeError:
                values = ()
            for i, v in enumerate(values):
                found.append(self.slot("saved_tensors[%d]" % i, v))
            return tuple(found), ()
        for attribute, slot in _slots(kind):
            try:
                v = getattr(g, attribute)
            except RuntimeError:  # freed, or changed in place
                continue
            c = v.__class__
            if isinstance(v, tensors.Tensor):
                found.append(self.slot(slot, v))
            elif (c is tuple or c is list) and any(isinstance(x, tensors.Tensor) for x in v):
                for i, x in enumerate(v):
                    found.append(self.slot("%s[%d]" % (slot, i), x))
            elif v is None:
                if hasattr(kind, "_raw" + attribute):  # else it is an option that was not given
                    found.append((slot, SAVED_EMPTY, 0))
            else:
                attrs.append((slot, plain(v)))
        return tuple(found), tuple(attrs)

    def slot(self, slot, v):
        if v is None:
            return (slot, SAVED_EMPTY, 0)
        r = tensors.known(v)
        if r is not None:
            k = self.ins.get(r.n)
            if k is not None and self.newest is not None:
                return (slot, SAVED_IN, k)
        for k, (o, q) in enumerate(self.outs):
            if o is v or same(o, v):
                return (slot, SAVED_OUT, k)
        if r is not None:
            return self.other(slot, r.n, v)
        if self.newest is not None:
            m = tensors.meta_of(v)
            base = tensors.base_of(v)
            if base is not None:
                for k, (t, _) in enumerate(self.given):
                    if t is base or tensors.base_of(t) is base:
                        return (slot, SAVED_VIEW, (m, k))
            version = version_of(v)
            return (slot, SAVED_HIDDEN, m, version) if version else (slot, SAVED_HIDDEN, m)
        return self.other(slot, (tensors.known(v) or tell(v, graph=False)).n, v)

    def other(self, slot, n, v):
        self.kept.append(v)
        version = version_of(v)
        if self.newest is None:
            return (slot, SAVED_EXTRA, (n, version))
        self.extra.append((n, version))
        return (slot, SAVED_EXTRA, len(self.extra) - 1)


def results_of(g):
    """What the results of a node's operation look like: (dtype, shape) of each, None of one
    that has no shape. None where PyTorch does not tell, as before 2.1."""
    try:
        return tuple(map(result, g._input_metadata))
    except (AttributeError, RuntimeError):
        return None


def result(m):
    """The dtype and the shape of a result."""
    try:
        shape = tuple(m.shape)
    except RuntimeError:  # nested tensors have none
        return None
    if any(n.__class__ is not int for n in shape):  # the compiler does not know them; asking binds it
        return None
    return tensors.name_of(m.dtype), shape


def same(a, b):
    """Whether two tensor objects are the same tensor: one that a node has saved of its
    result comes back as another object."""
    if tensors.answers(a) or tensors.answers(b):
        return False
    try:
        return (
            tensors.data_ptr(a) == tensors.data_ptr(b)
            and tensors.numel(a) > 0
            and tensors.shape(a) == tensors.shape(b)
            and tensors.stride(a) == tensors.stride(b)
            and tensors.dtype(a) == tensors.dtype(b)
        )
    except (RuntimeError, NotImplementedError):
        return False


_PLAIN = (bool, int, float, str, type(None))
_SHOWN = (torch.dtype, torch.device, torch.memory_format, torch.layout)


def plain(v):
    """A value that is no tensor: ("v", value), or ("r", text). No code of the program runs."""
    c = type(v)
    if c in _PLAIN:
        return "v", v
    if c in (tuple, list, torch.Size):
        parts = tuple(plain(x) for x in v)
        if all(p[0] == "v" for p in parts):
            return "v", tuple(p[1] for p in parts)
        return "r", "(%s)" % ", ".join(str(p[1]) for p in parts)
    if c in _SHOWN:
        return "r", str(v)
    return "r", c.__name__


def meet(t):
    """The Ref of a tensor, which is told to gradtui if it is new."""
    r = tensors.known(t)
    if r is not None:
        return r
    return tell(t)


def tell(t, extra=0, stack=0, graph=True):
    """Tells gradtui of a tensor that exists already, and of what it depends on."""
    r = tensors.add(t)
    base = tensors.base_of(t)
    share = None
    if base is not None:
        share = meet(base)
        r.base = share.n
        r.counter = share.counter
    else:
        r.counter = [r.at]
    g = tensors.grad_fn(t) if graph and r.sort.wants == tensors.INNER else None
    if g is not None:
        tell_graph([g])
        r.grad = (number(g), tensors.output_nr(t))
    flags = tensors.flags_of(t, r.sort) | (extra or tensors.EXISTING)
    view = tensors.PLAIN_VIEW if base is not None else tensors.NO_VIEW
    pending.append((
        "tensor", r.n, r.sort.meta, stack, flags, tensors.storage_key(t), tensors.offset_of(t), r.at,
        r.grad, r.base or 0, view, values.value(t, r.sort),
    ))
    existing.met(t, r)
    return r


def tell_graph(roots):
    """Tells gradtui of the nodes below some that it does not know."""
    ranges = known_of(wire.get_ident())
    order = new_below(roots, unnumbered if numbered else (lambda g: number(g) not in ranges))
    if not order:
        return
    for g in order:
        n = number(g)
        ranges.add(n, n + 1)
    looker = Looker(order)
    pending.append(("nodes", looker.nodes()))


from . import existing, values, wire  # noqa: E402  (they need nothing of this when they are imported)
