import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ActivationsAndGradients:
    """Records a layer for class activation maps."""

    def __init__(self, model, layer):
        self.model = model
        self.activations, self.gradients = [], []
        layer.register_forward_hook(self.save_activation)

    def save_activation(self, module, inputs, output):
        self.activations.append(output)
        if output.requires_grad:
            output.register_hook(self.save_gradient)

    def save_gradient(self, grad):
        self.gradients.append(grad)

    def __call__(self, x):
        return self.model(x)

    def heatmap(self):
        act, grad = self.activations[-1].detach(), self.gradients[-1]
        weight = grad.mean(dim=(2, 3), keepdim=True)
        return (weight * act).sum(dim=1).clamp(min=0)


class SmallNet(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 12, 3, padding=1), nn.ReLU(),
        )
        self.classifier = nn.Linear(12, classes)

    def forward(self, x):
        return self.classifier(self.features(x).mean(dim=(2, 3)))


def stripes(n):
    label = torch.randint(0, 3, (n,))
    x = 0.3 * torch.randn(n, 1, 8, 8)
    for i in range(n):
        if label[i] == 0:
            x[i, 0, ::2] += 1
        elif label[i] == 1:
            x[i, 0, :, ::2] += 1
        else:
            x[i, 0, 2:6, 2:6] += 1
    return TensorDataset(x, label)


def centre_penalty(cam, label):
    """How much attention lies outside the centre, for a log."""
    inside = cam[:, 1:3, 1:3].sum(dim=(1, 2))
    return (1 - inside / cam.sum(dim=(1, 2)).clamp(min=1e-6))[label == 2]


def main():
    torch.manual_seed(17)
    net = SmallNet()
    recorder = ActivationsAndGradients(net, net.features[3])
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    loader = DataLoader(stripes(128), batch_size=16, shuffle=True)
    for epoch in range(3):
        outside = []
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(recorder(x), y)
            loss.backward()
            optimizer.step()
            outside += centre_penalty(recorder.heatmap(), y).tolist()
        print(f"epoch {epoch} loss {loss.item():.4f} outside {sum(outside) / max(1, len(outside)):.3f}")


if __name__ == "__main__":
    main()
