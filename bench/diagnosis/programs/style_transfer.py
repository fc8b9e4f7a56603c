import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(48)


class Features(nn.Module):
    """A fixed random network stands in for a trained one."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 6, 3, padding=1)
        self.conv2 = nn.Conv2d(6, 8, 3, padding=1, stride=2)

    def forward(self, image):
        first = F.relu(self.conv1(image))
        second = F.relu(self.conv2(first))
        return [first, second]


def gram(features):
    batch, channels, height, width = features.shape
    flat = features.reshape(batch, channels, height * width)
    return flat @ flat.transpose(1, 2) / (channels * height * width)


def total_variation(image):
    vertical = (image[:, :, 1:] - image[:, :, :-1]).abs().mean()
    horizontal = (image[:, :, :, 1:] - image[:, :, :, :-1]).abs().mean()
    return vertical + horizontal


content = torch.rand(1, 3, 10, 10)
style = torch.rand(1, 3, 10, 10).round()
network = Features().eval()
for p in network.parameters():
    p.requires_grad_(False)
with torch.no_grad():
    content_target = network(content)[1]
    style_targets = [gram(f) for f in network(style)]

image = content.clone().requires_grad_()
optimizer = torch.optim.Adam([image], lr=0.05)
for step in range(6):
    features = network(image)
    content_loss = F.mse_loss(features[1], content_target)
    style_loss = sum(F.mse_loss(gram(f), target) for f, target in zip(features, style_targets))
    loss = content_loss + 100.0 * style_loss + 0.01 * total_variation(image)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        image.clamp_(0, 1)
    print(f"{step}: content {content_loss.item():.4f} style {style_loss.item():.6f}")
