"""Operations.

`wrapped` makes the function that takes the place of one of torch's. It calls the
original and appends a record

    (signature, stack, seq, ins, outs[, changed[, extra[, values]]])

What an operation of a certain kind looks like is found by looking at everything (`look`)
and remembered (`signatures`).
"""

from __future__ import annotations

import sys
from _thread import get_ident
from time import monotonic as now

import torch
from torch import Tensor

from .._agent import stacks
from .._agent.stacks import MARK
from .._agent.unseen import possible, unseen
from . import nodes, tensors, values, wire
from ._protocol import (
    ATTEND_RECORDS,
    CUT_COPY,
    CUT_DATA,
    CUT_DETACH,
    REBASE_BASE,
    REBASE_DETACH,
    REBASE_EXISTING,
    REBASE_INPLACE,
    REBASE_STALE_VIEW,
    SIGNATURE_SILENT,
    VALUES_SMALL,
)
from .nodes import known_of, number, numbered, ref_of, sequence
from .signals import land
from .signals import late as came
from .signatures import AGAIN, PLAIN, Seen, alike, elsewhere, forget, learn, number_of, ops, seen_through, taken, view_kind
from .tensors import Ref, dies, known, refs, version_of
from .wire import due, pending

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import CodeType
    from typing import Any

    from .._agent.stacks import CallSite
    from .nodes import Before
    from .signatures import Op, Signature
    from .wire import Record, Settings

    Args = Sequence[Any]
    Kwargs = dict[str, Any]
    # Arguments as descriptions have them, operands, what they were, number of the next node, recording.
    Begun = tuple[list[Any], list[tuple[Any, Ref]], list[Before], int, int]

if numbered:
    from .nodes import number_along

_getframe = sys._getframe
_find = stacks.find
_is_grad_enabled = torch.is_grad_enabled
_next = tensors.next_number
_get = refs.get
undisturbed = torch._C.DisableTorchFunction

owner = get_ident()  # the thread whose operations may have signatures
top = known_of(owner).top
regime = [0]  # what else decides how operations turn out; a new number for each change
paused: dict[int, int] = {}  # thread -> how often recording was switched off
quick = False  # whether signatures may be used at all



def off() -> bool:
    """Whether this thread's operations are not recorded now."""
    return paused.get(get_ident(), 0) > 0


def pause(ident: int, by: int) -> None:
    """Records nothing of a thread's operations until it is called with -by."""
    paused[ident] = paused.get(ident, 0) + by
    if paused[ident] <= 0:
        del paused[ident]
    attend()


def reset() -> None:
    """Forgets everything that was learned: another gradtui needs it again. The
    thread that calls it is the one whose operations may have signatures."""
    global owner, top, modes
    forget()
    _threads.clear()
    paused.clear()
    modes = _active_modes()
    owner = get_ident()
    top = known_of(owner).top


_active_modes = getattr(torch._C, "_len_torch_function_stack", int)


def attend() -> None:
    """Finds out whether signatures may be used."""
    global quick
    quick = wire.on and not paused and not modes


_patterns: Sequence[str] = ()  # of the names of those at which gradtui is asked
originals: dict[Any, Any] = {}  # what a function has taken the place of
stop_all = False  # whether gradtui is asked at each operation
_changes = False  # whether it is when a tensor has changed
_named: frozenset[int] = frozenset()  # numbers of those tensors of which it wants to know that


def arm(settings: Settings) -> None:
    """Finds out at which operations the program has to ask gradtui."""
    global stop_all, _changes, _named, _patterns
    stop_all = settings.get("attend", 0) == ATTEND_RECORDS
    _changes, _named = bool(settings.get("inplace")), frozenset(settings.get("named", ()))
    _patterns = settings.get("ops", ())
    for op in ops:
        _arm(op)
    stacks.arm(settings.get("lines", ()), settings.get("names", ()))


def _arm(op: Op) -> None:
    op.stop = stacks.matches(op.name, _patterns) or _changes and op.mutates


def add(op: Op) -> None:
    """Looks out for an operation, too, that is met while the program runs."""
    ops.append(op)
    _arm(op)


def ask_if_needed(op: Op, site: CallSite) -> None:
    """Waits for gradtui if the program may have to stop at this operation."""
    if stop_all or wire.attention[0] or op.stop or site.stop:
        wire.sync()


