"""Recordings of a part of a program."""

from __future__ import annotations

import functools
import os
import sys
import threading
import warnings

from . import _receiver
from ._receiver import Error

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType, ModuleType, TracebackType
    from typing import Any, TypeVar

    from ._agent.names import Space

    Function = TypeVar("Function", bound=Callable[..., Any])

_lock = threading.RLock()
_running: Recording | None = None  # the Recording that runs


def recorder() -> ModuleType:
    """The recorder, which imports torch."""
    if os.name == "nt":
        raise Error("recording works on Linux and macOS")
    import torch

    if hasattr(torch, "_channel") or not hasattr(torch._C, "TensorBase") and not hasattr(torch._C, "_TensorBase"):
        raise Error("this program runs on gradtui's own engine, which records all of it already")
    from gradtui._recorder import start

    return start


def _nothing_else() -> None:
    """Raises an error if something is recorded already."""
    if _running is not None:
        raise Error("%s already records, and recordings do not nest" % _running)
    eager = sys.modules.get("gradtui._recorder.start")
    if eager is not None and eager.recording():
        raise Error("gradtui records this program already, and recordings do not nest")


class Findings(list):
    """What is wrong, as dicts: code, severity, message, primary, related, tensors, help,
    evidence, instead, count. `text` is what gradtui check prints, `failing` counts what is at or above fail_on."""

    text = ""
    failing = 0
    audit: dict[str, Any] | None = None  # what audit() measured, as in the JSON of gradtui audit

    def __str__(self) -> str:
        return self.text


class FindingsError(AssertionError):
    """A check has found something."""

    def __init__(self, findings: Findings) -> None:
        super().__init__("\n" + findings.text)
        self.findings = findings


def _seen_by(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Sequence[Space]:
    """The namespaces that a function sees when it is called."""
    from gradtui._agent import spaces

    return spaces.of_call(function, {**dict(zip(spaces.parameters(function), args)), **kwargs})


class Recording:
    """A recording that can be started and stopped, used in a with statement, or used as a
    decorator of a function. After stop, events is how many events were recorded, and
    findings what is wrong, if that was asked for."""

    def __init__(
        self, path: str | os.PathLike[str] | None = None, *, overwrite: bool = True, check: bool = False, fail_on: str | None = None, values: str | int = "",
        audit: tuple[int, int] | None = None, _keep: bool = False,
    ) -> None:
        self.path = None if path is None else os.fspath(path)
        self.events = 0
        self.findings = Findings()
        output = self.path and os.path.abspath(self.path)
        self._order: dict[str, Any] = {"output": output, "force": overwrite, "check": check, "fail_on": fail_on or "", "values": str(values)}
        if audit is not None:
            self._order["step"], self._order["directions"] = audit
        self._fails = fail_on is not None
        self._keep = _keep  # whether torch stays prepared for the next recording
        self._spaces: Sequence[Space] = ()  # namespaces, with their scopes, of a function that is about to run
        self._running = False

    def __repr__(self) -> str:
        return "gradtui.record(%r)" % self.path if self.path else "gradtui.check()"

    def start(self) -> Recording:
        """Records from now on."""
        global _running
        with _lock:
            _nothing_else()
            eager = recorder()
            order = dict(self._order, output=self._order["output"] or "", folder=os.getcwd())
            folder = _receiver.ask(order)
            try:
                eager.begin(folder)
                eager.expect(*self._spaces)
            except BaseException:
                _receiver.close()
                raise
            _running = self
            self._running = True
            self.findings = Findings()
        return self

    def stop(self) -> Recording:
        """Ends the recording. The file is complete when stop returns."""
        self._stop(sys._getframe(1))
        if self._fails and self.findings.failing:
            raise FindingsError(self.findings)
        return self

    def _stop(self, frame: FrameType, well: bool = True) -> None:
        global _running
        with _lock:
            if not self._running:
                raise Error("%r was not started" % self)
            from gradtui._recorder import start as eager

            self._running, _running = False, None
            eager.finish(frame, self._keep, well, self._spaces)
            result = _receiver.outcome()
        self.events = result["events"]
        report = result.get("report", {})
        self.findings[:] = report.get("findings", ())
        self.findings.audit = report.get("audit")
        self.findings.text = result.get("text", "")
        self.findings.failing = result["failing"]
        if "error" in result:
            raise Error(result["error"])
        if "missing" in result:
            warnings.warn("gradtui: " + result["missing"], stacklevel=3)

    def __enter__(self) -> Any:
        self.start()
        return self.findings if self._order["check"] and not self.path else self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if not self._running:
            return  # it was stopped, or this is a process that the block has forked
        if error is None:
            self._stop(sys._getframe(1))
            if self._fails and self.findings.failing:
                raise FindingsError(self.findings)
            return
        from gradtui._agent import tracebacks

        tracebacks.strip(error)
        try:
            self._stop(sys._getframe(1), False)
        except (Error, OSError) as other:
            warnings.warn("gradtui: %s" % other, stacklevel=2)

    def __call__(self, function: Function) -> Function:
        @functools.wraps(function)
        def call(*args, **kwargs):
            self._spaces = _seen_by(function, args, kwargs)
            try:
                with self:
                    return function(*args, **kwargs)
            finally:
                self._spaces = ()

        return call  # type: ignore[return-value]


def record(path: str | os.PathLike[str] = "run.tape", *, overwrite: bool = True, values: str | int = "") -> Recording:
    """Records what happens in a with block, in calls of a decorated function, or between
    start() and stop(), to a file for `gradtui open` and `gradtui check`. With values="full" the
    file has the elements of all tensors, with values=100 the first 100 of each."""
    return Recording(path, overwrite=overwrite, values=values)


def check(path: str | os.PathLike[str] | None = None, *, fail_on: str | None = None) -> Recording:
    """Finds what is wrong with what happens in a with block, which gets a list of Findings
    that is filled at its end. With fail_on="error" (or "warning", "hint") findings of that
    severity or above raise a FindingsError there."""
    return Recording(path, check=True, fail_on=fail_on)


def audit(path: str | os.PathLike[str] | None = None, *, step: int = 1, directions: int = 4, fail_on: str | None = None) -> Recording:
    """Measures whether the gradients of a training step in a with block are the derivative of its
    loss, as `gradtui audit` does. The block gets a list of Findings that is filled at its end:
    gradient-lost and gradient-wrong; findings.audit["verdict"] is "exact" if there is nothing to say.
    The block has to hold the forward and the backward pass. It is recorded with all elements of all tensors."""
    return Recording(path, check=True, fail_on=fail_on, values="full", audit=(step, directions))


def _forked() -> None:
    global _lock, _running
    _lock = threading.RLock()
    if _running is not None:
        _running._running = False
        _running = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
