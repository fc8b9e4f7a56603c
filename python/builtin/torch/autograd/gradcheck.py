"""gradcheck: derivatives compared with differences of function values."""

import itertools
import warnings

import torch
from torch._namespace import missing

from . import forward_ad

__all__ = ["gradcheck", "gradgradcheck", "GradcheckError"]


class GradcheckError(RuntimeError):
    """A derivative is wrong."""


_NOT_REENTRANT = (
    "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different"
    " values, although analytical gradient matches numerical gradient."
    "The tolerance for nondeterminism was {}."
    """

NOTE: If your op relies on non-deterministic operations i.e., it is listed here:
https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
this failure might be expected.

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck.
If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `nondet_tol=<tol>` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_nondet_tol=<tol>`.
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_nondet_tol=<tol>`
"""
)


def _as_tuple(x):
    return x if isinstance(x, tuple) else tuple(x) if isinstance(x, list) else (x,)


def _needs_grad(x):
    return isinstance(x, torch.Tensor) and x.requires_grad


def _differentiable(outputs):
    return tuple(o for o in _as_tuple(outputs) if o.requires_grad)


def _elements(t):
    """The indices of all elements, in order."""
    return itertools.product(*(range(n) for n in t.size()))


class _Check:
    """One check of a function at one point."""

    def __init__(self, func, inputs, eps, atol, rtol, nondet_tol, check_grad_dtypes):
        self.func, self.inputs = func, _as_tuple(inputs)
        self.eps, self.atol, self.rtol = eps, atol, rtol
        self.nondet_tol, self.check_grad_dtypes = nondet_tol, check_grad_dtypes
        self.check_inputs()
        self.wrt = [x for x in self.inputs if _needs_grad(x)]
        result = func(*self.inputs)
        self.results = _as_tuple(result)
        self.outputs = _differentiable(result)

    def check_inputs(self):
        for i, x in enumerate(self.inputs):
            if not _needs_grad(x):
                continue
            if x.dtype != torch.float64:
                warnings.warn(
                    f"Input #{i} requires gradient and "
                    "is not a double precision floating point or complex. "
                    "This check will likely fail if all the inputs are "
                    "not of double precision floating point or complex. "
                )
            if not all(stride > 0 or size <= 1 for stride, size in zip(x.stride(), x.size())):
                raise RuntimeError(
                    f"The {i}th input has a dimension with stride 0. gradcheck only "
                    "supports inputs that are non-overlapping to be able to "
                    "compute the numerical gradients correctly. You should call "
                    ".contiguous on the input before passing it to gradcheck."
                )
        if not any(_needs_grad(x) for x in self.inputs):
            raise ValueError(
                "gradcheck expects at least one input tensor to require gradient, "
                "but none of the them have requires_grad=True."
            )

    def call(self):
        return tuple(o.clone() for o in _as_tuple(self.func(*self.inputs)))

    def numerical(self, x):
        """For each result the Jacobian by an input: rows are elements of the input."""
        jacobians = [torch.zeros(x.numel(), o.numel(), dtype=o.dtype) for o in self.results]
        data = x.data
        for row, index in enumerate(_elements(data)):
            entry = data[index]
            before = entry.clone()
            entry.copy_(before - self.eps)
            low = self.call()
            entry.copy_(before + self.eps)
            high = self.call()
            entry.copy_(before)
            for jacobian, a, b in zip(jacobians, low, high):
                self.check_alike(a, b)
                jacobian[row] = ((b - a) / (2 * self.eps)).detach().reshape(-1)
        return jacobians

    def check_alike(self, a, b):
        for what, plural in (("shape", "shapes"), ("dtype", "dtypes")):
            of_a, of_b = getattr(a, what), getattr(b, what)
            assert of_a == of_b, (
                f"Expected `func` to return outputs with the same {what} when inputs are perturbed "
                f"on index {{idx}} by {self.eps}, but got: {plural} {of_a} and {of_b}."
            )

    def analytical(self, output):
        """The Jacobians of an output by each input, and whether their types and sizes are right."""
        start = torch.zeros_like(output, memory_format=torch.contiguous_format)
        flat = start.view(-1)
        jacobians = [torch.zeros(x.numel(), output.numel(), dtype=x.dtype) for x in self.wrt]
        types_ok = sizes_ok = True
        for j in range(flat.numel()):
            flat.zero_()
            flat[j] = 1.0
            grads = torch.autograd.grad(output, self.wrt, start, retain_graph=True, allow_unused=True)
            for jacobian, grad, x in zip(jacobians, grads, self.wrt):
                if grad is None:
                    continue
                if grad.size() != x.size():
                    sizes_ok = False
                elif grad.dtype != x.dtype:
                    types_ok = False
                jacobian[:, j] = grad.clone().reshape(-1)
        return jacobians, types_ok, sizes_ok

    def check_backward(self):
        numerical = [self.numerical(x) for x in self.wrt]
        kept = [i for i, o in enumerate(self.results) if o.requires_grad]
        if not kept:
            return self.check_constant(numerical)
        for i, (output, column) in enumerate(zip(self.outputs, kept)):
            first, types_ok, sizes_ok = self.analytical(output)
            second, _, _ = self.analytical(output)
            if not types_ok and self.check_grad_dtypes:
                raise GradcheckError("Gradient has dtype mismatch")
            if not sizes_ok:
                raise GradcheckError("Analytical gradient has incorrect size")
            for a, b in zip(first, second):
                if a.numel() != 0 and (a - b).abs().max() > self.nondet_tol:
                    raise GradcheckError(_NOT_REENTRANT.format(self.nondet_tol))
            for j, a in enumerate(first):
                self.compare(a, numerical[j][column], i, j, "")

    def check_constant(self, numerical):
        for jacobians in numerical:
            for jacobian in jacobians:
                if torch.ne(jacobian, 0).sum() > 0:
                    raise GradcheckError("Numerical gradient for function expected to be zero")

    def compare(self, analytical, numerical, output, input, mode):
        dtype = torch.promote_types(analytical.dtype, numerical.dtype)
        if not torch.allclose(analytical.to(dtype), numerical.to(dtype), self.rtol, self.atol):
            raise GradcheckError(
                f"Jacobian {mode}mismatch for output {output:d} with respect to input {input:d},\n"
                f"numerical:{numerical}\nanalytical:{analytical}\n"
            )

    def duals(self):
        """The inputs as dual numbers, and the tangents, which are zeros."""
        values, tangents = [], []
        for x in self.inputs:
            if _needs_grad(x):
                x = forward_ad.make_dual(x.detach(), torch.zeros_like(x))
                tangents.append(forward_ad.unpack_dual(x).tangent)
            values.append(x)
        return values, tangents

    def tangents_of(self, values):
        outputs = _as_tuple(self.func(*values))
        return [forward_ad.unpack_dual(o) for o in outputs if o.is_floating_point()]

    def check_forward(self):
        numerical = [self.numerical(x) for x in self.wrt]
        if not self.outputs:
            return self.check_constant(numerical)
        forward = []
        with forward_ad.dual_level():
            values, tangents = self.duals()
            for tangent in tangents:
                rows = [[] for _ in self.results]
                for index in _elements(tangent):
                    tangent[index] = 1.0
                    for row, (primal, d) in zip(rows, self.tangents_of(values)):
                        row.append((torch.zeros_like(primal) if d is None else d.clone()).reshape(-1))
                    tangent[index] = 0.0
                forward.append([torch.stack(r) if r else torch.zeros(0, o.numel()) for r, o in zip(rows, self.results)])
        kept = [i for i, o in enumerate(self.results) if o.requires_grad]
        for i, column in enumerate(kept):
            for j in range(len(self.wrt)):
                self.compare(forward[j][column], numerical[j][column], i, j, "computed with forward mode ")

    def check_undefined_forward(self):
        """An input without tangent must do the same as one with a tangent of zeros."""
        with forward_ad.dual_level():
            values, tangents = self.duals()
            for tangent in tangents:
                tangent.copy_(torch.rand(tangent.numel()).view_as(tangent))
            for i, x in enumerate(self.inputs):
                if not _needs_grad(x):
                    continue
                dual = values[i]
                values[i] = forward_ad.make_dual(x.detach(), torch.zeros_like(x))
                zeros = self.tangents_of(values)
                values[i] = x.detach()
                nothing = self.tangents_of(values)
                values[i] = dual
                for o, ((_, a), (_, b)) in enumerate(zip(zeros, nothing)):
                    if a is not None and b is not None and not torch.allclose(a, b):
                        raise GradcheckError(
                            "Mismatch in tangent values for output with index: ", o, " when input: ", x,
                            " has an undefined tangent value. ", " Got: ", a, " but expected: ", b,
                        )  # fmt: skip

    def check_product(self):
        """Backward must multiply by the gradients that come in."""
        zeros = [torch.zeros_like(o) for o in self.outputs]
        for grad, x in zip(torch.autograd.grad(self.outputs, self.wrt, zeros, allow_unused=True), self.wrt):
            if grad is None:
                continue
            if not grad.eq(0).all():
                raise GradcheckError("backward not multiplied by grad_output")
            if grad.dtype != x.dtype:
                raise GradcheckError("grad is incorrect type")
            if grad.size() != x.size():
                raise GradcheckError("grad is incorrect size")

    def check_undefined(self):
        """Backward must take undefined gradients, of all outputs and of each alone."""
        self.check_undefined_of([torch._C._functions.UndefinedGrad()(o) for o in _differentiable(self.func(*self.inputs))])
        if len(self.outputs) > 1:
            for i in range(len(self.outputs)):
                outputs = _differentiable(self.func(*self.inputs))
                self.check_undefined_of([torch._C._functions.UndefinedGrad()(o) if i == k else o for k, o in enumerate(outputs)])

    def check_undefined_of(self, outputs):
        zeros = [torch.zeros_like(o) for o in outputs]
        where = 'Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
        try:
            grads = torch.autograd.grad(outputs, self.wrt, zeros, allow_unused=True)
        except RuntimeError as e:
            _warn_undefined()
            raise GradcheckError("Expected backward function to handle undefined output grads. " + where) from e
        if any(g is not None and not g.eq(0).all() for g in grads):
            _warn_undefined()
            raise GradcheckError(
                "Expected all input grads to be undefined or zero when all output grads are undefined "
                "or zero. " + where
            )