def wrapped(op: Op) -> Callable[..., Any]:
    """The function that takes the place of an operation."""
    original = op.original
    learned = op.learned
    quiet = op.name in _QUIET

    direct = quiet or possible  # whether warnings already name the caller

    def matched(frame, args, kwargs):
        """The site of a call and its signature, with the numbers and the Refs of its operands; or None
        and its key, if it has one."""
        try:
            site = frame.f_trace.sites[frame.f_lasti]
        except (AttributeError, KeyError):
            site = _find(frame)
        if not quick:
            return site, None, None, None
        ins: list[int] = []
        given: list[Ref] = []
        key: Any = [regime[0], _is_grad_enabled()]
        for a in args:
            r = _get(id(a))
            if r is not None and r() is a:  # as taken does it
                if r.n in ins:
                    key.append(AGAIN)
                    key.append(ins.index(r.n))
                given.append(r)
                ins.append(r.n)
                key.append(r.sort)
            else:
                c = a.__class__
                if c in PLAIN:
                    key.append(a)
                    key.append(c)
                elif not taken(a, given, ins, key):
                    return site, None, None, None
        for name, a in kwargs.items():
            key.append(name)
            if not taken(a, given, ins, key):
                return site, None, None, None
        key = tuple(key)
        signature = learned.get(key)
        if signature is None and get_ident() == owner:
            signature = alike(op, key, args, kwargs)
        if signature is None or not signature.left or get_ident() != owner:
            return site, None, key, None
        for r in given:
            if r.at != _version(r()):
                return site, None, key, None
        return site, signature, tuple(ins), given

    @unseen
    def call(*args, **kwargs):
        if not quick and quiet and off():
            return original(*args, **kwargs)
        site, signature, key, given = matched(_getframe(1), args, kwargs)
        try:
            if signature is None:
                return look(op, site, args, kwargs, key)
            before = sequence()
            try:
                if direct:
                    out = original(*args, **kwargs)
                else:
                    out = (site.call or caller(site, 2))(original, args, kwargs)
            except Exception as error:
                raised(op, site, error, args, kwargs)
                raise
            over(op, signature, site, key, out, before, given, args, kwargs)
            return out
        except BaseException:
            args = kwargs = given = None  # a traceback keeps this frame
            raise

    def matched_two(frame, a, b):
        """As matched; for a signature without the Refs."""
        try:
            site = frame.f_trace.sites[frame.f_lasti]
        except (AttributeError, KeyError):
            site = _find(frame)
        r = _get(id(a))
        if r is None or not quick or r() is not a:
            return site, None, None
        q = _get(id(b))
        if q is not None and q() is b:
            if q is not r:
                key: tuple[Any, ...] = regime[0], _is_grad_enabled(), r.sort, q.sort
            else:
                key = regime[0], _is_grad_enabled(), r.sort, AGAIN
            ins: tuple[int, ...] = r.n, q.n
        else:
            c = b.__class__
            if c not in PLAIN:
                return site, None, None
            key = regime[0], _is_grad_enabled(), r.sort, b, c
            ins = (r.n,)
            q = None
        signature = learned.get(key)
        if signature is None and get_ident() == owner:
            signature = alike(op, key, (a, b), _NONE)
        if (
            signature is None or not signature.left or r.at != _version(a) or q is not None and q.at != _version(b)
            or signature.inplace or get_ident() != owner
        ):
            return site, None, key
        return site, signature, ins

    @unseen
    def call_two(a, b):
        site, signature, key = matched_two(_getframe(1), a, b)
        try:
            if signature is None:
                return look(op, site, (a, b), _NONE, key)
            before = sequence()
            try:
                out = original(a, b)
            except Exception as error:
                raised(op, site, error, (a, b), _NONE)
                raise
            if not done(op, signature, site, key, out, before):
                late(op, signature, site, (a, b), _NONE, out, before)
            return out
        except BaseException:
            a = b = None  # a traceback keeps this frame
            raise

    chosen = call_two if op.name in _OPERATORS and op.operator else call
    originals[chosen] = original
    return chosen


_NONE: dict[str, Any] = {}
_version, _shape = tensors.version, tensors.shape
_OPERATORS = frozenset(("add", "mul", "sub", "div", "matmul"))  # binary operators that never warn
_QUIET = _OPERATORS | frozenset("""
    neg exp log sin cos tanh sigmoid relu sqrt abs square reciprocal sum mean t mm bmm addmm linear dot mv add_ mul_ sub_ addcmul_ addcdiv_ lerp_
    zeros_like ones_like clone eq ne lt gt le ge minimum maximum clamp softmax log_softmax gelu silu layer_norm conv2d conv1d embedding
""".split())  # functions that never warn, whatever they are given


