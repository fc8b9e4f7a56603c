"""Answers to questions of the debugger, which the program's own thread gives at a stop.

A question is JSON, as package control describes it:

    locals   the variables of a frame
    value    what an expression gives; the program stays as it is
    run      run statements as a part of the program

Nothing of the program runs for an answer but the expression itself: values are shown by
their built-in types, and others by the names of their classes. The engine says what the
expression may do (`aside`), and the number of a tensor.
"""

from __future__ import annotations

import builtins
import sys
from _thread import allocate_lock, get_ident, start_new_thread
from collections import deque
from contextlib import contextmanager
from time import monotonic

from . import aside, holders, sources, spaces, stacks
from .aside import Refused
from .imports import standard

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import CodeType, FrameType
    from typing import Any

    Question = dict[str, Any]
    Answer = dict[str, Any]

FILE = "<gradtui %d>"  # of the code of statements
MOST_TEXT = 60_000  # bytes of an answer
_MOST_OUTPUT = 16_000
_MOST_OF_ONE = 2_000  # characters of one value
_MOST_NAMES = 200
_MOST_ITEMS = 20
_DEEPEST = 4
_FEW = 8  # elements of a tensor that are all shown
_MOST_READ = 1 << 22  # elements of a tensor that are read for its norm
_LOOK = 0.02  # seconds between two looks at whether the user still waits
_AGAIN = 0.5  # seconds until what has swallowed an interrupt gets another one


class Interrupted(BaseException):
    """The user does not wait any longer."""


# What the engine replaces.
tensor: type = type(None)  # the class of tensors
number: Callable[[Any], int] = int  # of a tensor, for gradtui; 0: it is not on the tape
cancelled: Callable[[], bool] = bool  # whether the user no longer waits


@contextmanager
def apart() -> Iterator[Callable[[], int] | None]:
    """Is around what is not part of the run, and must not change it; the engine replaces it. Gives
    what counts the tensors that have changed nevertheless, if not gradtui does."""
    yield None


_count = [0]  # statements that were run


def answer(text: str) -> str:
    """Answers a question."""
    json = standard("json")
    question = json.loads(text)
    frame, where = _frame(question.get("frame"), _names(question.get("text", "")))
    if frame is None:
        return json.dumps({"error": where})
    result: Answer = {"frame": _described(frame, where)}
    kind = question["kind"]
    if kind == "run":
        found, values = _run(question, frame)
        result.update(found)
        with _still():
            _show(result, values)
    else:
        with _still() as changed:
            if kind == "locals":
                result.update(_locals(frame))
            else:
                found, values = _value(question, frame)
                result.update(found)
                _show(result, values)
                if changed is not None:
                    result["changed"] = changed()
    return _fitting(json, result)


@contextmanager
def _still() -> Iterator[Callable[[], int] | None]:
    """The program stays as it is, with its random generators."""
    outer = aside.asker
    aside.asker = get_ident()
    aside.reading += 1
    try:
        with apart() as changed:
            random = _random()
            try:
                yield changed
            finally:
                for restore, state in random:
                    restore(state)
    finally:
        aside.reading -= 1
        aside.asker = outer


def _fitting(json: Any, result: Answer) -> str:
    """The answer as text, with as many values as there is room for."""
    while True:
        text: str = json.dumps(result)
        values = result.get("values", [])
        if len(text) <= MOST_TEXT or not values:
            return text if len(text) <= MOST_TEXT else json.dumps({"error": "the answer is too long"})
        keep = len(values) // 2
        result["more"] = result.get("more", 0) + len(values) - keep
        result["values"] = values[:keep]


# Frames.


