import torch
from torch import nn

torch.manual_seed(42)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
        self.conv = nn.Conv2d(1, 2, 3)
        self.emb = nn.Embedding(4, 2)
        self.apply(self._init)

    @staticmethod
    def _init(m):
        if isinstance(m, nn.Linear):
            nn.init.kaiming_normal_(m.weight, nonlinearity="relu")
            nn.init.zeros_(m.bias)
        elif isinstance(m, nn.Conv2d):
            nn.init.xavier_uniform_(m.weight, gain=nn.init.calculate_gain("tanh"))
            m.bias.data.fill_(0.01)
        elif isinstance(m, nn.Embedding):
            m.weight.data.normal_(0.0, 0.02)


net = Net()
for name, p in net.named_parameters():
    print(name, p.shape, round(p.sum().item(), 4), p.requires_grad)
net.body[0].reset_parameters()
print(net.body[0].weight)
with torch.no_grad():
    for p in net.parameters():
        p.uniform_(-0.1, 0.1)
print(net.emb.weight)
