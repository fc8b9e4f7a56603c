"""What the program does with tensors that is no operation: modules, optimizers, modes,
hooks, attributes, warnings."""

import ast
import functools
import inspect
import sys
import types
import warnings
from collections.abc import Iterable, Iterator
from itertools import starmap

import torch

from .. import modules, names, stacks
from ..unseen import unseen
from . import backward, nodes, ops, signals, tensors, values, wire
from .tensors import Base, Tensor
from .wire import pending

DETACH, DATA, ITEM, NUMPY, NO_GRAD, PARAMETER, COPY, INTEGER, DEEPCOPY = range(1, 10)  # why a path is cut
_GRAD_MODE, _INFERENCE, _ANOMALY, _AUTOCAST = range(1, 5)

_getframe = sys._getframe


def active():
    """Whether what happens now is recorded."""
    return wire.on and not (ops.paused and ops.off())


def number_of(t):
    """The number of a tensor in records."""
    if t.__class__ in tensors.OWN and not ops.modes:
        return ops.seen_before(t).n
    with ops._undisturbed():
        return ops.seen_before(t).n


def here():
    """The Site where a function of ours was called."""
    return stacks.find(caller())


def caller():
    """The innermost frame that is not ours."""
    frame = _getframe(1)
    while frame.f_code.co_filename.startswith(stacks.AGENT):
        frame = frame.f_back
    return frame


def _note(kind, *values):
    """Notes a fact at the line where a function of ours was called."""
    pending.append(("note", kind, here().number, values))
    asked()


def tell(site, *record):
    """Records something that happens at a site, whose number is the last part."""
    ops.put(record + (site.number,))
    asked(site)


def asked(site=None):
    """Waits for gradtui if it wants to be told."""
    if ops._stop_all or wire.attention[0] or site is not None and site.stop:
        wire.sync()


# Functions that keep their frames: warnings of torch count them.


def instrumented(function, begin, end):
    """A function like another one, in whose frame begin(all arguments) is called before
    everything else, and end([what begin has returned], whether it returns, what it returns)
    after it. The list is empty if begin has raised an exception; it is filled by C code, so
    that no signal handler comes between."""
    source = inspect.getsource(function)
    node = ast.parse(("if 1:\n" if source[0].isspace() else "if 1: pass\n") + source)  # columns stay as they are
    ast.increment_lineno(node, function.__code__.co_firstlineno - 2)
    while not isinstance(node, ast.FunctionDef):
        node = node.body[-1]
    node.decorator_list = []
    _Keeping().generic_visit(node)
    arguments = [a.arg for a in node.args.args] + [a.arg for a in (node.args.vararg, node.args.kwarg) if a is not None]
    line = node.body[0].lineno
    added = ast.parse("""
_gradtui_done, _gradtui_result, _gradtui_state = False, None, []
try: _gradtui_state.extend(_gradtui_starmap(_gradtui_begin, ((%s,),)))
finally: _gradtui_end(_gradtui_state, _gradtui_done, _gradtui_result)
""" % ", ".join(arguments)).body
    for part in added:
        for n in ast.walk(part):
            if hasattr(n, "lineno"):
                n.lineno = n.end_lineno = line
    added[-1].body += node.body
    node.body = added
    outer = ast.parse("def _gradtui(_gradtui_begin, _gradtui_end, _gradtui_starmap): pass").body[0]
    outer.body = [node, ast.Return(ast.Name(node.name, ast.Load()))]
    module = ast.fix_missing_locations(ast.Module([outer], []))
    found = {}
    exec(compile(module, function.__code__.co_filename, "exec"), function.__globals__, found)
    return functools.update_wrapper(found["_gradtui"](begin, end, starmap), function)


class _Keeping(ast.NodeTransformer):
    """Keeps what a function is about to return."""

    def visit_Return(self, node):
        kept, done = ast.parse("_gradtui_result = None; _gradtui_done = True").body
        kept.value = node.value or kept.value
        returned = ast.Return(ast.Name("_gradtui_result", ast.Load()))
        for n in (kept, kept.targets[0], done, done.targets[0], done.value, returned, returned.value):
            ast.copy_location(n, node)
        return [kept, done, returned]

    def visit_FunctionDef(self, node):
        return node

    visit_Lambda = visit_FunctionDef


