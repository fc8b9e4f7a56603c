import torch

g = torch.manual_seed(3)
print(g is torch.default_generator, torch.initial_seed(), g.initial_seed(), g.device)
a = torch.rand(3)
state = torch.get_rng_state()
b = torch.rand(3)
torch.set_rng_state(state)
print(a, b, torch.equal(torch.rand(3), b), state.shape, state.dtype)
with torch.random.fork_rng():
    torch.manual_seed(9)
    print(torch.rand(2))
print(torch.rand(2))
own = torch.Generator().manual_seed(5)
print(torch.rand(2, generator=own), torch.randn(2, generator=own), torch.randint(10, (3,), generator=own), torch.randperm(4, generator=own), own.initial_seed())
saved = own.get_state()
x = torch.rand(2, generator=own)
own.set_state(saved)
print(torch.equal(torch.rand(2, generator=own), x), torch.Generator().initial_seed())
torch.manual_seed(-1)
print(torch.initial_seed())
for bad in (lambda: torch.manual_seed("a"), lambda: torch.manual_seed(2**70), lambda: torch.set_rng_state(torch.zeros(3)), lambda: torch.set_rng_state(torch.zeros(3, dtype=torch.uint8)), lambda: torch.set_rng_state(3), lambda: torch.Generator("cuda"), lambda: torch.rand(2, generator=3)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
