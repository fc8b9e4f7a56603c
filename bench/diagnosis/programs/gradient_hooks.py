import torch
from torch import nn

torch.manual_seed(40)


class GradientMonitor:
    """Collects the norms of the gradients that arrive at the outputs of layers."""

    def __init__(self, model):
        self.norms = {}
        self.handles = []
        for name, module in model.named_modules():
            if isinstance(module, nn.Linear):
                self.handles.append(module.register_forward_hook(self.watch(name)))

    def watch(self, name):
        def forward_hook(module, inputs, output):
            if output.requires_grad:
                output.register_hook(lambda grad: self.norms.setdefault(name, []).append(grad.norm().item()))

        return forward_hook

    def close(self):
        for handle in self.handles:
            handle.remove()


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(5, 14)
        self.second = nn.Linear(14, 14)
        self.last = nn.Linear(14, 3)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        h = torch.tanh(self.first(x))
        h = self.drop(torch.tanh(self.second(h)))
        return self.last(h)


model = Network()
model.last.weight.register_hook(lambda grad: grad.clamp(-0.5, 0.5))
monitor = GradientMonitor(model)
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
x = torch.randn(30, 5)
y = torch.randint(0, 3, (30,))
for epoch in range(3):
    model.train()
    for start in range(0, 30, 10):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x[start : start + 10]), y[start : start + 10])
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
monitor.close()
for name, norms in monitor.norms.items():
    print(name, len(norms), sum(norms) / len(norms))
model.eval()
with torch.no_grad():
    print("fit", (model(x).argmax(1) == y).float().mean().item())
