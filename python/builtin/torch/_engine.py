"""Calls of the engine, which runs in the gradtui process.

call("torch.add", args, kwargs) calls a function of the engine, a method
("Tensor.add"), an attribute ("get.shape", "set.grad") or a command of the Go side
by its name. Tensors live in the engine: here they are objects with a handle and a
meta, the number of their layout, which decides what operations give. That is
learned when an operation is called for the first time with these metas; the next
one like it is sent and not waited for.
"""

import builtins
from itertools import count
from marshal import dumps, loads
from sys import _getframe
from threading import get_ident

from gradtui._agent import aside, holders, imports, names, notes, stacks, start, tracebacks
from gradtui._agent.unseen import possible, unseen

from . import _channel, _unsupported, _values
from ._channel import acquire, post, post_short, release, send
from ._dtypes import dtype
from ._objects import MOST_GONE, Known, Tensor, dead, doubt, fall, fallen, give_up, know, look_after, nothing, objects
from ._protocol import (
    ADVICE_GRAD_OFF,
    ADVICE_GRADS_REPLACED,
    ADVICE_LAYOUT_CHANGED,
    ADVICE_MODE_CHANGED,
    ADVICE_NO_VIEWS,
    ADVICE_TYPES_DECIDE,
    ADVICE_VALUES_DECIDE,
    CALL_ASK,
    EXCEPTIONS,
    OPERAND_BOOL,
    OPERAND_FLOAT,
    OPERAND_INT,
    OPERAND_NONE,
    OPERAND_TENSOR,
    REFUSED,
    REPLY_CALLBACK,
    REPLY_ERROR,
    REPLY_MASK,
    REPLY_PLAIN,
    REPLY_SELF,
    REPLY_TENSOR,
    REPLY_VALUE,
    UNSUPPORTED,
)
from ._size import Size
from ._values import Overridden, converters, handle, keep, kept, pack, revive

here, find = stacks.here, stacks.find
pending = stacks.pending  # records that go with the next message

numbers = {}  # name of a function -> its number
learned = {}  # what calls give; _learn says how
free = []  # handles of our own that can be used again

_new = object.__new__
_next_number = count()
_next_handle = count(1)
off = False  # whether grad mode is off, for certain
_serving = 0  # how many callbacks of the engine are running here
_thread = None  # identity of the thread that called last
_threads = {}
modes = []  # the active TorchFunctionModes
callables = {}  # number of a function -> the Python function


def dispatch(function, args, kwargs):
    """Lets __torch_function__ answer a call; _dispatch replaces it."""


tensor_class = parameter_class = Tensor


def use(tensor, parameter):
    """Says which classes torch.Tensor and torch.nn.Parameter are."""
    global tensor_class, parameter_class
    tensor_class, parameter_class = _values.classes = tensor, parameter
    converters[tensor] = converters[parameter] = handle


def number(name):
    """The number of a function of the engine."""
    n = numbers.get(name)
    if n is None:
        n = next(_next_number)
        pending.append(("function", n, name))
        numbers[name] = n
    return n


def _thread_changed():
    global _thread, off
    off = False
    ident = get_ident()
    pending.append(("thread", _threads.setdefault(ident, len(_threads))))
    _thread = ident
    learned.clear()  # each thread has modes of its own


def forget_thread(ident):
    """A thread has ended: another one may get its identity."""
    _threads.pop(ident, None)


OURS = 0 if possible else 1  # how many frames sys._getframe counts for an unseen function
CALLER = 1 + OURS  # what an unseen function skips


class Open(tuple):
    """What is left to do of a call: a function, and its arguments. It may call the program, so
    an unseen function has to do it."""

    __slots__ = ()


