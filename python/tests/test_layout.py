"""How the modules of the package hang together."""

import ast
import unittest
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"


def modules() -> dict[str, ast.Module]:
    """The syntax trees of our modules by name; a package has the name of its folder."""
    return {
        ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): ast.parse(path.read_text())
        for path in SOURCE.rglob("*.py")
    }


MODULES = modules()
PACKAGES = {name.rpartition(".")[0] for name in MODULES}


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below a node that are there when a program runs."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from walk(child)


def imported(name: str) -> Iterator[str]:
    """The modules of ours that a module imports, in functions as well; those for annotations do not count."""
    package = name if name in PACKAGES else name.rpartition(".")[0]
    for node in walk(MODULES[name]):
        found: list[str] = []
        if isinstance(node, ast.Import):
            found = [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) + 1 - node.level]) if node.level else ""
            source = ".".join(filter(None, (base, node.module)))
            found = [f"{source}.{a.name}" if f"{source}.{a.name}" in MODULES else source for a in node.names]
        yield from (f for f in found if f in MODULES)


class Imports(unittest.TestCase):
    def test_have_no_circles(self) -> None:
        graph = {name: set(imported(name)) for name in MODULES}
        self.assertIn("gradtui._agent.stacks", graph["gradtui._recorder.wire"])
        self.assertIn("gradtui._recorder.start", graph["gradtui._agent.start"])
        while free := {name for name, others in graph.items() if not others}:
            graph = {name: others - free for name, others in graph.items() if name not in free}
        self.assertEqual(graph, {}, "these modules import each other, or import some that do")


# What a program gets instead of a function of PyTorch or Python has no annotations either.
INSTEAD = {"_init_subclass", "getsignal", "signal"}


def functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    """The functions of a module and the methods of its classes, but not functions in functions."""
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, (ast.ClassDef, ast.If)):
            yield from functions(node.body + (node.orelse if isinstance(node, ast.If) else []))


class Annotations(unittest.TestCase):
    def test_are_complete(self) -> None:
        for name, tree in MODULES.items():
            for function in functions(tree.body):
                if function.name in INSTEAD or any(ast.unparse(d) == "unseen" for d in function.decorator_list):
                    continue
                arguments = function.args
                every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
                with self.subTest(module=name, function=function.name):
                    self.assertIsNotNone(function.returns)
                    self.assertEqual([a.arg for a in every if a and a.arg != "self" and a.annotation is None], [])