def enter_module(module, *_):
    if not active() or torch.jit.is_tracing():
        return None
    running = modules.enter(module, 3)
    try:
        asked()
    except BaseException:  # of a signal handler
        modules.leave(running)
        raise
    return running


def module_made(*_, **__):
    """What is known of trees of modules may not be true any more."""
    modules.version += 1


def leave_module(began, done, result):
    running = began[0] if began else None
    if running is not None:
        modules.leave(running)
        if done:
            try:
                names.result(result, 2, _name)
            except Exception:
                wire.broken()
        asked()


def _name(t, name, scope):
    """Names what a module returns, without looking at it."""
    r = tensors.known(t)
    if r is not None:
        ops.put(("bind", r.n, name, scope))
        if stacks.named(name):
            wire.sync()


# Notes before and after functions of torch.


def instead_of(function):
    """Makes the function below look like another one, whose place it takes. Its frames are
    not seen; where they are, they do not count for warnings that are meant for the caller of the
    caller: warnings.warn leaves out files with such a name."""

    def like(call):
        code = call.__code__
        call.__code__ = _placed.get(code) or _placed.setdefault(code, code.replace(co_filename=signals.INSTEAD))
        return functools.update_wrapper(unseen(call), function)

    return like


_placed = {}  # code of a function of ours -> the same, in such a file


def noted(owner, name, before=None, after=None, failed=None, quiet=False):
    """Makes a function call others before and after it does its work, or with the error
    that it raises. quiet: nothing that it does is recorded."""
    original = inspect.getattr_static(owner, name, None)
    if original is None:
        return None
    function = original.__func__ if isinstance(original, (staticmethod, classmethod)) else original
    run = quietly(function) if quiet else function

    @instead_of(function)
    def call(*args, **kwargs):
        if not active():
            return function(*args, **kwargs)
        if before is not None:
            _safely(before, args, kwargs)
        try:
            result = run(*args, **kwargs)
        except Exception as error:
            if failed is not None and active():
                _safely(failed, (error, name, here()) + args, kwargs)
            raise
        if after is not None and wire.on:
            _safely(after, (result,) + args, kwargs)
        return result

    return type(original)(call) if function is not original else call


def _safely(note, args, kwargs):
    """Calls what records something."""
    try:
        note(*args, **kwargs)
    except Exception:
        wire.broken()


def refused(error, name, site, *operands, **_):
    """A function that is written in Python, or sets an attribute, has raised an error."""
    ops.failed(name, site, error, [t for t in operands if isinstance(t, Tensor)])


def rejected(error, _, site, *operands, **__):
    """As refused, of a function that raises errors of its own in Python."""
    found = [number_of(t) for t in operands if isinstance(t, Tensor)]
    pending.append(("note", "raised", site.number, (type(error).__name__, str(error)[:2000], found)))


def roots_refused(error, _, site, outputs, *__, **___):
    """A backward pass cannot begin with these tensors."""
    ops.failed(caller().f_code.co_name, site, error, list(outputs))


def params_of(optimizer):
    return [p for g in optimizer.param_groups for p in g["params"]]


def _step(optimizer, done):
    tell(here(), "step", type(optimizer).__name__, done, tuple(map(number_of, params_of(optimizer))))


def step_begins(optimizer, *_):
    if active():
        _step(optimizer, False)


def step_ends(optimizer, *_):
    if active():
        _step(optimizer, True)


def zeroes(owner, set_to_none=True, *_, **__):
    """zero_grad() of an optimizer or a module was called."""
    params = params_of(owner) if isinstance(owner, torch.optim.Optimizer) else list(owner.parameters())
    tell(here(), "zeroed", type(owner).__name__, bool(set_to_none), tuple(map(number_of, params)))


