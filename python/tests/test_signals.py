import _signal
import contextlib
import os
import signal
import socket
import struct
import tempfile
import threading
import unittest
from marshal import dumps, loads

from gradtui._agent import stacks
from gradtui._recorder import signals, wire

NUMBER = signal.SIGUSR1


class Timeout(Exception):
    pass


def ours(function):
    """A function as if it stood in a file of ours."""
    function.__code__ = function.__code__.replace(co_filename=stacks.PACKAGE + "_agent/test.py")
    return function


class Gradtui(threading.Thread):
    """The other end of a connection. It answers a program that waits when `answers` have come."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.listen = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listen.bind(os.path.join(folder, "socket"))
        self.listen.listen()
        with open(os.path.join(folder, "attention"), "wb") as f:
            f.write(bytes(4096))
        self.records = []
        self.reads = threading.Event()
        self.reads.set()
        self.waits = lambda n: [n]  # the numbers of the answers to ("sync", n)
        self.start()

    def send(self, connection, answer):
        data = dumps(answer, 2)
        connection.sendall(struct.pack("<I", len(data)) + data)

    def run(self):
        connection, _ = self.listen.accept()
        with self.listen, connection, connection.makefile("rb") as stream:
            self.serve(connection, stream)

    def serve(self, connection, stream):
        while self.reads.wait():
            head = stream.read(4)
            if not head:
                return
            self.reads.wait()
            for record in loads(stream.read(struct.unpack("<I", head)[0])):
                self.records.append(record)
                if record[0] == "hello":
                    self.send(connection, ("welcome", {}))
                elif record[0] == "sync":
                    for n in self.waits(record[1]):
                        self.send(connection, ("go", n, None))


@unittest.skipUnless(signals.possible, "Python 3.9 looks for signals everywhere")
class TestSignals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.gradtui = Gradtui(folder.name)
        told = wire.pending[:]  # by other tests
        del wire.pending[:]
        wire.connect(folder.name, (1,))
        self.addCleanup(wire.pending.extend, told)
        self.addCleanup(wire.stop)
        before = signal.getsignal(NUMBER), _signal.signal, _signal.getsignal
        _signal.signal, _signal.getsignal = signals.signal, signals.getsignal

        def back():
            _signal.signal, _signal.getsignal = before[1:]
            signal.signal(NUMBER, before[0])

        self.addCleanup(back)

    def raises(self, *_):
        raise Timeout

    def test_a_handler_that_raises_waits_until_the_recorder_has_finished(self):
        @ours
        def work(done):
            done.append(1)
            signal.raise_signal(NUMBER)
            for _ in range(3):
                done.append(len(done))
            with contextlib.ExitStack() as stack:  # Python code of the library
                stack.callback(signal.raise_signal, NUMBER)
            return done.append("all")

        signal.signal(NUMBER, self.raises)
        done = []
        with self.assertRaises(Timeout):
            work(done)
            abs(0)  # Python looks for signals after calls of C functions
        self.assertEqual(done[-1], "all")

    def test_it_runs_at_once_where_the_program_is(self):
        @ours
        def work(hook, done):
            try:
                hook(done)
            finally:
                done.append("left")

        def hook(done):
            signal.raise_signal(NUMBER)
            done.append("not reached")

        signal.signal(NUMBER, self.raises)
        done = []
        with self.assertRaises(Timeout):
            work(hook, done)
        self.assertEqual(done, ["left"])

    def test_one_that_came_while_an_operation_ran_runs_before_the_program_goes_on(self):
        @ours
        def work():
            signal.raise_signal(NUMBER)
            if signals.late:
                signals.land()

        signal.signal(NUMBER, self.raises)
        with self.assertRaises(Timeout):
            work()

    def test_it_runs_once_for_each_signal_and_gets_the_frame_of_the_program(self):
        @ours
        def work():
            signal.raise_signal(NUMBER)
            return sum(map(abs, range(3)))

        seen = []
        signal.signal(NUMBER, lambda number, frame: seen.append((number, stacks.ours(frame.f_code))))
        work()
        abs(0)
        self.assertEqual(seen, [(NUMBER, False)])

    def test_who_waits_for_signals_at_a_file_descriptor_hears_of_each_once(self):
        @ours
        def work():
            signal.raise_signal(NUMBER)
            return sum(map(abs, range(3)))

        there, here = socket.socketpair()
        there.setblocking(False)
        with there, here:
            before = signal.set_wakeup_fd(there.fileno())
            self.addCleanup(signal.set_wakeup_fd, before)
            signal.signal(NUMBER, lambda *_: None)
            work()
            abs(0)
            self.assertEqual(signal.set_wakeup_fd(before), there.fileno())
            there.close()
            self.assertEqual(here.recv(100), bytes([NUMBER]))

    def test_a_program_that_asks_for_its_handlers_gets_its_own(self):
        signal.signal(NUMBER, signal.SIG_IGN)
        self.assertIs(signal.getsignal(NUMBER), signal.SIG_IGN)
        self.assertIs(signal.signal(NUMBER, self.raises.__func__), signal.SIG_IGN)
        self.assertIs(signal.getsignal(NUMBER), self.raises.__func__)
        self.assertIs(signal.signal(NUMBER, signal.SIG_DFL), self.raises.__func__)

    def test_handlers_of_before_are_guarded_until_the_recorder_goes(self):
        own = signals._get(signal.SIGINT)
        self.assertIs(own, signal.default_int_handler)
        signals.guard()
        self.assertIs(type(signals._get(signal.SIGINT)), signals.Handler)
        self.assertIs(signal.getsignal(signal.SIGINT), own)
        signals.guard()
        signals.unguard()
        self.assertIs(signals._get(signal.SIGINT), own)

    def test_one_that_raises_while_the_program_waits_loses_no_answer(self):
        main = threading.get_ident()

        def waits(n):
            if n == 1:
                signal.pthread_kill(main, NUMBER)
            return [n]

        self.gradtui.waits = waits
        signal.signal(NUMBER, self.raises)
        wire.pending.append(("one",))
        try:
            wire.sync()
        except Timeout:
            pass
        wire.pending.append(("two",))
        wire.sync()
        self.assertEqual(self.gradtui.records, [("hello", 1), ("one",), ("sync", 1), ("two",), ("sync", 2)])

    def test_one_that_waits_itself_may_take_the_answer_of_the_program(self):
        main = threading.get_ident()

        def waits(n):
            if n == 1:
                signal.pthread_kill(main, NUMBER)
                return []
            return [1, 2]

        self.gradtui.waits = waits
        ran = []
        signal.signal(NUMBER, lambda *_: (wire.sync(), ran.append(1)))
        wire.sync()
        self.assertEqual(ran, [1])

    def test_one_that_sends_while_more_is_sent_than_fits_leaves_whole_frames(self):
        signal.signal(NUMBER, lambda *_: (wire.pending.append(("handler",)), wire.sync()))
        self.gradtui.reads.clear()
        wire.pending.extend([("much", "x" * 1000)] * 2000)
        waited = []
        wait = wire._wait

        def interrupted(event):
            waited.append(event)
            if len(waited) == 1:
                self.gradtui.reads.set()
                signal.raise_signal(NUMBER)
            wait(event)

        wire._wait = interrupted
        self.addCleanup(setattr, wire, "_wait", wait)
        wire.sync()
        self.assertEqual(len(self.gradtui.records), 1 + 2000 + 3)


if __name__ == "__main__":
    unittest.main()
