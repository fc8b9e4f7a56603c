"""Products with Jacobians and Hessians, and these matrices, of functions of tensors."""

import torch
from torch._namespace import missing

from . import forward_ad

__all__ = ["vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"]

_OUTPUTS = "outputs of the user-provided function"


def _as_tuple(value, what, function):
    """The value as a tuple of tensors, and whether it was a tuple."""
    is_tuple = isinstance(value, tuple)
    items = value if is_tuple else (value,)
    for i, item in enumerate(items):
        if not isinstance(item, torch.Tensor):
            where = f"value at index {i} has" if is_tuple else f"given {what} has"
            raise TypeError(
                f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the"
                f" {where} type {type(item)}."
            )
    return is_tuple, items


def _unwrap(items, was_tuple):
    return items if was_tuple else items[0]


def _unwrap_matrix(rows, rows_were_tuple, columns_were_tuple):
    if not columns_were_tuple:
        rows = tuple(row[0] for row in rows)
    return rows if rows_were_tuple else rows[0]


def _fresh(inputs, create_graph, need_graph=True):
    """Other tensors with the values of the inputs; connected to them only for create_graph."""
    return tuple(
        x.view_as(x) if create_graph and x.requires_grad else x.detach().requires_grad_(need_graph) for x in inputs
    )


def _finish(results, create_graph):
    if create_graph:
        return results
    if isinstance(results[0], torch.Tensor):
        return tuple(r.detach() for r in results)
    return tuple(_finish(r, create_graph) for r in results)


def _check_v(v, other, other_is_tuple):
    if len(v) != len(other):
        if other_is_tuple:
            raise RuntimeError(f"v is a tuple of invalid length: should be {len(other)} but got {len(v)}.")
        raise RuntimeError("The given v should contain a single Tensor.")
    for i, (given, wanted) in enumerate(zip(v, other)):
        if given.size() != wanted.size():
            entry = f"Entry {i} in " if other_is_tuple else ""
            raise RuntimeError(f"{entry}v has invalid size: should be {wanted.size()} but got {given.size()}.")


_UNUSED = "The output of the user-provided function is independent of input {}. This is not allowed in strict mode."

# What strict mode says about a tensor that does not require grad, by what it is.
_INDEPENDENT = {
    "outputs": (
        "Output {} of the user-provided function does not require gradients."
        " The outputs must be computed in a differentiable manner from the input when running in strict mode."
    ),
    "grad_inputs": (
        "The gradient with respect to input {} is independent of the inputs of the"
        " user-provided function. This is not allowed in strict mode."
    ),
    "jacobian": (
        "While computing the hessian, found that the jacobian of the user-provided function with respect to input {}"
        " is independent of the input. This is not allowed in strict mode. You should ensure that your function is"
        " twice differentiable and that the jacobian depends on the inputs (this would be violated by a linear"
        " function for example)."
    ),
    "hessian": (
        "The hessian of the user-provided function with respect to input {} is independent of the input. This is not"
        " allowed in strict mode. You should ensure that your function is thrice differentiable and that the hessian"
        " depends on the inputs."
    ),
}


def _check_differentiable(tensors, what, strict):
    if not strict:
        return
    for i, t in enumerate(tensors):
        if t is None:
            raise RuntimeError(_UNUSED.format(i))
        if not t.requires_grad:
            raise RuntimeError(_INDEPENDENT[what].format(i))


# What strict mode says about a missing gradient, and about one that cannot be
# differentiated again, by the stage of the computation.
_MISSING = {
    "back": _UNUSED,
    "back_trick": (
        "The gradient with respect to the input is independent of entry {} in the grad_outputs when using the double"
        " backward trick to compute forward mode gradients. This is not allowed in strict mode."
    ),
    "double_back": (
        "The jacobian of the user-provided function is independent of input {}. This is not allowed in strict mode."
    ),
    "double_back_trick": (
        "The hessian of the user-provided function is independent of entry {} in the grad_jacobian. This is not"
        " allowed in strict mode as it prevents from using the double backward trick to replace forward mode AD."
    ),
}
_CONSTANT = (
    "The {} of the user-provided function is independent of input {}. This is not allowed in strict mode when"
    " create_graph=True."
)


