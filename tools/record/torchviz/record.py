"""Records what torchviz 0.0.2 draws for the programs in export/testdata/torchviz/programs, and tapes of the same graphs.

usage: python3 tools/record/torchviz/record.py OUT [NAME ...]

A program defines root (a tensor or a tuple) and params (a dict or None), and may define modes (which of MODES to
record) and max_attr_chars. OUT gets one txtar archive for each: the tape, then one DOT text for each mode, with the ids
renamed to n0, n1 ... in order of first appearance. Its comment has the numbers of the root tensors on the tape.

The archives in export/testdata/torchviz-2.6 come from torch 2.6.0, torchviz 0.0.2 and graphviz 0.21 (the Python package).
"""

from __future__ import annotations

import pathlib
import re
import runpy
import sys
import threading
import types

# torchviz asks distutils, which is gone from Python 3.12, whether torch is older than 1.9.
version = types.ModuleType("distutils.version")
version.LooseVersion = lambda text: tuple(int(n) for n in re.findall(r"\d+", text)[:2])
sys.modules["distutils"] = types.ModuleType("distutils")
sys.modules["distutils.version"] = version

import torchviz

from snapshot import Snapshot

MODES = {
    "plain": {},
    "saved": {"show_saved": True},
    "attrs": {"show_saved": True, "show_attrs": True},
    "onlyattrs": {"show_attrs": True},
}
STATEMENT = re.compile(r"^\t(\d{9,})(?: -> (\d{9,}))?(?=$| \[)", re.MULTILINE)


def renamed(dot: str) -> str:
    names: dict[str, str] = {}

    def rename(match: re.Match[str]) -> str:
        ids = [names.setdefault(i, f"n{len(names)}") for i in match.groups() if i]
        return "\t" + " -> ".join(ids)

    return STATEMENT.sub(rename, dot)


def record(program: pathlib.Path, out: pathlib.Path) -> None:
    tape = Snapshot()
    scope = runpy.run_path(str(program))
    root, params = scope["root"], scope["params"]
    dots = {
        mode: renamed(
            torchviz.make_dot(root, params, max_attr_chars=scope.get("max_attr_chars", 50), **MODES[mode]).source
        )
        for mode in scope.get("modes", MODES)
    }
    roots = [tape.tensor(t) for t in (root if isinstance(root, tuple) else (root,))]
    for name, tensor in (params or {}).items():
        tape.name(name, tensor)
    parts = [f"roots {' '.join(map(str, roots))}\n"]
    if "max_attr_chars" in scope:
        parts.append(f"max_attr_chars {scope['max_attr_chars']}\n")
    parts.append("-- tape --\n" + "\n".join(tape.lines) + "\n")
    parts.extend(f"-- {mode}.dot --\n{dot}" for mode, dot in dots.items())
    (out / f"{program.stem}.txtar").write_text("".join(parts))


def main() -> None:
    out, programs = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).parents[3] / "export" / "testdata" / "torchviz" / "programs"
    for program in sorted(programs.glob("*.py")):
        if len(sys.argv) == 2 or program.stem in sys.argv[2:]:
            print(program.stem, flush=True)
            record(program, out)


if __name__ == "__main__":
    # torchviz recurses over the graph.
    sys.setrecursionlimit(100_000)
    threading.stack_size(512 << 20)
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