def _zeroes_by_default(owner, set_to_none=False, *_, **__):  # before 2.0
    zeroes(owner, set_to_none)


def group_added(_, optimizer, group, *__):
    last = optimizer.param_groups[-1]["params"]
    _note("optimizer", type(optimizer).__name__, tuple(map(number_of, last)))


def group_refused(error, _, site, optimizer, group, *__):
    """An optimizer does not take some parameters."""
    params = group.get("params", ()) if isinstance(group, dict) else ()
    params = [params] if isinstance(params, Tensor) else params if isinstance(params, (list, tuple)) else ()
    found = [number_of(p) for p in params if isinstance(p, Tensor) and not tensors.is_leaf(p)]
    pending.append(("note", "raised", site.number, (type(error).__name__, str(error)[:2000], found)))


def hook(kind, what):
    """Notes that a function registers a hook."""

    def after(_, owner, *__, **___):
        if kind == "module":
            values_ = kind, what, type(owner).__name__
        else:
            values_ = kind, what, "", number_of(owner)
        _note("hook", *values_)

    return after


def clipping(clip):
    """Takes the place of clip_grad_norm_."""

    @instead_of(clip)
    def call(parameters, *args, **kwargs):
        if active():
            found = [parameters] if isinstance(parameters, Tensor) else parameters
            if isinstance(parameters, types.GeneratorType):  # which PyTorch tells from lists
                found = list(parameters)
                parameters = (p for p in found)
            elif isinstance(parameters, Iterator):
                found = list(parameters)
                parameters = iter(found)
            if isinstance(found, Iterable):
                _note("called", "clip_grad_norm_", tuple(number_of(p) for p in found if isinstance(p, Tensor)))
        return clip(parameters, *args, **kwargs)

    return call


_TENSOR_HOOK, _POST_ACCUMULATE = 1, 4


def hooked(register, kind):
    """A function that registers hooks of tensors, which tell when they run."""
    number = _TENSOR_HOOK if kind == "tensor" else _POST_ACCUMULATE

    @instead_of(register)
    def call(self, hook):
        return register(self, _telling(hook, number, self) if callable(hook) and active() else hook)

    return call


def _telling(hook, kind, t):
    number_of(t)
    known, era = tensors.known(t), wire.era

    def begins():
        """What there is to know before the hook runs; None: nothing is recorded."""
        if not active() or era != wire.era:
            return None
        n = 0 if known() is None else known.n  # its node may outlive a tensor
        node = None
        passes = backward.running.get(wire.get_ident())
        number = passes[-1] if passes else 0
        if kind == _POST_ACCUMULATE:
            backward.kept(known.n)
        else:
            node = backward.hooked[number] = known.grad[0] if known.grad is not None else -n or None
        return number, n, node

    def ends(begun, g, result):
        number, n, node = begun
        seen = None
        with ops._undisturbed():
            if kind != _POST_ACCUMULATE:
                seen = values.grad(result if isinstance(result, Tensor) else g)
            ops.put(("hook", number, kind, n, node, result is not None and result is not g, seen))

    @instead_of(hook)
    def call(g):
        begun = begins()
        result = hook(g)
        if begun is not None:
            ends(begun, g, result)
        return result

    return call


def schedules(scheduler, *_, **__):
    if getattr(scheduler, "_step_count", 1) == 0:
        return  # its constructor sets the first learning rate
    _note("called", "LRScheduler.step", tuple(map(number_of, params_of(scheduler.optimizer))))


# Modes.


def mode_setter(original, mode):
    """Takes the place of a C function that switches a mode."""

    def call(to):
        was = torch.is_grad_enabled() if mode == _GRAD_MODE else None
        original(to)
        if was != bool(to) and active():
            tell(here(), "mode", mode, bool(to))

    return functools.update_wrapper(call, original)


def inference_entered(_, context):
    changed()
    tell(here(), "mode", _INFERENCE, bool(context.mode))


