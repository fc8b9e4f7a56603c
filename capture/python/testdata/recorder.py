"""Runs programs on PyTorch for tests, recorded.

Each line of the input names the folder where a gradtui listens and a program, as a list in
JSON. PyTorch is imported once; each program runs in a copy of this process (fork), and a
line is printed when it has ended.
"""

import atexit
import gc
import json
import os
import signal
import sys
import traceback
import types

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_SECONDS = 60


def main():
    type("Late", (torch.optim.SGD,), {})([torch.zeros(1)], 0.1).step()  # imports what PyTorch imports late
    load(os.path.join(HERE, "..", "site"))
    for line in iter(sys.stdin.readline, ""):
        records, program = json.loads(line)
        child = os.fork()
        if child == 0:
            live(records, program)
        os.waitpid(child, 0)
        print("ended", flush=True)


def load(site):
    """Loads the recorder and lets it do what takes long: replacing PyTorch's functions."""
    from importlib.util import module_from_spec, spec_from_file_location

    home = os.path.join(os.path.abspath(site), "gradtui_agent")
    spec = spec_from_file_location("gradtui_agent", home + "/__init__.py", submodule_search_locations=[home])
    module = sys.modules["gradtui_agent"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    from gradtui_agent.eager import patch, start

    start.reset()
    patch.install()
    patch.install = int
    gc.collect()
    gc.freeze()


def live(records, program):
    """Is the program from now on, and ends as Python ends."""
    signal.alarm(MOST_SECONDS)
    try:
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        folder, name = os.path.split(program)
        os.chdir(folder)
        sys.argv, sys.path[0] = [name], folder
        main = types.ModuleType("__main__")
        main.__file__, main.__builtins__ = program, __builtins__
        sys.modules["__main__"] = main
        from gradtui_agent.eager.start import begin

        begin(records)
        try:
            with open(program, "rb") as file:
                exec(compile(file.read(), program, "exec"), main.__dict__)
        except SystemExit:
            pass
        except BaseException as e:
            sys.excepthook(type(e), e, e.__traceback__.tb_next)
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()
    os._exit(0)


if __name__ == "__main__":
    main()
