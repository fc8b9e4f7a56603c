"""Differentiable functions that the program defines."""

import functools
import itertools
import warnings

import torch
from gradtui._agent import names
from gradtui._agent.imports import standard
from gradtui._agent.unseen import unseen
from torch import _objects, _values
from torch._engine import call
from torch._namespace import missing

from ._node import NodeMethods

__all__ = [
    "FunctionCtx",
    "BackwardCFunction",
    "FunctionMeta",
    "Function",
    "once_differentiable",
    "InplaceFunction",
    "NestedIOFunction",
]

_ids = itertools.count()


class FunctionCtx:
    """What forward tells backward."""

    def save_for_backward(self, *tensors):
        """Keeps tensors for backward, which finds them in saved_tensors."""
        self.to_save = tensors

    def save_for_forward(self, *tensors):
        """Keeps tensors for jvp."""
        for t in tensors:
            assert isinstance(t, torch.Tensor) or t is None, (
                "save_for_forward expects all arguments to be tensors; you should "
                "save non-tensors as attributes on ctx."
            )
        self.saved_for_forward = tensors

    def mark_dirty(self, *args):
        """Says that inputs were changed in place."""
        self.dirty_tensors = args

    def mark_shared_storage(self, *pairs):
        """Has had no effect for long."""
        warnings.warn(
            "`mark_shared_storage` is deprecated. "
            "Tensors with shared storages are automatically tracked. "
            "Note that calls to `set_()` are not tracked",
            FutureWarning,
            stacklevel=2,
        )

    def mark_non_differentiable(self, *args):
        """Says that results have no gradient."""
        self.non_differentiable = args

    def set_materialize_grads(self, value):
        """Whether undefined gradients are zeros for backward and jvp."""
        self.materialize_grads = value


_ContextMethodMixin = FunctionCtx


class _NodeHandle:
    """Keeps the engine's node of a call alive."""

    __slots__ = ("n",)

    def __init__(self, n):
        self.n = n

    def __del__(self, gone=_objects.dead.append):
        gone(self.n)


class _FunctionBase(NodeMethods):
    """The ctx of a call, which is also its node in the graph."""

    to_save = None
    saved_for_forward = None
    dirty_tensors = None
    non_differentiable = None
    needs_input_grad = None
    requires_grad = True
    _call = 0  # number of the call
    _handle = None
    _materialize = True

    @property
    def materialize_grads(self):
        raise AttributeError("attribute 'materialize_grads' of 'torch._C._FunctionBase' objects is not readable")

    @materialize_grads.setter
    def materialize_grads(self, value):
        if not isinstance(value, bool):
            raise TypeError(
                "set_materialize_grads received an invalid combination of arguments - got (), but expected (bool)"
            )
        self._materialize = value

    @property
    def saved_tensors(self):
        if self.saved_for_forward is not None:
            return self.saved_for_forward
        return tuple(call("autograd.function.saved", (self._call,)))

    @property
    def saved_variables(self):
        warnings.warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2)
        return self.saved_tensors

    @property
    def _raw_saved_tensors(self):
        return call("autograd.node.raw_saved", (self,))

    def maybe_clear_saved_tensors(self):
        """The engine frees them itself."""


class BackwardCFunction(_FunctionBase, FunctionCtx):
    """The base of the classes of nodes that functions of the program make."""

    def apply(self, *args):
        """Runs backward."""
        backward, vjp = self._forward_cls.backward, self._forward_cls.vjp
        if backward is not Function.backward and vjp is not Function.vjp:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom "
                "Function is not allowed. You should only implement one "
                "of them."
            )
        return (vjp if vjp is not Function.vjp else backward)(self, *args)

    def apply_jvp(self, *args):
        """Runs jvp."""
        return self._forward_cls.jvp(self, *args)


def _node_of(ctx):
    if ctx._handle is None:
        call("autograd.function.node", (ctx._call,))  # reviving it fills in the handle
    if ctx._handle is None:
        raise RuntimeError("Attribute 'next_functions' is invalid for this instance of _C._FunctionBase.")
    return b"n", ctx._handle.n


_values.converters[BackwardCFunction] = _node_of


class _Call:
    """One call of apply: what the callbacks of the engine need."""

    __slots__ = ("ctx", "cls", "args", "outputs")

    def __init__(self, cls, args):
        self.ctx, self.cls, self.args = cls._backward_cls(), cls, args


def _revive_ctx(n, number):
    ctx = _values.kept[number].ctx
    if ctx._handle is None:
        ctx._handle = _NodeHandle(n)
    return ctx


_values.revivers[b"m"] = _revive_ctx


def _tensor_tuple(ctx, name):
    values = getattr(ctx, name)
    if values is None:
        return ()
    if not isinstance(values, tuple):
        raise RuntimeError(f"autograd internal error: {name} attribute is expected to be a tuple but is ")
    return values


def _only_tensors(ctx, name, complaint):
    values = _tensor_tuple(ctx, name)
    for v in values:
        if not isinstance(v, torch.Tensor):
            raise RuntimeError(complaint)
    return values


