import copy

import torch
from torch import nn
import torch.nn.functional as F


class SegNet(nn.Module):
    def __init__(self, classes=4, width=12):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1), nn.ReLU(),
        )
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        return {"out": self.head(self.body(x)), "feat": self.body[0].weight}


def scenes(n, size=10, classes=4):
    label = torch.randint(0, classes, (n, 2, 2)).repeat_interleave(size // 2, 1).repeat_interleave(size // 2, 2)
    palette = torch.tensor([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0], [1.0, 1.0, 0]])
    image = palette[label].permute(0, 3, 1, 2) + 0.3 * torch.randn(n, 3, size, size)
    return image, label


class Adaptation:
    def __init__(self, source, weight=1.0, lr=1e-2):
        self.student = SegNet()
        self.teacher = copy.deepcopy(source).eval()
        for p in self.teacher.parameters():
            p.requires_grad_(False)
        self.weight = weight
        self.optimizer = torch.optim.SGD(self.student.parameters(), lr=lr, momentum=0.9)

    def step(self, image_s, label_s, image_t):
        out_s = self.student(image_s)["out"]
        loss = F.cross_entropy(out_s, label_s)
        target_out = self.student(image_t)
        student = F.log_softmax(target_out["out"], dim=1)
        with torch.no_grad():
            teacher = F.softmax(self.teacher(image_t)["out"], dim=1)
        loss_kd = F.kl_div(student, teacher, reduction="none")
        mask = (teacher.max(dim=1, keepdim=True)[0] > 0.3).float()
        loss_kd = (loss_kd * mask).sum() / mask.sum().clamp(min=1)
        loss = loss + self.weight * loss_kd
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item(), loss_kd.item()


def pretrain(net, steps=12):
    opt = torch.optim.SGD(net.parameters(), lr=5e-2, momentum=0.9)
    for _ in range(steps):
        image, label = scenes(8)
        loss = F.cross_entropy(net(image)["out"], label)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return net


def miou(net, image, label, classes=4):
    net.eval()
    with torch.no_grad():
        guess = net(image)["out"].argmax(dim=1)
    net.train()
    scores = []
    for c in range(classes):
        a, b = guess == c, label == c
        scores.append(((a & b).sum() / (a | b).sum().clamp(min=1)).item())
    return sum(scores) / classes


torch.manual_seed(0)
runner = Adaptation(pretrain(SegNet()))
test_image, test_label = scenes(16)
for it in range(10):
    src, lab = scenes(6)
    tgt, _ = scenes(6)
    total, kd = runner.step(src, lab, tgt)
    if it % 5 == 4:
        print(f"iter {it} loss {total:.3f} kd {kd:.4f} miou {miou(runner.student, test_image, test_label):.3f}")
