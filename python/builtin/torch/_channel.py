"""This program's end of the channel to the engine.

Messages lie in memory that both processes share; words at its beginning say that
there is one. Each side polls these words for a while and then sleeps at a
socket, where the other writes a byte to wake it. Messages without an awaited reply
are put one after the other; a message with one ends the row. The Go side is
capture/python/builtin/channel.go; what both know is in _protocol.py.

A signal handler, a destructor or another thread may call the engine at any
moment, also while a message is under way. The steps that may not be interrupted
contain no calls and no jumps, where Python would let others in; a reply that
another caller had to take off the channel is put aside for the right one.
"""

import mmap
import os
import socket
from marshal import dumps
from select import POLLIN, poll
from struct import Struct
from threading import RLock

from ._protocol import (
    AREA_BYTES,
    HEADER_BYTES,
    PART_OF_MORE,
    REPLY_CALLBACK,
    REPLY_MASK,
    REPLY_PART,
    REPLY_PLAIN,
    SHORT_BYTES,
    SHORT_TAG,
    WORD_KIND,
    WORD_LENGTH,
    WORD_REPLY,
    WORD_REPLY_LENGTH,
    WORD_REQUEST,
    WORD_RESTING,
    WORD_VALUE,
    WORD_WAITING,
)

REPLIES = HEADER_BYTES + AREA_BYTES
ROW = 1 << 16  # when to wait for the engine, which may be far behind
WORTH_WAKING = 1 << 10  # how much; less can wait until a reply is awaited
PIECE = AREA_BYTES // 2  # of a message that goes in parts

# Two processes that watch the same words need two cores, and stores that others
# see in order.
# How often to look for a reply before going to sleep: some 200 µs, longer than it takes
# to wake a process, also in a virtual machine.
SPINS = 3000 if (os.cpu_count() or 1) > 1 and os.uname().machine in ("x86_64", "AMD64") else 1
# Soon after falling asleep the program looks once more: the engine's note that there is a reply
# may have crossed with its own that it sleeps. Later it looks now and then: a signal handler
# may have taken the byte. In milliseconds.
SHORTEST_NAP, LONGEST_NAP = 5, 20
MOST_LAPSE = 63  # how many replies at most are awaited without looking

_lock = RLock()
acquire, release = _lock.acquire, _lock.release


class Gone(RuntimeError):
    """The engine cannot be reached."""


ONE_PROCESS = "gradtui's built-in engine serves one process: those that the program forks or starts cannot use torch"


_memory = None
_words = None
_socket = None
last = 0  # number of the newest request
end = 0  # where the messages without an awaited reply end
owed = 0  # how many callbacks of the engine wait for their answer
_lapse = _skip = 0  # how many replies to wait for without looking: next time, and still
_in_flight = 0  # the request whose reply is not taken yet
_aside = {}  # replies that were taken off the channel early, by request


