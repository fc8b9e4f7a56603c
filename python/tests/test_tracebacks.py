import contextlib
import io
import logging
import sys
import threading
import traceback
import unittest
import warnings

import harness
from gradtui._agent import stacks, tracebacks

tracebacks.install()


def shown(text):
    return "fake.py" in text or stacks.PACKAGE in text


class TestTracebacks(unittest.TestCase):
    def error(self, source):
        try:
            harness.run(source)
        except BaseException as e:
            return e

    def printed(self, hook, *args):
        with contextlib.redirect_stderr(io.StringIO()) as out:
            hook(*args)
        return out.getvalue()

    def test_uncaught(self):
        e = self.error("def f():\n  linear(fail(), 1)\nf()")
        text = self.printed(sys.excepthook, type(e), e, e.__traceback__)
        self.assertFalse(shown(text))
        self.assertIn('File "prog.py", line 3, in f\n', text)
        self.assertTrue(text.endswith("\nRuntimeError: the engine says no\n"))

    def test_callbacks_of_the_program_stay(self):
        e = self.error("def hook(): 1 / 0\ncall(hook)")
        text = "".join(traceback.format_exception(type(e), e, e.__traceback__))
        self.assertIn('line 3, in <module>\n  File "prog.py", line 2, in hook\n', text)
        self.assertFalse(shown(text))

    def test_an_error_that_was_handled_inside_is_not_shown(self):
        e = self.error("fail_later()")
        text = self.printed(sys.excepthook, type(e), e, e.__traceback__)
        self.assertNotIn("KeyError", text)
        e = self.error("try:\n  fail()\nexcept RuntimeError:\n  {}[1]")
        text = self.printed(sys.excepthook, type(e), e, e.__traceback__)
        self.assertIn("During handling of the above exception", text)
        self.assertFalse(shown(text))

    def test_causes_and_notes(self):
        e = self.error("try:\n  fail()\nexcept RuntimeError as e:\n  raise ValueError('two') from e")
        if hasattr(e, "add_note"):
            e.add_note("a note")
        text = self.printed(sys.excepthook, type(e), e, e.__traceback__)
        self.assertIn("direct cause", text)
        self.assertFalse(shown(text))

    @unittest.skipUnless(sys.version_info >= (3, 11), "this version has no groups")
    def test_groups(self):
        e = self.error("try:\n  fail()\nexcept RuntimeError as e:\n  raise ExceptionGroup('some', [e])")
        text = self.printed(sys.excepthook, type(e), e, e.__traceback__)
        self.assertIn("the engine says no", text)
        self.assertFalse(shown(text))

    def test_print_exc_and_logging(self):
        out = io.StringIO()
        harness.module.out = out
        harness.run("import traceback\ntry:\n  fail()\nexcept RuntimeError:\n  traceback.print_exc(file=out)")
        self.assertFalse(shown(out.getvalue()))
        self.assertIn("line 4, in <module>", out.getvalue())
        log = logging.Logger("test")
        log.addHandler(logging.StreamHandler(out))
        harness.module.log = log
        harness.run("try:\n  fail()\nexcept RuntimeError:\n  log.exception('no')")
        self.assertFalse(shown(out.getvalue()))

    def test_threads(self):
        fail = harness.run("def f(): fail()")["f"]
        thread = threading.Thread(target=fail)
        with contextlib.redirect_stderr(io.StringIO()) as out:
            thread.start()
            thread.join()
        self.assertIn("the engine says no", out.getvalue())
        self.assertFalse(shown(out.getvalue()))

    def test_a_hook_of_the_program_stays(self):
        hook = sys.excepthook
        try:
            sys.excepthook = print
            tracebacks.install()
            self.assertIs(sys.excepthook, print)
        finally:
            sys.excepthook = hook
        self.assertIs(sys.excepthook, sys.__excepthook__)

    def test_the_last_frame_is_the_program_s(self):
        e = self.error("fail()")
        self.assertEqual(traceback.extract_tb(e.__traceback__)[-1].filename, "prog.py")


class TestWarnings(unittest.TestCase):
    def test_the_line_is_the_program_s(self):
        harness.module.warn = tracebacks.warn
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            harness.run("def f():\n  warn('careful')\nfor i in range(2): f()\nf()\nwarn('careful')")
        self.assertEqual([(str(w.message), w.filename, w.lineno) for w in caught], [("careful", "prog.py", 3), ("careful", "prog.py", 6)])


if __name__ == "__main__":
    unittest.main()