def inference_left(_, context, *__):
    changed()
    tell(here(), "mode", _INFERENCE, torch.is_inference_mode_enabled())


def _switching(mode, on):
    """What tells that a mode of a thread may have been switched; on() says whether it is on."""
    threads = {}  # those where it was told of last that it is on

    def after(*_):
        changed()
        ident = wire.get_ident()
        if (threads.get(ident) == wire.era) != on():
            if threads.pop(ident, None) != wire.era:
                threads[ident] = wire.era
            tell(here(), "mode", mode, ident in threads)

    return after


# Attributes of tensors.


class Attribute(property):
    """Takes the place of an attribute that C defines."""

    __objclass__ = Base

    def __init__(self, original, read, write=None, delete=None):
        super().__init__(read, write or original.__set__, delete or original.__delete__, doc=original.__doc__)
        self.__name__ = original.__name__
        self.__doc__ = original.__doc__


def attributes():
    """Descriptors that take the place of those of tensors."""
    grad, data, wants = Base.grad, Base.data, Base.requires_grad
    get_data = ops.Op("data", data.__get__, silent=True, cut=DATA)
    get_grad = grad.__get__

    @unseen
    def read_grad(self):
        if self.__class__ in tensors.OWN and not ops.modes:
            r = tensors.known(self)
            if r is not None and r.sort.wants == tensors.LEAF:  # asking a leaf never warns
                g = get_grad(self)
                if g is not None:
                    return g
        frame = _getframe(1)
        site = stacks.find(frame)
        g = (site.call or ops.caller(site, 2))(get_grad, (self,), {})
        if g is None:
            no_grad_read(self, site, frame)
        return g

    def no_grad_read(t, site, frame):
        r = None if stacks.ours(frame.f_code) or not active() else tensors.known(t)
        if r is not None:
            tell(site, "gradread", r.n)

    def grad_written(self, g, site):
        tell(site, "grad", number_of(self), 0 if g is None else number_of(g))

    def delete_grad(self):
        grad.__delete__(self)
        if active():
            tell(here(), "grad", number_of(self), 0)

    @unseen
    def read_data(self):
        return ops.look(get_data, here(), (self,), {})

    def data_written(self, value, site):
        with ops._undisturbed():
            r = ops.seen_before(self)
            tensors.sorted_as(r, tensors.sort_of(self))
            r.at = r.counter[0] = tensors.version_of(self)
            pending.append((
                "reshaped", r.n, r.sort.meta, site.number, tensors.storage_key(self), tensors.offset_of(self), values.value(self), number_of(value),
            ))

    def wants_written(self, _, site):
        with ops._undisturbed():
            told_wants(self, site)

    return {
        "grad": Attribute(grad, read_grad, _writing(grad, "grad", grad_written), delete_grad),
        "data": Attribute(data, read_data, _writing(data, "data", data_written)),
        "requires_grad": Attribute(wants, wants.__get__, _writing(wants, "requires_grad", wants_written)),
    }


def _writing(descriptor, name, after):
    """What sets an attribute, and tells after(tensor, value, site) of it."""

    @unseen
    def write(self, value):
        try:
            descriptor.__set__(self, value)
        except Exception as error:
            try:
                if active():
                    refused(error, name, here(), self, value)
            except Exception:
                wire.broken()
            self = value = None  # a traceback keeps this frame
            raise
        if active():
            try:
                after(self, value, here())
            except Exception:
                wire.broken()

    return write


def told_wants(t, site):
    """The program has set requires_grad of a tensor."""
    r = tensors.known(t) or nodes.tell(t)
    sort = tensors.sort_of(t)
    changed = bool(sort.wants) != bool(r.sort.wants)
    tensors.sorted_as(r, sort)
    if changed:
        tell(site, "requires", r.n, bool(sort.wants))


