"""What the program does with tensors besides operations: modules, optimizers, modes,
hooks, attributes, warnings."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import types
from _thread import get_ident
from collections.abc import Iterable, Iterator
from itertools import starmap

import torch

from .._agent import aside, holders, modules, names, optimizers, stacks
from .._agent.unseen import unseen
from . import amounts, backward, nodes, ops, signals, signatures, tensors, values, wire
from ._protocol import (
    CUT_DATA,
    CUT_DEEPCOPY,
    CUT_ITEM,
    CUT_NUMPY,
    CUT_PARAMETER,
    HOOK_POST_ACCUMULATE,
    HOOK_TENSOR,
    MODE_ANOMALY,
    MODE_AUTOCAST,
    MODE_GRAD,
    MODE_INFERENCE,
    REBASE_FUNCTION,
)
from .facts import active, caller, here, note, number_of, record_at, stop_if_asked
from .tensors import Base, Tensor
from .wire import pending

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .._agent.stacks import CallSite
    from .ops import Args, Kwargs

_getframe = sys._getframe


# Functions that keep their frames: warnings of torch count them.


def instrumented(function: Callable[..., Any], begin: Callable[..., Any], end: Callable[..., Any]) -> Callable[..., Any]:
    """A function like another one, in whose frame begin(all arguments) is called before
    everything else, and end([what begin has returned], whether it returns, what it returns)
    after it. The list is empty if begin has raised an exception; it is filled by C code, so
    that no signal handler comes between."""
    source = inspect.getsource(function)
    node: Any = ast.parse(("if 1:\n" if source[0].isspace() else "if 1: pass\n") + source)  # columns stay as they are
    ast.increment_lineno(node, function.__code__.co_firstlineno - 2)
    while not isinstance(node, ast.FunctionDef):
        node = node.body[-1]
    node.decorator_list = []
    _Keeping().generic_visit(node)
    arguments = [a.arg for a in node.args.args] + [a.arg for a in (node.args.vararg, node.args.kwarg) if a is not None]
    line = node.body[0].lineno
    added: Any = ast.parse("""
