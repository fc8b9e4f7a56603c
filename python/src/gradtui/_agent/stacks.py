"""Numbers for call stacks.

A tree holds each call stack that an operation ran at: a CallSite is an instruction
of a function on a certain path of callers, an Activation is a function called
from a CallSite. What is known about a running frame is kept on the frame itself, in
f_trace: the Activation, which maps f_lasti to the number of the stack. So a
known stack costs one lookup however deep it is, and nothing is kept alive.
f_trace does nothing unless a trace function is set, and one that a debugger has
put there stays.

A stack that is new is described once in `pending`:

    ("stack", number, parent, file, function, line, col, end_line, end_col)

is the innermost frame on top of the stack `parent` (0: there is none). Lines and
columns count from 1, columns in bytes, end_col is after the last one, 0 is
unknown. Without file and function the stack shows the same frames as its parent:
the operation ran in a function of ours that was called there.

    ("named", number, ((position, name, scope, late), ...))

says which variables get the result of an operation at that stack; see results.
"""

from __future__ import annotations

import re
import sys
from fnmatch import fnmatchcase
from itertools import count, islice
from os.path import dirname, join

from . import imports, results, sources

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import CodeType, FrameType
    from typing import Any

    from .results import Name

PACKAGE = join(dirname(dirname(__file__)), "")  # the folder of gradtui
# The folders of our Python files.
FILES = (PACKAGE, join(imports.builtin, "")) if imports.builtin else (PACKAGE,)
MOST_FRAMES = 64  # of a stack, after which it is cut to its innermost half
MOST_CALLEES = 256  # different code objects at one place: more come from exec
MOST_STACKS = 1 << 18

MARK = "<gradtui>"  # the name of functions of ours that stand in the program's files

pending: list[Any] = []

_getframe = sys._getframe
_numbers = count(1)
_GENERATOR = 0x20 | 0x80 | 0x200  # a frame that may go on below another caller
root: CallSite  # of all stacks
_deep: CallSite  # of the inner halves of stacks that are cut
# Before 3.10 a frame with f_trace does not count its lines.
_MARK = sys.version_info >= (3, 10)


def here(skip: int = 1) -> int:
    """The number of the call stack, without the innermost skip frames."""
    frame = _getframe(skip)
    activation: Any = frame.f_trace
    if activation is None:
        return find(frame).number
    try:
        return activation[frame.f_lasti]
    except (TypeError, KeyError):
        return find(frame).number


def find(frame: FrameType) -> CallSite:
    """The CallSite where a frame is."""
    known: Any = frame.f_trace
    if known.__class__ is Activation:
        site = known.sites.get(frame.f_lasti)
        if site is not None:
            return site
    outer = frame.f_back
    caller: Any = None if outer is None else outer.f_trace
    if caller.__class__ is Activation:  # as in most cases
        try:
            activation = caller.sites[outer.f_lasti].callees[id(frame.f_code)]
            site = activation.sites[frame.f_lasti]
        except KeyError:
            pass
        else:
            if known is None and activation.marks:
                frame.f_trace = activation
            return site
    path = [frame]
    while outer is not None:
        activation = outer.f_trace  # type: ignore[assignment]
        if activation is not None and type(activation) is Activation:
            lasti = outer.f_lasti
            try:
                site = activation.sites[lasti]
            except KeyError:
                site = activation.at(lasti, outer)
            break
        if len(path) == MOST_FRAMES:
            site = _deep
            break
        path.append(outer)
        outer = outer.f_back
    else:
        site = root
    return _descend(site, path)


if not _MARK:

    def find(frame: FrameType) -> CallSite:
        """The CallSite where a frame is."""
        path: list[FrameType] = []
        append = path.append
        for _ in _FRAMES:
            append(frame)
            frame = frame.f_back
            if frame is None:
                return _descend(root, path)
        return _descend(_deep, path)

    _FRAMES = range(MOST_FRAMES)


