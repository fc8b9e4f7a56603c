"""Transforms that differentiate functions."""

import functools

import torch
from torch._engine import call
from torch.autograd import forward_ad
from torch.autograd.graph import disable_saved_tensors_hooks
from torch.utils._pytree import tree_flatten, tree_leaves, tree_map, tree_unflatten, treespec_pprint

_NO_HOOKS = (
    "torch.func.{grad, vjp, jacrev, hessian} don't yet support saved tensor hooks. "
    "Please open an issue with your use case."
)
_JVP = "jvp(f, primals, tangents)"


def _positions(argnums, count):
    """The positions that argnums mean, as a tuple."""
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    positions = argnums if isinstance(argnums, tuple) else (argnums,)
    for i in positions:
        if not isinstance(i, int):
            raise RuntimeError(f"argnum must be int, got: {type(i)}")
        if not -count <= i < count:
            raise RuntimeError(f"Got argnum={i}, but only {count} positional inputs")
    positions = tuple(i % count for i in positions)
    if isinstance(argnums, tuple):
        if not argnums:
            raise RuntimeError("argnums must be non-empty")
        if len(set(positions)) != len(positions):
            raise RuntimeError(f"argnums elements must be unique, got {positions}")
    return positions


def _chosen(args, argnums):
    """The arguments that argnums mean: one, or a tuple."""
    positions = _positions(argnums, len(args))
    return tuple(args[i] for i in positions) if isinstance(argnums, tuple) else args[positions[0]]


def _replaced(args, argnums, new):
    args, positions = list(args), _positions(argnums, len(args))
    for i, x in zip(positions, new if isinstance(argnums, tuple) else (new,)):
        args[i] = x
    return args


class _Level:
    """One transform at work: its inputs are leaves, or connected to the inputs of the transform around it."""

    def __init__(self):
        self.outer = torch.is_grad_enabled()
        self.leaves = []

    def enter(self, x):
        if not isinstance(x, torch.Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(x)}")
        if self.outer and x.requires_grad:
            return x.view_as(x)
        primal, tangent = forward_ad.unpack_dual(x)
        leaf = primal.detach().requires_grad_()
        self.leaves.append(leaf)
        return leaf if tangent is None else forward_ad.make_dual(leaf, tangent)

    def leave(self, x):
        """A result without the history that belongs to this transform alone."""
        if not isinstance(x, torch.Tensor) or not x.requires_grad:
            return x
        if self.outer and call("autograd.reaches_others", (x, self.leaves)):
            return x
        primal, tangent = forward_ad.unpack_dual(x)
        value = primal.detach()
        return value if tangent is None else forward_ad.make_dual(value, self.leave(tangent))


def _grads(outputs, inputs, starts=None, retain_graph=False, create_graph=True):
    """The gradients, zeros where there are none."""
    starts = (None,) * len(outputs) if starts is None else starts
    used = [(o, s) for o, s in zip(outputs, starts) if o.requires_grad]
    if not used:
        return tuple(torch.zeros_like(x) for x in inputs)
    roots, starts = zip(*used)
    options = {"retain_graph": retain_graph, "create_graph": create_graph, "allow_unused": True}
    grads = torch.autograd.grad(roots, inputs, starts, **options)
    return tuple(torch.zeros_like(x) if g is None else g for g, x in zip(grads, inputs))


def _split_aux(result, has_aux, where):
    if not has_aux:
        return result, None
    if not (isinstance(result, tuple) and len(result) == 2):
        raise RuntimeError(f"{where}: output of function f should be a tuple: (output, aux) if has_aux is True")
    return result


def _check_outputs(outputs, where):
    if len(outputs) < 1 or len(outputs) == 1 and outputs[0] is None:
        raise RuntimeError(
            f"{where}: Expected f to be a function that has non-empty output (got output = {outputs})"
        )
    for o in outputs:
        if not isinstance(o, torch.Tensor):
            raise RuntimeError(
                f"{where}: expected f(*primals) to return only tensors, got unsupported type {type(o)}"
            )


def _grad_and_value(func, argnums, has_aux, args, kwargs):
    """The gradients, the value and what else func returned."""
    where = "grad_and_value(f)(*args)"
    level = _Level()
    with disable_saved_tensors_hooks(_NO_HOOKS), torch.enable_grad():
        leaves, spec = tree_flatten(_chosen(args, argnums))
        leaves = [level.enter(x) for x in leaves]
        output = func(*_replaced(args, argnums, tree_unflatten(leaves, spec)), **kwargs)
        output, aux = _split_aux(output, has_aux, where)
        if not isinstance(output, torch.Tensor):
            raise RuntimeError(f"{where}: Expected f(*args) to return a Tensor, got {type(output)}")
        if output.dim() != 0:
            raise RuntimeError(
                f"{where}: Expected f(*args) to return a scalar Tensor, got tensor with {output.dim()} dims. Maybe "
                "you wanted to use the vjp or jacrev APIs instead?"
            )
        # What is computed of tensors that the transform does not own may be differentiated again around it.
        shared = level.outer and output.requires_grad and call("autograd.reaches_others", (output, level.leaves))
        grads = tree_unflatten([level.leave(g) for g in _grads((output,), leaves, None, shared)], spec)
    return grads, level.leave(output), tree_map(level.leave, aux)