def done(op: Op, signature: Signature, site: CallSite, ins: Any, out: Any, before: int, given: Any = ()) -> bool:
    """Records an operation of a known signature that has made a tensor; false if it has not
    turned out as expected."""
    if out.__class__ is not signature.cls:
        return False
    if numbered:
        number_along(signature.path, out)
    if sequence() - before != signature.delta or _shape(out) != signature.shape:
        return False
    number = signature.number
    if signature.view is not None:
        view, place = seen_through(out, given)
        if view != signature.view:
            return False
        number = elsewhere(signature, place)
    ref = Ref(out, dies)
    identity = ref.key = id(out)
    old = _get(identity)
    if old is not None and old() is out:
        return False  # it existed before
    refs[identity] = ref
    n = ref.n = _next()
    ref.sort = signature.sort
    if signature.view is None:
        ref.at = signature.at
    else:
        source = given[0]
        ref.at, ref.counter, ref.base = source.at, source.counter, source.base or source.n
    after = before + signature.delta
    if signature.seq is None:
        ref.seq = -1
    else:
        ref.seq = before + signature.seq
        ref.nr = signature.nr
        if top[1] == before:
            top[1] = after
        else:
            known_of(owner).add(before, after)
    time = now()
    if values.level > VALUES_SMALL:
        pending.append(time)
        pending.append((number, site.number, after - 1, ins, (n,), (), (), (values.value(out, signature.sort, ref, site),)))
    else:
        pending.append((number, site.number, after - 1, ins, (n,), time))
    signature.left -= 1
    if time > due[0]:
        wire.flush()
    if stop_all or wire.attention[0] or op.stop or site.stop:
        wire.sync()
    return True


def over(op: Op, signature: Signature, site: CallSite, ins: Any, out: Any, before: int, given: Any, args: Args, kwargs: Kwargs) -> None:
    """An operation of a known signature has run."""
    if not (signature.inplace and changed_again(op, signature, site, ins, out, given, before) or done(op, signature, site, ins, out, before, given)):
        late(op, signature, site, args, kwargs, out, before)
    elif came:
        land()


def changed_again(op: Op, signature: Signature, site: CallSite, ins: Any, out: Any, given: Any, before: int) -> bool:
    """Records an operation of a known signature that has changed its first operand."""
    if out is not given[0]() or sequence() != before:
        return False
    r = _get(id(out))
    v = r.at = r.counter[0] = _version(out)
    pending.append(now())
    if values.level > VALUES_SMALL:
        taken = values.value(out, r.sort, r, site)
        pending.append((signature.number, site.number, before - 1, tuple(ins), (r.n,), ((0, v),), (), (taken, taken)))
    else:
        pending.append((signature.number, site.number, before - 1, tuple(ins), (r.n,), ((0, v),)))
    signature.left -= 1
    if pending[-2] > due[0]:
        wire.flush()
    if stop_all or wire.attention[0] or op.stop or site.stop or r.n in _named:
        wire.sync()
    return True


# Looking at everything.


def overrides(v: Any) -> bool:
    """Whether a value wants to answer calls of torch functions itself."""
    c = type(v)
    if c in PLAIN or c is Tensor or c is tensors.Parameter:
        return False
    method = getattr(c, "__torch_function__", None)
    return method is not None and getattr(method, "__func__", method) is not _default_override


_default_override = getattr(Tensor.__torch_function__, "__func__", None)
modes = 0  # how many TorchFunctionModes of the program are active


@unseen
def look(op: Op, site: CallSite, args: Args, kwargs: Kwargs, key: tuple[Any, ...] | None = None) -> Any:
    """Calls an operation and looks at everything that it has done."""
    original = op.original
    call_it = site.call or caller(site, 3)
    begun = looking(args, kwargs)
    if begun is None:
        return call_it(original, args, kwargs)
    try:
        out = call_it(original, args, kwargs)
    except Exception as error:
        raised(op, site, error, args, kwargs)
        args = kwargs = begun = None  # a traceback keeps this frame
        raise
    looked(op, site, begun, out, key)
    return out


def looking(args: Args, kwargs: Kwargs) -> Begun | None:
    """What has to be known of an operation before it runs: (arguments as a signature has them, operands,
    what they were, number of the next node, recording). None: it is not looked at."""
    if not wire.on or paused and off():
        return None
    if modes or any(map(overrides, args)) or kwargs and any(map(overrides, kwargs.values())):
        operands = tuple(_operands(args)) + tuple(_operands(kwargs.values()))
        if _has_torch_function(operands):
            # Another class's __torch_function__ answers. What it calls is looked at.
            return None
    try:
        with undisturbed():
            return _operands_of(args, kwargs) + (sequence(), wire.era)
    except Exception:
        wire.broken()
        return None


