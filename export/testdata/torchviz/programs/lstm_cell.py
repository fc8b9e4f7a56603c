import torch
from torch import nn

torch.manual_seed(0)
cell = nn.LSTMCell(4, 3)
h = c = torch.zeros(2, 3)
for step in range(2):
    h, c = cell(torch.ones(2, 4), (h, c))
root = h.sum()
params = dict(cell.named_parameters())