def _frames() -> Iterator[FrameType]:
    """The frames of the program, innermost first, as call stacks on the tape have them."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not stacks.ours(frame.f_code):
            yield frame
        frame = frame.f_back


def _frame(wanted: Any, names: set[str]) -> tuple[FrameType | None, Any]:
    """The frame of a question, with its index; or None, and why. If no one is wanted it is the innermost one
    of the program that sees all names, or else the innermost one."""
    found = list(_frames())
    if not found:
        return None, "no Python function runs where the program stands"
    if wanted is None:
        own = [i for i, f in enumerate(found) if not holders.foreign(f.f_code.co_filename)] or [0]
        for i in own:
            if all(n in found[i].f_globals or n in _assigned(found[i]) for n in names):
                return found[i], i
        return found[own[0]], own[0]
    near = sorted(range(len(found)), key=lambda i: abs(i - wanted["index"]))
    for i in near:
        code = found[i].f_code
        if code.co_filename == wanted["file"] and wanted["function"] in (code.co_name, getattr(code, "co_qualname", "")):
            return found[i], i
    return None, "%s no longer runs where the program stands" % wanted["function"]


def _assigned(frame: FrameType) -> dict[str, Any]:
    """The variables of a frame; none if they cannot be read."""
    try:
        return _variables(frame)
    except _Unreadable:
        return {}


def _names(text: str) -> set[str]:
    """The variables that an expression reads."""
    ast = standard("ast")
    try:
        nodes = list(ast.walk(ast.parse(text.strip())))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)} | {n.arg for n in nodes if isinstance(n, ast.arg)}
    return {n.id for n in nodes if isinstance(n, ast.Name)} - bound - set(dir(builtins))


def _described(frame: FrameType, index: int) -> dict[str, Any]:
    code = frame.f_code
    return {"index": index, "file": code.co_filename, "function": getattr(code, "co_qualname", code.co_name), "line": frame.f_lineno or 0}


class _Unreadable(Exception):
    pass


def _variables(frame: FrameType) -> dict[str, Any]:
    """The variables of a frame: its own, if it is a function's, or its module's."""
    if frame.f_code.co_name == "<module>" and frame.f_locals is frame.f_globals:
        return dict(frame.f_globals)
    own = spaces.variables(frame)
    if own is None:
        raise _Unreadable("the variables of %s cannot be read without changing what its locals() returns" % frame.f_code.co_name)
    return dict(own)


def _locals(frame: FrameType) -> Answer:
    try:
        variables = _variables(frame)
    except _Unreadable as error:
        return {"error": str(error)}
    module = variables.get("__name__") == frame.f_globals.get("__name__") and "__builtins__" in variables
    names = [n for n in variables if type(n) is str and not (n.startswith("__") and n.endswith("__"))]
    if module:
        names = [n for n in names if type(variables[n]) not in _SCENERY]
    values = [dict(shown(variables[n]), name=n[:200]) for n in names[:_MOST_NAMES]]
    return {"values": values, "more": max(len(names) - _MOST_NAMES, 0)}


# What a module holds and no step of the program changes.
_SCENERY: dict[type, str] = {type(sys): "module", type: "class", type(answer): "function", type(len): "function"}


# Expressions.


def _show(result: Answer, values: Sequence[Any]) -> None:
    """Adds what an expression gave to its answer."""
    if not values:
        return
    try:
        result["values"] = _Patience(_SHOWING).call(lambda: [shown(value) for value in values])
    except Interrupted:
        result["error"] = "interrupted" if cancelled() else "the value cannot be shown in %d s" % _SHOWING


_SHOWING = 5  # seconds


def _value(question: Question, frame: FrameType) -> tuple[Answer, Sequence[Any]]:
    try:
        code = _compiled(question["text"].strip(), "eval", stacks.MARK)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return {"raised": _raised(error)}, ()
    try:
        # One dict, so that the functions in the expression see the variables, too. What the
        # expression assigns stays in it.
        space = dict(frame.f_globals)
        space.update(_variables(frame))
    except _Unreadable as error:
        return {"error": str(error)}, ()
    return _evaluated(lambda: eval(code, space), question)


def _run(question: Question, frame: FrameType) -> tuple[Answer, Sequence[Any]]:
    text = question["text"].strip()
    _count[0] += 1
    file = FILE % _count[0]
    try:
        try:
            code, gives = _compiled(text, "eval", file), True
        except SyntaxError:
            code, gives = _compiled(text, "exec", file), False
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return {"raised": _raised(error)}, ()
    sources.tell(file, text, stacks.pending)
    own = frame.f_globals if frame.f_locals is frame.f_globals else frame.f_locals
    if own is frame.f_globals:
        return _evaluated(lambda: eval(code, own), question, gives)
    space = dict(frame.f_globals)
    space.update(own)
    before = dict(space)

    def run() -> Any:
        try:
            return eval(code, space)
        finally:
            _write_back(frame, own, before, space)

    return _evaluated(run, question, gives)


def _write_back(frame: FrameType, own: Any, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Gives the variables of a frame the values that statements have assigned."""
    for name in after:
        if name == "__builtins__" or name in before and before[name] is after[name]:
            continue
        if name in frame.f_globals and name not in own:
            frame.f_globals[name] = after[name]
        else:
            own[name] = after[name]
    for name in [n for n in before if n not in after]:
        (own if name in own else frame.f_globals).pop(name, None)
    if sys.version_info < (3, 13):
        ctypes = standard("ctypes")
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(1))


