"""Runs programs in copies of this process (fork), in which PyTorch is imported already.

    settle()
    child = start(run, "/tmp/stdout", "/tmp/stderr")

A copy ends as Python ends after run(), but does not return to the code that started it.
"""

import atexit
import gc
import os
import signal
import sys
import traceback
import weakref


def import_late():
    """Imports what PyTorch imports when an optimizer is made and steps first."""
    import torch

    type("Late", (torch.optim.SGD,), {})([torch.zeros(1)], 0.1).step()


def settle():
    """What there is now stays: a copy that collected its garbage, or ended, would otherwise
    visit everything that has been imported, and so copy it. SIGINT is Python's, also where a
    shell has started this in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.collect()
    gc.freeze()
    for finalizer in list(weakref.finalize._registry):
        finalizer.atexit = False


def start(run, stdout, stderr):
    """Runs a function in a copy of this process and returns the copy's number. Its output
    goes to files; what the function returns is the exit code."""
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        os.setpgid(0, 0)
        for fd, path in ((1, stdout), (2, stderr)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), fd)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        code = run() or 0
    except SystemExit as e:
        code = e.code if isinstance(e.code, int) else int(e.code is not None)
        if isinstance(e.code, str):
            print(e.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    finally:
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)
