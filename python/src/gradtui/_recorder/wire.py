"""How records get to gradtui: in frames, over a socket.

Records are collected in `pending` and sent every few milliseconds, when the next one
comes, and before the program waits for gradtui: a system call costs more than many
records.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
import traceback
from _thread import RLock
from marshal import dumps, loads
from mmap import mmap
from select import POLLIN, POLLOUT, poll
from time import monotonic

from .._agent import stacks
from ._protocol import ATTENTION_BYTES

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Record = Any  # a tuple of numbers, texts and such tuples, as docs/internals/records.md says
    Settings = dict[str, Any]

pending: list[Any] = stacks.pending

EVERY = 0.02  # seconds between two frames
MOST = 1 << 16  # records that other threads may leave while one waits for gradtui
due = [0.0]  # when the next one is to be sent
_GLANCE = 200  # milliseconds that a wait takes at most
_LENGTH = struct.Struct("<I")
_FORMAT = 2  # of marshal

on = False  # whether records are taken
era = 0  # a number for each recording
attention: Any = bytearray(2)  # byte 0 is not 0 when gradtui wants the program to ask
settings: Settings = {}
gone = False  # whether gradtui has ended the recording

_socket: socket.socket | None = None
pid = 0
_lock = RLock()
_unsent = bytearray()  # frames of which gradtui has not got everything
_got = bytearray()  # what has come of answers
_asked = _answered = 0
_responding = False  # whether a question of the debugger is being answered
bury: Callable[[list[Any]], list[Any]] = list  # what to send for records among which tensors that have died are
respond: Callable[[str], str] = str  # answers a question of the debugger
_listeners: list[Callable[[Settings], object]] = []  # called with the settings when they have changed


class Refused(Exception):
    """gradtui does not want the records, and says why."""


def connect(folder: str, hello: tuple[Any, ...]) -> None:
    """Connects to the gradtui that listens in a folder."""
    global _socket, pid, on, era, attention, _asked, _answered
    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        s.connect(os.path.join(folder, "socket"))
        _socket = s
        _asked = _answered = 0
        del _unsent[:], _got[:]
        _unsent.extend(_frame([("hello",) + hello]))
        _push()
        value = None
        while value is None:
            value = _answer()
            if value is None:
                _wait(POLLIN)
        kind, value = value
        if kind != "welcome":
            raise Refused(value)
        with open(os.path.join(folder, value.get("attention", "attention")), "r+b") as f:
            attention = mmap(f.fileno(), ATTENTION_BYTES)
    except BaseException:
        _socket = None
        s.close()
        raise
    pid = os.getpid()
    on = True
    era += 1
    _set(value)


def listen(function: Callable[[Settings], object]) -> None:
    """Calls a function with the settings whenever they change, and now."""
    if function not in _listeners:
        _listeners.append(function)
    function(settings)


def _set(value: Settings | None) -> None:
    global settings
    if value is not None:
        settings = value
        for function in _listeners:
            function(settings)


def _frame(records: list[Any]) -> bytes:
    """The bytes of a frame."""
    try:
        data = dumps(records, _FORMAT)
    except ValueError:
        data = dumps(list(_sendable(records)), _FORMAT)
    return _LENGTH.pack(len(data)) + data


def _push() -> None:
    """Sends what is unsent."""
    while _unsent:
        try:
            sent = _socket.send(_unsent, socket.MSG_DONTWAIT)
        except BlockingIOError:
            _wait(POLLOUT)
        else:
            del _unsent[:sent]


def _wait(event: int) -> None:
    """Waits a while until more can be sent or has come. Signal handlers of the program run
    meanwhile; they may use the connection, too, so whoever waits has to look again."""
    p = poll()
    p.register(_socket, event)
    p.poll(_GLANCE)


def _sendable(records: Iterable[Any]) -> Iterator[Any]:
    """Records as marshal takes them. One that it does not take ends the recording, since
    what comes after it may need it."""
    for record in records:
        try:
            record = _plain(record)
            dumps(record, _FORMAT)
        except (ValueError, RecursionError) as error:
            kind = record[0] if type(record) is tuple and record and type(record[0]) is str else "operation"
            yield "broken", "a record that cannot be sent: %s: %s" % (kind, error)
            return
        yield record


def _plain(value: Any) -> Any:
    """A value of Python's own types for one of subclasses, which marshal refuses. No code of
    the program runs."""
    if type(value) is not bool:
        for cls, plain in _PLAIN.items():
            if issubclass(type(value), cls):
                return plain(value)
    return value


_PLAIN: dict[type, Callable[[Any], Any]] = {
    str: str.__str__,
    int: int.__pos__,
    float: float.__pos__,
    tuple: lambda v: tuple(map(_plain, tuple.__iter__(v))),
    list: lambda v: list(map(_plain, list.__iter__(v))),
}


def _answer() -> Any:
    """The next answer, or None if it has not come yet."""
    try:
        part = _socket.recv(1 << 16, socket.MSG_DONTWAIT)
    except BlockingIOError:
        pass
    else:
        if not part:
            raise ConnectionError("gradtui has gone")
        _got.extend(part)
    if len(_got) < 4:
        return None
    end = 4 + _LENGTH.unpack_from(_got)[0]
    if len(_got) < end:
        return None
    answer = loads(_got[4:end])
    del _got[:end]
    return answer


def _send(*last: Any) -> None:
    """Sends what is pending, and something that has to be the last of it."""
    n = len(pending)
    if n or last:
        _unsent.extend(_frame(bury(pending[:n]) + list(last)))
        del pending[:n]
        _push()
    due[0] = monotonic() + EVERY


def flush(at_once: bool = False) -> None:
    """Sends what is pending, unless another thread waits for gradtui and there is room."""
    if not on or pid != os.getpid():
        del pending[:]
    elif _lock.acquire(False):
        try:
            _flush()
        finally:
            _lock.release()
    elif at_once or len(pending) > MOST:
        _flush_in_turn()
    else:
        due[0] = monotonic() + EVERY


def _flush_in_turn() -> None:
    with _lock:
        _flush()


def _flush() -> None:
    if on:
        try:
            _send()
        except _FAILURES as error:  # gradtui has gone; the program goes on without it
            _failed(error)


def sync() -> None:
    """Sends what is pending and waits until gradtui lets the program go on. Other threads
    go on until they have to wait, too; signal handlers of the program run."""
    if on and pid == os.getpid():
        with _lock:
            if _responding:
                _flush()
            else:
                _ask()


def _ask() -> None:
    global _asked, _answered
    if not on:
        return
    _asked += 1
    number = _asked
    try:
        _send(("sync", number))
        while on and _answered < number:
            answer = _answer()
            if answer is None:
                _wait(POLLIN)
            elif answer[0] == "ask":
                _respond(answer[1])
            else:
                _, _answered, changed = answer
                _set(changed)
    except _FAILURES as error:
        _failed(error)


def _respond(question: str) -> None:
    """Answers a question of the debugger."""
    global _responding
    _responding = True
    try:
        text = respond(question)
    except BaseException as error:  # also of a signal handler of the program: it belongs to the expression
        text = '{"error": "%s in the agent"}' % type(error).__name__
    finally:
        _responding = False
    _send()
    if on:
        _unsent.extend(_frame([("answered", text)]))
        _push()


_FAILURES = (OSError, ValueError, EOFError, TypeError, AttributeError)  # of the connection, or what came over it

# Where this thread waits and nothing is half done: signal handlers of the program run there.
WAITING = {f.__code__ for f in (_wait, sync, _flush_in_turn)}


def _failed(error: BaseException) -> None:
    if not ours(error):
        raise error
    stop(True)


def ours(error: BaseException) -> bool:
    """Whether an exception that was caught here comes from our code or PyTorch's. Others
    come from a signal handler of the program, which ran meanwhile."""
    tb = error.__traceback__
    while tb is not None and stacks.ours(tb.tb_frame.f_code):
        tb = tb.tb_next
    return tb is None


def broken() -> None:
    """Ends recording, since it has failed: the program goes on as it would without. To be
    called where the exception is handled, which is raised again if it is the program's own."""
    error = sys.exc_info()[1]
    if not ours(error):
        raise error
    pending.append(("broken", traceback.format_exc()[-4000:]))
    flush(True)
    stop()


def stop(by_gradtui: bool = False) -> None:
    """Takes no more records."""
    global on, _socket, attention, settings, gone
    on = False
    gone = by_gradtui
    settings = {}
    attention = bytearray(2)
    del pending[:], _unsent[:]
    if _socket is not None:
        _socket.close()
        _socket = None
    for function in _listeners:
        function({})


def forked() -> None:
    """This process is a child that the program has forked."""
    global _lock
    _lock = RLock()
    stop()
