"""The version of PyTorch whose behaviour this is."""

import re

from .version import __version__ as internal_version


def _parts(version):
    if isinstance(version, (tuple, list)):
        return [int(x) if isinstance(x, int) or str(x).isdigit() else str(x) for x in version]
    return [int(x) if x.isdigit() else x for x in re.findall(r"\d+|[a-z]+", str(version).partition("+")[0])]


class TorchVersion(str):
    """A version that compares with strings and tuples by its numbers."""

    def _key(self, other):
        ours, theirs = _parts(self), _parts(other)
        width = max(len(ours), len(theirs))
        pad = lambda parts: [(1, x) if isinstance(x, int) else (0, x) for x in parts + [0] * (width - len(parts))]  # noqa: E731
        return pad(ours), pad(theirs)

    def __lt__(self, other):
        ours, theirs = self._key(other)
        return ours < theirs

    def __le__(self, other):
        ours, theirs = self._key(other)
        return ours <= theirs

    def __gt__(self, other):
        return not self <= other

    def __ge__(self, other):
        return not self < other

    def __eq__(self, other):
        if str(other) == str(self):
            return True
        if not isinstance(other, (str, tuple, list)):
            return False
        ours, theirs = self._key(other)
        return ours == theirs

    def __ne__(self, other):
        return not self == other

    __hash__ = str.__hash__


__version__ = TorchVersion(internal_version)
