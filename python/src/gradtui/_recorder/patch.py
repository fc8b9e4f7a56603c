"""Which functions of torch are replaced, and how that is undone."""

from __future__ import annotations

import _signal
import ctypes
import functools
import sys
import sysconfig
import types
import warnings
import weakref

import torch

from .._agent import stacks
from . import backward, compiled, ops, program, replacements, signals, signatures, tensors, wire
from ._protocol import CUT_COPY, CUT_DETACH
from .replacements import on_removal, put, put_in_class
from .tensors import Base, Tensor

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_made: dict[tuple[str, str], tuple[Any, Any]] = {}  # (module, name) -> (original, its replacement), which is the same each time

# Methods that ask, and do nothing that a tape is about.
_QUESTIONS = frozenset("""
    size dim stride numel nelement element_size storage_offset data_ptr is_contiguous is_inference is_pinned
    is_floating_point is_complex is_signed is_same_size is_nonzero is_distributed is_coalesced is_set_to is_neg is_conj
    is_shared ndimension get_device type_as_ storage untyped_storage has_names allclose equal dense_dim sparse_dim qscheme q_scale
    q_zero_point sym_size sym_stride sym_numel result_type can_cast promote_types is_storage is_tensor
    is_grad_enabled is_inference_mode_enabled is_autocast_enabled get_default_dtype tolist item numpy
    is_vulkan_available cudnn_is_acceptable nonzero_static_ _use_count _fix_weakref _is_view _dimI _dimV _nnz _version
    _view_func _view_func_unsafe _rev_view_func_unsafe _make_subclass _make_wrapper_subclass as_subclass
    _debug_has_internal_overlap _has_compatible_shallow_copy_type _is_functional_tensor _functionalize_sync
    _to_functional_tensor _from_functional_tensor _is_zerotensor _local_scalar_dense _assert_async _assert_tensor_metadata
    __len__ __delitem__ __contains__ __nonzero__ __long__ map_ map2_ apply_ requires_grad_ retain_grad
    get_num_threads set_num_threads get_num_interop_threads set_num_interop_threads set_printoptions
    _sync _enable_functionalization _disable_functionalization _freeze_functional_tensor _propagate_xla_data
    init_num_threads parse_ir seed initial_seed _debug_only_display_vmap_fallback_warnings
""".split())

# What the operators do.
_OPERATORS = {
    "__radd__": "add", "__rmul__": "mul", "__truediv__": "div", "__div__": "div", "__itruediv__": "div_", "__idiv__": "div_", "__getitem__": "getitem",
    "__setitem__": "setitem", "__invert__": "bitwise_not", "__and__": "bitwise_and", "__or__": "bitwise_or", "__xor__": "bitwise_xor",
    "__mod__": "remainder", "__imod__": "remainder_", "__iand__": "bitwise_and_", "__ior__": "bitwise_or_", "__ixor__": "bitwise_xor_",
}


def name_of(name: str) -> str:
    """The name of an operator: "add" for __add__, "add_" for __iadd__."""
    if name in _OPERATORS:
        return _OPERATORS[name]
    if name.startswith("__") and name.endswith("__"):
        inner = name[2:-2]
        if inner[0] == "i" and hasattr(Base, "__%s__" % inner[1:]) and inner not in ("invert", "index", "int"):
            return inner[1:] + "_"
        return inner
    return name


