import torch
import torch.nn as nn
import torch.nn.functional as F


class FeatureHook:
    def __init__(self, module):
        self.features = None
        self.handle = module.register_forward_hook(self.save)

    def save(self, module, inputs, output):
        self.features = output

    def remove(self):
        self.handle.remove()


class ConvNet(nn.Module):
    def __init__(self, widths, classes=5):
        super().__init__()
        self.stage1 = self.make_stage(1, widths[0])
        self.stage2 = self.make_stage(widths[0], widths[1])
        self.stage3 = self.make_stage(widths[1], widths[2])
        self.fc = nn.Linear(widths[2], classes)

    @staticmethod
    def make_stage(cin, cout):
        return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.GroupNorm(2, cout), nn.SiLU(), nn.AvgPool2d(2))

    def forward(self, x):
        x = self.stage3(self.stage2(self.stage1(x)))
        return self.fc(x.mean(dim=(2, 3)))


class FitNetLoss(nn.Module):
    def __init__(self, student_widths, teacher_widths):
        super().__init__()
        self.adapters = nn.ModuleList(nn.Conv2d(s, t, 1) for s, t in zip(student_widths, teacher_widths))

    def forward(self, student_hooks, teacher_hooks):
        loss = 0.0
        for adapter, s, t in zip(self.adapters, student_hooks, teacher_hooks):
            loss = loss + F.mse_loss(F.normalize(adapter(s.features), dim=1), F.normalize(t.features, dim=1))
        return loss / len(self.adapters)


def glyphs(n, classes=5, size=16):
    y = torch.randint(classes, (n,))
    proto = torch.zeros(classes, size, size)
    for k in range(classes):
        proto[k, 2 + 2 * k:5 + 2 * k, :] = 1
        proto[k, :, 12 - 2 * k:14 - 2 * k] = 1
    return proto[y].unsqueeze(1) + 0.7 * torch.randn(n, 1, size, size), y


def train_teacher(x, y, epochs=3):
    teacher = ConvNet([12, 16, 24])
    optimizer = torch.optim.Adam(teacher.parameters(), lr=5e-3)
    for _ in range(epochs):
        for idx in torch.randperm(len(x)).split(32):
            optimizer.zero_grad()
            F.cross_entropy(teacher(x[idx]), y[idx]).backward()
            optimizer.step()
    return teacher.eval()


class Distiller:
    def __init__(self, teacher, student, hint_weight=10.0):
        self.teacher, self.student, self.hint_weight = teacher, student, hint_weight
        self.fitnet = FitNetLoss([4, 6, 8], [12, 16, 24])
        names = ["stage1", "stage2", "stage3"]
        self.s_hooks = [FeatureHook(getattr(student, n)) for n in names]
        self.t_hooks = [FeatureHook(getattr(teacher, n)) for n in names]
        self.optimizer = torch.optim.Adam([*student.parameters(), *self.fitnet.parameters()], lr=5e-3)

    def step(self, x, y):
        with torch.no_grad():
            self.teacher(x)
        logits = self.student(x)
        ce = F.cross_entropy(logits, y)
        hint = self.fitnet(self.s_hooks, self.t_hooks)
        self.optimizer.zero_grad()
        (ce + self.hint_weight * hint).backward()
        self.optimizer.step()
        return ce.item(), hint.item()


torch.manual_seed(9)
x, y = glyphs(160)
teacher, student = train_teacher(x, y), ConvNet([4, 6, 8])
distiller = Distiller(teacher, student)
for epoch in range(4):
    rows = [distiller.step(x[i], y[i]) for i in torch.randperm(len(x)).split(32)]
    ce, hint = (sum(c) / len(rows) for c in zip(*rows))
    print("epoch %d ce %.4f hint %.4f" % (epoch, ce, hint))
for hook in distiller.s_hooks + distiller.t_hooks:
    hook.remove()
print("student accuracy %.3f" % (student(x).argmax(1) == y).float().mean())
