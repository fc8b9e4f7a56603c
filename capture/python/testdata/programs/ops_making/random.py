import torch

torch.manual_seed(3)
print(torch.rand(2, 2), torch.rand((3,)), torch.rand(2, dtype=torch.float64), torch.rand(1, requires_grad=True))
print(torch.randn(2, 3), torch.randn(20)[:4], torch.randn((2,), dtype=torch.float64), torch.randn(()))
print(torch.randint(5, (4,)), torch.randint(-3, 3, (2, 2)), torch.randint(low=2, high=9, size=(3,), dtype=torch.int32), torch.randint(0, 2, (3,)).bool())
x = torch.zeros(3)
print(torch.rand_like(x), torch.randn_like(x), torch.randint_like(x, 10), torch.randint_like(x, 3, 5), torch.randperm(7), torch.randperm(4, dtype=torch.int32))
print(torch.bernoulli(torch.tensor([0.1, 0.5, 0.9])), torch.bernoulli(x, 0.5), x.clone().bernoulli_(0.3), x.clone().bernoulli_(torch.tensor([0.2, 0.6, 0.9])), torch.full((4,), 0.5).bernoulli(), torch.tensor([0.5]).bernoulli(p=0.2))
print(torch.normal(torch.tensor([0.0, 10.0]), torch.tensor([1.0, 0.1])), torch.normal(torch.zeros(2), 2.0), torch.normal(1.0, torch.ones(3)), torch.normal(5.0, 0.1, size=(2, 2)), torch.normal(mean=torch.arange(3.0), std=1.0))
print(x.uniform_(), x.uniform_(2, 3), x.normal_(), x.normal_(mean=5, std=2), x.exponential_(), x.exponential_(lambd=2.0), x.cauchy_(), x.cauchy_(1, 2), x.log_normal_(), x.log_normal_(0.5, 0.25), x.geometric_(0.3))
print(torch.zeros(4, dtype=torch.long).random_(10), torch.zeros(4, dtype=torch.long).random_(5, 8), torch.zeros(2).random_(0, 4), torch.zeros(2, dtype=torch.uint8).random_())
print(torch.multinomial(torch.tensor([0.0, 1.0, 3.0]), 2), torch.multinomial(torch.ones(2, 3), 4, replacement=True), torch.tensor([1.0, 1.0]).multinomial(1))
g = torch.Generator()
g.manual_seed(11)
print(torch.rand(2, generator=g), torch.randperm(3, generator=g), torch.zeros(2).normal_(generator=g), torch.bernoulli(torch.full((3,), 0.5), generator=g), g.initial_seed())
print(torch.rand(17).sum(), torch.randn(33).sum(), torch.rand(1000).mean(), torch.randn(1001).std())
for bad in (lambda: torch.randint(5, 5, (1,)), lambda: torch.bernoulli(torch.tensor([2.0])), lambda: torch.normal(torch.zeros(2), -torch.ones(2)), lambda: torch.multinomial(torch.ones(2), 3), lambda: torch.multinomial(torch.tensor([-1.0, 2]), 1), lambda: x.uniform_(3, 2), lambda: x.normal_(0, -1), lambda: x.exponential_(-1), lambda: torch.randperm(-1), lambda: torch.rand(-1), lambda: torch.randn(2, dtype=torch.int64), lambda: x.geometric_(2.0), lambda: torch.rand("a"), lambda: torch.normal(0.0, 1.0)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