def foreseen(function, args, kwargs=None, skip=1, m=None, known=None):
    """Calls a function by its number: its result, or what has to be done to get it, which is Open.
    The skip innermost frames above are ours, without the unseen ones. m may say what the call
    gives, and known the tensor if it is THIS."""
    if modes:
        return Open((dispatch, (function, args, kwargs)))
    given = kwargs
    values = ()
    form = b = 0
    a = args[0] if args else None
    c = a.__class__
    if not kwargs and (c is tensor_class or c is parameter_class):
        n = len(args)
        if n == 1:
            form = TENSOR
            key = function, a._m
        elif n == 2:
            b = args[1]
            c = b.__class__
            if c is tensor_class or c is parameter_class:
                form = TENSORS
                key = (function, a._m, b._m) if a is not b else (function, a._m, THIS)
                b = b._h
            elif c in FORMS and (c is not int or -EXACT <= b <= EXACT):
                form = FORMS[c]
                key = function, a._m, c
                values = (b,)
                if b is None:
                    b = 0
    if not form:
        try:
            key, values, out, kwargs = _described(function, args, kwargs)
        except Overridden:
            return Open((dispatch, (function, args, kwargs)))
    if m is None:
        m = learned.get(key)
        if m.__class__ is not int and m is not None:
            if m.__class__ is dict:
                m = m.get(values)
            if m.__class__ is tuple:
                return m[0]
    frame = _getframe(skip)
    activation = frame.f_trace
    if activation is None:
        stack = find(frame).number
    else:
        try:
            stack = activation[frame.f_lasti]
        except (TypeError, KeyError):
            stack = find(frame).number
    frame = activation = None  # a frame that holds itself keeps all variables of its callers
    if m is not None and not _serving:
        sent = False
        gone = ()
        others = extra = None
        acquire()
        before = _channel.last
        try:
            # h is to be the handle of the result: None if it is not foreseen, 0 if it is None. From
            # here on m is the meta of a new tensor, and known what is given back if it is none.
            if get_ident() != _thread:
                h = None
            elif m > 0:
                h = free.pop() if free else -next(_next_handle)
            elif m == 0:
                h = 0
            elif m == THIS:
                h, m = known._h, 0
            elif m == SELF_IF_OFF:
                known, h, m = a, a._h if off else None, 0
            elif a._h < 0 and not hasattr(a, "_v"):
                known, h, m = (a, a._h, 0) if m == SELF_IF_NEW else (None, 0, 0)
            else:
                h = None
            if h is not None:
                if form and not (pending or dead) and len(fallen) < 4:
                    g1 = give_up() if fallen else 0
                    g2 = give_up() if fallen else 0
                    g3 = give_up() if fallen else 0
                    gone = g1, g2, g3
                    sent = post_short(form, function, stack, m, h, a._h, b, g1, g2, g3)
                else:
                    gone = [give_up() for _ in range(min(len(fallen), MOST_GONE))]
                if not sent:
                    if dead:
                        others = dead[:MOST_GONE]
                        del dead[: len(others)]
                    if pending:
                        extra = pending[:]
                        del pending[: len(extra)]
                    if form:
                        out = (handle(a),) if form == TENSOR else (handle(a), pack(args[1]))
                    no_more = [complex(g) for g in gone if g] + (others or [])
                    sent = post(dumps((function, stack, out, kwargs, no_more, extra, h, m), 2))
                if sent:
                    for g in gone:
                        if g < 0:
                            free.append(g)
                    if m <= 0:
                        return known
                    t = _new(tensor_class)
                    t._h = h
                    t._m = m
                    t._g = None
                    t.__del__ = nothing
                    objects[h] = known = Known(t, fall)
                    known.handle = h
                    if given and given.get("requires_grad"):
                        look_after(t)
                    return t
                if m and h:
                    free.append(h)
                _put_back(gone, others, extra)
        except BaseException:
            if _channel.last == before:  # a signal handler came first: nothing was sent
                _put_back(gone, others, extra)
            raise
        finally:
            release()
    if form:
        out = (handle(a),) if form == TENSOR else (handle(a), pack(args[1]))
    return Open((_waited, (function, stack, args, given, key, values, out, kwargs)))


def _put_back(gone, others, extra):
    """What was to go with a message goes with the next one."""
    pending[:0] = extra or ()
    dead.extend(others or ())
    dead.extend([complex(g) for g in gone if g])


@unseen
def _waited(function, stack, args, kwargs, key, values, out, packed):
    """Sends a call and waits for the reply, in which the engine may call us: the result. out and
    packed are the arguments as messages carry them."""
    sent = []
    acquire()
    try:
        kind, value, data = _ask(sent, function, stack, out, packed)
        while kind == REPLY_CALLBACK:
            kind, value, data = _called(data)
        t = _given(kind & REPLY_MASK, value, data, args[0] if args else None)
        _over(sent[1], kind, key, values, t, args, kwargs)
    except BaseException:
        _interrupted(*sent)
        raise
    finally:
        release()
    if kind & REPLY_MASK == REPLY_ERROR:
        raise _exception(loads(data))
    return t


def _ask(sent, function, stack, out, kwargs):
    """Sends a call and waits for the first reply. sent gets what _interrupted has to know."""
    before = _channel.last
    if get_ident() != _thread:
        _thread_changed()
    gone = [give_up() for _ in range(min(len(fallen), MOST_GONE))] if fallen else ()
    others = dead[:MOST_GONE]
    extra = pending[:]
    sent += before, gone, others, extra
    del dead[: len(others)], pending[: len(extra)]
    if _channel.owed > _serving:
        _abandon()
    if extra:
        message = (function, stack, out, kwargs, [complex(g) for g in gone if g] + others, extra)
    elif gone or others:
        message = (function, stack, out, kwargs, [complex(g) for g in gone if g] + others)
    elif kwargs:
        message = (function, stack, out, kwargs)
    else:
        message = (function, stack, out)
    return send(message)


