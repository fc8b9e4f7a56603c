"""Imports that the program does not notice.

Our modules get the standard ones whatever lies beside the program, and the program gets its
own.
"""

import os
from os.path import dirname

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

builtin: "str | None" = None  # the folder of our torch package, if the program gets that one


class Apart:
    """While our modules are imported those beside the program do not take the place of
    standard ones of the same name; afterwards the program finds its own."""

    depth = 0  # of blocks in blocks, of which only the outermost does anything
    ours: "dict[str, ModuleType]" = {}  # standard modules that the program does not find

    def __enter__(self) -> None:
        import sys

        Apart.depth += 1
        if Apart.depth > 1:
            return
        self.path, self.before, self.own = sys.path[:], set(sys.modules), {}
        library = dirname(os.__file__)
        first = sys.path.index(library) if library in sys.path else 0
        self.hidden = [p for p in sys.path[:first] if p != builtin and not p.endswith(".zip")]
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

    def __exit__(self, *_: object) -> None:
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


def standard(name: str) -> "ModuleType":
    """The standard module with a name, whatever lies beside the program. Modules that few
    programs need are imported late, by this."""
    if name not in _standard:
        with Apart():
            _standard[name] = __import__(name)
    return _standard[name]


_standard: "dict[str, ModuleType]" = {}


def keep_apart(home: str) -> None:
    """Imports the torch in a folder and its parts, whenever they are asked for, as Apart says."""
    global builtin
    import sys
    from _frozen_importlib_external import PathFinder

    builtin = home
    folder = os.path.join(home, "torch", "")

    class Finder:
        """Finds modules where they are."""

        @staticmethod
        def find_spec(found, path=None, target=None):
            if found.partition(".")[0] != "torch":
                return None
            spec = PathFinder.find_spec(found, path, target)
            if spec is None or not (spec.origin or "").startswith(folder):
                return spec
            loader: Any = spec.loader
            run = loader.exec_module

            def exec_module(module):
                del loader.exec_module
                with Apart():
                    run(module)

            loader.exec_module = exec_module
            return spec

    sys.meta_path.insert(0, Finder)


def when_imported(name: str, before: "Callable[[], object]", after: "Callable[[bool], object]") -> None:
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
            loader: Any = spec.loader
            run = loader.exec_module

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
                del loader.exec_module
                if not done:  # the program may try again
                    sys.meta_path.insert(0, Finder)
                after(done)

            loader.exec_module = exec_module
            return spec

    if name not in sys.modules:
        sys.meta_path.insert(0, Finder)