def _compiled(text: str, mode: str, file: str) -> CodeType:
    return compile(text, file, mode, dont_inherit=True)


def _evaluated(run: Callable[[], Any], question: Question, gives: bool = True) -> tuple[Answer, Sequence[Any]]:
    """What a function raises or prints, and gives."""
    result: Answer = {}
    values: Sequence[Any] = ()
    output = _Output()
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _Stream(output, streams[0]), _Stream(output, streams[1])
    try:
        values = (_Patience(question.get("seconds") or 0).call(run),)
    except Refused as error:
        result["refused"] = str(error)
    except Interrupted:
        result["raised"] = "interrupted" if cancelled() else "it takes longer than %g s" % question["seconds"]
    except BaseException as error:
        result["raised"] = _raised(error)
    finally:
        sys.stdout, sys.stderr = streams
    if output.text:
        result["output"] = output.text
    return result, values if gives else ()


def _raised(error: BaseException) -> str:
    """An exception as a traceback ends."""
    kind = _name(type(error))
    try:
        # str() runs code of the exceptions that the program defines: it was asked for them.
        text = str(error)
    except BaseException:
        text = ""
    if isinstance(error, SyntaxError):
        text = str(error.msg)
    return (kind + (": " + text if text else ""))[:_MOST_OF_ONE]


class _Output:
    """What an expression prints."""

    def __init__(self) -> None:
        self.text = ""

    def add(self, text: str) -> None:
        self.text = (self.text + text[:_MOST_OUTPUT])[:_MOST_OUTPUT]


