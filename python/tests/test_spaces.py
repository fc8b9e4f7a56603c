"""The namespaces that are looked through for names of what exists."""

import gc
import sys
import unittest
import weakref

import harness
from gradtui._agent import names, spaces

QUALIFIED = sys.version_info >= (3, 11)
COPIED = sys.version_info < (3, 13)  # f_locals of a function is a copy


def around():
    """The names that tensors have where this is called."""
    return [(scope, name) for name, scope, _ in names.scan(*spaces.around(sys._getframe(1)))]


class TestSpaces(unittest.TestCase):
    def names(self, source):
        """What a program calls the tensors that it sees where it calls look()."""
        found = []
        harness.module.look = lambda: found.extend(n for n in around() if n[0] in ("", "f", "g", "f.<locals>.g", "C"))
        harness.run(source)
        return found

    def test_names_of_functions_come_first_and_inner_ones_before(self):
        found = self.names("""
x = 0
def f(a):
    deep = [[T()]]
    g(a)
def g(b):
    look()
f(T())
""")
        self.assertEqual(found, [("g", "b"), ("f", "a"), ("f", "deep[0][0]")])

    def test_variables_that_functions_share_have_the_scope_of_the_outer_one(self):
        found = self.names("def f():\n  q, own = T(), T()\n  def g(p):\n    q\n    look()\n  g(T())\nf()")
        inner = "f.<locals>.g" if QUALIFIED else "g"
        self.assertIn((inner, "p"), found)
        self.assertIn(("f" if QUALIFIED else "", "q"), found)
        self.assertNotIn((inner, "q"), found)
        self.assertIn(("f", "own"), found)

    def test_the_body_of_a_class_and_code_with_variables_of_its_own(self):
        self.assertEqual(self.names("class C:\n  a = T()\n  look()"), [("C", "a")])
        self.assertEqual(self.names("exec('look()', {'look': look}, {'a': T()})"), [("", "a")])
        hostile = "class D(dict):\n  def items(self): raise SystemError\n  keys = __iter__ = items\n"
        self.assertEqual(self.names(hostile + "exec('look()', {'look': look}, D(a=T()))"), [])

    def test_a_function_that_has_its_locals_sees_no_later_ones(self):
        found = self.names("def f():\n  a = T()\n  own = locals()\n  b = T()\n  look()\n  print(end=''.join(own) * 0)\n  assert 'b' not in own\nf()")
        self.assertEqual(found, [] if COPIED else [("f", "a"), ("f", "b")])

    def test_nothing_is_kept_alive(self):
        def f():
            x = harness.module.T()
            ref = weakref.ref(x)
            spaces.around(sys._getframe())
            del x
            return ref

        gc.disable()
        self.addCleanup(gc.enable)
        self.assertIsNone(f()())

        def g():
            x = harness.module.T()
            ref = weakref.ref(x)
            count = sys.getrefcount(x)
            spaces.around(sys._getframe())
            self.assertEqual(sys.getrefcount(x), count)
            x = None
            self.assertIsNone(ref())

        g()

    def test_a_function_that_is_traced_keeps_its_variables(self):
        seen = []

        def trace(frame, event, argument):
            if event == "line" and frame.f_code.co_name == "f":
                seen.append(bool(spaces.around(frame)))
            return trace

        def f():
            x = 1
            y = 2
            return x + y

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            self.assertEqual(f(), 3)
        finally:
            sys.settrace(before)
        self.assertEqual(seen, [True] * 3)

    def test_what_a_function_sees_when_it_is_called(self):
        variables = harness.run("def f(a, b, *, c=1): d = 1\nclass C:\n  def f(self): pass")
        self.assertEqual(spaces.parameters(variables["f"]), ("a", "b"))
        (first, scope), (second, module) = spaces.of_call(variables["f"], {"a": 1})
        self.assertEqual((first, scope, module), ({"a": 1}, "f", ""))
        self.assertIs(second, variables)
        self.assertEqual(spaces.of_call(print, {}), ())
        self.assertEqual(spaces.parameters(print), ())


if __name__ == "__main__":
    unittest.main()
