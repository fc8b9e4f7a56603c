import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


def conv_stage(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(), nn.MaxPool2d(2))


class Net(nn.Module):
    def __init__(self, widths, classes=4):
        super().__init__()
        self.stage1 = conv_stage(1, widths[0])
        self.stage2 = conv_stage(widths[0], widths[1])
        self.fc = nn.Linear(widths[1] * 9, classes)

    def forward(self, x):
        return self.fc(self.stage2(self.stage1(x)).flatten(1))


class FeatureTap:
    """Records the outputs of the named stages."""

    def __init__(self, net, names):
        self.features = {}
        for name in names:
            getattr(net, name).register_forward_hook(self._make_hook(name))

    def _make_hook(self, name):
        def hook(module, inputs, output):
            self.features[name] = output.detach()
        return hook


class HintLoss(nn.Module):
    def __init__(self, stages, s_widths, t_widths):
        super().__init__()
        self.regressors = nn.ModuleDict({n: nn.Conv2d(s, t, 1) for n, s, t in zip(stages, s_widths, t_widths)})

    def forward(self, student, teacher):
        terms = [F.mse_loss(reg(student[n]), teacher[n]) for n, reg in self.regressors.items()]
        return sum(terms) / len(terms)


class Distiller:
    def __init__(self, teacher, student, s_widths, t_widths, temperature=3.0, beta=5.0):
        self.teacher, self.student = teacher, student
        self.T, self.beta = temperature, beta
        stages = ["stage1", "stage2"]
        self.teacher_tap = FeatureTap(teacher, stages)
        self.student_tap = FeatureTap(student, stages)
        self.hint = HintLoss(stages, s_widths, t_widths)
        params = list(student.parameters()) + list(self.hint.parameters())
        self.opt = torch.optim.SGD(params, lr=0.02, momentum=0.9)

    def soft_loss(self, s, t):
        return F.kl_div(F.log_softmax(s / self.T, 1), F.softmax(t / self.T, 1), reduction="batchmean") * self.T ** 2

    def step(self, x):
        with torch.no_grad():
            t_logits = self.teacher(x)
        s_logits = self.student(x)
        kd = self.soft_loss(s_logits, t_logits)
        hint = self.hint(self.student_tap.features, self.teacher_tap.features)
        self.opt.zero_grad()
        (kd + self.beta * hint).backward()
        self.opt.step()
        return kd.item(), hint.item()


def shapes(n):
    y = torch.arange(n) % 4
    x = 0.3 * torch.randn(n, 1, 12, 12)
    for i, c in enumerate(y.tolist()):
        r, k = divmod(c, 2)
        x[i, 0, r * 6:r * 6 + 6, k * 6:k * 6 + 6] += 1.0
    return x, y


def pretrain(net, x, y, steps=15):
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for _ in range(steps):
        opt.zero_grad()
        F.cross_entropy(net(x), y).backward()
        opt.step()
    return net.eval()


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


torch.manual_seed(6)
x, y = shapes(96)
kd = Distiller(pretrain(Net((16, 32)), x, y), Net((4, 8)), (4, 8), (16, 32))
for epoch in range(3):
    for (xb,) in DataLoader(TensorDataset(x), batch_size=24, shuffle=True):
        soft, hint = kd.step(xb)
    print(f"epoch {epoch} soft {soft:.4f} hint {hint:.4f}")
print("student accuracy", accuracy(kd.student, x, y))
