"""The beginning and the end of a program.

gradtui starts `python PROGRAM ARGUMENTS` with our folder first on PYTHONPATH, so
everything about the start is Python's own. The environment is put back before the
program begins: the processes that it starts are not recorded, and find the torch
that is installed. Only a program that is there to start the ranks of a distributed
one, as torchrun does, leaves it to them, and is not recorded itself.
"""

import os
from os.path import dirname

channel = None  # the folder of the channel to the engine
records = None  # the folder where records of real PyTorch are taken
variables = None  # names of global variables that gradtui asks for at the end


def hide(folder):
    """Makes the environment what it was before gradtui came, with a folder of ours first
    on the path."""
    global channel, records, variables
    ranks = os.environ.get("GRADTUI_RANKS")
    if ranks == "launcher":  # the first process, which may have the RANK of its machine
        os.environ["GRADTUI_RANKS"] = "ranks"
        return
    if ranks and not os.environ.get("RANK"):
        return
    os.environ.pop("GRADTUI_RANKS", None)
    first, _, others = os.environ.get("PYTHONPATH", "").partition(os.pathsep)
    if first == folder:
        if others:
            os.environ["PYTHONPATH"] = others
        else:
            del os.environ["PYTHONPATH"]
    channel = os.environ.pop("GRADTUI_CHANNEL", None)
    records = os.environ.pop("GRADTUI_RECORDS", None)
    variables = os.environ.pop("GRADTUI_VARIABLES", None)


def make_way(folder):
    """Imports the sitecustomize that Python would have found without the one in a folder."""
    import sys
    from _frozen_importlib import module_from_spec  # others would be there when the program looks for its own
    from _frozen_importlib_external import PathFinder

    spec = PathFinder.find_spec("sitecustomize", [p for p in sys.path if p != folder])
    if spec is None:
        # The site module takes this for what it is: there is none.
        raise ImportError("No module named 'sitecustomize'", name="sitecustomize")
    module = sys.modules["sitecustomize"] = module_from_spec(spec)
    spec.loader.exec_module(module)


def wait_for_torch():
    """Records from the moment when the program has imported torch."""
    if records:
        when_imported("torch", int, _begin)


def provide(site):
    """Lets the program import our package gradtui where it is not installed."""
    import sys
    from _frozen_importlib_external import PathFinder

    class Finder:
        """The last to be asked."""

        @staticmethod
        def find_spec(found, path=None, target=None):
            return PathFinder.find_spec(found, [site]) if found == "gradtui" else None

    sys.meta_path.append(Finder)


def _begin(torch_is_there):
    if not torch_is_there:
        return
    with Apart():
        from .eager import start, wire

    try:
        start.begin(records, variables.split(",") if variables else ())
    except (OSError, wire.Refused):
        pass  # gradtui says what is missing on the tape


class Apart:
    """While our modules are imported those beside the program do not take the place of
    standard ones of the same name; afterwards the program finds its own."""

    depth = 0  # of blocks in blocks, of which only the outermost does anything
    ours: dict = {}  # standard modules that the program does not find

    def __enter__(self):
        import sys

        Apart.depth += 1
        if Apart.depth > 1:
            return
        self.path, self.before, self.own = sys.path[:], set(sys.modules), {}
        library, home = dirname(os.__file__), dirname(dirname(__file__))
        first = sys.path.index(library) if library in sys.path else 0
        self.hidden = [p for p in sys.path[:first] if p != home and not p.endswith(".zip")]
        self.standard = getattr(sys, "stdlib_module_names", ())
        folders = tuple(os.path.join(os.path.abspath(p), "") for p in self.hidden)
        below = os.path.join(os.path.abspath(library), "")  # perhaps below the program, as in a home folder
        for name in list(sys.modules):
            if name.partition(".")[0] in self.standard:
                file = getattr(sys.modules[name], "__file__", None)
                file = os.path.abspath(file) if file else ""
                if file.startswith(folders) and not file.startswith(below):
                    self.own[name] = sys.modules.pop(name)
        for name, module in Apart.ours.items():
            sys.modules.setdefault(name, module)
        sys.path[:] = [p for p in sys.path if p not in self.hidden]

    def __exit__(self, *_):
        import sys
        from _frozen_importlib_external import PathFinder

        Apart.depth -= 1
        if Apart.depth:
            return
        sys.path[:] = self.path
        tops = {name.partition(".")[0] for name in self.own}
        for name in set(sys.modules) - self.before | set(self.own):
            top = name.partition(".")[0]
            if top in tops or top in self.standard and PathFinder.find_spec(top, self.hidden):
                module = sys.modules.pop(name, None)
                if module is not None:
                    Apart.ours[name] = module
        sys.modules.update(self.own)


def standard(name):
    """The standard module with a name, whatever lies beside the program. Modules that few
    programs need are imported late, by this."""
    if name not in _standard:
        with Apart():
            _standard[name] = __import__(name)
    return _standard[name]


_standard: dict = {}


def keep_apart(site):
    """Imports our torch and its parts, whenever they are asked for, as Apart says."""
    import sys
    from _frozen_importlib_external import PathFinder

    folder = os.path.join(site, "torch", "")

    class Finder:
        """Finds modules where they are."""

        @staticmethod
        def find_spec(found, path=None, target=None):
            if found.partition(".")[0] != "torch":
                return None
            spec = PathFinder.find_spec(found, path, target)
            if spec is None or not (spec.origin or "").startswith(folder):
                return spec
            run = spec.loader.exec_module

            def exec_module(module):
                del spec.loader.exec_module
                with Apart():
                    run(module)

            spec.loader.exec_module = exec_module
            return spec

    sys.meta_path.insert(0, Finder)


def when_imported(name, before, after):
    """Calls a function before a module is imported that has not been yet, and another one
    after it, with whether it was imported well."""
    import sys
    from _frozen_importlib_external import PathFinder

    class Finder:
        """Finds the module where it is."""

        @staticmethod
        def find_spec(found, path=None, target=None):
            if found != name:
                return None
            sys.meta_path.remove(Finder)
            spec = PathFinder.find_spec(name, path, target)
            if spec is None or spec.loader is None:
                return spec
            with Apart():
                from .unseen import unseen
            run = spec.loader.exec_module

            @unseen  # Python leaves its own frames out of tracebacks where no others are between them
            def exec_module(module):
                before()
                done = False
                try:
                    run(module)
                    done = True
                finally:
                    over(done)

            def over(done):
                del spec.loader.exec_module
                if not done:  # the program may try again
                    sys.meta_path.insert(0, Finder)
                after(done)

            spec.loader.exec_module = exec_module
            return spec

    if name not in sys.modules:
        sys.meta_path.insert(0, Finder)


def recording(call, flush, tensor):
    """The program has imported torch. call calls the engine, flush sends what has
    not been sent, tensor is the class of tensors."""
    import atexit

    from . import tracebacks

    tracebacks.install()
    atexit.register(_end, os.getpid(), call, flush, tensor)


def _end(pid, call, flush, tensor):
    """The program is at its end."""
    if os.getpid() != pid:
        return  # a fork: the engine belongs to its parent
    import sys

    from . import names
    from .variables import report

    main = sys.modules["__main__"].__dict__
    names.bind_all(main)
    if variables:
        report(variables.split(","), call, tensor)
    flush()
