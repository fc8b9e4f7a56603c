import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(29)


class DoubleConv(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.norm = nn.BatchNorm2d(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, padding=1)

    def forward(self, x):
        x = F.relu(self.norm(self.first(x)))
        return F.relu(self.second(x))


class UNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.down = DoubleConv(1, width)
        self.bottom = DoubleConv(width, 2 * width)
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.merge = DoubleConv(2 * width, width)
        self.head = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        skip = self.down(x)
        h = self.bottom(F.max_pool2d(skip, 2))
        h = torch.cat([skip, self.up(h)], dim=1)
        return self.head(self.merge(h))


def dice_loss(probabilities, masks):
    overlap = (probabilities * masks).sum(dim=(1, 2, 3))
    total = probabilities.sum(dim=(1, 2, 3)) + masks.sum(dim=(1, 2, 3))
    return (1 - (2 * overlap + 1) / (total + 1)).mean()


def squares(n, size):
    masks = torch.zeros(n, 1, size, size)
    for i in range(n):
        r, c = torch.randint(0, size - 3, (2,)).tolist()
        masks[i, 0, r : r + 4, c : c + 4] = 1.0
    return masks + 0.3 * torch.randn_like(masks), masks


images, masks = squares(12, 8)
model = UNet(3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(2):
    model.train()
    epoch_loss = 0.0
    for x, y in zip(images[:8].split(4), masks[:8].split(4)):
        optimizer.zero_grad()
        logits = model(x)
        loss = F.binary_cross_entropy_with_logits(logits, y) + dice_loss(torch.sigmoid(logits), y)
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
    model.eval()
    with torch.no_grad():
        predicted = (model(images[8:]) > 0).float()
        accuracy = (predicted == masks[8:]).float().mean().item()
    print(f"epoch {epoch}: loss {epoch_loss / 2:.4f} pixel accuracy {accuracy:.3f}")