def leaves_torch(name, why):
    """Takes the place of a method that turns a tensor into numbers."""
    original = getattr(Base, name)

    @unseen
    def call(self, *args, **kwargs):
        site = here()
        call_it = site.call or ops.caller(site, 2)
        result = call_it(original, (self,) + args, kwargs)
        if active():
            left = ([result],) if type(result) in _NUMBERS else ()
            pending.append(("cut", why, site.number, (number_of(self),), 0, *left))
            asked(site)
        return result

    return functools.update_wrapper(call, original)


_NUMBERS = frozenset((float, int, bool))

READERS = {
    "item": ITEM, "tolist": ITEM, "__float__": ITEM, "__int__": ITEM, "__index__": ITEM, "__bool__": ITEM, "numpy": NUMPY,
    "__complex__": ITEM,
}


# Warnings.


def warned(show):
    def call(message):
        if active():
            tell(_root_site(), "warned", message.category.__name__, str(message.message)[:2000])
            if wire.settings.get("errors"):
                wire.sync()
        return show(message)

    return call


def _root_site():
    frame = _getframe(2)
    while frame is not None and frame.f_code.co_filename.endswith("warnings.py"):
        frame = frame.f_back
    return stacks._root if frame is None else stacks.find(frame)


def setters(name):
    """requires_grad_ and retain_grad."""
    original = getattr(Base, name)

    @unseen
    def call(self, *args, **kwargs):
        site = here()
        call_it = site.call or ops.caller(site, 2)
        try:
            result = call_it(original, (self,) + args, kwargs)
        except RuntimeError as error:
            if active():
                refused(error, name, site, self)
            raise
        if active():
            told_set(self, name, site)
        return result

    return functools.update_wrapper(call, original)


def told_set(t, name, site):
    """requires_grad_ or retain_grad was called."""
    with ops._undisturbed():
        if name != "retain_grad":
            told_wants(t, site)
        elif tensors.grad_fn(t) is not None:
            r = ops.seen_before(t)
            tensors.keepers[r.n] = r
            tell(site, "retain", number_of(t))


def zeroes_of(cls):
    """What zero_grad notes, whose default has changed in 2.0."""
    default = inspect.signature(cls.zero_grad).parameters["set_to_none"].default
    return zeroes if default else _zeroes_by_default


def function_apply():
    """Takes the place of Function.apply."""
    for cls in torch.autograd.Function.__mro__:
        if "apply" in vars(cls):
            original = vars(cls)["apply"]
            break

    @unseen
    def apply(cls, *args, **kwargs):
        site = here()
        call = original.__get__(None, cls)
        if not active():
            return (site.call or ops.caller(site, 2))(call, args, kwargs)
        return ops.look(_function(cls, call), site, args, kwargs)

    apply.__doc__ = getattr(original, "__doc__", None)
    return classmethod(apply)


_functions = {}


def _function(cls, call):
    """The operation that a Function is."""
    op = _functions.get(cls)
    if op is None:
        op = ops.Op(cls.__name__, call)
        op.why = 5
        if len(_functions) < 1000:
            _functions[cls] = op
            ops.add(op)
    return op



def parameter_maker():
    """Takes the place of what Parameter() makes its tensor with."""
    op = ops.Op("Parameter", Base._make_subclass, silent=True, cut=PARAMETER)

    @unseen
    def make(*args, **kwargs):
        return ops.look(op, here(), args, kwargs)

    return staticmethod(make)


# What else decides how operations turn out.


if hasattr(torch, "get_autocast_dtype"):

    def _casts(kind):
        try:
            return bool(torch.get_autocast_dtype(kind))
        except RuntimeError:  # not in this release
            return False

    _kinds = tuple(filter(_casts, ("cpu", "cuda", "mps", "xpu")))

    def _autocast():
        return tuple((torch.is_autocast_enabled(kind), torch.get_autocast_dtype(kind)) for kind in _kinds)

else:

    def _autocast():
        return (torch.is_autocast_cpu_enabled(), torch.get_autocast_cpu_dtype()), (torch.is_autocast_enabled(), torch.get_autocast_gpu_dtype())


_states = {}
_owners = None  # the state of the thread whose operations may have forms


