"""How records get to gradtui: in frames, over a socket.

Records are collected in `pending` and sent every few milliseconds, when the next one
comes, and before the program waits for gradtui: a system call costs more than many
records.
"""

import os
import socket
import struct
import sys
import traceback
from _thread import RLock, get_ident
from marshal import dumps, loads
from mmap import mmap
from time import monotonic

from .. import stacks

pending = stacks.pending

EVERY = 0.02  # seconds between two frames
MOST = 1 << 16  # records that other threads may leave while one waits for gradtui
due = [0.0]  # when the next one is to be sent
_LENGTH = struct.Struct("<I")
_FORMAT = 2  # of marshal

on = False  # whether records are taken
era = 0  # a number for each recording
attention = bytearray(1)  # byte 0 is not 0 when gradtui wants the program to ask
settings = {}
gone = False  # whether gradtui has ended the recording

_socket = None
_pid = 0
_lock = RLock()
_unsent = bytearray()  # of a frame, when a signal handler has raised
_got = bytearray()  # of an answer, likewise
_asked = _answered = 0
bury = list  # what to send for records among which tensors that have died are
_listeners = []  # called with the settings when they have changed


class Refused(Exception):
    """gradtui does not want the records, and says why."""


def connect(folder, hello):
    """Connects to the gradtui that listens in a folder."""
    global _socket, _pid, on, era, attention, _asked, _answered
    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        s.connect(os.path.join(folder, "socket"))
        _socket = s
        _asked = _answered = 0
        del _unsent[:], _got[:]
        _unsent.extend(_frame([("hello",) + hello]))
        _push()
        kind, value = _read()
        if kind != "welcome":
            raise Refused(value)
        with open(os.path.join(folder, value.get("attention", "attention")), "r+b") as f:
            attention = mmap(f.fileno(), 4096)
    except BaseException:
        _socket = None
        s.close()
        raise
    _pid = os.getpid()
    on = True
    era += 1
    _set(value)


def listen(function):
    """Calls a function with the settings whenever they change, and now."""
    if function not in _listeners:
        _listeners.append(function)
    function(settings)


def _set(value):
    global settings
    if value is not None:
        settings = value
        for function in _listeners:
            function(settings)


def _frame(records):
    """The bytes of a frame."""
    try:
        data = dumps(records, _FORMAT)
    except ValueError:  # something that cannot be sent: leave it out
        data = dumps([r for r in records if _sendable(r)], _FORMAT)
    return _LENGTH.pack(len(data)) + data


def _push():
    """Sends what is unsent. A signal handler may raise an exception whenever a call returns:
    so what a call gives is put away by C code, in the same call."""
    while _unsent:
        sent = []
        try:
            sent.extend(map(_socket.send, (_unsent,)))
        finally:
            if sent:
                del _unsent[: sent[0]]


def _sendable(record):
    try:
        dumps(record, _FORMAT)
    except ValueError:
        return False
    return True


def _read():
    """Waits for an answer. What has come of it stays when a signal handler raises."""
    while len(_got) < 4 or len(_got) - 4 < _LENGTH.unpack_from(_got)[0]:
        parts = []
        try:
            parts.extend(map(_socket.recv, (1 << 16,)))
        finally:
            if parts:
                _got.extend(parts[0])
        if not parts[0]:
            raise ConnectionError("gradtui has gone")
    end = 4 + _LENGTH.unpack_from(_got)[0]
    answer = loads(_got[4:end])
    del _got[:end]
    return answer


def _send(*last):
    """Sends what is pending, and something that has to be the last of it."""
    n = len(pending)
    if n or last:
        frame = _frame(bury(pending[:n]) + list(last))
        size = len(_unsent)
        try:
            _unsent.extend(frame)
        finally:  # also if a signal handler has raised an exception meanwhile: nothing is sent twice
            if len(_unsent) != size:
                del pending[:n]
        _push()
    due[0] = monotonic() + EVERY


def flush(at_once=False):
    """Sends what is pending, unless another thread waits for gradtui and there is room."""
    if not on or _pid != os.getpid():
        del pending[:]
        return
    if not _lock.acquire(at_once or len(pending) > MOST):
        due[0] = monotonic() + EVERY
        return
    try:
        if on:
            _send()
    except OSError as error:  # gradtui has gone; the program goes on without it
        if not ours(error):
            raise
        stop(True)
    finally:
        _lock.release()


def sync():
    """Sends what is pending and waits until gradtui lets the program go on. Other threads
    go on until they have to wait, too; signal handlers of the program run."""
    global _asked, _answered
    if not on or _pid != os.getpid():
        return
    with _lock:
        if not on:
            return
        _asked += 1
        number = _asked
        try:
            _send(("sync", number))
            while on and _answered < number:
                kind, _answered, changed = _read()
                _set(changed)
        except (OSError, ValueError, EOFError, TypeError, AttributeError) as error:
            if not ours(error):
                raise
            stop(True)


def ours(error):
    """Whether an exception that was caught here comes from our code or PyTorch's. Others
    come from a signal handler of the program, which ran meanwhile."""
    tb = error.__traceback__
    while tb is not None and stacks.ours(tb.tb_frame.f_code):
        tb = tb.tb_next
    return tb is None


def broken():
    """Ends recording, since it has failed: the program goes on as it would without. To be
    called where the exception is handled, which is raised again if it is the program's own."""
    error = sys.exc_info()[1]
    if not ours(error):
        raise error
    pending.append(("broken", traceback.format_exc()[-4000:]))
    flush(True)
    stop()


def stop(by_gradtui=False):
    """Takes no more records."""
    global on, _socket, attention, settings, gone
    on = False
    gone = by_gradtui
    settings = {}
    attention = bytearray(1)
    del pending[:]
    if _socket is not None:
        _socket.close()
        _socket = None
    for function in _listeners:
        function({})


def forked():
    """This process is a child that the program has forked."""
    global _lock
    _lock = RLock()
    stop()