def grad(func, argnums=0, has_aux=False):
    """A function that computes the gradient of a scalar function."""

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        grads, _, aux = _grad_and_value(func, argnums, has_aux, args, kwargs)
        return (grads, aux) if has_aux else grads

    return wrapper


def grad_and_value(func, argnums=0, has_aux=False):
    """A function that computes the gradient and the value of a scalar function."""

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        grads, value, aux = _grad_and_value(func, argnums, has_aux, args, kwargs)
        return (grads, (value, aux)) if has_aux else (grads, value)

    return wrapper


def vjp(func, *primals, has_aux=False):
    """The value of func and a function for products of vectors with its Jacobian."""
    return _vjp(func, primals, tuple(range(len(primals))), has_aux)


def _vjp(func, primals, argnums, has_aux):
    where = "vjp(f, *primals)"
    level = _Level()
    with disable_saved_tensors_hooks(_NO_HOOKS), torch.enable_grad():
        leaves, spec = tree_flatten(_chosen(primals, argnums) if primals else ())
        leaves = [level.enter(x) for x in leaves]
        inside = _replaced(primals, argnums, tree_unflatten(leaves, spec)) if primals else ()
        result, aux = _split_aux(func(*inside), has_aux, where)
        outputs, nesting = tree_flatten(result)
        _check_outputs(outputs, where)
        for o in outputs:
            if not o.is_floating_point():
                raise RuntimeError(
                    "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype"
                    f" {o.dtype}"
                )

    def product(cotangents, retain_graph=True, create_graph=None):
        create = torch.is_grad_enabled() if create_graph is None else create_graph
        starts, given = tree_flatten(cotangents)
        if given != nesting:
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the"
                f" function. cotangents: {treespec_pprint(given)}, primal output: {treespec_pprint(nesting)}"
            )
        grads = _grads(outputs, leaves, starts, retain_graph, create)
        return tree_unflatten([level.leave(g) for g in grads], spec)

    value = tree_unflatten([level.leave(o) for o in outputs], nesting)
    return (value, product, tree_map(level.leave, aux)) if has_aux else (value, product)


def _check_primals(flat, name):
    if not flat:
        raise RuntimeError(f"{_JVP}: Expected {name} to contain at least one Tensor.")
    for x in flat:
        if not isinstance(x, torch.Tensor):
            raise RuntimeError(f"{_JVP}: Expected {name} to only contain Tensors, got {type(x)}")


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """The value of func, and the product of its Jacobian with tangents."""
    if not isinstance(primals, tuple):
        raise RuntimeError(f"{_JVP}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals).")
    flat, spec = tree_flatten(primals)
    directions, given = tree_flatten(tangents)
    if spec != given:
        raise RuntimeError(
            f"{_JVP}: Expected primals and tangents to have the same python "
            "structure. For example, if primals is a tuple of 3 tensors, "
            f"tangents also must be. Got primals with structure {spec} and tangents with structure {given}"
        )
    _check_primals(flat, "primals")
    _check_primals(directions, "tangents")
    push = _push if forward_ad._current_level < 0 else _push_twice_backward
    outputs, products, nesting, aux = push(func, flat, directions, spec, has_aux)
    if strict and any(p is None for p in products):
        raise RuntimeError(
            "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This is not allowed"
            " with strict=True."
        )
    products = [torch.zeros_like(o) if p is None else p for o, p in zip(outputs, products)]
    result = tree_unflatten(outputs, nesting), tree_unflatten(products, nesting)
    return result + (aux,) if has_aux else result


def _checked(result, has_aux):
    result, aux = _split_aux(result, has_aux, _JVP)
    outputs, nesting = tree_flatten(result)
    _check_outputs(outputs, _JVP)
    return outputs, nesting, aux


def _push(func, flat, directions, spec, has_aux):
    """jvp with dual numbers."""
    with forward_ad.dual_level():
        duals = [forward_ad.make_dual(x, t) for x, t in zip(flat, directions)]
        outputs, nesting, aux = _checked(func(*tree_unflatten(duals, spec)), has_aux)
        pairs = [forward_ad.unpack_dual(o) for o in outputs]
        return [p for p, _ in pairs], [t for _, t in pairs], nesting, tree_map(_without_tangent, aux)


