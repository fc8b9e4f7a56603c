import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(13)


def blobs(n):
    labels = torch.randint(0, 3, (n,))
    centers = torch.tensor([[0.0, 2.0], [2.0, 0.0], [-2.0, -1.0]])
    return centers[labels] + 0.5 * torch.randn(n, 2), labels


def network(width):
    return nn.Sequential(nn.Linear(2, width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, 3))


def train_teacher(teacher, x, y, epochs):
    optimizer = torch.optim.Adam(teacher.parameters(), lr=0.02)
    teacher.train()
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = F.cross_entropy(teacher(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


def distill_loss(student_logits, teacher_logits, labels, temperature, alpha):
    soft = F.kl_div(
        F.log_softmax(student_logits / temperature, dim=1),
        F.softmax(teacher_logits / temperature, dim=1),
        reduction="batchmean",
    )
    hard = F.cross_entropy(student_logits, labels)
    return alpha * temperature**2 * soft + (1 - alpha) * hard


x, y = blobs(48)
teacher, student = network(24), network(4)
print("teacher", round(train_teacher(teacher, x, y, 6), 3))
teacher.eval()
optimizer = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9, nesterov=True)
for epoch in range(3):
    student.train()
    total = 0.0
    for start in range(0, len(x), 12):
        inputs, labels = x[start : start + 12], y[start : start + 12]
        with torch.no_grad():
            teacher_logits = teacher(inputs)
        loss = distill_loss(student(inputs), teacher_logits, labels, temperature=2.0, alpha=0.7)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    student.eval()
    with torch.no_grad():
        agree = (student(x).argmax(1) == teacher(x).argmax(1)).float().mean().item()
    print(f"epoch {epoch}: loss {total / 4:.3f}, agreement {agree:.2f}")