def _filled(grads, like, strict, create_graph, stage):
    """The gradients with zeros for those that are missing."""
    filled = []
    for i, grad in enumerate(grads):
        if grad is None:
            if strict:
                raise RuntimeError(_MISSING[stage].format(i))
            grad = torch.zeros_like(like[i])
        elif strict and create_graph and not grad.requires_grad:
            raise RuntimeError(_CONSTANT.format("hessian" if "double" in stage else "jacobian", i))
        filled.append(grad)
    return tuple(filled)


def _grad(outputs, inputs, grad_outputs=None, **options):
    """autograd.grad of those outputs that require grad."""
    given = grad_outputs or (None,) * len(outputs)
    used = [(o, g) for o, g in zip(outputs, given) if o is not None and o.requires_grad]
    if not used:
        return (None,) * len(inputs)
    roots, starts = zip(*used)
    return torch.autograd.grad(roots, inputs, starts, allow_unused=True, **options)


def _input_v(v, inputs, inputs_are_tuple, create_graph, function):
    """The vector that a product with inputs is made with, checked."""
    if v is None:
        if len(inputs) != 1 or inputs[0].nelement() != 1:
            raise RuntimeError(
                "The vector v can only be None if the input to the user-provided function "
                "is a single Tensor with a single element."
            )
        return None
    _, v = _as_tuple(v, "v", function)
    v = _fresh(v, create_graph, need_graph=False)
    _check_v(v, inputs, inputs_are_tuple)
    return v


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """The value of func, and the product of a vector with its Jacobian."""
    with torch.enable_grad():
        inputs_are_tuple, inputs = _as_tuple(inputs, "inputs", "vjp")
        inputs = _fresh(inputs, create_graph)
        outputs_are_tuple, outputs = _as_tuple(func(*inputs), _OUTPUTS, "vjp")
        _check_differentiable(outputs, "outputs", strict)
        if v is not None:
            _, v = _as_tuple(v, "v", "vjp")
            v = _fresh(v, create_graph, need_graph=False)
            _check_v(v, outputs, outputs_are_tuple)
        elif len(outputs) != 1 or outputs[0].nelement() != 1:
            raise RuntimeError(
                "The vector v can only be None if the user-provided function returns a single Tensor with a single"
                " element."
            )
    with torch.set_grad_enabled(create_graph or torch.is_grad_enabled()):
        product = _grad(outputs, inputs, v, create_graph=create_graph)
        product = _filled(product, inputs, strict, create_graph, "back")
    return (
        _unwrap(_finish(outputs, create_graph), outputs_are_tuple),
        _unwrap(_finish(product, create_graph), inputs_are_tuple),
    )


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """The value of func, and the product of its Jacobian with a vector, by going backward twice."""
    with torch.enable_grad():
        inputs_are_tuple, inputs = _as_tuple(inputs, "inputs", "jvp")
        inputs = _fresh(inputs, create_graph)
        v = _input_v(v, inputs, inputs_are_tuple, create_graph, "jvp")
        outputs_are_tuple, outputs = _as_tuple(func(*inputs), _OUTPUTS, "jvp")
        _check_differentiable(outputs, "outputs", strict)
        dummies = tuple(torch.zeros_like(o, requires_grad=True) for o in outputs)
        grads = _grad(outputs, inputs, dummies, create_graph=True)
        _check_differentiable(grads, "grad_inputs", strict)
    with torch.set_grad_enabled(create_graph or torch.is_grad_enabled()):
        product = _grad(grads, dummies, v, create_graph=create_graph)
        product = _filled(product, outputs, strict, create_graph, "back_trick")
    return (
        _unwrap(_finish(outputs, create_graph), outputs_are_tuple),
        _unwrap(_finish(product, create_graph), outputs_are_tuple),
    )


