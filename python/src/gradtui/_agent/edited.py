"""Source files whose text is not the one on the disk.

gradtui runs a program with a change that the user has not made yet. The folder that it
names holds the new texts: the file "names" lists the paths of the files, each with a zero
byte behind it, and 0, 1 and so on are the texts. Everything else is as if the files had
these texts: their names in tracebacks, the modules beside them, __file__.
"""

from __future__ import annotations

import os
import sys
from os.path import dirname, join, realpath

from . import sources
from .imports import standard

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from typing import Any

_texts: dict[str, bytes] = {}  # by the path without links


def install(folder: str) -> None:
    """Gives imports the texts in a folder."""
    from _frozen_importlib_external import SourceFileLoader

    with open(join(folder, "names"), "rb") as f:
        names = f.read().split(b"\0")[:-1]
    for i, name in enumerate(names):
        with open(join(folder, str(i)), "rb") as f:
            _texts[realpath(os.fsdecode(name))] = f.read()
    loader: Any = SourceFileLoader
    get_data, path_stats = loader.get_data, loader.path_stats

    def edited_data(self: Any, path: str) -> bytes:
        text = _texts.get(realpath(path))
        if text is None:
            return get_data(self, path)
        _show(path, text)
        return text

    def edited_stats(self: Any, path: str) -> Any:
        if realpath(path) in _texts:
            raise OSError("bytecode is not of this text")  # neither read nor written then
        return path_stats(self, path)

    loader.get_data, loader.path_stats = edited_data, edited_stats


def _show(path: str, text: bytes) -> None:
    """Shows the text of a file to tracebacks and to gradtui."""
    encoding, _ = standard("tokenize").detect_encoding(iter(text.splitlines(True)).__next__)
    code = text.decode(encoding)
    lines = code.replace("\r\n", "\n").replace("\r", "\n").splitlines(True)
    standard("linecache").cache[path] = (len(code), None, lines, path)
    sources.instead[path] = code


def main() -> None:
    """Runs the program that the first argument names as Python does."""
    from _frozen_importlib_external import SourceFileLoader

    with_hook()
    name = sys.argv[1]
    del sys.argv[0]
    if hasattr(sys, "orig_argv"):
        here = sys.orig_argv.index(name)
        del sys.orig_argv[here - 1]
    path = name
    if sys.version_info >= (3, 9) and not os.path.isabs(name):
        path = join(os.getcwd(), name[2:] if name.startswith("./") else name)
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = dirname(realpath(path))
    text = _texts[realpath(path)]
    _show(path, text)
    variables = sys.modules["__main__"].__dict__
    for own in [v for v in variables if not v.startswith("__")]:
        del variables[own]
    variables.update(__file__=path, __loader__=SourceFileLoader("__main__", path), __cached__=None, __doc__=None)
    variables.pop("__annotations__", None)
    exec(compile(text, path, "exec", dont_inherit=True), variables)


def with_hook() -> None:
    """Leaves our frames out of tracebacks, which show the lines that run."""
    from . import tracebacks

    tracebacks._show = standard("traceback").print_exception
    tracebacks.install()
