import torch


def rosenbrock(p):
    return (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2


for settings in ({}, {"line_search_fn": "strong_wolfe"}, {"lr": 0.5, "max_iter": 4, "history_size": 3}):
    p = torch.tensor([-1.0, 1.5], requires_grad=True)
    opt = torch.optim.LBFGS([p], **settings)

    def closure():
        opt.zero_grad()
        loss = rosenbrock(p)
        loss.backward()
        return loss

    losses = [opt.step(closure).item() for _ in range(4)]
    state = opt.state[p]
    print(settings, losses, p, state["func_evals"], state["n_iter"])
    print(sorted(state))
for f in (lambda: torch.optim.LBFGS([{"params": [p]}, {"params": [torch.ones(1)]}]), lambda: opt.step(), lambda: torch.optim.LBFGS([p], line_search_fn="x").step(closure)):
    try:
        f()
    except (ValueError, TypeError, RuntimeError) as e:
        print(type(e).__name__, e)