def _basis(tensors):
    """For each tensor the rows of an identity matrix over the elements of all of them."""
    numels = [t.numel() for t in tensors]
    blocks, before = [], 0
    for t, n in zip(tensors, numels):
        block = t.new_zeros(sum(numels), n)
        block.diagonal(-before).fill_(1)
        blocks.append(block)
        before += n
    return tuple(blocks), numels


def _jacobian_forward(func, inputs, strict, vectorize):
    if strict:
        raise RuntimeError(
            'torch.autograd.functional.jacobian: `strict=True` and `strategy="forward-mode"` are not supported '
            'together (yet). Please either set `strict=False` or `strategy="reverse-mode"`.'
        )
    inputs_are_tuple, inputs = _as_tuple(inputs, "inputs", "jacobian")
    if not vectorize:
        raise NotImplementedError(
            "Computing Jacobian using forward-AD or forward-over-reverse Hessian is"
            "only implemented for `vectorize=True`."
        )
    columns = []
    blocks, numels = _basis(inputs)
    for rows in zip(*blocks):
        with forward_ad.dual_level():
            duals = (forward_ad.make_dual(x, row.view_as(x)) for x, row in zip(inputs, rows))
            result = func(*duals)
            outputs_are_tuple = isinstance(result, tuple)
            outputs = [forward_ad.unpack_dual(o) for o in (result if outputs_are_tuple else (result,))]
            columns.append([torch.zeros_like(p) if d is None else d for p, d in outputs])
    matrix = tuple(
        tuple(
            part.permute(*range(1, part.ndim), 0).reshape(*primal.shape, *x.shape)
            for part, x in zip(torch.stack(tangents).split(numels), inputs)
        )
        for (primal, _), tangents in zip(outputs, zip(*columns))
    )
    return _unwrap_matrix(matrix, outputs_are_tuple, inputs_are_tuple)


def _jacobian_batched(outputs, inputs, create_graph):
    blocks, numels = _basis(outputs)
    flat = tuple(o.reshape(-1) for o in outputs)
    grads = _grad(flat, inputs, blocks, create_graph=create_graph, is_grads_batched=True)
    columns = []
    for grad, x in zip(grads, inputs):
        if grad is None:
            grad = torch.zeros_like(x).expand((sum(numels),) + x.shape)
        columns.append([part.view(o.shape + x.shape) for part, o in zip(grad.split(numels), outputs)])
    return tuple(zip(*columns))


def _jacobian_row(i, out, inputs, create_graph, strict):
    """The derivatives of an output with respect to each input."""
    columns = [[] for _ in inputs]
    for j in range(out.nelement()):
        grads = _grad((out.reshape(-1)[j],), inputs, retain_graph=True, create_graph=create_graph)
        for k, (grad, x) in enumerate(zip(grads, inputs)):
            if grad is None:
                if strict:
                    raise RuntimeError(
                        f"Output {i} of the user-provided function is independent of input {k}."
                        " This is not allowed in strict mode."
                    )
                grad = torch.zeros_like(x)
            elif strict and create_graph and not grad.requires_grad:
                raise RuntimeError(_CONSTANT.format("jacobian", i))
            columns[k].append(grad)
    return tuple(torch.stack(c, dim=0).view(out.size() + x.size()) for c, x in zip(columns, inputs))


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """The Jacobian of func: for each output and each input a tensor with the shapes of both."""
    assert strategy in ("forward-mode", "reverse-mode"), (
        'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your '
        'function has more outputs than inputs, "forward-mode" tends to be more performant. '
        'Otherwise, prefer to use "reverse-mode".'
    )
    if strategy == "forward-mode":
        if create_graph:
            raise NotImplementedError(
                'torch.autograd.functional.jacobian: `create_graph=True` and `strategy="forward-mode"` are not '
                'supported together (yet). Please either set `create_graph=False` or `strategy="reverse-mode"`.'
            )
        return _jacobian_forward(func, inputs, strict, vectorize)
    with torch.enable_grad():
        inputs_are_tuple, inputs = _as_tuple(inputs, "inputs", "jacobian")
        inputs = _fresh(inputs, create_graph)
        outputs_are_tuple, outputs = _as_tuple(func(*inputs), _OUTPUTS, "jacobian")
        _check_differentiable(outputs, "outputs", strict)
        if vectorize:
            if strict:
                raise RuntimeError(
                    "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported"
                    " together. Please either set `strict=False` or `vectorize=False`."
                )
            matrix = _jacobian_batched(outputs, inputs, create_graph)
        else:
            matrix = tuple(_jacobian_row(i, o, inputs, create_graph, strict) for i, o in enumerate(outputs))
        return _unwrap_matrix(_finish(matrix, create_graph), outputs_are_tuple, inputs_are_tuple)


