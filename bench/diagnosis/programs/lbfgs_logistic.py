import torch
import torch.nn.functional as F

torch.manual_seed(33)

n, features = 40, 4
truth = torch.randn(features)
x = torch.randn(n, features)
y = (torch.rand(n) < torch.sigmoid(x @ truth)).float()

weight = torch.zeros(features, requires_grad=True)
bias = torch.zeros(1, requires_grad=True)
optimizer = torch.optim.LBFGS([weight, bias], lr=0.5, max_iter=4, history_size=5)
penalty = 1e-2


def logits(inputs):
    return inputs @ weight + bias


def objective():
    fit = F.binary_cross_entropy_with_logits(logits(x), y)
    return fit + penalty * weight.pow(2).sum()


def closure():
    optimizer.zero_grad()
    loss = objective()
    loss.backward()
    return loss


history = []
for iteration in range(4):
    loss = optimizer.step(closure)
    history.append(loss.item())
    gradient = weight.grad.norm().item()
    print(f"{iteration}: loss {loss.item():.5f} gradient {gradient:.5f}")
    if gradient < 1e-5:
        break

with torch.no_grad():
    probability = torch.sigmoid(logits(x))
    accuracy = ((probability > 0.5).float() == y).float().mean().item()
print("accuracy", accuracy, "loss", history[0], "->", history[-1])
cosine = F.cosine_similarity(weight.detach(), truth, dim=0)
print("direction", cosine.item())