def _over(gone, notes, key, values, result, args, kwargs):
    """The reply to a call has come, and what went with it has arrived."""
    if kwargs and kwargs.get("requires_grad") and isinstance(result, Tensor):
        look_after(result)
    if notes > REPLY_MASK:
        _learn(notes, key, values, result, args, kwargs)
    for g in gone:
        if g < 0:
            free.append(g)


def _interrupted(before=None, gone=(), others=(), extra=()):
    """An exception has ended the wait for a reply."""
    if _channel.last == before:  # a signal handler came first: nothing was sent
        _put_back(gone, others, extra)
    if _channel.owed > _serving:
        _abandon()


@unseen
def raw_call(function, args, kwargs=None, skip=1, m=None, known=None):
    """The result of foreseen, whatever has to be done for it."""
    t = foreseen(function, args, kwargs, skip + OURS, m, known)
    return t[0](*t[1]) if t.__class__ is Open else t


def _given(kind, value, data, a):
    """What an answer to a call gives; a is the first argument."""
    if kind == REPLY_TENSOR:
        t = _new(tensor_class)
        know(t, value & 0xFFFFFFFF, value >> 32)
        return t
    if kind == REPLY_SELF:
        return a
    if kind == REPLY_PLAIN:
        return loads(data)
    if kind == REPLY_VALUE:
        return revive(loads(data))


def _described(function, args, kwargs):
    """What decides what a call gives, in two parts, and its arguments as messages
    carry them."""
    key, values, out = [function], (), []
    for a in args:
        c = a.__class__
        if c in _PLAIN:
            out.append(a)
            key.append(c)
            values += (a,)
        else:
            out.append(pack(a))
            key.append(_form(a))
    if kwargs:
        for k, v in kwargs.items():
            key += k, _form(v)
        kwargs = {k: pack(v) for k, v in kwargs.items()}
    return tuple(key), values, out, kwargs


# What short messages carry: one or two arguments, a tensor and another one or a number.
TENSOR = OPERAND_TENSOR
TENSORS = OPERAND_TENSOR | OPERAND_TENSOR << 4
FORMS = {
    c: OPERAND_TENSOR | kind << 4
    for c, kind in {float: OPERAND_FLOAT, int: OPERAND_INT, bool: OPERAND_BOOL, type(None): OPERAND_NONE}.items()
}
EXACT = 2**53
LATER = {  # a small number, and another argument
    (int,): OPERAND_INT,
    (int, bool): OPERAND_INT | OPERAND_BOOL << 4,
    (int, type(None)): OPERAND_INT | OPERAND_NONE << 4,
}

_PLAIN = frozenset((int, float, bool, str, type(None), type(Ellipsis)))
MOST_LEARNED = 10000
# What a call gives: its first argument as long as grad mode is off; that, or None, as long as
# it has no views; a tensor that is known.
SELF_IF_OFF, SELF_IF_NEW, NOTHING_IF_NEW, THIS = -1, -2, -3, -4


def _form(v):
    """What counts of an argument: the meta of a tensor, the type and the value of
    something plain. None: what a call gives cannot be known."""
    c = v.__class__
    if c in _PLAIN:
        return c, v
    if isinstance(v, Tensor):
        return v._m
    if c is dtype:
        return v
    if c in (list, tuple, Size) and all([x.__class__ is int for x in v]):
        return (c,) + tuple(v)
    return None


def _learn(notes, key, values, result, args, kwargs):
    """Takes note of what came with the answer to a call.

    learned has for a key, which holds what counts of the arguments, what the call
    gives: the meta of its result, which is a new tensor, or 0 for None, or SELF_IF_OFF or the like,
    or a tuple with the value itself; or a dict that has it for the values of the
    arguments."""
    if notes & ADVICE_MODE_CHANGED:
        learned.clear()
    elif notes & (ADVICE_TYPES_DECIDE | ADVICE_VALUES_DECIDE) and None not in key:
        if len(learned) > MOST_LEARNED:
            learned.clear()
        if notes & ADVICE_GRAD_OFF:
            gives = SELF_IF_OFF
        elif notes & ADVICE_NO_VIEWS:
            gives = NOTHING_IF_NEW if result is None else SELF_IF_NEW
        else:
            gives = 0 if result is None else result._m if isinstance(result, Tensor) else (result,)
        if notes & ADVICE_TYPES_DECIDE:
            learned[key] = gives
        else:
            known = learned.setdefault(key, {})
            if len(known) > MOST_LEARNED:
                known.clear()
            known[values] = gives
    if notes & (ADVICE_LAYOUT_CHANGED | ADVICE_GRADS_REPLACED):
        doubt()
    if notes & ADVICE_LAYOUT_CHANGED:
        tensors = [v for v in (*args, *(kwargs or {}).values()) if isinstance(v, Tensor)]
        for t in tensors:
            t._m = 0
        for t in tensors:
            t._m = call("tensor.meta", (t,))


