"""Prints what a program can notice of its surroundings, a line for each row of the table in
docs/use/noticeable.md."""

import atexit
import gc
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import warnings
import weakref

try:
    import torch
except ImportError:  # plain Python, to which the built-in engine is compared
    torch = None


def row(name, value):
    print(name + ": " + repr(value))


def next_file():
    f = os.open(os.devnull, os.O_RDONLY)
    os.close(f)
    return f


main = sys.modules["__main__"]
row("sys.path", sys.path)
row("sys.argv, sys.orig_argv, sys.executable, sys.flags", (sys.argv, getattr(sys, "orig_argv", 0), sys.executable, sys.flags))
row("sys.modules", sorted(m for m in sys.modules if m.partition(".")[0] != "torch"))
row("sys.meta_path", [getattr(f, "__name__", type(f).__name__) for f in sys.meta_path])
row("sys.path_hooks", len(sys.path_hooks))
row("sys.path_importer_cache", len(sys.path_importer_cache))
row("__main__", (main.__name__, main.__file__, main.__spec__, type(main.__loader__).__name__, main.__package__))
row("os.environ", sorted(os.environ.items()))
if os.path.exists("/proc/self/environ"):
    with open("/proc/self/environ", "rb") as f:
        row("/proc/self/environ", sorted(f.read().split(b"\0")))
row("process group and session", (os.getpgrp() == os.getpgid(os.getppid()), os.getsid(0) == os.getsid(os.getppid())))
row("working directory, umask, niceness", (os.getcwd(), os.umask(0o22), os.nice(0)))
row("limits", [resource.getrlimit(getattr(resource, n)) for n in dir(resource) if n.startswith("RLIMIT_")])
row("terminals and streams", [(os.isatty(s.fileno()), s.encoding, s.errors, s.line_buffering) for s in (sys.stdin, sys.stdout, sys.stderr)])
row("number of the next file", next_file())
row("signal handlers", [str(signal.getsignal(s)) for s in sorted(signal.valid_signals())])
row("signal mask, wakeup file, timers", (signal.pthread_sigmask(signal.SIG_BLOCK, []), signal.set_wakeup_fd(-1), signal.getitimer(signal.ITIMER_REAL)))
row("threads", [t.name for t in threading.enumerate()])
row("trace and profile functions", (sys.gettrace(), sys.getprofile(), threading._trace_hook, threading._profile_hook))
row("sys.excepthook", sys.excepthook is sys.__excepthook__)
row("other hooks", (sys.unraisablehook is sys.__unraisablehook__, sys.displayhook is sys.__displayhook__, threading.excepthook is threading.__excepthook__))
row("import function", __import__.__module__)
row("garbage collector", (len(gc.callbacks), gc.isenabled(), gc.get_threshold(), gc.get_debug(), gc.get_freeze_count()))
row("warnings.filters", [str(f) for f in warnings.filters])
row("number of atexit functions", atexit._ncallbacks())
row("recursion limit, switch interval", (sys.getrecursionlimit(), sys.getswitchinterval()))
row("clocks", time.get_clock_info("perf_counter").implementation)
row("start method", (multiprocessing.get_start_method(), multiprocessing.active_children()))
ask = "import os, sys; print(sys.path, sys.flags, sorted(os.environ), sorted(sys.modules), os.getpgrp() == os.getpgid(os.getppid()))"
row("children", subprocess.run([sys.executable, "-c", ask], stdout=subprocess.PIPE).stdout)
try:
    row("children that were not started", os.waitpid(-1, os.WNOHANG))
except ChildProcessError:
    row("children that were not started", None)

if len(sys.argv) > 1 and torch:
    w = torch.ones(3, requires_grad=True)
    y = w * 2
    died = []
    reference = weakref.ref(y, died.append)
    row("reference counts", [sys.getrefcount(x) for x in (w, y, y.grad_fn)])
    row("gc.get_referrers", [len(gc.get_referrers(x)) for x in (w, y)])
    row("weak references of tensors", [weakref.getweakrefcount(x) for x in (w, y)])
    row("metadata of nodes", y.grad_fn.metadata)
    y.sum().backward()
    del y
    row("death of tensors", (len(died), reference() is None))
    row("id of a tensor, used again", id(torch.zeros(2)) == id(torch.zeros(2)))
    row("attributes of tensors", (vars(w), vars(w.grad), w._backward_hooks, w._version))
    row("torch.__file__, torch.__version__", (torch.__file__, torch.__version__))
    row("names in torch", sorted(vars(torch)))
    row("types of functions in torch", [type(f).__name__ for _, f in sorted(vars(torch).items())])
    row("names in torch.Tensor", sorted(vars(torch.Tensor)))
    row("identity of functions", torch.add is torch._C._VariableFunctions.add)
    row("torch.nn.Module", (sorted(vars(torch.nn.Module)), sorted(vars(torch.nn.Linear(2, 2)))))
    count = [getattr(torch._C, f, lambda: None)() for f in ("_len_torch_dispatch_stack", "_len_torch_function_stack")]
    row("modes of torch", (count, torch.is_grad_enabled(), torch.is_inference_mode_enabled(), torch.get_default_dtype()))
    row("threads of torch", (torch.get_num_threads(), torch.get_num_interop_threads()))
    row("random numbers", (torch.manual_seed(3).initial_seed(), torch.rand(3).tolist(), bytes(torch.get_rng_state().tolist())[:64]))