@unseen
def _forward(c, number, needs):
    ctx, cls = c.ctx, c.cls
    ctx._call, ctx.needs_input_grad = number, needs
    if _is_setup_context_defined(cls.setup_context):
        c.outputs = cls.forward(*c.args)
        cls.setup_context(ctx, c.args, c.outputs)
    else:
        c.outputs = cls.forward(ctx, *c.args)
    return _results(c)


def _results(c):
    """What the engine has to know after forward."""
    ctx = c.ctx
    outputs = c.outputs if isinstance(c.outputs, tuple) else (c.outputs,)
    constant = _only_tensors(
        ctx, "non_differentiable", "mark_non_differentiable only accepts variable arguments, but got "
    )
    dirty = _only_tensors(ctx, "dirty_tensors", "mark_dirty can only accept variables, but argument ")
    saved = _tensor_tuple(ctx, "to_save")
    return _tensors(outputs), saved, dirty, constant, ctx._materialize


def _tensors(values):
    return tuple([v if isinstance(v, torch.Tensor) else None for v in values])


@unseen
def _backward(c, grads):
    return c.ctx.apply(*grads)


@unseen
def _jvp(c, tangents):
    if c.ctx.saved_for_forward is None:
        c.ctx.saved_for_forward = ()  # what is for backward is not saved yet
    result = c.ctx.apply_jvp(*tangents)
    return result if isinstance(result, tuple) else (result,)


_registered = False


@unseen
def _apply(cls, args):
    global _registered
    if not _registered:
        call("autograd.function.callbacks", (_forward, _backward, _jvp))
        _registered = True
    c = _Call(cls, args)
    return _merged(c, call("autograd.function.apply", (cls.__name__, c, _tensors(args))))


def _merged(c, results):
    """What apply gives: what forward has returned, with the tensors that are in the graph."""
    raw, ctx = c.outputs, c.ctx
    c.args = c.outputs = ctx.to_save = ctx.dirty_tensors = ctx.non_differentiable = ctx.saved_for_forward = None
    if not isinstance(raw, tuple):
        return raw if results[0] is None else results[0]
    merged = tuple([old if new is None else new for old, new in zip(raw, results)])
    return merged


class FunctionMeta(type):
    """Gives each function a class for its nodes."""

    def __init__(cls, name, bases, attrs):
        node = type(name + "Backward", (BackwardCFunction,), {"_forward_cls": cls, "__module__": __name__})
        node._autograd_function_id = next(_ids)
        cls._backward_cls = node
        super().__init__(name, bases, attrs)


class _SingleLevelFunction(_FunctionBase, FunctionCtx, metaclass=FunctionMeta):
    @staticmethod
    def forward(*args, **kwargs):
        """Computes the results; to be overridden."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Fills in ctx after a forward that does not take it."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        """Computes the arguments' gradients from the results' gradients; to be overridden."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for "
            "your custom autograd.Function to use it with backward "
            "mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(ctx, *grad_inputs):
        """Computes the results' tangents from the arguments' tangents."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )


class Function(_SingleLevelFunction):
    """The base of differentiable functions: forward and backward are static methods, apply calls them."""

    generate_vmap_rule = False

    def __init__(self, *args, **kwargs):
        warnings.warn(
            f"{self.__class__} should not be instantiated. Methods on autograd functions "
            "are all static, so you should invoke them on the class itself. "
            "Instantiating an autograd function will raise an "
            "error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args, **kwargs):
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. "
            "Please use new-style autograd function with static forward method. "
            "(Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    def vmap(info, in_dims, *args):
        """The behaviour in torch.vmap, where functions are called for each sample."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the "
            "vmap staticmethod or set generate_vmap_rule=True."
        )

    @classmethod
    def apply(cls, *args, **kwargs):
        """Calls the function."""
        if _is_setup_context_defined(cls.setup_context):
            bound = standard("inspect").signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args = bound.args
        if kwargs:
            raise TypeError("apply() takes no keyword arguments")
        outputs = _apply(cls, args)
        names.result(outputs)
        return outputs


def _is_setup_context_defined(fn):
    return fn != _SingleLevelFunction.setup_context


def once_differentiable(fn):
    """Makes a backward whose results cannot be differentiated."""

    @functools.wraps(fn)
    def wrapper(ctx, *args):
        with torch.no_grad():
            outputs = fn(ctx, *args)
        if not torch.is_grad_enabled():
            return outputs
        if not any(isinstance(x, torch.Tensor) and x.requires_grad for x in args):
            return outputs
        if not isinstance(outputs, tuple):
            outputs = (outputs,)
        text = "trying to differentiate twice a function that was marked with @once_differentiable"
        results = call("autograd.delayed_error", (text,) + outputs)
        return results if len(results) > 1 else results[0]

    return wrapper


class InplaceFunction(Function):
    """A function that may work in place, from old times."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace


class NestedIOFunction(Function):
    """A function of nested tensors, from old times: forward raises what all non-static ones do."""


__getattr__ = missing(__name__)
