"""Transforms from unconstrained to constrained values: biject_to and transform_to."""

import numbers

from . import constraints, transforms

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]


class ConstraintRegistry:
    """A table from types of constraints to functions that make transforms."""

    def __init__(self):
        self._registry = {}
        super().__init__()

    def register(self, constraint, factory=None):
        """Registers a factory for a constraint or its type; works as a decorator, too."""
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        if isinstance(constraint, constraints.Constraint):
            constraint = type(constraint)
        if not isinstance(constraint, type) or not issubclass(constraint, constraints.Constraint):
            raise TypeError(
                f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}"
            )
        self._registry[constraint] = factory
        return factory

    def __call__(self, constraint):
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()


def _affine_exp(loc, scale):
    return transforms.ComposeTransform([transforms.ExpTransform(), transforms.AffineTransform(loc, scale)])


def _interval(constraint):
    low, high = constraint.lower_bound, constraint.upper_bound
    if isinstance(low, numbers.Number) and low == 0 and isinstance(high, numbers.Number) and high == 1:
        return transforms.SigmoidTransform()
    return transforms.ComposeTransform([transforms.SigmoidTransform(), transforms.AffineTransform(low, high - low)])


def _nested(registry):
    """The factories of the constraints that are made of others, for a registry."""
    return {
        constraints.independent: lambda c: transforms.IndependentTransform(
            registry(c.base_constraint), c.reinterpreted_batch_ndims
        ),
        constraints.cat: lambda c: transforms.CatTransform([registry(part) for part in c.cseq], c.dim, c.lengths),
        constraints.stack: lambda c: transforms.StackTransform([registry(part) for part in c.cseq], c.dim),
    }


_BOTH = {
    constraints.real: lambda c: transforms.identity_transform,
    constraints.positive: lambda c: transforms.ExpTransform(),
    constraints.nonnegative: lambda c: transforms.ExpTransform(),
    constraints.greater_than: lambda c: _affine_exp(c.lower_bound, 1),
    constraints.greater_than_eq: lambda c: _affine_exp(c.lower_bound, 1),
    constraints.less_than: lambda c: _affine_exp(c.upper_bound, -1),
    constraints.interval: _interval,
    constraints.half_open_interval: _interval,
    constraints.corr_cholesky: lambda c: transforms.CorrCholeskyTransform(),
}
_ONLY = {
    biject_to: {constraints.simplex: lambda c: transforms.StickBreakingTransform()},
    transform_to: {
        constraints.simplex: lambda c: transforms.SoftmaxTransform(),
        constraints.lower_cholesky: lambda c: transforms.LowerCholeskyTransform(),
        constraints.positive_definite: lambda c: transforms.PositiveDefiniteTransform(),
        constraints.positive_semidefinite: lambda c: transforms.PositiveDefiniteTransform(),
    },
}
for _registry, _only in _ONLY.items():
    for _constraint, _factory in {**_BOTH, **_nested(_registry), **_only}.items():
        _registry.register(_constraint, _factory)
