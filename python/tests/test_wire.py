"""What becomes of records that marshal refuses."""

import unittest
from marshal import loads

from gradtui._recorder import wire


class Text(str):
    def __str__(self): raise SystemError

    __getitem__ = __iter__ = __len__ = __repr__ = __str__


class Number(int):
    def __pos__(self): raise SystemError

    __int__ = __index__ = __pos__


class Parts(tuple):
    def __iter__(self): raise SystemError


class Value:
    def __repr__(self): raise SystemError


def sent(*records):
    return loads(wire._frame(list(records))[4:])


class TestWire(unittest.TestCase):
    def test_values_of_subclasses_are_sent(self):
        given = ("warned", Text("a"), Parts((Number(1), True, None, [-0.0, Text("b\udc80")])))
        (record,) = sent(given)
        self.assertEqual(repr(record), repr(("warned", "a", (1, True, None, [-0.0, "b\udc80"]))))

    def test_a_record_that_cannot_be_sent_ends_the_recording(self):
        want = [("mode", 1, False, 0), ("broken", "a record that cannot be sent: note: unmarshallable object")]
        self.assertEqual(sent(want[0], ("note", Value()), ("mode", 1, True, 0), ("sync", 1)), want)

    def test_so_does_one_that_is_too_deep(self):
        deep = ()
        for _ in range(100_000):
            deep = (deep,)
        found = sent((1, 2, deep), 5)
        self.assertEqual([r[0] for r in found], ["broken"])
        self.assertIn("operation", found[0][1])


if __name__ == "__main__":
    unittest.main()