def _single_element(result, function, strict):
    """The only output of a function, which has one element."""
    is_tuple, outputs = _as_tuple(result, _OUTPUTS, function)
    _check_differentiable(outputs, "outputs", strict)
    if is_tuple:
        raise RuntimeError(f"The function given to {function} should return a single Tensor")
    if outputs[0].nelement() != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {function} should contain a single element")
    return outputs[0]


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """The Hessian of a scalar function, as the Jacobian of its Jacobian."""
    inputs_are_tuple, inputs = _as_tuple(inputs, "inputs", "hessian")
    assert outer_jacobian_strategy in (
        "forward-mode",
        "reverse-mode",
    ), 'Expected strategy to be either "forward-mode" or "reverse-mode".'

    def scalar(*args):
        return _single_element(func(*args), "hessian", strict).squeeze()

    def gradient(*args):
        if outer_jacobian_strategy == "forward-mode":
            args = tuple(x.requires_grad_(True) for x in args)
        rows = jacobian(scalar, args, create_graph=True)
        _check_differentiable(rows, "jacobian", strict)
        return rows

    rows = jacobian(gradient, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return _unwrap_matrix(rows, inputs_are_tuple, inputs_are_tuple)


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """The value of a scalar function, and the product of a vector with its Hessian."""
    with torch.enable_grad():
        inputs_are_tuple, inputs = _as_tuple(inputs, "inputs", "vhp")
        inputs = _fresh(inputs, create_graph)
        v = _input_v(v, inputs, inputs_are_tuple, create_graph, "vhp")
        output = _single_element(func(*inputs), "vhp", strict)
        gradient = _grad((output,), inputs, create_graph=True)
        _check_differentiable(gradient, "jacobian", strict)
    with torch.set_grad_enabled(create_graph or torch.is_grad_enabled()):
        product = _grad(gradient, inputs, v, create_graph=create_graph)
        product = _filled(product, inputs, strict, create_graph, "double_back")
    return _finish((output,), create_graph)[0], _unwrap(_finish(product, create_graph), inputs_are_tuple)


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """The value of a scalar function, and the product of its Hessian with a vector."""
    with torch.enable_grad():
        inputs_are_tuple, inputs = _as_tuple(inputs, "inputs", "hvp")
        inputs = _fresh(inputs, create_graph)
        v = _input_v(v, inputs, inputs_are_tuple, create_graph, "hvp")
        output = _single_element(func(*inputs), "hvp", strict)
        gradient = _grad((output,), inputs, create_graph=True)
        _check_differentiable(gradient, "jacobian", strict)
        dummies = tuple(torch.zeros_like(x, requires_grad=True) for x in inputs)
        second = _grad(gradient, inputs, dummies, create_graph=True)
        _check_differentiable(gradient, "hessian", strict)
    with torch.set_grad_enabled(create_graph or torch.is_grad_enabled()):
        product = _grad(second, dummies, v, create_graph=create_graph)
        product = _filled(product, inputs, strict, create_graph, "double_back_trick")
    return _finish((output,), create_graph)[0], _unwrap(_finish(product, create_graph), inputs_are_tuple)


__getattr__ = missing(__name__)