def _operands_of(args: Args, kwargs: Kwargs) -> tuple[list[Any], list[tuple[Tensor, Ref]], list[Before]]:
    ins = Seen()
    spec = [("", ins.take(a)) for a in args] + [(k, ins.take(v)) for k, v in kwargs.items()]
    found = [(t, seen_before(t)) for t in ins.found]
    return spec, found, [(r.grad, r.counter[0]) for _, r in found]


def looked(op: Op, site: CallSite, begun: Begun, out: Any, key: tuple[Any, ...] | None) -> None:
    """An operation has run: records it."""
    spec, found, befores, before, era = begun
    if not wire.on or wire.era != era:  # recording has ended meanwhile
        return
    try:
        with undisturbed():
            record(op, site, spec, found, befores, out, before, key)
    except Exception:
        wire.broken()
        return
    ask_if_needed(op, site)


def late(op: Op, signature: Signature, site: CallSite, args: Args, kwargs: Kwargs, out: Any, before: int) -> None:
    """An operation has turned out in another way than its signature says: looks at it now."""
    signature.left = signature.pause = 0
    try:
        with undisturbed():
            spec, found, befores = _operands_of(args, kwargs)
            record(op, site, spec, found, befores, out, before, None)
    except Exception:
        wire.broken()
        return
    ask_if_needed(op, site)


def seen_before(t: Tensor) -> Ref:
    """The Ref of a tensor, brought up to date."""
    r = known(t)
    if r is None:
        return nodes.report(t)
    v = version_of(t)
    if v != r.counter[0]:
        r.counter[0] = v
        pending.append(("changed", r.n, v, 0, values.value(t, None, r)))
        if _changes or r.n in _named:
            wire.attention[0] = 1
    if r.at != v or r.sort.view and r.sort.wants or tensors.requires_grad(t) != bool(r.sort.wants):
        update(t, r, v)
    return r


def update(t: Tensor, r: Ref, v: Any, why: int = REBASE_STALE_VIEW) -> None:
    """Looks again at a tensor that has changed since: its grad_fn, its layout."""
    r.at = v
    sort = tensors.sort_of(t)
    if sort.meta != r.sort.meta:
        pending.append(("reshaped", r.n, sort.meta, 0, tensors.storage_key(t), tensors.offset_of(t), values.value(t, None, r)))
    if bool(sort.wants) != bool(r.sort.wants) and sort.wants != tensors.INNER:
        pending.append(("requires", r.n, bool(sort.wants), 0))
    tensors.sorted_as(r, sort)
    if sort.wants == tensors.INNER:
        g = tensors.grad_fn(t)
        edge = (number(g), tensors.output_nr(t))
        if edge != r.grad:
            nodes.report_graph([g])
            r.grad = edge
            pending.append(("rebase", r.n, edge, why if r.sort.view else REBASE_EXISTING, 0))
    elif r.grad is not None:
        r.grad = None
        pending.append(("rebase", r.n, None, REBASE_DETACH, 0))


