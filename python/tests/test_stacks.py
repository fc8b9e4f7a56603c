import sys
import threading
import unittest

import harness
from gradtui._agent import stacks

COLUMNS = sys.version_info >= (3, 11)


def described(number):
    """The frames of a stack, innermost first, as function:line."""
    records = {r[1]: r for r in stacks.pending if r[0] == "stack"}
    frames = []
    while number:
        _, _, number, file, function, line, *_ = records[number]
        if file or function:
            frames.append("%s:%d" % (function.rpartition(".")[2], line))
    return frames


class TestStacks(unittest.TestCase):
    def program(self, source):
        """The stacks of a program's operations, without the frames of this file."""
        harness.run(source)
        stacks_ = []
        for number in harness.module.LOG:
            frames = described(number)
            end = [i for i, f in enumerate(frames) if f.startswith("<module>")][0]
            stacks_.append(" ".join(frames[: end + 1]))
        return stacks_

    def test_the_frames_of_the_program(self):
        self.assertEqual(self.program("op()\ndef f():\n  op(); op()\nf()"), ["<module>:2", "f:4 <module>:5", "f:4 <module>:5"])
        self.assertEqual(self.program("y = linear(T(), T())"), ["<module>:2", "<module>:2"])
        self.assertEqual(self.program("call(lambda: op())"), ["<lambda>:2 <module>:2"])
        self.assertEqual(self.program("exec('op()')"), ["<module>:1"])

    def test_one_place_has_one_number(self):
        harness.run("for i in range(3):\n  op()\ndef f(): op()\nfor i in range(2): f()\nf()")
        log = harness.module.LOG
        self.assertEqual([log.index(n) for n in log], [0, 0, 0, 3, 3, 5])

    @unittest.skipUnless(COLUMNS, "this version has no columns")
    def test_columns(self):
        harness.run("x = T()\ny = (x + x) * x.relu()")
        places = [r[5:] for n in harness.module.LOG for r in stacks.pending if r[:2] == ("stack", n)]
        self.assertEqual(places, [(3, 6, 3, 11), (3, 15, 3, 23), (3, 5, 3, 23)])

    def test_callers_differ(self):
        source = "def f(): op()\ndef g(): f()\ndef h(): f()\ng(); h(); f(); g()"
        g, h, f, again = self.program(source)
        self.assertEqual((g, h, f), ("f:2 g:3 <module>:5", "f:2 h:4 <module>:5", "f:2 <module>:5"))
        self.assertEqual(again, g)

    def test_a_generator_runs_below_different_callers(self):
        source = "def g():\n  while True: yield op()\ni = g()\ndef a(): next(i)\ndef b(): next(i)\na()\nb()\na()"
        self.assertEqual(self.program(source), ["g:3 a:5 <module>:7", "g:3 b:6 <module>:8", "g:3 a:5 <module>:9"])

    def test_coroutines(self):
        source = "import asyncio\nasync def f():\n  await asyncio.sleep(0)\n  op()\nasync def m():\n  await asyncio.gather(f(), f())\nasyncio.run(m())"
        first, second = self.program(source)
        self.assertTrue(first.startswith("f:5 "))
        self.assertEqual(first, second)

    def test_threads(self):
        found = []
        variables = harness.run("def f():\n  op()")
        threads = [threading.Thread(target=lambda: found.append(variables["f"]())) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(len(harness.module.LOG), 4)
        # Threads that are there at the same moment may each give the place a number.
        self.assertEqual({described(number)[0] for number in harness.module.LOG}, {"f:3"})

    def test_recursion_is_cut(self):
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(12_000)
        before = len(stacks.pending)
        try:
            harness.run("def f(n):\n  op()\n  if n: f(n - 1)\nf(3000)\nop()")
        finally:
            sys.setrecursionlimit(limit)
        frames = described(harness.module.LOG[3000])
        self.assertEqual(frames[:20], ["f:3"] + ["f:4"] * 19)
        self.assertEqual(frames[-1], "…:0")
        self.assertLessEqual(len(frames), stacks.MOST_FRAMES + 1)
        self.assertLess(len(stacks.pending) - before, 2000)
        self.assertEqual(described(harness.module.LOG[-1])[0], "<module>:6")

    def test_a_program_that_makes_code_all_the_time_takes_no_memory(self):
        before = len(stacks.pending)
        harness.run("for i in range(5000): exec('op()')\nfor i in range(5000): eval(compile('op()', 's%d' % i, 'eval'))")
        self.assertLess(len(stacks.pending) - before, 3000)

    def test_nothing_is_kept_alive(self):
        variables = harness.run("class C: pass\ndef f():\n  c = C()\n  op()\n  import weakref\n  return weakref.ref(c)")
        self.assertIsNone(variables["f"]()())

    def test_lines_are_right_after_an_operation(self):
        """f_trace must not freeze the line of a frame."""
        variables = harness.run("import sys\ndef f():\n  op()\n  1 + 1\n  return sys._getframe().f_lineno")
        self.assertEqual(variables["f"](), 6)

    def test_trace_functions(self):
        seen = []

        def trace(frame, event, argument):
            if frame.f_code.co_filename == "prog.py":
                seen.append((event, frame.f_lineno))
                return trace

        variables = harness.run("def f():\n  op()\n  op()\nf()\nLOG.clear()")
        sys.settrace(trace)
        try:
            variables["f"]()
        finally:
            sys.settrace(None)
        self.assertEqual(seen, [("call", 2), ("line", 3), ("line", 4), ("return", 4)])
        self.assertEqual([described(n)[0] for n in harness.module.LOG], ["f:3", "f:4"])

    def test_setting_a_trace_function_in_a_frame_that_is_known(self):
        variables = harness.run("import sys\ndef f(t):\n  op()\n  sys.settrace(t)\n  op()\n  sys.settrace(None)\nLOG.clear()")
        seen = []
        variables["f"](lambda *args: seen.append(args[1]))
        self.assertEqual([e for e in seen if e != "call"], [])


if __name__ == "__main__":
    unittest.main()
