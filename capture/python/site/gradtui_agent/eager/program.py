"""What the program does with tensors that is no operation: modules, optimizers, modes,
hooks, attributes, warnings."""

import ast
import functools
import inspect
import sys
import textwrap
import warnings

import torch

from .. import modules, names, notes, stacks
from . import nodes, ops, tensors, values, wire
from .tensors import Base, Tensor, refs
from .wire import pending

DETACH, DATA, ITEM, NUMPY, NO_GRAD, PARAMETER, COPY, INTEGER, DEEPCOPY = range(1, 10)  # why a path is cut
_GRAD_MODE, _INFERENCE, _ANOMALY = 1, 2, 3

_getframe = sys._getframe


def active():
    """Whether what happens now is recorded."""
    return wire.on and not (ops.paused and ops.off())


def number_of(t):
    """The number of a tensor in records."""
    with ops._undisturbed():
        return ops.seen_before(t).n


def here(skip=1):
    """The Site of the program, without the innermost skip frames."""
    return stacks.find(_getframe(skip + 1))


def asked(site=None):
    """Waits for gradtui if it wants to be told."""
    if ops._stop_all or wire.attention[0] or site is not None and site.stop:
        wire.sync()


# Functions that keep their frames: warnings of torch count them.


def instrumented(function, begin, end):
    """A function like another one, in whose frame begin(first argument) is called before
    everything else and end(what begin has returned) after it."""
    source = textwrap.dedent(inspect.getsource(function))
    tree = ast.parse(source)
    ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
    node = tree.body[0]
    node.decorator_list = []
    first = node.args.args[0].arg
    line = node.body[0].lineno
    text = "_gradtui_state = _gradtui_begin(%s)\ntry: pass\nfinally: _gradtui_end(_gradtui_state)" % first
    added = ast.parse(text).body
    for part in added:
        for n in ast.walk(part):
            if hasattr(n, "lineno"):
                n.lineno = n.end_lineno = line
    added[1].body = node.body
    node.body = added
    outer = ast.parse("def _gradtui(_gradtui_begin, _gradtui_end): pass").body[0]
    outer.body = [node, ast.Return(ast.Name(node.name, ast.Load()))]
    module = ast.fix_missing_locations(ast.Module([outer], []))
    found = {}
    exec(compile(module, function.__code__.co_filename, "exec"), function.__globals__, found)
    return functools.update_wrapper(found["_gradtui"](begin, end), function)


def enter_module(module):
    if not active() or torch.jit.is_tracing():
        return None
    running = modules.enter(module, 3)
    asked()
    return running


def leave_module(running):
    if running is not None:
        modules.leave(running)
        asked()


# Notes before and after functions of torch.


def noted(owner, name, before=None, after=None):
    """Makes a function call others before and after it does its work."""
    original = inspect.getattr_static(owner, name, None)
    if original is None:
        return None
    function = original.__func__ if isinstance(original, (staticmethod, classmethod)) else original

    @functools.wraps(function)
    def call(*args, **kwargs):
        if not active():
            return function(*args, **kwargs)
        if before is not None:
            before(*args, **kwargs)
        result = function(*args, **kwargs)
        if after is not None:
            after(result, *args, **kwargs)
        return result

    return type(original)(call) if function is not original else call


def params_of(optimizer):
    return [p for g in optimizer.param_groups for p in g["params"]]


def _step(optimizer, done):
    pending.append(("step", type(optimizer).__name__, done, tuple(map(number_of, params_of(optimizer))), here(2).number))


def step_begins(optimizer, *_):
    if active():
        _step(optimizer, False)


def step_ends(optimizer, *_):
    if active():
        _step(optimizer, True)
        asked()


def zeroes(owner, set_to_none=True, *_, **__):
    """zero_grad() of an optimizer or a module was called."""
    params = params_of(owner) if isinstance(owner, torch.optim.Optimizer) else list(owner.parameters())
    pending.append(("zeroed", type(owner).__name__, bool(set_to_none), tuple(map(number_of, params)), here(2).number))


def _zeroes_by_default(owner, set_to_none=False, *_, **__):  # before 2.0
    zeroes(owner, set_to_none)


def group_added(_, optimizer, group, *__):
    last = optimizer.param_groups[-1]["params"]
    notes.note("optimizer", type(optimizer).__name__, tuple(map(number_of, last)), skip=2)


