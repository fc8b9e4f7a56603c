"""assert_close: values that have to be close, in any nesting of sequences and mappings."""

import cmath
import collections.abc
import contextlib
import sys
import warnings

import torch

# rtol and atol by dtype; other dtypes have to be equal.
_TOLERANCES = {
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.float32: (1.3e-6, 1e-5),
    torch.float64: (1e-7, 1e-7),
}

_NUMBERS = {int: torch.int64, float: torch.float64}


class _Mismatch(Exception):
    """The error to raise, and where in the nesting."""

    def __init__(self, type, text, id=()):
        super().__init__(text)
        self.type, self.text, self.id = type, text, id

    def error(self, msg=None):
        if isinstance(msg, str):
            return self.type(msg)
        text = self.text
        if self.id:
            text += f"\n\nThe failure occurred for item {''.join(str([item]) for item in self.id)}"
        return self.type(msg(text) if callable(msg) else text)


class _NotSupported(Exception):
    """A comparison does not know such values."""


def _numpy(name):
    """A type of NumPy if the program uses it, else none."""
    numpy = sys.modules.get("numpy")
    return (getattr(numpy, name),) if numpy is not None else ()


def default_tolerances(*dtypes, dtype_precisions=_TOLERANCES):
    """The wider of the tolerances of some dtypes."""
    pairs = [dtype_precisions.get(d, (0.0, 0.0)) for d in dtypes]
    return max(p[0] for p in pairs), max(p[1] for p in pairs)


def _tolerances(options, id, *dtypes):
    rtol, atol = options["rtol"], options["atol"]
    if (rtol is None) != (atol is None):
        missing = "rtol" if rtol is None else "atol"
        raise _Mismatch(
            ValueError, f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}.", id
        )
    return default_tolerances(*dtypes) if rtol is None else (rtol, atol)


def _difference(kind, value, index, tolerance, equality):
    text = f"{kind.title()} difference: {value}" if index is None else f"Greatest {kind} difference: {value} at index {index}"
    return text if equality else f"{text} (up to {tolerance} allowed)"


def _report(what, extra, absolute, relative, rtol, atol):
    """What differs by how much; absolute and relative are differences with their indices."""
    equality = rtol == 0 and atol == 0
    return (
        f"{what} are not {'equal' if equality else 'close'}!\n\n{extra}\n"
        + _difference("absolute", *absolute, atol, equality)
        + "\n"
        + _difference("relative", *relative, rtol, equality)
    )


def _scalar_report(actual, expected, rtol, atol):
    absolute = abs(actual - expected)
    relative = float("inf") if expected == 0 else absolute / abs(expected)
    extra = f"Expected {expected} but got {actual}."
    return _report("Scalars", extra, (absolute, None), (relative, None), rtol, atol)


def _unravel(index, shape):
    position = []
    for size in reversed(shape):
        index, at = divmod(index, size)
        position.insert(0, at)
    return tuple(position)


def _tensor_report(actual, expected, matches, rtol, atol):
    count = matches.numel()
    wrong = count - int(torch.sum(matches))
    shape = tuple(matches.shape)
    actual, expected, matches = actual.flatten(), expected.flatten(), matches.flatten()
    if not actual.dtype.is_floating_point and not actual.dtype.is_complex:
        actual, expected = actual.to(torch.int64), expected.to(torch.int64)

    def greatest(differences):
        differences[matches] = 0
        value, index = torch.max(differences, 0)
        return value.item(), _unravel(int(index), shape)

    difference = torch.abs(actual - expected)
    absolute = greatest(difference)
    relative = greatest(difference / torch.abs(expected))
    extra = f"Mismatched elements: {wrong} / {count} ({wrong / count:.1%})"
    return _report("Tensor-likes", extra, absolute, relative, rtol, atol)


def _compare_none(actual, expected, id, options):
    if actual is not None and expected is not None:
        raise _NotSupported

    def compare():
        if actual is not None or expected is not None:
            raise _Mismatch(AssertionError, f"None mismatch: {actual} is not {expected}", id)

    return compare


def _compare_bools(actual, expected, id, options):
    types = (bool,) + _numpy("bool_")
    if not (isinstance(actual, types) and isinstance(expected, types)):
        raise _NotSupported
    actual, expected = bool(actual), bool(expected)

    def compare():
        if actual is not expected:
            raise _Mismatch(AssertionError, f"Booleans mismatch: {actual} is not {expected}", id)

    return compare


def _compare_numbers(actual, expected, id, options):
    numpy = _numpy("number")
    types = (int, float, complex) + numpy
    if not (isinstance(actual, types) and isinstance(expected, types)):
        raise _NotSupported
    actual, expected = (x.item() if isinstance(x, numpy) else x for x in (actual, expected))
    rtol, atol = _tolerances(options, id, *(_NUMBERS.get(type(x), torch.float64) for x in (actual, expected)))

    def compare():
        if options["check_dtype"] and type(actual) is not type(expected):
            raise _Mismatch(AssertionError, f"The (d)types do not match: {type(actual)} != {type(expected)}.", id)
        if actual == expected or options["equal_nan"] and cmath.isnan(actual) and cmath.isnan(expected):
            return
        difference = abs(actual - expected)
        if cmath.isfinite(difference) and difference <= atol + rtol * abs(expected):
            return
        raise _Mismatch(AssertionError, _scalar_report(actual, expected, rtol, atol), id)

    return compare


