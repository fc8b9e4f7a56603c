"""Functions whose frames are not seen."""

import ast
import glob
import os
import subprocess
import sys
import tempfile
import traceback
import unittest
import warnings

from gradtui._agent import unseen

SEEN = [] if unseen.possible else ["around"]  # what is in stacks where frames cannot be left out


@unseen.unseen
def around(function, *args, default=None):
    result, done = default, False
    try:
        try:
            result = function(*args)
            done = True
        except KeyError:
            if default is None:
                raise
    finally:
        log.append(done)
    return result


log = []


def callers(up=1):
    frame, names = sys._getframe(up), []
    while frame is not None and frame.f_code.co_filename == __file__:
        names.append(frame.f_code.co_name)
        frame = frame.f_back
    return names


def fails(kind=ValueError):
    raise kind("failed")


class Functions(unittest.TestCase):
    def setUp(self) -> None:
        del log[:]

    def test_are_possible_from_3_11_to_3_14(self) -> None:
        self.assertEqual(unseen.possible, (3, 11) <= sys.version_info[:2] <= (3, 14) and "t" not in sys.abiflags)

    def test_are_in_no_stack(self) -> None:
        self.assertEqual(around(callers), SEEN + ["test_are_in_no_stack"])
        self.assertEqual(around(around, callers), SEEN + SEEN + ["test_are_in_no_stack"])
        names = around(lambda: [f.name for f in traceback.extract_stack()][-2 - len(SEEN) :])
        self.assertEqual(names, ["test_are_in_no_stack"] + SEEN + ["<lambda>"])

    def test_do_what_they_do(self) -> None:
        self.assertEqual(around(max, 3, 4), 4)
        self.assertEqual(around(fails, KeyError, default=7), 7)
        with self.assertRaises(KeyError):
            around(fails, KeyError)
        self.assertEqual(log, [True, False, False])

    def test_keep_their_variables(self) -> None:
        n = 0

        @unseen.unseen
        def add(*numbers, **others):
            nonlocal n
            for number in numbers:
                n += number
            return [n + m for m in numbers], others

        self.assertEqual(add(1, 2, a=3), ([4, 5], {"a": 3}))
        self.assertEqual(n, 3)

    def test_are_in_no_traceback(self) -> None:
        try:
            around(around, fails)
        except ValueError as error:
            names = [f.name for f in traceback.extract_tb(error.__traceback__)]
        self.assertEqual(names, ["test_are_in_no_traceback"] + SEEN + SEEN + ["fails"])

    def test_do_not_count_for_warnings(self) -> None:
        def warns():
            warnings.warn("of the caller", stacklevel=2)

        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            line = sys._getframe().f_lineno + 1
            around(warns)
        if not SEEN:
            self.assertEqual(found[0].lineno, line)

    def test_begin_and_end_for_profilers(self) -> None:
        def program():
            around(int)
            try:
                around(fails)
            except ValueError:
                pass
            around(fails, KeyError, default=1)

        events = []
        depths = []

        def note(frame, event, _):
            if event in ("call", "return"):
                events.append((frame.f_code.co_name, event))
                depths.append(1 if event == "call" else -1)

        sys.setprofile(note)
        try:
            program()
        finally:
            sys.setprofile(None)
        self.assertEqual(events[0], ("program", "call"))
        self.assertEqual(events[events.index(("program", "return")) :][0], ("program", "return"))
        self.assertEqual(events.count(("around", "call")), 3)
        self.assertEqual(events.count(("around", "return")), 3)
        self.assertEqual(sum(depths), 0)

    def test_that_are_long_stay_as_they_are(self) -> None:
        space = {}
        exec("def long(f):\n" + "    f(1, 2, 3)\n" * 300 + "    return f\n", space)
        code = space["long"].__code__
        calls = []
        unseen.unseen(space["long"])(lambda *numbers: calls.append(numbers))
        self.assertEqual(len(calls), 300)
        self.assertIs(space["long"].__code__, code)


def marked(tree):
    """The names of the functions that a file makes unseen."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(isinstance(d, ast.Name) and d.id == "unseen" for d in node.decorator_list):
            yield node.name
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "unseen":
            yield node.args[0].id


PYTHON = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # the folder of all our Python files


def codes(code):
    """All codes in a code."""
    for part in code.co_consts:
        if hasattr(part, "co_code"):
            yield part
            yield from codes(part)


@unittest.skipUnless(unseen.possible, "there all frames are seen")
class Marked(unittest.TestCase):
    def test_functions_are_short_enough(self) -> None:
        found = []
        for path in glob.glob(os.path.join(PYTHON, "**", "*.py"), recursive=True):
            with open(path) as file:
                source = file.read()
            names = set(marked(ast.parse(source)))
            for code in codes(compile(source, path, "exec")):
                if code.co_name in names:
                    found.append(code.co_name)
                    with self.subTest(path, function=code.co_name):
                        unseen._moved(code)
        self.assertIn("raw_call", found)
        self.assertIn("call_two", found)


FAILING = """
import importlib, traceback
for kind in ("ValueError", "ImportError"):
    with open("failing.py", "w") as file:
        file.write("def fails():\\n    raise %s('failed')\\n\\nfails()\\n" % kind)
    importlib.invalidate_caches()
    try:
        import failing
    except Exception:
        traceback.print_exc()
"""

WATCHED = """
from gradtui._agent import imports
done = []
imports.when_imported("failing", lambda: done.append("before"), lambda well: done.append(well))
"""


@unittest.skipUnless(unseen.possible, "there all frames are seen")
class Imports(unittest.TestCase):
    def test_that_fail_look_as_without_us(self) -> None:
        def output(before: str) -> str:
            with tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(folder, "program.py"), "w") as file:
                    file.write("exec(%r)\n%s" % (before, FAILING))
                done = subprocess.run(
                    [sys.executable, "-B", "program.py"], cwd=folder, env=dict(os.environ, PYTHONPATH=os.path.join(PYTHON, "src")),
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True, text=True,
                )
                return done.stdout.replace(folder, "")

        plain = output("")
        self.assertIn("ValueError: failed", plain)
        self.assertEqual(output(WATCHED), plain)
