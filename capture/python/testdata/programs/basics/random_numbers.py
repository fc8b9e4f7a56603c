import torch

torch.manual_seed(42)
print(torch.rand(3), torch.randn(2, 2), torch.randint(0, 10, (5,)), torch.randperm(6))
print(torch.initial_seed(), torch.seed() is not None)
g = torch.Generator().manual_seed(7)
print(torch.rand(2, generator=g), torch.randn(20, generator=g).mean(), torch.randint(5, (3,), generator=g))
torch.manual_seed(0)
state = torch.get_rng_state()
a = torch.rand(3)
torch.set_rng_state(state)
print(torch.equal(a, torch.rand(3)), state.dtype)
del state
print(torch.bernoulli(torch.full((5,), 0.5)), torch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 4, replacement=True), torch.normal(0.0, 1.0, (3,)))
x = torch.empty(3)
print(x.uniform_(-1, 1), x.normal_(2, 0.5), x.exponential_(), torch.rand_like(x), torch.randn_like(x))
with torch.random.fork_rng():
    torch.manual_seed(1)
    print(torch.rand(1))
print(torch.rand(1), torch.nn.functional.dropout(torch.ones(8), 0.5))
print(torch.poisson(torch.tensor([2.0, 5.0])), torch.randn(3, dtype=torch.float64))
