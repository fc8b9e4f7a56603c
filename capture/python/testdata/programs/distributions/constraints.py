import torch
from torch.distributions import biject_to, constraints, transform_to

x = torch.tensor([-1.0, 0.0, 0.5, 1.0, 2.0])
for name in ("real", "positive", "nonnegative", "unit_interval", "boolean", "nonnegative_integer", "positive_integer"):
    c = getattr(constraints, name)
    print(name, c, c.check(x), c.is_discrete, c.event_dim)
for c in (
    constraints.greater_than(0.5),
    constraints.greater_than_eq(0.5),
    constraints.less_than(1.0),
    constraints.interval(-1.0, 1.0),
    constraints.half_open_interval(-1.0, 1.0),
    constraints.integer_interval(0, 1),
):
    print(c, c.check(x))
print(constraints.simplex.check(torch.tensor([[0.5, 0.5], [0.5, 0.6]])), constraints.one_hot.check(torch.eye(2)))
print(constraints.real_vector, constraints.real_vector.check(torch.tensor([[1.0, float("nan")], [0.0, 0.0]])))
m = torch.tensor([[2.0, 0.0], [1.0, 1.0]])
for name in ("lower_triangular", "lower_cholesky", "positive_definite", "positive_semidefinite", "symmetric", "square", "corr_cholesky"):
    c = getattr(constraints, name)
    print(name, c, c.check(m), c.check(m @ m.mT), c.event_dim)
print(constraints.multinomial(3).check(torch.tensor([[1.0, 2.0], [2.0, 2.0]])))
print(constraints.cat([constraints.positive, constraints.real], 0, [2, 3]).check(x))
print(constraints.stack([constraints.positive, constraints.real], 0).check(x[:2]))
print(constraints.is_dependent(constraints.dependent), constraints.independent(constraints.positive, 1).check(x))
for registry in (biject_to, transform_to):
    for c in (constraints.real, constraints.positive, constraints.unit_interval, constraints.interval(1.0, 3.0), constraints.simplex, constraints.less_than(2.0), constraints.real_vector):
        t = registry(c)
        print(t, t(torch.tensor([0.0, 1.0])))
for f in (lambda: biject_to(constraints.lower_cholesky), lambda: biject_to(constraints.boolean), lambda: constraints.dependent.check(x), lambda: constraints.dependent.event_dim, lambda: constraints.independent(constraints.real, 2).check(x)):
    try:
        print(f())
    except (NotImplementedError, ValueError) as e:
        print(type(e).__name__, e)
print(transform_to(constraints.lower_cholesky)(m), transform_to(constraints.positive_definite)(m))
