"""Tensors of what has elements that are numbered, and of what has not."""
import array
from collections import UserList, deque, namedtuple

import torch


class Row:
    def __init__(self, *values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return self.values[i]


class Endless:
    def __getitem__(self, i):
        return i


class Number:
    def __index__(self):
        return 3

    def __float__(self):
        return 3.5


Point = namedtuple("Point", "x y")
rewards = deque([1.0, 0.5], maxlen=4)
rewards.append(0.25)
for data in (
    rewards, deque([(1, 2), (3, 4)]), range(3), array.array("f", [1, 2]), array.array("i", [1, 2]), bytearray(b"ab"),
    Row(1, 2), Row(Row(1.0, 2.0), [3, 4]), Point(1, 2.0), UserList([True, False]), torch.Size([2, 3]),
    deque([torch.tensor(1.0), torch.tensor(2.0)]), [Row(1), Row(2)], deque(),
):  # fmt: skip
    t = torch.tensor(data)
    print(t, t.dtype, torch.as_tensor(data).shape, torch.ones(1).new_tensor(data))
print(torch.FloatTensor(deque([1, 2])), torch.Tensor(range(3)), torch.LongTensor(Row(1, 2)), torch.tensor(rewards, dtype=torch.float64))
for data in (
    {1}, {1: 2}, {1: 2}.keys(), (i for i in "a"), iter([1]), object(), Number(), [Number()], Endless(), b"ab", "ab", ["a"], None, len, int,
    deque([deque([1]), deque([1, 2])]),
):  # fmt: skip
    try:
        print(torch.tensor(data))
    except Exception as e:
        print(type(e).__name__, str(e).split(" at 0x")[0])
for data in ({1}, {1: 2}, (i for i in "a"), object(), 1.5, None):
    try:
        print(torch.Tensor(data))
    except Exception as e:
        print(type(e).__name__, e)