def _descend(site: CallSite, path: list[FrameType]) -> CallSite:
    """Follows a path of frames, innermost first, down from a CallSite."""
    path.reverse()
    for frame in path:
        code = frame.f_code
        try:
            activation = site.callees[id(code)]
        except KeyError:
            activation = site.calls(code)
        lasti = frame.f_lasti
        try:
            site = activation.sites[lasti]
        except KeyError:
            site = activation.at(lasti, frame)
        if activation.marks and frame.f_trace is None:
            frame.f_trace = activation
    return site


class CallSite:
    """A place in a running function, on top of the places that called it."""

    __slots__ = ("number", "activation", "lasti", "depth", "callees", "loose", "names", "callee", "call", "stop")

    def __init__(self, number: int, activation: Any, lasti: int, depth: int) -> None:
        self.number = number
        self.activation = activation
        self.lasti = lasti
        self.depth = depth
        self.callees: dict[int, Activation] = {}  # Activation by id(code)
        self.loose: dict[Any, Activation] | None = None  # Activation by what is shown of it, when there are too many
        self.names: tuple[Name, ...] = ()
        self.callee: Any = None  # what is called there
        self.call: Callable[..., Any] | None = None  # calls a function as if from there
        self.stop = False  # whether gradtui wants the program to stop there

    def calls(self, code: CodeType) -> Activation:
        """The activation of a code that runs on top of this place."""
        if self.depth >= MOST_FRAMES:
            site = shallow(self)
            activation = self.callees[id(code)] = site.callees[id(code)] if id(code) in site.callees else site.calls(code)
            return activation
        if len(self.callees) < MOST_CALLEES:
            activation = self.callees[id(code)] = Activation(self, code)
            return activation
        if self.loose is None:
            self.loose = {}
        key: tuple[str, str] | None = (code.co_filename, code.co_name)
        if key not in self.loose and len(self.loose) < MOST_CALLEES:
            self.loose[key] = Activation(self, None)
        if key not in self.loose:
            key = None
            self.loose.setdefault(None, Activation(self, None))
        return self.loose[key]


class Activation(dict):
    """A function that runs, called from a certain CallSite: numbers by f_lasti."""

    __slots__ = ("caller", "code", "ours", "exact", "marks", "sites")

    def __init__(self, caller: CallSite, code: CodeType | None) -> None:
        self.caller = caller
        self.code = code
        self.exact = code is not None
        self.ours = self.exact and ours(code)
        self.marks = _MARK and self.exact and not code.co_flags & _GENERATOR
        self.sites: dict[int, CallSite] = {}

    def __call__(self, frame: FrameType, event: str, argument: object) -> Activation:
        """A trace function that does nothing."""
        return self

    def at(self, lasti: int, frame: Any) -> CallSite:
        """The CallSite at an instruction, which is new or not exact."""
        code = self.code or frame.f_code
        if not self.exact:
            lasti = frame.f_lineno
            if lasti in self.sites:
                return self.sites[lasti]
        caller = self.caller
        number = next(_numbers)
        if number > MOST_STACKS:
            return caller
        site = CallSite(number, self, lasti, caller.depth + (not self.ours))
        if self.ours:
            pending.append(("stack", number, caller.number, "", "", 0, 0, 0, 0))
        else:
            sources.report(code.co_filename, frame, pending)
            place = positions(code, lasti) if self.exact else (lasti, 0, 0, 0)
            name = getattr(code, "co_qualname", code.co_name)
            pending.append(("stack", number, caller.number, code.co_filename, name) + place)
        if self.exact:
            try:
                site.names = results.of_call_site(site, frame)
            except Exception:  # near the end of the stack, or bytecode that no compiler makes
                site.names = ()
            if _lines or _names:
                site.stop = _wanted(site, code, lasti)
            if site.names:
                pending.append(("named", number, results.flat(site.names)))
        self.sites[lasti] = site
        if self.exact:
            self[lasti] = number
        return site


def shallow(site: CallSite) -> CallSite:
    """The inner half of a stack, on top of a frame that stands for the rest."""
    path: list[tuple[CodeType, int]] = []
    while len(path) < MOST_FRAMES // 2:
        path.append((site.activation.code, site.lasti))
        site = site.activation.caller
    site = _deep
    while path:
        code, lasti = path.pop()
        if code is None:
            continue
        activation = site.callees[id(code)] if id(code) in site.callees else site.calls(code)
        site = activation.sites.get(lasti) or activation.at(lasti, None)
    return site