_gradtui_done, _gradtui_result, _gradtui_state = False, None, []
try: _gradtui_state.extend(_gradtui_starmap(_gradtui_begin, ((%s,),)))
finally: _gradtui_end(_gradtui_state, _gradtui_done, _gradtui_result)
""" % ", ".join(arguments)).body
    for part in added:
        n: Any
        for n in ast.walk(part):
            if hasattr(n, "lineno"):
                n.lineno = n.end_lineno = line
    added[-1].body += node.body
    node.body = added
    outer: Any = ast.parse("def _gradtui(_gradtui_begin, _gradtui_end, _gradtui_starmap): pass").body[0]
    outer.body = [node, ast.Return(ast.Name(node.name, ast.Load()))]
    module = ast.fix_missing_locations(ast.Module([outer], []))
    found: dict[str, Any] = {}
    exec(compile(module, function.__code__.co_filename, "exec"), function.__globals__, found)
    return functools.update_wrapper(found["_gradtui"](begin, end, starmap), function)


class _Keeping(ast.NodeTransformer):
    """Keeps what a function is about to return."""

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        kept: Any
        done: Any
        kept, done = ast.parse("_gradtui_result = None; _gradtui_done = True").body
        kept.value = node.value or kept.value
        returned = ast.Return(ast.Name("_gradtui_result", ast.Load()))
        for n in (kept, kept.targets[0], done, done.targets[0], done.value, returned, returned.value):
            ast.copy_location(n, node)
        return [kept, done, returned]

    def visit_FunctionDef(self, node: ast.AST) -> ast.AST:
        return node

    visit_Lambda = visit_FunctionDef


def enter_module(module: Any, *_: Any) -> list[Any] | None:
    if not active() or torch.jit.is_tracing():
        return None
    running = modules.enter(module, 3)
    try:
        stop_if_asked()
    except BaseException:  # of a signal handler
        modules.leave(running)
        raise
    return running


def switching(train: Callable[..., Any]) -> Callable[..., Any]:
    """Takes the place of Module.train, which eval calls, too."""

    @instead_of(train)
    def call(self, mode=True):
        aside.refuse("train()" if mode else "eval()")
        if active() and _getframe(1).f_code is not train.__code__:
            _safely(modules.switched, (self, bool(mode)), {})
        return train(self, mode)

    return call


def module_made(*_: Any, **__: Any) -> None:
    """What is known of trees of modules may not be true any more."""
    modules.version += 1


def leave_module(began: list[Any], done: bool, result: Any) -> None:
    running = began[0] if began else None
    if running is not None:
        modules.leave(running)
        if done:
            try:
                names.result(result, 2, _name)
            except Exception:
                wire.broken()
        stop_if_asked()


def _name(t: Tensor, name: str, scope: str) -> None:
    """Names what a module returns, without looking at it."""
    r = tensors.known(t)
    if r is not None:
        ops.put(("bind", r.n, name, scope))
        if amounts.rules:
            values.bound(r, name)
        if stacks.named(name):
            wire.sync()


# Notes before and after functions of torch.


def instead_of(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """Makes the function below look like another one, whose place it takes. Its frames are
    not seen; where they are, they do not count for warnings that are meant for the caller of the
    caller: warnings.warn leaves out files with such a name."""

    def like(call):
        code = call.__code__
        call.__code__ = _placed.get(code) or _placed.setdefault(code, code.replace(co_filename=signals.INSTEAD))
        return functools.update_wrapper(unseen(call), function)

    return like


_placed: dict[Any, Any] = {}  # code of a function of ours -> the same, in such a file


def noted(owner: Any, name: str, before: Any = None, after: Any = None, failed: Callable[..., object] | None = None, quiet: bool = False) -> Any:
    """Makes a function call others before and after it does its work, or with the error
    that it raises. quiet: nothing that it does is recorded."""
    original = inspect.getattr_static(owner, name, None)
    if original is None:
        return None
    function = original.__func__ if isinstance(original, (staticmethod, classmethod)) else original
    run = quietly(function) if quiet else function

    @instead_of(function)
    def call(*args, **kwargs):
        if aside.reading:
            _refuse(name, args)
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


_CHANGING = frozenset(("zero_grad", "add_param_group", "step", "swap_tensors"))  # what an expression of the debugger must not call


def _refuse(name: str, args: Args) -> None:
    """Refuses a call if an expression of the debugger must not make it."""
    if name in _CHANGING or name.startswith("register_"):
        aside.refuse(name + ("() of an optimizer" if args and isinstance(args[0], torch.optim.Optimizer) else "()"))


def _safely(function: Callable[..., Any], args: Args, kwargs: Kwargs) -> None:
    """Calls what records something."""
    try:
        function(*args, **kwargs)
    except Exception:
        wire.broken()


def refused(error: BaseException, name: str, site: CallSite, *operands: Any, **_: Any) -> None:
    """A function that is written in Python, or sets an attribute, has raised an error."""
    ops.failed(name, site, error, [t for t in operands if isinstance(t, Tensor)])


def rejected(error: BaseException, _: Any, site: CallSite, *operands: Any, **__: Any) -> None:
    """As refused, of a function that raises errors of its own in Python."""
    found = [number_of(t) for t in operands if isinstance(t, Tensor)]
    pending.append(("note", "raised", site.number, (type(error).__name__, str(error)[:2000], found)))


def roots_refused(error: BaseException, _: Any, site: CallSite, outputs: Sequence[Any], *__: Any, **___: Any) -> None:
    """A backward pass cannot begin with these tensors."""
    ops.failed(caller().f_code.co_name, site, error, list(outputs))


def params_of(optimizer: Any) -> list[Tensor]:
    return [p for g in optimizer.param_groups for p in g["params"]]


def _step(optimizer: Any, done: bool, waits: bool = False) -> None:
    """Records that a step begins or is done. It updates the parameters that have gradients; if it
    waits for a closure, which computes them, it may update all."""
    updated = [p for p in params_of(optimizer) if waits or tensors.grad_of(p) is not None]
    facts = optimizers.number(optimizer), optimizers.rates(optimizer.param_groups)
    record_at(here(), "step", type(optimizer).__name__, done, tuple(map(number_of, updated)), *facts)


def step_begins(optimizer: Any, args: Args, kwargs: Kwargs) -> None:
    """A step begins that was called with these arguments, the optimizer among them."""
    aside.refuse("step() of an optimizer")
    if active():
        closure = args[1] if len(args) > 1 else kwargs.get("closure")
        _step(optimizer, False, closure is not None)


def step_called(*args: Any, **kwargs: Any) -> None:
    """As step_begins, from the call itself."""
    step_begins(args[0], args, kwargs)


def step_ends(optimizer: Any, *_: Any) -> None:
    if active():
        _step(optimizer, True)
        holders.step()


def zeroes(owner: Any, set_to_none: bool = True, *_: Any, **__: Any) -> None:
    """zero_grad() of an optimizer or a module was called."""
    params = params_of(owner) if isinstance(owner, torch.optim.Optimizer) else list(owner.parameters())
    record_at(here(), "zeroed", type(owner).__name__, bool(set_to_none), tuple(map(number_of, params)))


def _zeroes_by_default(owner: Any, set_to_none: bool = False, *_: Any, **__: Any) -> None:  # before 2.0
    zeroes(owner, set_to_none)


def group_added(_: Any, optimizer: Any, group: Any, *__: Any) -> None:
    group = optimizer.param_groups[-1]
    params = tuple(map(number_of, group["params"]))
    facts = optimizers.number(optimizer), optimizers.rates([group]), optimizers.settings(group)
    note("optimizer", type(optimizer).__name__, params, *facts)


def group_refused(error: BaseException, _: Any, site: CallSite, optimizer: Any, group: Any, *__: Any) -> None:
    """An optimizer does not take some parameters."""
    params = group.get("params", ()) if isinstance(group, dict) else ()
    params = [params] if isinstance(params, Tensor) else params if isinstance(params, (list, tuple)) else ()
    found = [number_of(p) for p in params if isinstance(p, Tensor) and not tensors.is_leaf(p)]
    pending.append(("note", "raised", site.number, (type(error).__name__, str(error)[:2000], found)))


def hook(kind: str, what: str) -> Callable[..., None]:
    """Notes that a function registers a hook."""

    def after(_, owner, *__, **___):
        if kind == "module":
            values_: tuple[Any, ...] = kind, what, type(owner).__name__
        else:
            values_ = kind, what, "", number_of(owner)
        note("hook", *values_)

    return after


def clipping(clip: Callable[..., Any]) -> Callable[..., Any]:
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
                note("called", "clip_grad_norm_", tuple(number_of(p) for p in found if isinstance(p, Tensor)))
        return clip(parameters, *args, **kwargs)

    return call




def hooked(register: Callable[..., Any], kind: str) -> Callable[..., Any]:
    """A function that registers hooks of tensors, whose calls are recorded."""
    number = HOOK_TENSOR if kind == "tensor" else HOOK_POST_ACCUMULATE

    @instead_of(register)
    def call(self, hook):
        return register(self, _telling(hook, number, self) if callable(hook) and active() else hook)

    return call


def _telling(hook: Callable[..., Any], kind: int, t: Tensor) -> Callable[..., Any]:
    number_of(t)
    known, era = tensors.known(t), wire.era

    def begins():
        """What there is to know before the hook runs; None: nothing is recorded."""
        if not active() or era != wire.era:
            return None
        n = 0 if known() is None else known.n  # its node may outlive a tensor
        node = None
        passes = backward.running.get(get_ident())
        number = passes[-1] if passes else 0
        if kind == HOOK_POST_ACCUMULATE:
            backward.kept(known.n)
        else:
            node = backward.hooked[number] = known.grad[0] if known.grad is not None else -n or None
        return number, n, node

    def ends(begun, g, result):
        number, n, node = begun
        seen = None
        with ops.undisturbed():
            if kind != HOOK_POST_ACCUMULATE:
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


def schedules(scheduler: Any, *_: Any, **__: Any) -> None:
    made = getattr(scheduler, "_step_count", 1) == 0  # its constructor sets the first learning rate
    function = "LRScheduler" if made else "LRScheduler.step"
    note("scheduler", function, list(map(number_of, params_of(scheduler.optimizer))), optimizers.plan(scheduler, made))


# Modes.


def mode_setter(original: Callable[..., Any], mode: int) -> Callable[..., Any]:
    """Takes the place of a C function that switches a mode."""

    def call(to):
        was = torch.is_grad_enabled() if mode == MODE_GRAD else None
        original(to)
        if was != bool(to) and active():
            record_at(here(), "mode", mode, bool(to))

    return functools.update_wrapper(call, original)


def inference_entered(_: Any, context: Any) -> None:
    changed()
    record_at(here(), "mode", MODE_INFERENCE, bool(context.mode))


def inference_left(_: Any, context: Any, *__: Any) -> None:
    changed()
    record_at(here(), "mode", MODE_INFERENCE, torch.is_inference_mode_enabled())


def _switching(mode: int, on: Callable[[], bool]) -> Callable[..., None]:
    """A callback for when a mode of a thread may have changed; on() says whether it is on."""
    threads: dict[int, int] = {}  # those whose last record said that it is on

    def after(*_):
        changed()
        ident = get_ident()
        if (threads.get(ident) == wire.era) != on():
            if threads.pop(ident, None) != wire.era:
                threads[ident] = wire.era
            record_at(here(), "mode", mode, ident in threads)

    return after


# Attributes of tensors.


class Attribute(property):
    """Takes the place of an attribute that C defines."""

    __objclass__ = Base

    def __init__(self, original: Any, read: Any, write: Any = None, delete: Any = None) -> None:
        super().__init__(read, write or original.__set__, delete or original.__delete__, doc=original.__doc__)
        self.__name__ = original.__name__
        self.__doc__ = original.__doc__


def attributes() -> dict[str, Attribute]:
    """Descriptors that take the place of the attributes of tensors."""
    grad, data, wants = Base.grad, Base.data, Base.requires_grad
    get_data = signatures.Op("data", data.__get__, silent=True, cut=CUT_DATA)
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
            record_at(site, "gradread", r.n)

    def grad_written(self, g, site):
        record_at(site, "grad", number_of(self), 0 if g is None else number_of(g))

    def delete_grad(self):
        grad.__delete__(self)
        if active():
            record_at(here(), "grad", number_of(self), 0)

    @unseen
    def read_data(self):
        return ops.look(get_data, here(), (self,), {})

    def data_written(self, value, site):
        with ops.undisturbed():
            r = ops.seen_before(self)
            tensors.sorted_as(r, tensors.sort_of(self))
            r.at = r.counter[0] = tensors.version_of(self)
            pending.append((
                "reshaped", r.n, r.sort.meta, site.number, tensors.storage_key(self), tensors.offset_of(self), values.value(self, None, r), number_of(value),
            ))

    def wants_written(self, _, site):
        with ops.undisturbed():
            requires_grad_set(self, site)

    return {
        "grad": Attribute(grad, read_grad, _writing(grad, "grad", grad_written), delete_grad),
        "data": Attribute(data, read_data, _writing(data, "data", data_written)),
        "requires_grad": Attribute(wants, wants.__get__, _writing(wants, "requires_grad", wants_written)),
    }


def _writing(descriptor: Any, name: str, after: Callable[..., object]) -> Callable[..., Any]:
    """A function that sets an attribute, and then calls after(tensor, value, site)."""

    @unseen
    def write(self, value):
        if aside.reading:
            aside.refuse_for(self, "assigning ." + name)
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


def requires_grad_set(t: Tensor, site: CallSite) -> None:
    """The program has set requires_grad of a tensor."""
    r = tensors.known(t) or nodes.report(t)
    sort = tensors.sort_of(t)
    changed = bool(sort.wants) != bool(r.sort.wants)
    tensors.sorted_as(r, sort)
    if changed:
        record_at(site, "requires", r.n, bool(sort.wants))


def leaves_torch(name: str, why: int) -> Callable[..., Any]:
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
            stop_if_asked(site)
        del self, args  # what goes with them must not delay a signal beyond the call
        signals.land()
        return result

    return functools.update_wrapper(call, original)


_NUMBERS = frozenset((float, int, bool))

READERS: dict[str, int] = {
    "item": CUT_ITEM, "tolist": CUT_ITEM, "__float__": CUT_ITEM, "__int__": CUT_ITEM, "__index__": CUT_ITEM, "__bool__": CUT_ITEM, "numpy": CUT_NUMPY,
    "__complex__": CUT_ITEM,
}


# Warnings.


def warned(show: Callable[..., Any]) -> Callable[..., Any]:
    def call(message):
        if active():
            record_at(_root_site(), "warned", message.category.__name__, str(message.message)[:2000])
            if wire.settings.get("errors"):
                wire.sync()
        return show(message)

    return call


def _root_site() -> CallSite:
    frame = _getframe(2)
    while frame is not None and frame.f_code.co_filename.endswith("warnings.py"):
        frame = frame.f_back
    return stacks.root if frame is None else stacks.find(frame)


def setters(name: str) -> Callable[..., Any]:
    """requires_grad_ and retain_grad."""
    original = getattr(Base, name)

    @unseen
    def call(self, *args, **kwargs):
        if aside.reading:
            aside.refuse_for(self, name)
        site = here()
        call_it = site.call or ops.caller(site, 2)
        try:
            result = call_it(original, (self,) + args, kwargs)
        except RuntimeError as error:
            if active():
                refused(error, name, site, self)
            raise
        if active():
            setter_called(self, name, site)
        return result

    return functools.update_wrapper(call, original)


def setter_called(t: Tensor, name: str, site: CallSite) -> None:
    """requires_grad_ or retain_grad was called."""
    with ops.undisturbed():
        if name != "retain_grad":
            requires_grad_set(t, site)
        elif tensors.grad_fn(t) is not None:
            r = ops.seen_before(t)
            tensors.keepers[r.n] = r
            record_at(site, "retain", number_of(t))


def zeroes_of(cls: Any) -> Callable[..., None]:
    """What zero_grad notes, whose default has changed in 2.0."""
    default = inspect.signature(cls.zero_grad).parameters["set_to_none"].default
    return zeroes if default else _zeroes_by_default


def function_apply() -> Any:
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


_functions: dict[type, signatures.Op] = {}


def _function(cls: type, call: Callable[..., Any]) -> signatures.Op:
    """The operation that a Function is."""
    op = _functions.get(cls)
    if op is None:
        op = signatures.Op(cls.__name__, call)
        op.why = REBASE_FUNCTION
        if len(_functions) < 1000:
            _functions[cls] = op
            ops.add(op)
    return op



def parameter_maker() -> Any:
    """Takes the place of what Parameter() makes its tensor with."""
    op = signatures.Op("Parameter", Base._make_subclass, silent=True, cut=CUT_PARAMETER)

    @unseen
    def make(*args, **kwargs):
        return ops.look(op, here(), args, kwargs)

    return staticmethod(make)


# What else decides how operations turn out.


if hasattr(torch, "get_autocast_dtype"):

    def _casts(kind: str) -> bool:
        try:
            return bool(torch.get_autocast_dtype(kind))
        except RuntimeError:  # not in this release
            return False

    _kinds = tuple(filter(_casts, ("cpu", "cuda", "mps", "xpu")))

    def _autocast() -> tuple[tuple[bool, Any], ...]:
        return tuple((torch.is_autocast_enabled(kind), torch.get_autocast_dtype(kind)) for kind in _kinds)

else:

    def _autocast() -> tuple[tuple[bool, Any], ...]:
        return (torch.is_autocast_cpu_enabled(), torch.get_autocast_cpu_dtype()), (torch.is_autocast_enabled(), torch.get_autocast_gpu_dtype())


_states: dict[Any, int] = {}
_owners: Any = None  # the state of the thread whose operations may have signatures


def changed(*_: Any, **__: Any) -> None:
    """Something has changed that decides how operations turn out."""
    global _owners
    if _owners is None or get_ident() == ops.owner:
        _owners = (torch.is_inference_mode_enabled(), _autocast())
    state = torch.get_default_dtype(), nodes.unreadable > 0, ops.modes, _owners
    ops.regime[0] = _states.setdefault(state, len(_states))
    ops.attend()


def _around(cls: type, enter: Callable[[], object] | None = None, leave: Callable[[], object] | None = None) -> dict[tuple[Any, str], Any]:
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


def _readable(by: int) -> Callable[[], None]:
    def change():
        nodes.unreadable = max(0, nodes.unreadable + by)

    return change


# Whether modes see what the recorder asks while functions are disabled: then it cannot ask.
_modes_see_us = not hasattr(torch._C, "DisableTorchFunctionSubclass")


def _mode(by: int) -> Callable[..., None]:
    def change(*_, **__):
        ops.modes = max(0, ops.modes + by)
        if _modes_see_us:
            ops.pause(get_ident(), by)
        changed()

    return change


def regimes() -> dict[tuple[Any, str], Any]:
    """Replacements for what switches such things: {(owner, name): function}."""
    found = {}
    found.update(_around(torch.autograd.graph.saved_tensors_hooks, _readable(1), _readable(-1)))
    casts = _switching(MODE_AUTOCAST, lambda: any(on for on, _ in _autocast()))
    for name in ("__enter__", "__exit__"):
        found[torch.autocast, name] = noted(torch.autocast, name, after=casts)
    found[torch, "set_anomaly_enabled"] = noted(torch, "set_anomaly_enabled", after=_switching(MODE_ANOMALY, torch.is_anomaly_enabled))
    found[torch, "set_default_dtype"] = noted(torch, "set_default_dtype", after=changed)
    if hasattr(torch.overrides, "_push_mode"):
        found[torch.overrides, "_push_mode"] = noted(torch.overrides, "_push_mode", after=_mode(1))
        found[torch.overrides, "_pop_mode"] = noted(torch.overrides, "_pop_mode", after=_mode(-1))
    return found


def nesting() -> dict[int, Callable[..., Any]]:
    """C functions between which tensors belong to a transform (vmap, grad, jvp): nothing is
    recorded there. {id: replacement}."""
    functorch = getattr(torch._C, "_functorch", None)
    replaced = {}
    for name in dir(functorch) if functorch is not None else ():
        if name.endswith(("_increment_nesting", "_decrement_nesting")):
            original = getattr(functorch, name)
            replaced[id(original)] = _nested(original, 1 if "_increment_" in name else -1)
    return replaced


def _nested(original: Callable[..., Any], by: int) -> Callable[..., Any]:
    def call(*args, **kwargs):
        ident = get_ident()
        if by > 0:
            ops.pause(ident, by)
        try:
            return original(*args, **kwargs)
        finally:
            if by < 0:
                ops.pause(ident, by)

    return functools.update_wrapper(call, original)


def answers_of_torch(cls: type) -> Any:
    """Takes the place of a __torch_function__ of PyTorch that knows functions as they were
    before they were replaced."""
    answer = vars(cls)["__torch_function__"].__func__

    def __torch_function__(cls, func, *others, **kwargs):
        return answer(cls, ops.originals.get(func, func), *others, **kwargs)

    return classmethod(instead_of(answer)(__torch_function__))


def copied(result: Any, self: Tensor, memo: Any) -> None:
    """copy.deepcopy of a tensor."""
    pending.append(("cut", CUT_DEEPCOPY, here().number, (number_of(self),), number_of(result)))


def unwatched() -> None:
    """Records nothing of this thread until watched is called."""
    ops.pause(get_ident(), 1)


def watched() -> None:
    ops.pause(get_ident(), -1)


def quietly(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that records nothing of what it does inside."""

    @instead_of(function)
    def call(*args, **kwargs):
        unwatched()
        try:
            return function(*args, **kwargs)
        finally:
            watched()

    return call
