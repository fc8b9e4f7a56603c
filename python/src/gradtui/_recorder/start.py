"""The beginning and the end of recording."""

from __future__ import annotations

import atexit
import os
import sys

import torch

from .._agent import holders, imports, modules, names, notes, optimizers, spaces, stacks, tracebacks, variables
from . import amounts, backward, existing, facts, nodes, ops, patch, tensors, values, wire
from ._protocol import RECORDS_VERSION

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType
    from typing import Any

    from torch import Tensor

    from .._agent.names import Space
    from .wire import Settings

_began = False


def _env(name: str, default: int) -> int:
    try:
        return int(os.environ.get(name) or default)
    except ValueError:
        return default


def _rank() -> tuple[int, int]:
    """The rank of this process in a distributed program, and their number; -1 and 0: it is
    none."""
    ranks = torch.distributed
    if ranks.is_available() and ranks.is_initialized():
        return ranks.get_rank(), ranks.get_world_size()
    return _env("RANK", -1), _env("WORLD_SIZE", 0)


def begin(folder: str, asked: Sequence[str] = ()) -> None:
    """Connects to the gradtui that listens in a folder and records from now on. asked
    are names of global variables that gradtui wants to know of at the end."""
    global _began
    if wire.on:
        return
    reset()
    wire.connect(folder, (RECORDS_VERSION, os.getpid(), str(torch.__version__), *_rank(), tuple(sys.argv)))
    names.tensor = tensors.Tensor
    names.bind = bind
    notes.handle = facts.number_of
    notes.after = facts.stop_if_asked
    modules.put = ops.put
    holders.graph = facts.has_graph
    wire.respond = _respond
    _hide_hosts()
    try:
        patch.install()
        wire.listen(settle)
    except Exception:
        wire.broken()
        stop()
        return
    if not _began:
        _began = True
        tracebacks.install()
        os.register_at_fork(after_in_child=forked)
        atexit.register(end, tuple(asked))


def _respond(question: str) -> str:
    """Answers a question of the debugger."""
    with imports.Apart():
        from .answering import respond
    return respond(question)


# Programs that run others: their frames are in no stack.
_HOSTS = ("IPython", "ipykernel", "ipykernel_launcher", "tornado", "traitlets", "_pytest", "pytest", "pluggy", "xdist", "execnet")


def _hide_hosts() -> None:
    hosts = [h for h in _HOSTS if h in sys.modules]
    if "ipykernel" in hosts:
        hosts.append("asyncio")
    for host in hosts:
        file = getattr(sys.modules[host], "__file__", None)
        if file:
            stacks.hide(file[: -len("__init__.py")] if file.endswith("__init__.py") else file)


def reset() -> None:
    """Forgets what another gradtui knows."""
    del wire.pending[:]
    stacks.reset()
    names.reset()
    modules.reset()
    holders.reset()
    optimizers.reset()
    existing.forget()
    tensors.reset()
    amounts.reset()
    nodes.reset()
    ops.reset()
    backward.reset()


def bind(t: Tensor, name: str, scope: str) -> None:
    """Names a tensor."""
    if facts.active():
        wire.pending.append(("bind", facts.number_of(t), name, scope))
        r = tensors.known(t) if amounts.rules else None
        if r is not None:
            values.bound(r, name)
        if stacks.named(name):
            wire.sync()


def settle(settings: Settings) -> None:
    """Does what gradtui asks for."""
    values.arm(settings)
    if wire.on:
        ops.arm(settings)
        backward.arm(settings)
    elif wire.gone:
        patch.remove()
    ops.attend()


def forked() -> None:
    wire.forked()
    ops.attend()


def end(asked: Sequence[str] = ()) -> None:
    """The program is at its end: reports what its variables hold, and says good-bye."""
    if not wire.on or wire.pid != os.getpid():
        tensors.forget()
        return
    space = sys.modules["__main__"].__dict__
    names.bind_all(space)
    if asked:
        variables.report(asked, report_variable, tensors.Tensor)
    wire.pending.append(("bye",))
    wire.flush(at_once=True)
    stop()


def report_variable(_: str, args: Any) -> None:
    name, kind, mapping, keys, found = args
    wire.pending.append(("variable", name, kind, mapping, tuple(keys), tuple(map(facts.number_of, found))))


def stop() -> None:
    """Ends recording; the program goes on as if it had never been."""
    pause()
    patch.remove()


def pause() -> None:
    """Ends recording, but leaves torch prepared for another one."""
    wire.stop()
    ops.attend()
    existing.forget()
    tensors.forget()


# For recordings that the program itself begins and ends (package gradtui).


def recording() -> bool:
    """Whether this process is recorded."""
    return wire.on and wire.pid == os.getpid()


def expect(*others: Space, at_once: bool = False) -> None:
    """Names the tensors that variables of the program hold when they are met, or at_once.
    others are namespaces that no frame has, with the scopes of their names."""
    if not recording():
        return
    try:
        existing.expect(list(others) + spaces.around(sys._getframe(1)))
        for t in existing.awaited() if at_once else ():
            _meet(t)
    except Exception:
        wire.broken()


def _meet(t: Tensor) -> None:
    try:
        facts.number_of(t)
    except AttributeError:
        pass  # its class has not finished it


def finish(frame: FrameType | None, keep: bool = False, well: bool = True, others: Sequence[Space] = ()) -> None:
    """Ends a recording: names what is known by the variables of the program and others, as
    expect does, and says good-bye. well: no exception has ended what is recorded."""
    if recording():
        if well and frame is not None:
            wire.pending.append(("reached", stacks.find(frame).number))
        for t, name, scope in existing.unnamed(list(others) + spaces.around(sys._getframe(1))):
            bind(t, name, scope)
        wire.pending.append(("bye",))
        wire.flush()
    (pause if keep else stop)()


def stop_at(frame: FrameType) -> None:
    """Stops the program in the debugger."""
    number = stacks.find(frame).number
    wire.pending.append(("breakpoint", number))
    wire.sync()
