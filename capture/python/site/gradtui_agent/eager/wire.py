"""How records get to gradtui: in frames, over a socket.

Records are collected in `pending` and sent when there are many, when some time has
passed, before a backward pass, and before the program waits for gradtui.
"""

import os
import socket
import struct
import sys
from _thread import RLock, get_ident
from marshal import dumps, loads
from mmap import mmap
from time import monotonic

from .. import stacks

pending = stacks.pending

MANY = 512  # records in a frame
_LENGTH = struct.Struct("<I")
_FORMAT = 2  # of marshal

on = False  # whether records are taken
attention = bytearray(1)  # byte 0 is not 0 when gradtui wants the program to ask
settings = {}

_socket = None
_pid = 0
_lock = RLock()
_sync = 0
_listeners = []  # called with the settings when they have changed


class Refused(Exception):
    """gradtui does not want the records, and says why."""


def connect(folder, hello):
    """Connects to the gradtui that listens in a folder."""
    global _socket, _pid, on, attention, settings
    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        s.connect(os.path.join(folder, "socket"))
        _socket = s
        _write([("hello",) + hello])
        kind, value = _read()
        if kind != "welcome":
            raise Refused(value)
        with open(os.path.join(folder, "attention"), "r+b") as f:
            attention = mmap(f.fileno(), 4096)
    except BaseException:
        _socket = None
        s.close()
        raise
    _pid = os.getpid()
    on = True
    _set(value)


def listen(function):
    """Calls a function with the settings whenever they change, and now."""
    _listeners.append(function)
    function(settings)


def _set(value):
    global settings
    if value is not None:
        settings = value
        for function in _listeners:
            function(settings)


def _write(records):
    data = dumps(records, _FORMAT)
    _socket.sendall(_LENGTH.pack(len(data)) + data)


def _read():
    n = _LENGTH.unpack(_exactly(4))[0]
    return loads(_exactly(n))


def _exactly(n):
    data = b""
    while len(data) < n:
        part = _socket.recv(n - len(data))
        if not part:
            raise ConnectionError("gradtui has gone")
        data += part
    return data


def flush():
    """Sends what is pending."""
    if not on or _pid != os.getpid():
        del pending[:]
        return
    with _lock:
        n = len(pending)
        if n:
            records = pending[:n]
            try:
                _write(records)
            except OSError:  # gradtui has gone; the program goes on without it
                stop()
            except ValueError:  # something that cannot be sent: leave it out
                _write([r for r in records if _sendable(r)])
            del pending[:n]


def _sendable(record):
    try:
        dumps(record, _FORMAT)
    except ValueError:
        return False
    return True


def sync():
    """Sends what is pending and waits until gradtui lets the program go on."""
    global _sync
    if not on or _pid != os.getpid():
        return
    with _lock:
        _sync += 1
        pending.append(("sync", _sync))
        flush()
        if not on:
            return
        try:
            while True:
                kind, number, changed = _read()
                if kind == "go" and number == _sync:
                    break
        except (OSError, ValueError, EOFError, TypeError):
            stop()
            return
        _set(changed)


def stop():
    """Takes no more records."""
    global on, _socket, attention
    on = False
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