def _as_tensor(value):
    if isinstance(value, torch.Tensor):
        return value
    try:
        return torch.as_tensor(value)
    except Exception:
        raise _NotSupported from None


def _compare_tensors(actual, expected, id, options):
    if not (isinstance(actual, type(expected)) or isinstance(expected, type(actual))):
        raise _NotSupported
    if not options["allow_subclasses"] and type(actual) is not type(expected):
        raise _NotSupported
    actual, expected = _as_tensor(actual), _as_tensor(expected)
    rtol, atol = _tolerances(options, id, actual.dtype, expected.dtype)

    def check(attribute, of_actual, of_expected):
        if of_actual != of_expected:
            raise _Mismatch(
                AssertionError,
                f"The values for attribute '{attribute}' do not match: {of_actual} != {of_expected}.",
                id,
            )

    def compare():
        check("shape", actual.shape, expected.shape)
        if options["check_stride"]:
            check("stride()", actual.stride(), expected.stride())
        if options["check_device"]:
            check("device", actual.device, expected.device)
        if options["check_dtype"]:
            check("dtype", actual.dtype, expected.dtype)
        common = torch.promote_types(actual.dtype, expected.dtype)
        a, e = actual.to(common), expected.to(common)
        matches = torch.isclose(a, e, rtol=rtol, atol=atol, equal_nan=options["equal_nan"])
        if torch.all(matches):
            return
        if actual.shape == torch.Size([]):
            raise _Mismatch(AssertionError, _scalar_report(a.item(), e.item(), rtol, atol), id)
        raise _Mismatch(AssertionError, _tensor_report(a, e, matches, rtol, atol), id)

    return compare


_COMPARISONS = (_compare_none, _compare_bools, _compare_numbers, _compare_tensors)


def _is_sequence(x):
    return isinstance(x, collections.abc.Sequence) and not isinstance(x, str)


def _pairs(actual, expected, id, options):
    """The comparisons of all pairs of values inside two values."""
    if _is_sequence(actual) and _is_sequence(expected):
        if len(actual) != len(expected):
            raise _Mismatch(
                AssertionError, f"The length of the sequences mismatch: {len(actual)} != {len(expected)}", id
            )
        keys = range(len(actual))
    elif isinstance(actual, collections.abc.Mapping) and isinstance(expected, collections.abc.Mapping):
        keys = set(actual.keys())
        if keys != set(expected.keys()):
            missing = sorted(set(expected.keys()) - keys)
            additional = sorted(keys - set(expected.keys()))
            raise _Mismatch(
                AssertionError,
                "The keys of the mappings do not match:\n"
                f"Missing keys in the actual mapping: {missing}\n"
                f"Additional keys in the actual mapping: {additional}",
                id,
            )
        with contextlib.suppress(Exception):
            keys = sorted(keys)
    else:
        for comparison in _COMPARISONS:
            try:
                return [comparison(actual, expected, id, options)]
            except _NotSupported:
                continue
        raise _Mismatch(
            TypeError,
            f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}.",
            id,
        )
    return [pair for k in keys for pair in _pairs(actual[k], expected[k], id + (k,), options)]


def assert_close(
    actual,
    expected,
    *,
    allow_subclasses=True,
    rtol=None,
    atol=None,
    equal_nan=False,
    check_device=True,
    check_dtype=True,
    check_layout=True,
    check_stride=False,
    msg=None,
):
    """Raises an AssertionError unless the values are close and the tensors alike."""
    options = {
        "allow_subclasses": allow_subclasses,
        "rtol": rtol,
        "atol": atol,
        "equal_nan": equal_nan,
        "check_device": check_device,
        "check_dtype": check_dtype,
        "check_stride": check_stride,
    }
    try:
        pairs = _pairs(actual, expected, (), options)
    except _Mismatch as mismatch:
        raise mismatch.error() from None
    mismatches = []
    for compare in pairs:
        try:
            compare()
        except _Mismatch as mismatch:
            mismatches.append(mismatch)
    if mismatches:
        raise mismatches[0].error(msg)


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    """The old form of assert_close, which does not check dtypes."""
    warnings.warn(
        "`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a future release. "
        "Please use `torch.testing.assert_close()` instead. "
        "You can find detailed upgrade instructions in https://github.com/pytorch/pytorch/issues/61844.",
        FutureWarning,
        stacklevel=2,
    )
    if not isinstance(actual, torch.Tensor):
        actual = torch.tensor(actual)
    if not isinstance(expected, torch.Tensor):
        expected = torch.tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        precisions = {torch.float16: (1e-3, 1e-3), torch.float32: (1e-4, 1e-5), torch.float64: (1e-5, 1e-8)}
        rtol, atol = default_tolerances(actual.dtype, expected.dtype, dtype_precisions=precisions)
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, msg=msg or None)