class _Stream:
    """Stands in for a stream: takes what the thread that answers writes, and hands on the rest."""

    def __init__(self, output: _Output, stream: Any) -> None:
        self._output, self._stream, self._ident = output, stream, get_ident()

    def write(self, text: Any) -> Any:
        if get_ident() != self._ident:
            return self._stream.write(text)
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not %s" % _name(type(text)))
        self._output.add(str.__str__(text))
        return len(text)

    def writelines(self, lines: Iterable[Any]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        if get_ident() != self._ident:
            self._stream.flush()

    def isatty(self) -> bool:
        return False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Patience:
    """Ends what takes too long, or for which the user no longer waits. Python code ends at its next
    step; a function of C is not interrupted."""

    def __init__(self, seconds: float) -> None:
        self.until = monotonic() + seconds if seconds else None
        self.ident = get_ident()
        self.works, self.looks = allocate_lock(), allocate_lock()

    def call(self, function: Callable[[], Any]) -> Any:
        """Calls a function, and raises Interrupted if it had to be ended.

        The exception comes from another thread, at any step of this one, and once more after the
        function is over at most. Locks are taken and released in C, without a step between.
        """
        self.raise_in = standard("ctypes").pythonapi.PyThreadState_SetAsyncExc
        try:
            with self.works:
                start_new_thread(self._look, ())
                return function()
        finally:
            try:
                with self.looks:
                    pass
            except Interrupted:  # it came late
                with self.looks:
                    pass

    def _look(self) -> None:
        ctypes = standard("ctypes")
        pause = _LOOK
        with self.looks:
            while not self.works.acquire(timeout=pause):
                if cancelled() or self.until is not None and monotonic() > self.until:
                    self.raise_in(ctypes.c_ulong(self.ident), ctypes.py_object(Interrupted))
                    pause = _AGAIN


def _random() -> list[tuple[Callable[[Any], object], Any]]:
    """What restores the random generators, with their states."""
    found: list[tuple[Callable[[Any], object], Any]] = []
    for name, get, put in (("random", "getstate", "setstate"), ("numpy.random", "get_state", "set_state"), ("torch", "get_rng_state", "set_rng_state")):
        module = sys.modules.get(name)
        if module is not None and hasattr(module, get) and hasattr(module, put):
            found.append((getattr(module, put), getattr(module, get)()))
    return found


# How values are shown.

_class_name = type.__dict__["__name__"].__get__


def _name(cls: type) -> str:
    """The name of a class, whatever its metaclass says."""
    return _class_name(cls)[:200]


def shown(value: Any) -> dict[str, Any]:
    """A value as an answer has it."""
    if issubclass(type(value), tensor):
        return _tensor(value)
    try:
        return {"text": _text(value, _DEEPEST)[:_MOST_OF_ONE]}
    except (RuntimeError, RecursionError):  # another thread has changed it meanwhile
        return {"text": "<%s>" % _name(type(value))}


def _text(value: Any, depth: int) -> str:
    """A short text for a value of a built-in type, or the name of its class."""
    cls = type(value)
    if cls is int:
        return repr(value) if -(10**300) < value < 10**300 else "<int of %d bits>" % value.bit_length()
    if cls in _PLAIN:
        return repr(value)
    if cls in (str, bytes, bytearray):
        longest = 200
        return repr(value[:longest]) + ("… (%d)" % len(value) if len(value) > longest else "")
    if issubclass(cls, tensor):
        return str(_tensor(value)["text"])
    if cls in _BRACKETS:
        begin, end = _BRACKETS[cls]
        if depth == 0 and value:
            return begin + "…" + end
        if cls is tuple and len(value) == 1:
            end = ",)"
        return begin + _listed((_text(v, depth - 1) for v in value), len(value)) + end if value or cls not in (set, frozenset) else _name(cls) + "()"
    if cls is dict:
        if depth == 0 and value:
            return "{…}"
        return "{" + _listed((_text(k, depth - 1) + ": " + _text(v, depth - 1) for k, v in value.items()), len(value)) + "}"
    if cls in _SCENERY:
        return "<%s %s>" % (_SCENERY[cls], str(getattr(value, "__name__", ""))[:100])
    if cls.__module__ == "torch" and _name(cls) in ("Size", "dtype", "device"):
        return repr(value)
    return "<%s>" % _name(cls)


_PLAIN = frozenset((type(None), bool, float, complex, range, type(Ellipsis), type(NotImplemented)))
_BRACKETS: dict[type, tuple[str, str]] = {list: ("[", "]"), tuple: ("(", ")"), set: ("{", "}"), frozenset: ("frozenset({", "})"), deque: ("deque([", "])")}


def _listed(texts: Iterator[str], n: int) -> str:
    found: list[str] = []
    size = 0
    for text in texts:
        found.append(text)
        size += len(text) + 2
        if len(found) == _MOST_ITEMS or size > _MOST_OF_ONE:
            break
    return ", ".join(found) + (", … (%d)" % n if len(found) < n else "")


def _tensor(t: Any) -> dict[str, Any]:
    """A tensor: dtype, shape, whether it requires grad, and its elements or what they are like."""
    n = 0
    try:
        with sys.modules["torch"]._C.DisableTorchFunction():
            n = number(t)
            parts = ["%s [%s]" % (str(t.dtype).replace("torch.", ""), ", ".join(str(int(s)) for s in t.shape))]
            if str(t.device) != "cpu":
                parts.append(str(t.device))
            if t.requires_grad:
                parts.append("leaf, requires grad" if t.is_leaf else "requires grad")
            if type(t) in _own():
                parts.append(_elements(t.detach()))
            else:
                parts.append("<%s>" % _name(type(t)))
        text = ", ".join(p for p in parts if p)
    except Exception:  # a class that answers for tensors, or one that is not finished
        text = "<%s>" % _name(type(t))
    return {"text": text, "tensor": n}


def _own() -> tuple[type, ...]:
    torch = sys.modules["torch"]
    return torch.Tensor, torch.nn.Parameter


def _elements(t: Any) -> str:
    """The elements of a tensor, or the smallest, the largest and the norm of many."""
    count = t.numel()
    if not t.layout == sys.modules["torch"].strided or str(t.device) == "meta":
        return ""
    if count <= _FEW:
        return _nested(t.tolist())
    if count > _MOST_READ:
        return ""
    if not t.dtype.is_floating_point:
        return "" if t.dtype.is_complex else "%s to %s" % (t.min().item(), t.max().item())
    t = t.float() if t.element_size() < 4 else t
    return "%.4g to %.4g, norm %.4g" % (t.min().item(), t.max().item(), t.norm().item())


def _nested(v: Any) -> str:
    if type(v) is list:
        return "[" + ", ".join(map(_nested, v)) + "]"
    return "%.5g" % v if type(v) is float else str(v)