def _without_tangent(x):
    return forward_ad.unpack_dual(x).primal if isinstance(x, torch.Tensor) else x


def _push_twice_backward(func, flat, directions, spec, has_aux):
    """jvp inside another jvp: the derivative of a vector-Jacobian product by its vector."""
    level = _Level()
    with torch.enable_grad():
        leaves = [level.enter(x) for x in flat]
        outputs, nesting, aux = _checked(func(*tree_unflatten(leaves, spec)), has_aux)
        dummies = [torch.zeros_like(o, requires_grad=True) for o in outputs]
        grads = _grads(outputs, leaves, dummies, retain_graph=True)
        used = [(g, t) for g, t in zip(grads, directions) if g.requires_grad]
        products = [None] * len(outputs)
        if used:
            roots, starts = zip(*used)
            products = torch.autograd.grad(roots, dummies, starts, create_graph=True, allow_unused=True)
        level.leaves += dummies
        return [level.leave(o) for o in outputs], [level.leave(p) for p in products], nesting, aux


def _basis(tensors):
    """For each element of the tensors, in order, tensors that are one there and zero elsewhere."""
    for i, t in enumerate(tensors):
        for j in range(t.numel()):
            row = [torch.zeros_like(x, memory_format=torch.contiguous_format) for x in tensors]
            row[i].view(-1)[j] = 1
            yield row


def _jacobian(rows_of, columns_of, rows):
    """Stacked derivatives: rows_of are tensors whose elements number the rows."""
    sizes = [t.numel() for t in rows_of]
    return [
        [part.reshape(t.shape + c.shape) for part, t in zip(torch.stack(stack).split(sizes), rows_of)]
        for c, stack in zip(columns_of, zip(*rows))
    ]


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    """A function that computes the Jacobian of func, row by row backward."""
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @functools.wraps(func)
    def wrapper(*args):
        value, product, *aux = _vjp(func, args, argnums, has_aux)
        outputs, nesting = tree_flatten(value)
        inputs, spec = tree_flatten(_chosen(args, argnums))
        rows = [tree_leaves(product(tree_unflatten(row, nesting))) for row in _basis([o.detach() for o in outputs])]
        by_output = zip(*_jacobian(outputs, inputs, rows))
        result = tree_unflatten([tree_unflatten(parts, spec) for parts in by_output], nesting)
        return (result, aux[0]) if has_aux else result

    return wrapper


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    """A function that computes the Jacobian of func, column by column forward."""

    @functools.wraps(func)
    def wrapper(*args):
        inputs, spec = tree_flatten(_chosen(args, argnums))

        def partial(*chosen):
            return func(*_replaced(args, argnums, chosen if isinstance(argnums, tuple) else chosen[0]))

        primals = tree_unflatten(inputs, spec)
        primals = primals if isinstance(argnums, tuple) else (primals,)
        columns = []
        for row in _basis([x.detach() for x in inputs]):
            tangents = tree_unflatten(row, spec)
            tangents = tangents if isinstance(argnums, tuple) else (tangents,)
            value, product, *aux = jvp(partial, primals, tangents, has_aux=has_aux)
            columns.append(tree_leaves(product))
        outputs, nesting = tree_flatten(value)
        parts = [
            [p.movedim(tuple(range(x.dim())), tuple(range(o.dim(), o.dim() + x.dim()))) for p, x in zip(row, inputs)]
            for o, row in zip(outputs, _jacobian(inputs, outputs, columns))
        ]
        result = tree_unflatten([tree_unflatten(row, spec) for row in parts], nesting)
        return (result, aux[0]) if has_aux else result

    return wrapper


def hessian(func, argnums=0):
    """A function that computes the Hessian of func: forward over backward."""
    return jacfwd(jacrev(func, argnums), argnums)


def linearize(func, *primals):
    """The value of func, and a function for products of its Jacobian there with tangents."""
    value = func(*primals)
    flat, spec = tree_flatten(primals)

    def product(*tangents):
        directions, given = tree_flatten(tangents)
        if given != spec:
            raise RuntimeError(
                f"Expected the tangents {given} to have the same argspec as the primals {spec}"
            )
        for i, (t, p) in enumerate(zip(directions, flat)):
            for what in ("shape", "device", "dtype"):
                if getattr(t, what) != getattr(p, what):
                    raise RuntimeError(
                        f"tangent:{i} with {what} {getattr(t, what)} in flattened pytree doesn't match the {what} "
                        f"{getattr(p, what)} of the corresponding primal."
                    )
        return jvp(func, primals, tangents)[1]

    return value, product