def _warn_undefined():
    warnings.warn(
        "Backwards compatibility: New undefined gradient support checking "
        "feature is enabled by default, but it may break existing callers "
        "of this function. If this is true for you, you can call this "
        'function with "check_undefined_grad=False" to disable the feature'
    )


def gradcheck(
    func,
    inputs,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_batched_forward_grad=False,
    check_forward_ad=False,
    check_backward_ad=True,
    fast_mode=False,
    masked=None,
):
    """Compares the gradients of func with respect to inputs that require grad with finite differences."""
    assert check_forward_ad or check_backward_ad, (
        "Expected at least one of check_forward_ad or check_backward_ad to be True"
    )
    assert not (check_batched_grad and not check_backward_ad), (
        "Setting check_batched_grad=True requires check_backward_ad to be True"
    )
    assert not (check_batched_forward_grad and not check_forward_ad), (
        "Setting check_batched_forward_grad=True requires check_forward_ad to be True"
    )
    try:
        check = _Check(func, inputs, eps, atol, rtol, nondet_tol, check_grad_dtypes)
        if check_backward_ad:
            check.check_backward()
        if check_forward_ad:
            check.check_forward()
            if check_undefined_grad:
                check.check_undefined_forward()
        if check_backward_ad:
            check.check_product()
            if check_undefined_grad:
                check.check_undefined()
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func,
    inputs,
    grad_outputs=None,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    gen_non_contig_grad_outputs=False,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_fwd_over_rev=False,
    check_rev_over_rev=True,
    fast_mode=False,
    masked=False,
):
    """gradcheck of the gradients of func."""
    assert check_fwd_over_rev or check_rev_over_rev, (
        "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True"
    )
    assert not (check_undefined_grad and not check_rev_over_rev), (
        "Setting check_undefined_grad=True requires check_rev_over_rev to be True"
    )
    assert not (check_batched_grad and not check_rev_over_rev), (
        "Setting check_batched_grad=True requires check_rev_over_rev to be True"
    )
    inputs = _as_tuple(inputs)
    if grad_outputs is None:
        grad_outputs = tuple(
            torch.testing.make_tensor(
                o.shape,
                dtype=o.dtype,
                device=o.device,
                low=-1,
                high=1,
                requires_grad=True,
                noncontiguous=gen_non_contig_grad_outputs,
            )
            for o in _differentiable(func(*inputs))
        )
    grad_outputs = _as_tuple(grad_outputs)
    needed = [_needs_grad(x) for x in inputs + grad_outputs]

    def gradients(*args):
        args = [x.requires_grad_() if need else x for x, need in zip(args, needed)]
        given, starts = args[: len(inputs)], args[len(inputs) :]
        outputs = _differentiable(func(*given))
        wrt = tuple(x for x, need in zip(given, needed) if need)
        grads = torch.autograd.grad(outputs, wrt, starts, create_graph=True, allow_unused=True)
        return tuple(g for g in grads if g is not None)

    return gradcheck(
        gradients,
        inputs + grad_outputs,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        fast_mode=fast_mode,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        masked=masked,
    )


__getattr__ = missing(__name__)
