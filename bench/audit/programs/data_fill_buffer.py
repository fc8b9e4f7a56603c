# States are written into a preallocated buffer through .data, which autograd does not see.
# want: lost
import torch

torch.manual_seed(31)
cell = torch.nn.Linear(4, 4)
opt = torch.optim.SGD(cell.parameters(), lr=0.1)
x = torch.randn(3, 4)
for _ in range(2):
    opt.zero_grad()
    states = torch.zeros(3, 4)
    h = torch.zeros(4)
    for t in range(3):
        h = torch.tanh(cell(h) + x[t])
        states.data[t] = h  # good: states[t] = h
    loss = states.pow(2).mean() + h.sum()
    loss.backward()
    opt.step()
