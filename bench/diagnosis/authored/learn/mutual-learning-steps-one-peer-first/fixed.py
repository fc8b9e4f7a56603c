import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Student(nn.Module):
    def __init__(self, width, inputs=9, classes=4):
        super().__init__()
        self.fc1, self.fc2, self.fc3 = nn.Linear(inputs, width), nn.Linear(width, width), nn.Linear(width, classes)

    def forward(self, x):
        return self.fc3(torch.relu(self.fc2(torch.relu(self.fc1(x)))))


class MutualLearning:
    def __init__(self, students, lr=0.05, temperature=2.0):
        self.students, self.temperature = students, temperature
        self.optimizers = [torch.optim.SGD(s.parameters(), lr=lr, momentum=0.9) for s in students]

    def imitation(self, own, peer):
        t = self.temperature
        target = F.softmax(peer.detach() / t, dim=1)
        return F.kl_div(F.log_softmax(own / t, dim=1), target, reduction="batchmean") * t * t

    def losses(self, x, y):
        logits = [s(x) for s in self.students]
        result = []
        for i, own in enumerate(logits):
            peers = [p for j, p in enumerate(logits) if j != i]
            loss = F.cross_entropy(own, y)
            loss = loss + sum(self.imitation(own, p) for p in peers) / len(peers)
            result.append(loss)
        return result

    def train_step(self, x, y):
        losses = self.losses(x, y)
        for loss, optimizer in zip(losses, self.optimizers):
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return [loss.item() for loss in losses]

    @torch.no_grad()
    def accuracy(self, loader):
        good = [0] * len(self.students)
        for x, y in loader:
            for i, s in enumerate(self.students):
                good[i] += (s(x).argmax(dim=1) == y).sum().item()
        return [round(g / len(loader.dataset), 3) for g in good]


def crops(n, classes=4):
    g = torch.Generator().manual_seed(9)
    centre = torch.randn(classes, 9, generator=g)
    y = torch.randint(0, classes, (n,))
    return TensorDataset(centre[y] + 0.7 * torch.randn(n, 9), y)


if __name__ == "__main__":
    torch.manual_seed(64)
    trainer = MutualLearning([Student(16), Student(24)])
    train, test = DataLoader(crops(128), batch_size=16, shuffle=True), DataLoader(crops(40), batch_size=20)
    for epoch in range(2):
        for x, y in train:
            losses = trainer.train_step(x, y)
        print("epoch", epoch, [round(v, 4) for v in losses], trainer.accuracy(test))
