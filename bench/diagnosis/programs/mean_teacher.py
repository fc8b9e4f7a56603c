import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(15)

config = {"labelled": 12, "unlabelled": 24, "decay": 0.95, "weight": 2.0, "steps": 8, "lr": 0.05}


def two_rings(n):
    labels = torch.arange(n) % 2
    angle = 6.2832 * torch.rand(n)
    radius = 1.0 + labels + 0.1 * torch.randn(n)
    return torch.stack((radius * angle.cos(), radius * angle.sin()), dim=1), labels


def build():
    return nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 2))


def perturb(x):
    return x + 0.05 * torch.randn_like(x)


def consistency(student_logits, teacher_logits):
    student = F.softmax(student_logits, dim=1)
    teacher = F.softmax(teacher_logits, dim=1)
    return F.mse_loss(student, teacher)


def update_teacher(teacher, student, decay):
    with torch.no_grad():
        for t, s in zip(teacher.parameters(), student.parameters()):
            t.copy_(decay * t + (1 - decay) * s)


x_labelled, y_labelled = two_rings(config["labelled"])
x_unlabelled, y_hidden = two_rings(config["unlabelled"])
student = build()
teacher = copy.deepcopy(student)
for p in teacher.parameters():
    p.requires_grad = False
optimizer = torch.optim.SGD(student.parameters(), lr=config["lr"], momentum=0.9)
for step in range(config["steps"]):
    ramp = min(1.0, (step + 1) / 4)
    supervised = F.cross_entropy(student(perturb(x_labelled)), y_labelled)
    with torch.no_grad():
        teacher_logits = teacher(perturb(x_unlabelled))
    unsupervised = consistency(student(perturb(x_unlabelled)), teacher_logits)
    loss = supervised + config["weight"] * ramp * unsupervised
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    update_teacher(teacher, student, config["decay"])
    print(step, f"{supervised.item():.3f} {unsupervised.item():.5f}")

teacher.eval()
with torch.no_grad():
    accuracy = (teacher(x_unlabelled).argmax(dim=1) == y_hidden).float().mean()
print("accuracy", accuracy.item())