def hook(kind, what):
    """Notes that a function registers a hook."""

    def after(_, owner, *__, **___):
        if kind == "module":
            values_ = kind, what, type(owner).__name__
        else:
            values_ = kind, what, "", number_of(owner)
        notes.note("hook", *values_, skip=2)

    return after


def clips(parameters, *_, **__):
    found = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    notes.note("called", "clip_grad_norm_", tuple(map(number_of, found)), skip=2)


def schedules(scheduler, *_, **__):
    notes.note("called", "LRScheduler.step", tuple(map(number_of, params_of(scheduler.optimizer))), skip=2)


# Modes.


def mode_setter(original, mode):
    """Takes the place of a C function that switches a mode."""

    def call(to):
        was = torch.is_grad_enabled() if mode == _GRAD_MODE else None
        original(to)
        if was != bool(to) and active():
            pending.append(("mode", mode, bool(to), here(1).number))

    return functools.update_wrapper(call, original)


def inference_entered(_, context):
    pending.append(("mode", _INFERENCE, bool(context.mode), here(2).number))


def inference_left(_, context, *__):
    pending.append(("mode", _INFERENCE, torch.is_inference_mode_enabled(), here(2).number))


# Attributes of tensors.


class Attribute(property):
    """Takes the place of an attribute that C defines."""

    __objclass__ = Base

    def __init__(self, original, *functions):
        super().__init__(*functions, doc=original.__doc__)
        self.__name__ = original.__name__


def attributes():
    """Descriptors that take the place of those of tensors."""
    grad, data, wants = Base.grad, Base.data, Base.requires_grad
    get_data = ops.Op("data", data.__get__, silent=True, cut=DATA)
    get_data.qualified = data.__get__
    get_grad = grad.__get__

    def read_grad(self):
        frame = _getframe(1)
        site = stacks.find(frame)
        g = (site.call or ops.caller(site, frame))(get_grad, (self,), {})
        if g is None and active() and id(self) in refs:
            pending.append(("gradread", refs[id(self)].n, here(1).number))
        return g

    def write_grad(self, g):
        grad.__set__(self, g)
        if active():
            pending.append(("grad", number_of(self), 0 if g is None else number_of(g), here(1).number))

    def delete_grad(self):
        grad.__delete__(self)
        if active():
            pending.append(("grad", number_of(self), 0, here(1).number))

    def read_data(self):
        return ops.look(get_data, here(1), (self,), {})

    def write_data(self, value):
        data.__set__(self, value)
        if active():
            with ops._undisturbed():
                r = ops.seen_before(self)
                tensors.sorted_as(r, tensors.sort_of(self))
                r.at = r.counter[0] = tensors.version_of(self)
                pending.append((
                    "reshaped", r.n, r.sort.meta, here(1).number, tensors.storage_key(self), tensors.offset_of(self), values.value(self),
                ))

    def write_wants(self, to):
        wants.__set__(self, to)
        if active():
            with ops._undisturbed():
                told_wants(self, here(1).number)

    return {
        "grad": Attribute(grad, read_grad, write_grad, delete_grad),
        "data": Attribute(data, read_data, write_data),
        "requires_grad": Attribute(wants, wants.__get__, write_wants),
    }


def told_wants(t, stack):
    """The program has set requires_grad of a tensor."""
    r = refs.get(id(t)) or nodes.tell(t)
    sort = tensors.sort_of(t)
    if bool(sort.wants) != bool(r.sort.wants):
        pending.append(("requires", r.n, bool(sort.wants), stack))
    tensors.sorted_as(r, sort)


def leaves_torch(name, why):
    """Takes the place of a method that turns a tensor into numbers."""
    original = getattr(Base, name)

    def call(self, *args, **kwargs):
        site = here(1)
        call_it = site.call or ops.caller(site, _getframe(1))
        result = call_it(original, (self,) + args, kwargs)
        if active():
            pending.append(("cut", why, site.number, (number_of(self),), 0))
        return result

    return functools.update_wrapper(call, original)


READERS = {
    "item": ITEM, "tolist": ITEM, "__float__": ITEM, "__int__": ITEM, "__index__": ITEM, "__bool__": ITEM, "numpy": NUMPY,
    "__complex__": ITEM,
}


# Warnings.


