# The weight of a tied layer is wrapped again: from then on it is another leaf.
# want: lost
import torch

torch.manual_seed(27)
encoder = torch.nn.Linear(4, 3, bias=False)
opt = torch.optim.SGD(encoder.parameters(), lr=0.1)
x = torch.randn(5, 4)
for _ in range(2):
    opt.zero_grad()
    decoder = torch.nn.Parameter(encoder.weight.data)  # good: decoder = encoder.weight
    out = torch.tanh(encoder(x)) @ decoder
    loss = (out - x).pow(2).mean()
    loss.backward()
    opt.step()