def changed(*_, **__):
    """Something has changed that decides how operations turn out."""
    global _owners
    if _owners is None or wire.get_ident() == ops.owner:
        _owners = (torch.is_inference_mode_enabled(), _autocast())
    state = torch.get_default_dtype(), nodes.unreadable > 0, ops.modes, _owners
    ops.regime[0] = _states.setdefault(state, len(_states))
    ops.attend()


def _around(cls, enter=None, leave=None):
    """Pairs of (class, method): function, for a context manager."""

    def entered(*_):
        if enter is not None:
            enter()
        changed()

    def left(*_):
        if leave is not None:
            leave()
        changed()

    return {
        (cls, "__enter__"): noted(cls, "__enter__", after=entered),
        (cls, "__exit__"): noted(cls, "__exit__", after=left),
    }


def _readable(by):
    def change():
        nodes.unreadable = max(0, nodes.unreadable + by)

    return change


# Whether a mode is told of what is asked while functions are disabled: then nothing can be.
_modes_see_us = not hasattr(torch._C, "DisableTorchFunctionSubclass")


def _mode(by):
    def change(*_, **__):
        ops.modes = max(0, ops.modes + by)
        if _modes_see_us:
            ops.pause(wire.get_ident(), by)
        changed()

    return change


def regimes():
    """Replacements for what switches such things: {(owner, name): function}."""
    found = {}
    found.update(_around(torch.autograd.graph.saved_tensors_hooks, _readable(1), _readable(-1)))
    casts = _switching(_AUTOCAST, lambda: any(on for on, _ in _autocast()))
    for name in ("__enter__", "__exit__"):
        found[torch.autocast, name] = noted(torch.autocast, name, after=casts)
    found[torch, "set_anomaly_enabled"] = noted(torch, "set_anomaly_enabled", after=_switching(_ANOMALY, torch.is_anomaly_enabled))
    found[torch, "set_default_dtype"] = noted(torch, "set_default_dtype", after=changed)
    if hasattr(torch.overrides, "_push_mode"):
        found[torch.overrides, "_push_mode"] = noted(torch.overrides, "_push_mode", after=_mode(1))
        found[torch.overrides, "_pop_mode"] = noted(torch.overrides, "_pop_mode", after=_mode(-1))
    return found


def nesting():
    """Functions of C between which tensors are those of a transform (vmap, grad, jvp):
    nothing is recorded there. {id: replacement}."""
    functorch = getattr(torch._C, "_functorch", None)
    replaced = {}
    for name in dir(functorch) if functorch is not None else ():
        if name.endswith("_increment_nesting") or name.endswith("_decrement_nesting"):
            original = getattr(functorch, name)
            replaced[id(original)] = _nested(original, 1 if "_increment_" in name else -1)
    return replaced


def _nested(original, by):
    def call(*args, **kwargs):
        ident = wire.get_ident()
        if by > 0:
            ops.pause(ident, by)
        try:
            return original(*args, **kwargs)
        finally:
            if by < 0:
                ops.pause(ident, by)

    return functools.update_wrapper(call, original)


def answers_of_torch(cls):
    """Takes the place of a __torch_function__ of PyTorch that knows functions as they were
    before they were replaced."""
    answer = vars(cls)["__torch_function__"].__func__

    def __torch_function__(cls, func, *others, **kwargs):
        return answer(cls, ops.originals.get(func, func), *others, **kwargs)

    return classmethod(instead_of(answer)(__torch_function__))


def copied(result, self, memo):
    """copy.deepcopy of a tensor."""
    pending.append(("cut", DEEPCOPY, here().number, (number_of(self),), number_of(result)))


def unwatched():
    """Records nothing of this thread until watched is called."""
    ops.pause(wire.get_ident(), 1)


def watched():
    ops.pause(wire.get_ident(), -1)


def quietly(function):
    """A function that records nothing of what it does inside."""

    @instead_of(function)
    def call(*args, **kwargs):
        unwatched()
        try:
            return function(*args, **kwargs)
        finally:
            watched()

    return call
