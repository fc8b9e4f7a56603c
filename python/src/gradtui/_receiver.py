"""The command gradtui, as a child of this process.

`gradtui receive` is started once. A line of its standard input asks for a recording, and
it answers with two lines: where records are taken, and what became of the recording.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import threading

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from typing import Any

_GET = (
    "go install github.com/gradtui/gradtui/cmd/gradtui@latest gets it; "
    "it has to be on the PATH, or the environment variable GRADTUI has to name it"
)


class Error(RuntimeError):
    """gradtui cannot do what it was asked for."""


def command() -> str:
    """The path of the command gradtui."""
    named = os.environ.get("GRADTUI")
    if named:
        found = shutil.which(named)
        if found is None:
            raise Error("GRADTUI=%s is not a command that can be run; %s" % (named, _GET))
        return found
    found = shutil.which("gradtui")
    if found is None:
        raise Error("the command gradtui was not found; " + _GET)
    return found


_lock = threading.RLock()
_process: Any = None  # the Popen of the child
_pid = 0


def _started() -> Any:
    global _process, _pid
    if _process is None or _process.poll() is not None:
        _process = subprocess.Popen(
            [command(), "receive"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            start_new_session=True,  # what is typed in the terminal is not meant for it
        )
        _pid = os.getpid()
    return _process


def _answer(process: Any) -> dict[str, Any]:
    line = process.stdout.readline()
    if not line:
        raise Error("gradtui receive has ended (exit code %s)" % process.wait())
    return json.loads(line)


def ask(order: dict[str, Any]) -> str:
    """Asks for a recording; returns the folder where records are taken."""
    with _lock:
        process = _started()
        try:
            process.stdin.write(json.dumps(order).encode() + b"\n")
            process.stdin.flush()
        except OSError:
            raise Error("gradtui receive has ended (exit code %s)" % process.wait()) from None
        answer = _answer(process)
    if "error" in answer:
        raise Error(answer["error"])
    return answer["folder"]


def outcome() -> dict[str, Any]:
    """Waits for the end of the recording, and returns what became of it."""
    with _lock:
        if _process is None:
            raise Error("gradtui receive is not running")
        return _answer(_process)


def close() -> None:
    """Ends the child."""
    global _process
    process, _process = _process, None
    if process is not None and _pid == os.getpid():
        process.stdin.close()
        process.stdout.close()
        process.wait()


def _forked() -> None:
    """This is a child of the process that is recorded."""
    global _process, _lock
    _lock = threading.RLock()
    process, _process = _process, None
    if process is not None:
        for pipe in process.stdin, process.stdout:
            pipe.detach().close()  # without sending what the parent was about to send
        process.returncode = 0  # it is not ours


atexit.register(close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