def warned(show):
    def call(message):
        if active():
            site = _root_site()
            pending.append(("warned", message.category.__name__, str(message.message)[:2000], site))
            asked()
        return show(message)

    return call


def _root_site():
    frame = _getframe(2)
    while frame is not None and frame.f_code.co_filename.endswith("warnings.py"):
        frame = frame.f_back
    return 0 if frame is None else stacks.find(frame).number


def setters(name):
    """requires_grad_ and retain_grad."""
    original = getattr(Base, name)

    def call(self, *args, **kwargs):
        site = here(1)
        call_it = site.call or ops.caller(site, _getframe(1))
        result = call_it(original, (self,) + args, kwargs)
        if active():
            with ops._undisturbed():
                if name == "retain_grad":
                    if tensors.grad_fn(self) is not None:
                        r = ops.seen_before(self)
                        tensors.keepers[r.n] = r
                        pending.append(("retain", number_of(self), site.number))
                else:
                    told_wants(self, site.number)
        return result

    return functools.update_wrapper(call, original)


def zeroes_of(cls):
    """What zero_grad notes, whose default has changed in 2.0."""
    default = inspect.signature(cls.zero_grad).parameters["set_to_none"].default
    return zeroes if default else _zeroes_by_default


def steps(profile_hook_step):
    """Takes the place of what wraps the step of an optimizer, before there were hooks."""

    def noted_step(step):
        @functools.wraps(step)
        def call(self, *args, **kwargs):
            step_begins(self)
            result = step(self, *args, **kwargs)
            step_ends(self)
            return result

        return profile_hook_step(call)

    return noted_step


def function_apply():
    """Takes the place of Function.apply."""
    for cls in torch.autograd.Function.__mro__:
        if "apply" in vars(cls):
            original = vars(cls)["apply"]
            break

    def apply(cls, *args, **kwargs):
        site = here(1)
        call = original.__get__(None, cls)
        if not active():
            return (site.call or ops.caller(site, _getframe(1)))(call, args, kwargs)
        op = _functions.get(cls)
        if op is None:
            op = ops.Op(cls.__name__, call)
            op.why = 5
            op.qualified = call
            if len(_functions) < 1000:
                _functions[cls] = op
        return ops.look(op, site, args, kwargs)

    apply.__doc__ = getattr(original, "__doc__", None)
    return classmethod(apply)


_functions = {}


def parameter_maker():
    """Takes the place of what Parameter() makes its tensor with."""
    op = ops.Op("Parameter", Base._make_subclass, silent=True, cut=PARAMETER)
    op.qualified = Base._make_subclass

    def make(*args, **kwargs):
        return ops.look(op, here(1), args, kwargs)

    return staticmethod(make)


# What else decides how operations turn out.


def _state():
    found = [torch.get_default_dtype(), nodes.unreadable > 0, ops.modes]
    for name in ("is_autocast_enabled", "is_autocast_cpu_enabled", "get_autocast_cpu_dtype", "get_autocast_gpu_dtype"):
        ask = getattr(torch, name, None)
        if ask is not None:
            try:
                found.append(ask())
            except (RuntimeError, TypeError):
                pass
    return tuple(map(str, found))


_states = {}


def changed(*_, **__):
    """Something has changed that decides how operations turn out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ops.regime[0] = _states.setdefault(_state(), len(_states))
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
        nodes.unreadable += by

    return change


def _mode(by):
    def change(*_, **__):
        ops.modes = max(0, ops.modes + by)
        changed()

    return change


def regimes():
    """Replacements for what switches such things: {(owner, name): function}."""
    found = {}
    found.update(_around(torch.autograd.graph.saved_tensors_hooks, _readable(1), _readable(-1)))
    autocast = getattr(torch, "autocast", None)
    if autocast is not None:
        found.update(_around(autocast))
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


def copied(result, self, memo):
    """copy.deepcopy of a tensor."""
    pending.append(("cut", DEEPCOPY, here(2).number, (number_of(self),), number_of(result)))


def unwatched():
    """Records nothing of this thread until watched is called."""
    ops.pause(wire.get_ident(), 1)


def watched():
    ops.pause(wire.get_ident(), -1)


def unseen(function):
    """A function that records nothing of what it does inside."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        unwatched()
        try:
            return function(*args, **kwargs)
        finally:
            watched()

    return call
