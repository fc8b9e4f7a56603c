import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3)
        self.conv2 = nn.Conv2d(4, 8, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.drop = nn.Dropout(0.25)
        self.fc1 = nn.Linear(8 * 9, 16)
        self.fc2 = nn.Linear(16, 3)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool2d(F.relu(self.norm(self.conv2(x))), 2)
        x = self.drop(torch.flatten(x, 1))
        return F.log_softmax(self.fc2(F.relu(self.fc1(x))), dim=1)


torch.manual_seed(0)
net = Net()
print(net)
x, target = torch.randn(6, 1, 8, 8), torch.tensor([0, 1, 2, 0, 1, 2])
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for step in range(4):
    optimizer.zero_grad()
    output = net(x)
    loss = F.nll_loss(output, target)
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.4f}", output.argmax(1))
net.eval()
with torch.no_grad():
    print(net(x).argmax(1), net.norm.num_batches_tracked)
print(sum(p.numel() for p in net.parameters()))