def connect(path):
    """Opens the channel in a folder that gradtui made."""
    global _memory, _words, _socket
    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        s.connect(os.path.join(path, "socket"))
        memory = os.open(os.path.join(path, "memory"), os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
    except (FileNotFoundError, ConnectionRefusedError):
        s.close()
        raise Gone(ONE_PROCESS) from None
    except OSError as e:
        s.close()
        raise Gone("gradtui cannot be reached at %s: %s" % (path, e)) from None
    try:
        _memory = mmap.mmap(memory, REPLIES + AREA_BYTES)
    finally:
        os.close(memory)
    _words = memoryview(_memory)[:HEADER_BYTES].cast("Q")
    _socket = _out_of_the_way(s)
    _socket.setblocking(True)  # whatever the program has made the default


def _out_of_the_way(s):
    """The socket with a high number, so that files of the program get the numbers
    that they always have."""
    try:
        import fcntl

        high = fcntl.fcntl(s.fileno(), fcntl.F_DUPFD_CLOEXEC, 500)
    except OSError:
        return s
    family, kind = s.family, s.type
    s.close()
    return socket.socket(family, kind, fileno=high)


def _gone():
    raise Gone("the engine in the gradtui process has ended; the program cannot go on without it")


def _sleep(sequence):
    """Waits at the socket until a request is answered."""
    s, words = _socket, _words
    outer = words[WORD_WAITING]
    words[WORD_WAITING] = 1
    timeout = SHORTEST_NAP
    sleeper = poll()  # one of our own: a signal handler may sleep, too
    sleeper.register(s, POLLIN)
    try:
        while words[WORD_REPLY] < sequence:
            try:
                if not sleeper.poll(timeout):
                    timeout = min(2 * timeout, LONGEST_NAP)
                elif not s.recv(64, socket.MSG_DONTWAIT):
                    _gone()
            except BlockingIOError:
                pass  # a signal handler was faster
            except OSError as e:
                if e.__traceback__.tb_next is not None:
                    raise  # a signal handler of the program raised it
                _gone()
    finally:
        words[WORD_WAITING] = outer  # a signal handler may have come while the program slept


def _settle():
    """Takes the reply of an exchange that another caller has begun."""
    global _in_flight, owed
    sequence = _in_flight
    _sleep(sequence)
    if _in_flight == sequence:
        _in_flight = 0
        if _words[WORD_KIND] == REPLY_CALLBACK:
            owed += 1
        _aside[sequence] = _words[WORD_KIND], _words[WORD_VALUE], _memory[REPLIES : REPLIES + _words[WORD_REPLY_LENGTH]]


def _wake():
    _words[WORD_RESTING] = 0  # one byte will do
    try:
        _socket.send(b"w")
    except OSError as e:
        if e.__traceback__.tb_next is not None:
            raise
        _gone()


def post(data):
    """Sends a message without waiting for a reply. False: there is no room, or something
    has to be done first."""
    global last, end
    size = len(data)
    if _in_flight or owed or end + size > ROW:
        return False
    words = _words
    # No calls from here …
    _memory[HEADER_BYTES + end : HEADER_BYTES + end + size] = data
    end += size
    words[WORD_LENGTH] = end
    last += 1
    words[WORD_REQUEST] = last
    # … to here.
    if end > WORTH_WAKING and words[WORD_RESTING]:
        _wake()
    return True


_pack_into = Struct("<BBHIIiiiiid").pack_into
SHORT_ROOM = ROW - SHORT_BYTES


def post_short(form, function, stack, m, h, a, b, g1=0, g2=0, g3=0):
    """Does what post does for a short message; session.go says what its parts are."""
    global last, end
    if _in_flight or owed or end > SHORT_ROOM:
        return False
    words, before = _words, last
    _pack_into(_memory, HEADER_BYTES + end, SHORT_TAG, form, function, stack, m, h, a, g1, g2, g3, b)
    if last != before:
        return False  # a signal handler has sent something to the same place
    # No calls from here …
    end += SHORT_BYTES
    words[WORD_LENGTH] = end
    last = before + 1
    words[WORD_REQUEST] = last
    # … to here.
    if end > WORTH_WAKING and words[WORD_RESTING]:
        _wake()
    return True


def _exchange(data, more=0, answers=0):
    """Sends data and waits for the reply: its kind with notes, its value, its bytes. more
    marks data that goes on, answers is 1 for what answers a callback."""
    global last, end, owed, _in_flight, _lapse, _skip
    words, memory = _words, _memory
    if words is None:
        raise Gone(ONE_PROCESS)
    if _in_flight:
        _settle()
    if end + len(data) > AREA_BYTES - ROW:
        _exchange(b"")
    size = len(data)
    # No calls from here …
    memory[HEADER_BYTES + end : HEADER_BYTES + end + size] = data
    words[WORD_LENGTH] = end + size | more
    end = 0
    owed -= answers
    last = _in_flight = sequence = last + 1
    words[WORD_REQUEST] = sequence
    # … to here.
    try:
        if words[WORD_RESTING]:
            _wake()
        if _skip:
            _skip -= 1
            _sleep(sequence)
        else:
            spins = SPINS
            while words[WORD_REPLY] < sequence:
                spins -= 1
                if not spins:
                    # In vain: the engine computes, or waits for the processor
                    # that is busy with looking.
                    _lapse = _skip = min(2 * _lapse + 1, MOST_LAPSE)
                    _sleep(sequence)
                    break
            else:
                _lapse = 0
        if _in_flight == sequence:
            _in_flight = 0
            kind = words[WORD_KIND]
            if kind & REPLY_MASK < REPLY_PLAIN:
                return kind, words[WORD_VALUE], None
            if kind == REPLY_CALLBACK:
                owed += 1
            return kind, 0, memory[REPLIES : REPLIES + words[WORD_REPLY_LENGTH]]
        return _aside.pop(sequence)
    except BaseException:
        # The reply will not be taken; what it holds is lost.
        if _in_flight == sequence or sequence in _aside:
            _finish(sequence)
        raise


def _finish(sequence):
    """Waits for the reply of a request that was given up, whatever happens."""
    while _in_flight == sequence:
        try:
            _settle()
        except Gone:
            return
        except BaseException:
            continue
    _aside.pop(sequence, None)


def send(message, answers=0):
    """Sends a message, an object that marshal knows, and waits for the reply."""
    data = dumps(message, 2)
    if len(data) > PIECE:
        _exchange(b"")
        for start in range(0, len(data) - PIECE, PIECE):
            _exchange(data[start : start + PIECE], PART_OF_MORE)
        data = data[start + PIECE :]
    kind, value, data = reply = _exchange(data, 0, answers)
    if kind == REPLY_PART:
        parts = []
        while kind == REPLY_PART:
            parts.append(data)
            kind, value, data = _exchange(b"")
        parts.append(data or b"")
        return kind, value, b"".join(parts)
    return reply


def forget():
    """After a fork: the channel is the parent's."""
    global _words, _memory, _socket, end
    _lock._at_fork_reinit()
    _words = _memory = None
    end = ROW  # there is no room for messages
    if _socket is not None:
        _socket.detach()  # not closed: the descriptor stays until exec
    _socket = None


os.register_at_fork(after_in_child=forget)