def record(
    op: Op, site: CallSite, spec: list[Any], found: list[tuple[Tensor, Ref]], befores: list[Before], out: Any, before: int,
    key: tuple[Any, ...] | None,
) -> None:
    """Records an operation that has run."""
    given = len(found)
    ident = get_ident()
    ranges = known_of(ident)
    results = Seen()
    results.take(out)
    changed = []
    for k, (t, r) in enumerate(found):
        v = version_of(t)
        if v != r.counter[0]:
            r.counter[0] = v
            changed.append((k, v))
    # Results that are new get their numbers, and the nodes that led to them are found.
    outs: list[tuple[Tensor, Ref]] = []
    new: set[int] = set()
    roots: list[Any] = []
    memory: list[Any] | None = None
    for o in results.found:
        r = known(o)
        if r is None:
            r = tensors.add(o)
            new.add(r.n)
        outs.append((o, r))
        if r.sort.wants != 0 or tensors.requires_grad(o):
            g = tensors.grad_fn(o)
            if g is not None:
                roots.append(g)
    bases = []
    for k, _ in changed:
        t, r = found[k]
        base = tensors.base_of(t)
        if base is not None and tensors.requires_grad(base):
            g = tensors.grad_fn(base)
            if g is not None:
                roots.append(g)
                bases.append((k, base, g))
        if tensors.requires_grad(t) and not any(t is o for o, _ in outs):
            g = tensors.grad_fn(t)
            if g is not None:
                roots.append(g)
    if numbered:
        order = nodes.new_below(roots, nodes.unnumbered) if roots else []
    else:
        order = nodes.new_below(roots, lambda g: g._sequence_nr() >= before) if roots else []
    after = sequence()
    if after != before:
        ranges.add(before, after)
    looker = nodes.Looker(order, after - 1, found, outs, befores)
    described = looker.nodes()
    index = looker.index

    rebases: list[tuple[int, ...]] = []
    mutated = {k for k, _ in changed}
    out_specs: list[tuple[Any, ...]] = []
    for o, r in outs:
        k = next((k for k, (t, _) in enumerate(found) if t is o), None)
        if k is not None:
            out_specs.append(("in", k))
            continue
        if r.n not in new:
            # It exists, but was not given: an attribute of a module, say.
            found.append((o, r))
            befores.append((r.grad, r.counter[0]))
            out_specs.append(("in", len(found) - 1))
            continue
        share, view, memory = sharing(o, r, found, new, memory)
        if share >= 0 and op.cut == CUT_DATA:  # .data has a version counter of its own
            share = -2 - share
        if share >= 0:
            r.counter = found[share][1].counter
            r.counter[0] = r.at
            if view:
                base = found[share][1]
                r.base = base.base or base.n
        else:
            r.counter = [r.at]
        g = tensors.grad_fn(o) if r.sort.wants == tensors.INNER else None
        j, nr = -1, 0
        if g is not None:
            nr = tensors.output_nr(o)
            j = index.get(g, -1)
            r.grad = (number(g), nr)
        fresh = "new", r.sort.meta, share, j, nr, tensors.flags_of(o, r.sort), view, tensors.offset_of(o)
        out_specs.append(fresh + (r.at,) if share < 0 and r.at else fresh)
    for k, base, g in bases:
        b = ref_of(base)
        b.at = b.counter[0]
        j = index.get(g, -1)
        nr = tensors.output_nr(base)
        if (number(g), nr) != b.grad and j >= 0:
            rebases.append((1, k, j, nr, REBASE_BASE))
            b.grad = (number(g), nr)
            tensors.sorted_as(b, tensors.sort_of(base))
    for k, (t, r) in enumerate(found):
        # What a Function gives its inputs or views of them, and those get another history.
        if k in mutated or r.at != r.counter[0] or tensors.requires_grad(t) != bool(r.sort.wants) or op.why and k >= given:
            r.at = r.counter[0]
            sort = tensors.sort_of(t)
            g = tensors.grad_fn(t) if sort.wants == tensors.INNER else None
            edge = None if g is None else (number(g), tensors.output_nr(t))
            if edge != r.grad and g is not None and g in index:
                rebases.append((0, k, index[g], edge[1], op.why or (REBASE_STALE_VIEW if sort.view else REBASE_INPLACE)))
            elif sort.wants == 0 and r.grad is not None:  # detach_
                rebases.append((0, k, -1, 0, REBASE_DETACH))
            elif bool(sort.wants) != bool(r.sort.wants) and sort.wants != tensors.INNER:
                pending.append(("requires", r.n, bool(sort.wants), site.number))
            if sort.meta != r.sort.meta:
                source = () if op.name == "set_" else (r.n,)
                pending.append(("reshaped", r.n, sort.meta, site.number, tensors.storage_key(t), tensors.offset_of(t), None, *source))
            tensors.sorted_as(r, sort)
            r.grad = edge
    description = op.name, tuple(spec), tuple(out_specs), described, tuple(rebases), SIGNATURE_SILENT if op.silent else 0
    signature = number_of(description)
    entry: tuple[Any, ...] = (signature, site.number, after - 1, tuple(r.n for _, r in found), tuple(r.n for _, r in outs))
    taken = None
    if values.level:
        one = isinstance(out, Tensor)
        taken = tuple(
            values.value(o, r.sort, r, site, -1 if one else i) if r.n in new or values.level > VALUES_SMALL else None for i, (o, r) in enumerate(outs)
        )
        taken += tuple(values.value(t, r.sort, r) for t, r in (found[k] for k, _ in changed))
        if not any(v is not None for v in taken):
            taken = None
    if changed and (_changes or _named and any(found[k][1].n in _named for k, _ in changed)):
        wire.attention[0] = 1
    if changed or looker.extra or taken:
        entry += (tuple(changed), tuple(looker.extra), taken)
    pending.append(now())
    put(entry, ident)
    cut = op.cut
    if cut == CUT_COPY and not given or cut == CUT_DETACH:  # gradtui knows of detach itself
        cut = 0
    if cut and outs:
        pending.append(("cut", cut, site.number, tuple(r.n for _, r in found[:given]), outs[0][1].n))
    if key is not None and ident == owner:
        learn(op, key, signature, description, [r for _, r in found], outs, new, out, changed, looker, before, after)
    if now() > due[0]:
        wire.flush()