_hidden: tuple[str, ...] = FILES + ("<frozen ",)


def hide(folder: str) -> None:
    """Leaves the frames of the files in a folder out of stacks from now on."""
    global _hidden
    if folder not in _hidden:
        _hidden += (folder,)


def ours(code: CodeType) -> bool:
    """Whether the frames of a code are left out of stacks."""
    return code.co_filename.startswith(_hidden) or code.co_name == MARK


_lines: Sequence[tuple[str, int]] = ()  # places where the program may have to stop
_names: Sequence[str] = ()  # patterns of names that it may have to stop at


def arm(lines: Sequence[tuple[str, int]], patterns: Sequence[str]) -> None:
    """Marks the places where a program may have to stop: those at lines, (end of the
    path, line), and those whose results get a name that matches a pattern."""
    global _lines, _names
    _lines, _names = [(f[2:] if f.startswith("./") else f, n) for f, n in lines], patterns
    for site in all_sites():
        if site.activation.exact:
            site.stop = _wanted(site, site.activation.code, site.lasti)


def all_sites() -> Iterator[CallSite]:
    """The Sites that there are, each after the one that it is on top of."""
    todo = [root, _deep]
    while todo:
        for activation in list(todo.pop().callees.values()):
            for site in list(activation.sites.values()):
                yield site
                todo.append(site)


def _wanted(site: CallSite, code: CodeType, lasti: int) -> bool:
    if any(map(named, (n[1] for n in site.names))):
        return True
    if ours(code):
        return site.activation.caller.stop
    if not _lines:
        return False
    line = positions(code, lasti)[0]
    file = code.co_filename
    return any(line == n and (file == f or file.endswith("/" + f)) for f, n in _lines)


def named(name: str) -> bool:
    """Whether the program may have to stop at tensors with a name."""
    return bool(_names) and matches(name, _names)


def matches(name: str, patterns: Sequence[str]) -> bool:
    """Whether gradtui may find that one of some patterns matches a name. Of brackets and
    backslashes it has its own idea."""
    return any(fnmatchcase(name, p if not _OWN.search(p) else _OWN.split(p)[0] + "*") for p in patterns)


_OWN = re.compile(r"[\\\[]")


if sys.version_info >= (3, 11):

    def positions(code: CodeType, lasti: int) -> tuple[int, int, int, int]:
        """Line, column, end line and end column of an instruction."""
        line, end_line, col, end_col = next(islice(code.co_positions(), lasti // 2, None), (None,) * 4)
        if col is None or end_col is None:
            return line or 0, 0, 0, 0
        return line or 0, col + 1, end_line or 0, end_col + 1

else:
    from dis import findlinestarts

    def positions(code: CodeType, lasti: int) -> tuple[int, int, int, int]:
        """The line of an instruction; these versions know no columns."""
        line = code.co_firstlineno
        for start, number in findlinestarts(code):
            if start > lasti:
                break
            line = number
        return line, 0, 0, 0


class Stale(dict):
    """What an Activation becomes when its tree is thrown away."""

    __slots__ = Activation.__slots__
    __call__ = Activation.__call__


def reset() -> None:
    """Forgets all stacks: another gradtui needs their descriptions again."""
    global _numbers, root, _deep
    sources.reset()
    todo = [root, _deep]
    while todo:
        site = todo.pop()
        for activation in list(site.callees.values()) + list((site.loose or {}).values()):
            if type(activation) is Activation:
                todo.extend(activation.sites.values())
                activation.clear()
                activation.sites = {}
                activation.__class__ = Stale  # type: ignore[assignment]
    for frame in sys._current_frames().values():
        while frame is not None:
            if type(frame.f_trace) is Stale:
                frame.f_trace = None
            frame = frame.f_back
    _numbers = count(1)
    _plant()


def _plant() -> None:
    global root, _deep
    root = CallSite(0, None, 0, 0)
    _deep = CallSite(next(_numbers), None, 0, 1)
    pending.append(("stack", _deep.number, 0, "", "…", 0, 0, 0, 0))


_plant()
