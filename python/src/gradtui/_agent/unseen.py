"""Functions whose frames a program does not see.

What takes the place of a function of C has to call it, and while that calls functions of
the program, as hooks, there would be a frame more than without us: in inspect.stack(),
sys._getframe(), tracebacks, and where warnings.warn counts. CPython leaves frames out of all
that which have not begun yet: those that run an instruction before the first RESUME of
their code. `unseen` moves RESUME behind everything else:

       JUMP_FORWARD begin      instead of RESUME
    body:
       ...
       JUMP_FORWARD end        instead of RETURN_VALUE
    begin:
       RESUME
       JUMP_BACKWARD body
    end:
       RETURN_VALUE
    failed:                    where exceptions of the body go
       RERAISE

A function begins, returns and fails behind RESUME, so that trace and profile functions are
called as for any other. An unseen function is short, calls others for what must not be
interrupted (signals), and has no `with`, whose exceptions would be seen. In a Python that
has no RESUME, before 3.11, functions stay as they are; the same holds for versions that have not been tried.
"""

from __future__ import annotations

import sys
from opcode import opmap

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType
    from typing import Any

_made: dict[int, tuple[CodeType, CodeType]] = {}  # id of a code -> the code, and the same, unseen
_FIRST, _LAST = (3, 11), (3, 14)


def unseen(function: Any) -> Any:
    """Makes a function one whose frames are not seen, if this Python can; returns it."""
    if possible:
        code = function.__code__
        if id(code) not in _made:
            try:
                _made[id(code)] = code, _moved(code)
            except TooLong:
                _made[id(code)] = code, code
        function.__code__ = _made[id(code)][1]
    return function


class TooLong(ValueError):
    """A function whose instructions are too far apart."""


def _moved(code: CodeType) -> CodeType:
    """A code like another one that is behind its RESUME only when it begins and ends."""
    units = bytearray(code.co_code)
    begin = len(units) // 2
    start = next(i for i in range(begin) if units[2 * i] == _RESUME)
    tail = bytearray((_RESUME, 0))
    tail += _back(begin - start - 1 + len(tail) // 2)
    _jump(units, start, begin)
    ends = {}
    for i in range(start + 1, begin):
        if units[2 * i] in _RETURNS:
            end = bytes(units[2 * i : 2 * i + 2])
            if end not in ends:
                ends[end] = begin + len(tail) // 2
                tail += end
            _jump(units, i, ends[end])
    failed = begin + len(tail) // 2
    tail += bytes((_RERAISE, 0))
    return code.replace(
        co_code=bytes(units + tail),
        co_linetable=code.co_linetable + _no_lines(len(tail) // 2),
        co_exceptiontable=_caught(code.co_exceptiontable, start + 1, begin, failed),
    )


def _jump(units: bytearray, at: int, target: int) -> None:
    """Puts a jump forward into a place."""
    distance = target - at - 1
    if distance > 255:
        raise TooLong(f"{distance} instructions")
    units[2 * at : 2 * at + 2] = _FORWARD, distance


def _back(distance: int) -> bytes:
    """A jump back over so many instructions before it."""
    distance += 1
    if distance < 256:
        return bytes((_BACK, distance))
    distance += 1
    return bytes((_EXTENDED, distance >> 8, _BACK, distance & 255))


def _no_lines(count: int) -> bytes:
    """The part of a table of lines for so many instructions of the line before."""
    table = b""
    while count:
        some = min(count, 8)
        table += bytes((0x80 | 13 << 3 | some - 1, 0))
        count -= some
    return table


def _caught(table: bytes, start: int, end: int, handler: int) -> bytes:
    """A table of exception handlers in which one more has everything that others leave."""
    numbers, entries = iter(table), []
    for first in numbers:
        entries.append([_number(first, numbers)] + [_number(next(numbers), numbers) for _ in range(3)])
    result = b""
    for first, size, *rest in sorted(entries) + [[end, 0]]:
        if first > start:
            result += _entry(start, first - start, handler, 0)
        if size:
            result += _entry(first, size, *rest)
        start = max(start, first + size)
    return result


def _number(first: int, others: Iterator[int]) -> int:
    value = first & 63
    while first & 64:
        first = next(others)
        value = value << 6 | first & 63
    return value


def _entry(*numbers: int) -> bytes:
    encoded = bytearray()
    for value in numbers:
        parts = [value & 63]
        while value > 63:
            value >>= 6
            parts.append(value & 63 | 64)
        encoded += bytes(reversed(parts))
    encoded[0] |= 0x80
    return bytes(encoded)


def _tried() -> bool:
    """Whether frames are left out as expected."""
    def caller(function):
        return function()

    def called():
        return sys._getframe(1).f_code

    def fails():
        raise ZeroDivisionError

    plain, caller.__code__ = caller.__code__, _moved(caller.__code__)
    if caller(called) is not sys._getframe().f_code or plain is caller.__code__:
        return False
    try:
        caller(fails)
    except ZeroDivisionError as error:
        return error.__traceback__.tb_next.tb_frame.f_code is fails.__code__
    return False


def _ready() -> bool:
    """Whether this Python can do it."""
    return (
        sys.implementation.name == "cpython"
        and _FIRST <= sys.version_info[:2] <= _LAST
        and "t" not in sys.abiflags  # without the lock functions look for code of their thread when they begin
        and _tried()
    )


if "RESUME" in opmap:
    _RESUME, _FORWARD, _BACK = opmap["RESUME"], opmap["JUMP_FORWARD"], opmap["JUMP_BACKWARD_NO_INTERRUPT"]
    _RERAISE, _EXTENDED = opmap["RERAISE"], opmap["EXTENDED_ARG"]
    _RETURNS = {opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in opmap}
possible = _ready()
