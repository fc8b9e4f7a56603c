"""False: optimizer-missing-param, "receives gradients, but no optimizer has it: it is not
registered in its module".

The module starts its sum of losses with a constant, which it has registered as a buffer. A
caller may train without any term, so the sum is made to require a gradient. The rule knows the
parameters of a module, not its buffers. (Example: VectorQuantize of vector-quantize-pytorch.)
"""
import torch
from torch import nn


class Quantise(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))
        self.register_buffer("zero", torch.tensor(0.0), persistent=False)

    def forward(self, x):
        loss = self.zero
        loss.requires_grad_()
        loss = loss + (x * self.scale - x.round()).pow(2).mean()
        return loss


torch.manual_seed(0)
model = Quantise()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(4):
    loss = model(torch.randn(4, 3))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