def sharing(o: Tensor, r: Ref, found: list[tuple[Tensor, Ref]], new: set[int], memory: list[Any] | None) -> tuple[int, int, list[Any] | None]:
    """With which of the inputs a result shares its memory: (share, view, memory). A view of
    another result, such as compiled code returns, passes for one with memory of its own."""
    base = tensors.base_of(o)
    if base is not None:
        for k, (t, _) in enumerate(found):
            if t is base or tensors.base_of(t) is base:
                return k, view_kind(o), memory
        b = known(base)
        if b is not None and b.n in new:
            return -1, 0, memory
        found_base = b if b is not None else ref_of(base)
        found.append((base, found_base))
        return len(found) - 1, view_kind(o), memory
    if not found:
        return -1, 0, memory
    own = tensors.storage_key(o)
    if own:
        if memory is None:
            memory = [tensors.storage_key(t) for t, _ in found]
        for k, theirs in enumerate(memory):
            if own == theirs:
                return k, 0, memory
    return -1, 0, memory


_threads: dict[int, int] = {}


def put(record: Record, ident: int | None = None) -> None:
    """Records something of the thread that runs."""
    if ident is None:
        ident = get_ident()
    if ident != owner:
        n = _threads.setdefault(ident, len(_threads) + 1)
        pending.extend((("thread", n), record, ("thread", 0)))
    else:
        pending.append(record)


newest_error: tuple[int, str] | None = None  # (id, text) of the error that an operation raised last


def raised(op: Op, site: CallSite, error: BaseException, args: Args, kwargs: Kwargs) -> None:
    """An operation has raised an error."""
    global newest_error
    try:
        with undisturbed():
            ins = Seen()
            for a in list(args) + list(kwargs.values()):
                ins.take(a)
        newest_error = id(error), str(error)
        failed(op.name, site, error, ins.found)
    except Exception:
        wire.broken()
    unwound(error)


def unwound(error: BaseException) -> None:
    """Takes the frame of what has called the function out of a traceback that will begin
    with our caller's: it keeps the arguments."""
    tb = error.__traceback__
    inner = tb and tb.tb_next
    if inner is not None and inner.tb_frame.f_code.co_name == MARK:
        error.__traceback__ = inner.tb_next


def failed(name: str, site: CallSite, error: BaseException, operands: Sequence[Tensor]) -> None:
    """A function that was given some tensors has raised an error."""
    found = tuple(r.n for r in map(tensors.known, operands) if r is not None)
    put(("raised", type(error).__name__, "", name, str(error)[:2000], found, site.number))
    if wire.settings.get("errors") or stop_all or wire.attention[0] or site.stop:
        wire.sync()


def _operands(arguments: Iterable[Any]) -> Iterator[Any]:
    """The arguments that may have a __torch_function__, and those in lists."""
    for a in arguments:
        if isinstance(a, (tuple, list)):
            yield from _operands(a)
        elif hasattr(type(a), "__torch_function__"):
            yield a


_has_torch_function = torch._C._has_torch_function


# Warnings of C code belong to the line that has called. Where our frames are not left out, the
# innermost Python frame when the original runs is one with the caller's file, line and globals.


def caller(site: CallSite, depth: int) -> Callable[..., Any]:
    """A function that calls another one as if from a site, which is so many frames away."""
    if possible or site.activation is None or site.activation.code is None:
        return _plainly
    frame = _getframe(depth)
    line = frame.f_lineno
    code = _template.replace(co_filename=frame.f_code.co_filename, co_firstlineno=line, co_name=MARK)
    if made is not None:
        made(code)
    site.call = type(_plainly)(code, frame.f_globals)
    return site.call


made: Callable[[CodeType], object] | None = None  # is called with such code


@unseen
def _plainly(original, args, kwargs):
    return original(*args, **kwargs)


_template = (lambda original, args, kwargs: original(*args, **kwargs)).__code__
