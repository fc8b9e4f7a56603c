"""torch.Size: the shape of a tensor."""


def _whole(x, i):
    if isinstance(x, int) and not isinstance(x, bool):
        return x
    try:
        return int(x.__index__())
    except (AttributeError, TypeError):
        pass
    raise TypeError("torch.Size() takes an iterable of 'int' (item %d is '%s')" % (i, type(x).__name__))


class Size(tuple):
    """A tuple of the sizes of dimensions."""

    __slots__ = ()
    __module__ = "torch"

    def __new__(cls, sizes=()):
        return tuple.__new__(cls, [_whole(x, i) for i, x in enumerate(sizes)])

    def numel(self):
        """How many elements a tensor of this shape has."""
        n = 1
        for x in self:
            n *= x
        return n

    def __repr__(self):
        return "torch.Size([" + ", ".join(map(str, self)) + "])"

    def __add__(self, other):
        result = tuple.__add__(self, other)
        return tuple.__new__(Size, result)

    def __mul__(self, n):
        return tuple.__new__(Size, tuple.__mul__(self, n))

    __rmul__ = __mul__

    def __getitem__(self, key):
        result = tuple.__getitem__(self, key)
        return tuple.__new__(Size, result) if isinstance(key, slice) else result

    def __reduce__(self):
        return Size, (tuple(self),)
