# Checkpointing by hand that draws another mask when it recomputes: openai/guided-diffusion#167.
# want: wrong
import torch


class Checkpoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, x):
        ctx.run = run
        ctx.state = torch.get_rng_state()
        ctx.save_for_backward(x)
        with torch.no_grad():
            return run(x)

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors[0].detach().requires_grad_()
        torch.rand(1)  # good: torch.set_rng_state(ctx.state)
        with torch.enable_grad():
            y = ctx.run(x)  # here
        return None, torch.autograd.grad(y, x, g)[0]  # here


def block(x):
    return torch.nn.functional.dropout(torch.tanh(x), 0.5)


torch.manual_seed(43)
w = torch.randn(4, 6, requires_grad=True)
x = torch.randn(5, 4)
for _ in range(2):
    w.grad = None
    loss = Checkpoint.apply(block, x @ w).pow(2).mean()  # here
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