@unseen
def call(name, args=(), kwargs=None):
    """Calls a function of the engine by its name."""
    t = foreseen(number(name), args, kwargs, CALLER)
    return t[0](*t[1]) if t.__class__ is Open else t


def later(name, *args):
    """Calls a function that cannot fail and returns nothing, when the next message is
    sent: before what that asks for. The arguments are plain values."""
    stack = here(2)
    acquire()
    try:
        if get_ident() != _thread:
            _thread_changed()
        n = number(name)
        form = LATER.get(tuple([v.__class__ for v in args]))
        b = args[1] if len(args) > 1 else None
        if pending or not form or not post_short(form, n, stack, 0, 0, args[0], b or 0):
            pending.append(("later", n, stack, args))
    finally:
        release()
    if len(pending) > 10000:
        flush()


def function(name, shown=None):
    """A Python function for a function of the engine."""
    n = None

    def f(*args, **kwargs):
        nonlocal n
        if n is None:
            n = number(name)
            callables.setdefault(n, f)
        t = foreseen(n, args, kwargs, CALLER)
        return t[0](*t[1]) if t.__class__ is Open else t

    return named(unseen(f), shown or name)


def named(f, name):
    """The function, which says that it is another one."""
    module, _, f.__name__ = name.rpartition(".")
    f.__qualname__ = f.__name__
    f.__module__ = module or None
    return f


# -------------------------------------------------------------- errors, callbacks

errors = {name: getattr(builtins, name) for name in EXCEPTIONS}
errors[UNSUPPORTED] = _unsupported.Unsupported
errors[REFUSED] = aside.Refused


def _exception(v):
    if len(v) == 1:
        return kept.pop(v[0])
    name, text = v
    return errors[name](text)


notes.engine.add(_exception.__code__.co_filename)
notes.own = _unsupported.Unsupported, _channel.Gone


@unseen
def _called(data):
    """Runs a callback of the engine and answers it."""
    global _serving, off
    off = False
    outer = _serving
    try:
        _serving = _channel.owed
        function, args = _callback(*loads(data))
        message = "channel.return", (pack(function(*args)),)
    except BaseException as e:
        message = "channel.raise", (keep(e), "%s: %s" % (type(e).__name__, e))
    finally:
        _serving = outer
        off = False
    return _answer(*message)


def _callback(n, args):
    """The function that the engine calls, and its arguments."""
    if n == CALL_ASK:
        return _answered, args
    return (kept[n], [revive(a) for a in args]) if n else (warn, args)


def _answered(question):
    """Answers a question of the debugger."""
    with imports.Apart():
        from gradtui._agent import asking

        from ._asking import prepare
    prepare(asking)
    return asking.answer(question)


def _answer(name, out):
    """Answers a callback and waits for what the engine says next."""
    function = number(name)
    extra = pending[:]
    del pending[: len(extra)]
    return send((function, 0, out, None, None, extra), 1)


def _abandon():
    """Answers callbacks that no longer run because a signal handler has raised an
    exception, until the calls that they belong to are over."""
    while _channel.owed > _serving:
        try:
            _answer("channel.raise", (keep(KeyboardInterrupt()), "interrupted"))
        except _channel.Gone:
            return
        except BaseException:
            continue


def warn(category, text, inside):
    """Issues a warning of the engine at the program's line, or in PyTorch's own code."""
    if "raceback of forward call" in text:
        from .autograd.anomaly_mode import with_source

        text = with_source(text)
    tracebacks.warn(text, warning_classes.get(category, UserWarning), inside)


warning_classes = {c.__name__: c for c in (UserWarning, FutureWarning, DeprecationWarning, RuntimeWarning)}


# -------------------------------------------------------------- modules, names


def enter_module(path, class_name):
    """The forward pass of a module begins."""
    pending.append(("enter", path, class_name))


def leave_module():
    """The forward pass of the innermost module is over."""
    pending.append(("leave",))


def bind(t, name, scope=""):
    """A name of the program means a tensor now."""
    pending.append(("bind", handle(t), name, scope))


def flush():
    """Sends what has not been sent."""
    if pending:
        call("channel.flush")


def _wants_grad(t):
    return t.__class__ is tensor_class and not modes and t.requires_grad


def connect():
    """Opens the channel."""
    path = start.channel
    if not path:
        raise ImportError(
            "this is gradtui's own torch package: it works in a program that `gradtui run`, `record` or `export` started, "
            "not in the processes that the program starts"
        )
    _channel.connect(path)


_values.call = call
names.tensor, names.bind = Tensor, bind
holders.graph = _wants_grad
connect()
start.recording(call, flush, Tensor)
