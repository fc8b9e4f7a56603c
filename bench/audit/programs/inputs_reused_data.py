# The buffer of inputs is filled with the next batch before backward has run.
# want: wrong
import torch

torch.manual_seed(17)
buffer = torch.empty(4, 3)
model = torch.nn.Linear(3, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.randn(3, 4, 3)
buffer.copy_(batches[0])
for i in range(2):
    opt.zero_grad()
    out = model(buffer)  # here
    loss = out.pow(2).mean()
    buffer.data.copy_(batches[i + 1])  # good: buffer = batches[i + 1].clone()
    loss.backward()
    opt.step()
