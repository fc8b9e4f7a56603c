"""Debuggers that wait for this program in another terminal."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import time
import warnings

from ._receiver import Error
from ._record import recorder

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from types import FrameType, ModuleType

_WAITING = "wait-"  # what folders of debuggers that wait begin with
_warned = False


def _rendezvous() -> str:
    """Where the debuggers of this user wait."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime):
        return os.path.join(runtime, "gradtui")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Caches/gradtui")
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return os.path.join(cache if os.path.isabs(cache) else os.path.expanduser("~/.cache"), "gradtui")


def _debuggers() -> list[str]:
    """The folders of the debuggers that wait, newest first."""
    base = _rendezvous()
    try:
        if not _trusted(os.lstat(base)):
            raise Error(
                "%s belongs to another user, or others may write to it: set XDG_RUNTIME_DIR, here and for gradtui attach, "
                "to a folder that only you can write to" % base
            )
        found = [(e, e.stat(follow_symlinks=False)) for e in os.scandir(base) if e.name.startswith(_WAITING)]
        return [e.path for e, s in sorted(found, key=lambda f: -f[1].st_mtime) if _trusted(s)]
    except FileNotFoundError:
        return []


def _trusted(s: os.stat_result) -> bool:
    """Whether only this user can change what is in a folder."""
    return stat.S_ISDIR(s.st_mode) and s.st_uid in (0, os.geteuid()) and not s.st_mode & 0o022


def _connect(eager: ModuleType) -> bool:
    """Connects to a debugger that waits."""
    for folder in _debuggers():
        if not os.path.exists(os.path.join(folder, "socket")):
            continue  # it has a program
        try:
            eager.begin(folder)
            eager.expect(at_once=True)
            return True
        except ConnectionRefusedError:  # it was killed
            shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue
    return False


def attached() -> bool:
    """Whether a debugger has this program."""
    eager = sys.modules.get("gradtui._recorder.start")
    return eager is not None and eager.recording()


def attach(wait: bool = False) -> bool:
    """Connects this program to the debugger that `gradtui attach` has opened in another
    terminal, and stops here. Without one it says so and returns False; with wait=True it
    waits for one."""
    return _attach(wait, sys._getframe(1))


def _attach(wait: bool, frame: FrameType) -> bool:
    eager = recorder()
    from . import _record

    if _record._running is not None:
        raise Error("%r records; no debugger can have the program meanwhile" % _record._running)
    if not eager.recording():
        said = False
        while not _connect(eager):
            if not said:
                said = True
                text = "gradtui: no debugger waits for this program: run `gradtui attach` in another terminal"
                print(text + (", I am waiting" if wait else ""), file=sys.stderr)
            if not wait:
                return False
            time.sleep(0.2)
    eager.stop_at(frame)
    return True


def breakpoint(*_: object, **__: object) -> None:
    """Stops here in the debugger; attaches to one that waits, first, if that is needed.
    Without one the program goes on."""
    global _warned
    frame = sys._getframe(1)
    from . import _record

    try:
        eager = recorder()
    except Error as error:
        eager, why = None, str(error)
    else:
        why = "no debugger waits: run `gradtui attach` in another terminal"
    if eager is not None and (eager.recording() or _connect(eager)):
        if _record._running is None:
            eager.stop_at(frame)
    elif not _warned:
        _warned = True
        warnings.warn("gradtui.breakpoint() does nothing: " + why, stacklevel=2)


def detach() -> None:
    """Leaves the debugger; the program goes on without it."""
    from . import _record

    if attached() and _record._running is None:
        from gradtui._recorder import start

        start.finish(sys._getframe(1))
