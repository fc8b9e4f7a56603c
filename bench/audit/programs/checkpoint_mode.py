# torch.utils.checkpoint recomputes in evaluation mode, because the program has switched before backward.
# want: wrong
import torch
from torch.utils.checkpoint import checkpoint


class Gate(torch.nn.Module):
    def forward(self, x):
        return torch.tanh(x) * (2.0 if self.training else 0.5)


torch.manual_seed(45)
lin, gate = torch.nn.Linear(4, 4), Gate()
opt = torch.optim.SGD(lin.parameters(), lr=0.1)
x, y = torch.randn(5, 4), torch.randn(5, 4)
for _ in range(2):
    gate.train()
    opt.zero_grad()
    out = checkpoint(gate, lin(x), use_reentrant=False)  # here
    loss = (out - y).pow(2).mean()
    gate.eval()  # good: pass
    loss.backward()
    opt.step()