def _mutates(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__") or name in ("__setitem__",) or name.startswith("__i") and name_of(name).endswith("_")


def _like(call: Any, original: Callable[..., Any], name: str, module: str, qualified: str) -> Callable[..., Any]:
    call.__name__ = name
    call.__qualname__ = qualified
    call.__doc__ = getattr(original, "__doc__", None)
    call.__module__ = "torch" if module == "torch.Tensor" else module
    call.__wrapped__ = original  # whose signature cannot be asked for
    return call


_Word = ctypes.c_size_t
_SEQUENCE = 13  # words of a type before tp_as_sequence
_ITEM = 3  # words before sq_item
_is_sequence = ctypes.pythonapi.PySequence_Check
_is_sequence.argtypes = (ctypes.py_object,)


def no_sequence(cls: Any) -> bool:
    """Keeps C code from taking the tensors of a class for sequences. It would since the
    class has a __getitem__ that is written in Python: then Python fills sq_item, which C
    classes of mappings leave empty."""
    word = ctypes.sizeof(_Word)
    methods = _Word.from_address(id(cls) + _SEQUENCE * word).value
    if not 0 < methods - id(cls) < type(cls).__basicsize__:
        return False
    _Word.from_address(methods + _ITEM * word).value = 0
    return True


def _indexing() -> bool:
    """Whether indexing can be recorded without C code taking tensors for sequences."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False

    class Like:
        def __getitem__(self, _):
            return None

    return bool(_is_sequence(Like())) and no_sequence(Like) and not _is_sequence(Like())


def _no_sequences(cls: Any) -> None:
    for sub in type.__subclasses__(cls):
        if "__getitem__" not in vars(sub):
            no_sequence(sub)
            _no_sequences(sub)


def _init_subclass(cls, **kwargs):
    super(Tensor, cls).__init_subclass__(**kwargs)
    if "__getitem__" not in vars(cls) and Tensor.__getitem__ is not Base.__getitem__:
        no_sequence(cls)


def methods() -> None:
    """The methods of tensors."""
    indexing = _indexing()
    operators()
    for name, original in list(vars(Base).items()):
        kind = type(original).__name__
        if name == "__getitem__" and not indexing:
            continue
        if kind not in ("method_descriptor", "wrapper_descriptor") or name in _QUESTIONS or name in program.READERS:
            continue
        if name in vars(Tensor) and vars(Tensor)[name] is not original:
            continue  # Python code of torch, which calls others
        put(Tensor, name, _replacement(name_of(name), original, "torch.Tensor", "Tensor." + name, _mutates(name), cut=_DETACHES.get(name, 0)))
    if indexing:
        put(Tensor, "__init_subclass__", classmethod(_init_subclass))
        no_sequence(Tensor)
        _no_sequences(Tensor)
    for name, why in program.READERS.items():
        if hasattr(Base, name) and name not in vars(Tensor):
            put(Tensor, name, program.leaves_torch(name, why))
    for name, descriptor in program.attributes().items():
        put(Tensor, name, descriptor)
    for name in ("requires_grad_", "retain_grad"):
        put(Tensor, name, program.setters(name))
    for name in ("T", "mT", "H", "mH", "real", "imag"):
        descriptor = getattr(Base, name, None)
        if descriptor is not None:
            put(Tensor, name, program.Attribute(descriptor, _replacement(name, descriptor.__get__, "attribute", name)))


_DETACHES = {"detach": CUT_DETACH, "detach_": CUT_DETACH}


def _replacement(
    name: str, original: Callable[..., Any], module: str, qualified: str, mutates: bool = False, silent: bool = False,
    cut: int = 0,
) -> Callable[..., Any]:
    """What takes the place of an operation."""
    known, call = _made.get((module, qualified), (None, None))
    if known == original:
        return call
    op = signatures.Op(name, original, mutates, silent=silent, cut=cut)
    op.operator = module == "torch.Tensor" and qualified.startswith("Tensor.__")
    signatures.ops.append(op)
    call = ops.wrapped(op)
    if module != "attribute":
        _like(call, original, qualified.rpartition(".")[2], module, qualified)
    _made[module, qualified] = original, call
    return call


def operators() -> None:
    """The operators that are other names of functions of C, as - is, and those that are
    Python functions around one, as ** is."""
    for name, function in list(vars(Tensor).items()):
        if type(function).__name__ == "method_descriptor":
            named = name_of(name) if _mutates(name) else function.__name__
            put(Tensor, name, _replacement(named, function, "torch.Tensor", "Tensor." + name, _mutates(name)))
        if name == "unflatten" and type(function) is types.FunctionType:  # it calls its C base class's
            put(Tensor, name, _replacement(name, function, "torch.Tensor", "Tensor." + name))
        inner = getattr(function, "__wrapped__", None)
        if type(function) is not types.FunctionType or inner is None or function in ops.originals:
            continue
        if name == "__rsub__":  # its Python code calls rsub where it cannot be replaced
            original = torch.rsub
        elif type(inner).__name__ == "method_descriptor":
            original = inner
        else:
            continue
        for cell in function.__closure__ or ():
            if cell.cell_contents is inner:
                named = original.__name__
                cell.cell_contents = _replacement(named, original, "torch.Tensor", "Tensor." + name, _mutates(named))
                on_removal(functools.partial(setattr, cell, "cell_contents", inner))


# Functions that copy what they are given.
_FACTORIES = frozenset(("tensor", "as_tensor", "from_numpy", "asarray", "frombuffer", "sparse_coo_tensor", "scalar_tensor"))


def _function(name: str, original: Callable[..., Any], module: str) -> Callable[..., Any]:
    """The replacement of a function."""
    factory = name in _FACTORIES
    return _replacement(name, original, module, name, name.endswith("_"), silent=factory, cut=CUT_COPY if factory else 0)


def functions() -> dict[int, Callable[..., Any]]:
    """The functions of torch and of its C modules; {id of the original: replacement}."""
    replaced = {}
    kept = []
    in_class = []
    sources = [(torch._C._VariableFunctions, "torch", torch)]
    for name in ("_nn", "_fft", "_linalg", "_special", "_sparse"):
        if hasattr(torch._C, name):
            sources.append((getattr(torch._C, name), "torch._C." + name, None))
    for source, module, home in sources:
        for name in dir(source):
            original = getattr(source, name)
            if name.startswith("__") or name in _QUESTIONS or type(original) is not types.BuiltinFunctionType:
                continue
            if id(original) in replaced:
                continue
            if home is not None and type(getattr(home, name, None)) is types.BuiltinFunctionType:
                original = getattr(home, name)  # C makes a new object for each look
            call = replaced[id(original)] = _function(name, original, module)
            kept.append(original)
            if home is None:
                put(source, name, call)
            else:
                in_class.append((name, call))
    for name in _FACTORIES:
        original = getattr(torch, name, None)
        if type(original) is types.BuiltinFunctionType and id(original) not in replaced:
            replaced[id(original)] = _function(name, original, "torch")
            kept.append(original)
    put_in_class(type(torch._C._VariableFunctions), in_class)
    scriptable(replaced)
    on_removal(lambda: kept)  # the ids are theirs
    return replaced


def scriptable(replaced: dict[int, Any]) -> None:
    """Lets TorchScript know the replacements of the functions that it knows."""
    table = torch.jit._builtins._get_builtin_table()
    for identity, call in replaced.items():
        if identity in table:
            table[id(call)] = table[identity]
            on_removal(functools.partial(table.pop, id(call), None))


def sweep(replaced: dict[int, Any], back: None = None) -> None:
    """Replaces functions wherever modules hold them."""
    for module in list(sys.modules.values()):
        if not isinstance(module, types.ModuleType) or module.__name__.startswith("gradtui."):
            continue
        space = vars(module)
        for name, value in list(space.items()):
            if type(value) is types.BuiltinFunctionType:
                call = replaced.get(id(value))
                if call is not None:
                    space[name] = call
                    on_removal(functools.partial(space.__setitem__, name, value))


def others() -> None:
    """Replaces functions that are not operations."""
    run = getattr(torch.autograd.graph, "_engine_run_backward", None)
    if run is None:  # before 2.3
        put(torch.autograd.Variable, "_execution_engine", backward.Engine(torch.autograd.Variable._execution_engine))
    else:
        run = program.instrumented(run, backward.begins, backward.ends)
        put(torch.autograd.graph, "_engine_run_backward", run)
        put(torch.autograd, "_engine_run_backward", run)
    put(torch.autograd.Function, "apply", program.function_apply())
    put(Tensor, "_make_subclass", program.parameter_maker())
    Module = torch.nn.Module
    impl = Module._wrapped_call_impl if hasattr(Module, "_wrapped_call_impl") else Module._call_impl
    call = program.instrumented(impl, program.enter_module, program.leave_module)
    if hasattr(Module, "_wrapped_call_impl"):
        put(Module, "_wrapped_call_impl", call)
    put(Module, "__call__", call)
    put(Module, "__init__", program.noted(Module, "__init__", after=program.module_made))
    put(Module, "train", program.switching(Module.train))
    put(Module, "zero_grad", program.noted(Module, "zero_grad", before=program.zeroes_of(Module)))
    Optimizer = torch.optim.Optimizer
    put(Optimizer, "zero_grad", program.noted(Optimizer, "zero_grad", before=program.zeroes_of(Optimizer)))
    put(Optimizer, "add_param_group", program.noted(Optimizer, "add_param_group", after=program.group_added, failed=program.group_refused))
    optimizer = sys.modules["torch.optim.optimizer"]
    if hasattr(optimizer, "register_optimizer_step_pre_hook"):
        for register, note in (("pre", program.step_begins), ("post", program.step_ends)):
            handle = getattr(optimizer, "register_optimizer_step_%s_hook" % register)(note)
            on_removal(handle.remove)
    else:
        put(Optimizer, "_hook_for_profile", program.noted(Optimizer, "_hook_for_profile", after=_watch_steps))
        for cls in _below(Optimizer):
            _watch_steps_of(cls)
    for name, kind in (("register_hook", "tensor"), ("register_post_accumulate_grad_hook", "post_accumulate")):
        if hasattr(Tensor, name):
            put(Tensor, name, program.hooked(program.noted(Tensor, name, after=program.hook(kind, name), failed=program.rejected), kind))
    for name in (
        "register_forward_pre_hook", "register_forward_hook", "register_full_backward_pre_hook", "register_full_backward_hook",
        "register_backward_hook",
    ):
        if hasattr(Module, name):
            put(Module, name, program.noted(Module, name, after=program.hook("module", name)))
    utils = torch.nn.utils
    clip = utils.clip_grad_norm_
    noted_clip = program.clipping(clip)
    for module in (utils, sys.modules["torch.nn.utils.clip_grad"]):
        if getattr(module, "clip_grad_norm_", None) is clip:
            put(module, "clip_grad_norm_", noted_clip)
    scheduler = sys.modules["torch.optim.lr_scheduler"]
    for name in ("LRScheduler", "_LRScheduler", "ReduceLROnPlateau"):
        owner = getattr(scheduler, name, None)
        if owner is not None and "step" in vars(owner):
            put(owner, "step", program.noted(owner, "step", before=program.schedules))
    put(Tensor, "__deepcopy__", program.noted(Tensor, "__deepcopy__", after=program.copied, failed=program.refused))
    setter = program.mode_setter(torch._C._set_grad_enabled, 1)
    put(torch._C, "_set_grad_enabled", setter)
    put(torch.inference_mode, "__enter__", program.noted(torch.inference_mode, "__enter__", after=program.inference_entered))
    put(torch.inference_mode, "__exit__", program.noted(torch.inference_mode, "__exit__", after=program.inference_left))
    put(warnings, "_showwarnmsg", program.warned(vars(warnings)["_showwarnmsg"]))
    put(torch.nn.parameter.UninitializedTensorMixin, "__torch_function__", program.answers_of_torch(torch.nn.parameter.UninitializedTensorMixin))
    for name in ("getweakrefs", "getweakrefcount"):
        put(weakref, name, tensors.not_ours(getattr(weakref, name)))
    if hasattr(torch.utils, "swap_tensors"):
        put(torch.utils, "swap_tensors", program.noted(torch.utils, "swap_tensors", after=lambda _, a, b: tensors.swapped(a, b)))
    put(torch._tensor_str, "_str", program.quietly(torch._tensor_str._str))
    put(torch.autograd, "_make_grads", program.noted(torch.autograd, "_make_grads", failed=program.roots_refused, quiet=True))
    traces = torch.jit._trace
    for name in ("trace", "trace_module", "_get_trace_graph"):
        if hasattr(traces, name):
            call = _alone(getattr(traces, name))
            for owner in (torch.jit, traces):
                put(owner, name, call)
    for (owner, attribute), function in program.regimes().items():
        put(owner, attribute, function)


def _below(cls: Any) -> Iterator[Any]:
    """The classes that are derived from a class."""
    for sub in type.__subclasses__(cls):
        yield sub
        yield from _below(sub)


def _watch_steps_of(cls: type) -> None:
    """Notes the steps of a class of optimizers, in versions that have no hooks for it."""
    step = vars(cls).get("step")
    if step is not None and not hasattr(step, "_gradtui"):
        call = program.noted(cls, "step", before=program.step_called, after=lambda _, optimizer, *__, **___: program.step_ends(optimizer))
        call._gradtui = True
        put(cls, "step", call)


def _watch_steps(_: Any, optimizer: Any) -> None:
    for cls in type(optimizer).__mro__:
        if cls is not torch.optim.Optimizer and issubclass(cls, torch.optim.Optimizer):
            _watch_steps_of(cls)


def forget_answers() -> None:
    """Makes PyTorch look again where it remembers functions that are replaced now."""
    for module in {"torch.overrides", "torch.utils._device"} & set(sys.modules):
        for function in list(vars(sys.modules[module]).values()):
            if hasattr(function, "cache_clear"):
                function.cache_clear()


def _alone(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function during which torch is as it was, since it looks at the frames of its callers."""

    @program.instead_of(function)
    def call(*args, **kwargs):
        remove()
        try:
            return function(*args, **kwargs)
        finally:
            if wire.on:
                install()

    return call


def install() -> None:
    """Begins to record."""
    if replacements.installed():
        return  # torch is prepared still
    folder = torch.__file__[: -len("__init__.py")]
    signals.torch = folder
    stacks.hide(folder)
    methods()
    replaced = functions()
    replaced.update(program.nesting())
    replacements.in_python = True
    others()
    replacements.in_python = False
    put(_signal, "signal", signals.signal)  # which the functions of module signal call
    put(_signal, "getsignal", signals.getsignal)
    signals.guard()
    on_removal(signals.unguard)
    sweep(replaced)
    forget_answers()
    program.changed()
    compiled.wait()


def remove() -> None:
    """Puts everything back."""
    replacements.remove()
    forget_answers()
    if _indexing():
        no_sequence(Tensor)
        _no_sequences(Tensor)
