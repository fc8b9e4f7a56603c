"""torch.compile.

Nothing is recorded while a function is compiled. PyTorch's Python functions are then as
without recording, because the compiler reads them. PyTorch's C functions stay replaced: the
compiler takes the replacements for C functions, and so finds them in the program. Each
graph that it makes is one operation, "compiled", whatever runs it; what happens inside
it, forward and backward, is not recorded.
"""

from __future__ import annotations

import sys

from .._agent import imports, stacks
from . import facts, ops, program, replacements, signatures, tensors

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_NAME = "torch._dynamo"
_waits = False


def wait() -> None:
    """Prepares the compiler, now or when it is imported."""
    global _waits
    if _NAME in sys.modules:
        _prepare()
    elif not _waits:
        _waits = True
        imports.when_imported(_NAME, _begins, _imported)


def _begins() -> None:
    program.unwatched()
    replacements.lift()


def _ends() -> None:
    replacements.lower()
    program.watched()


def _imported(done: bool) -> None:
    _ends()
    if done and replacements.installed():
        _prepare()


def _prepare() -> None:
    rules, convert = sys.modules.get(_NAME + ".trace_rules"), sys.modules.get(_NAME + ".convert_frame")
    for step in (_pause, _leave_ours, _skip_marks, _known_as_theirs, _one_operation):
        try:
            step(rules, convert)
        except AttributeError:  # a version that does this in another way
            pass


def _pause(_: Any, convert: Any) -> None:
    """Lets the compiler be alone with PyTorch."""
    replacements.put(convert, "_compile", _compiling(convert._compile))


def _compiling(function: Callable[..., Any]) -> Callable[..., Any]:
    @program.instead_of(function)
    def call(*args, **kwargs):
        _begins()
        try:
            return function(*args, **kwargs)
        finally:
            _ends()

    return call


def _one_operation(*_: Any) -> None:
    """Records each graph that the compiler makes as one operation."""
    cls = sys.modules[_NAME + ".output_graph"].OutputGraph
    original = cls.call_user_compiler

    @program.instead_of(original)
    def call(self, gm, *args):
        compiled = original(self, gm, *args)
        if getattr(self, "export", False) or getattr(self, "package", None) is not None:
            return compiled  # which is looked at
        name = getattr(self.compiler_fn, "__name__", "")
        return _region(compiled, name, sum(n.op.startswith("call_") for n in gm.graph.nodes))

    replacements.put(cls, "call_user_compiler", call)


def _region(compiled: Callable[..., Any], backend: str, operations: int) -> Callable[..., Any]:
    def run(*args):
        results = compiled(*args)
        for t in results if isinstance(results, (tuple, list)) else ():
            if isinstance(t, tensors.Tensor):
                _quiet_backward(type(tensors.grad_fn(t)))
        return results

    run = program.quietly(run)
    op = signatures.Op("compiled", lambda *args, **_: run(*args))
    about = {"backend": backend, "operations": operations}

    def call(*args):
        op.stop = _every.stop
        return ops.look(op, facts.here(), args, about)

    return call


def _quiet_backward(kind: type) -> None:
    """Records nothing of what a node of a type does that stands for a compiled graph."""
    cls = getattr(kind, "_forward_cls", None)
    if cls is not None and kind.__name__ == "CompiledFunctionBackward" and "_gradtui" not in vars(cls):
        cls._gradtui = True
        cls.backward = staticmethod(program.quietly(cls.backward))


_every = signatures.Op("compiled", None)  # stands for all of them where gradtui looks out for some
signatures.ops.append(_every)


def _leave_ours(rules: Any, _: Any) -> None:
    """Keeps the compiler from compiling our own functions."""
    if stacks.PACKAGE not in rules.SKIP_DIRS:
        rules.SKIP_DIRS.append(stacks.PACKAGE)
        rules._recompile_re()


def _skip_marks(_: Any, convert: Any) -> None:
    """Keeps it from compiling those that stand in the program's files."""
    for site in stacks.all_sites():
        if site.call is not None:
            convert.skip_code(site.call.__code__)
    ops.made = convert.skip_code


def _known_as_theirs(rules: Any, _: Any) -> None:
    """Lets the compiler treat replacements as what they have taken the place of."""
    table = rules.get_torch_obj_rule_map()
    for call, original in ops.originals.items():
        if original in table:
            table.setdefault(call, table[original])
