import torch
import torch.nn as nn

torch.manual_seed(50)


class RoundThrough(torch.autograd.Function):
    """Rounds forward and passes the gradient straight through."""

    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


def fake_quantize(x, scale, bits):
    limit = 2 ** (bits - 1) - 1
    return RoundThrough.apply((x / scale).clamp(-limit, limit)) * scale


class QuantLinear(nn.Module):
    def __init__(self, inputs, outputs, bits):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)
        self.bits = bits

    def forward(self, x):
        weight = self.linear.weight
        scale = weight.detach().abs().max() / (2 ** (self.bits - 1) - 1)
        quantized = fake_quantize(weight, scale, self.bits)
        return nn.functional.linear(x, quantized, self.linear.bias)


class QuantNet(nn.Module):
    def __init__(self, bits):
        super().__init__()
        self.first = QuantLinear(6, 16, bits)
        self.second = QuantLinear(16, 3, bits)
        self.activation = nn.ReLU()

    def forward(self, x):
        return self.second(self.activation(self.first(x)))


x = torch.randn(48, 6)
y = x[:, :3].argmax(dim=1)
net = QuantNet(bits=4)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()
for epoch in range(4):
    running = 0.0
    for xb, yb in zip(x.split(12), y.split(12)):
        optimizer.zero_grad()
        loss = criterion(net(xb), yb)
        loss.backward()
        optimizer.step()
        running += loss.item()
    with torch.no_grad():
        accuracy = (net(x).argmax(dim=1) == y).float().mean().item()
    print(f"epoch {epoch}: {running / 4:.4f} {accuracy:.3f}")
