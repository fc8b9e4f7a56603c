"""A convolutional autoencoder; the rate falls when the validation loss does not."""

from typing import NamedTuple

import torch
import torch.nn as nn

torch.manual_seed(106)


class Reconstruction(NamedTuple):
    image: torch.Tensor
    code: torch.Tensor


class AutoEncoder(nn.Module):
    def __init__(self, code):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 6, 3, stride=2, padding=1),
            nn.LeakyReLU(0.1),
            nn.Conv2d(6, 12, 3, stride=2, padding=1),
            nn.LeakyReLU(0.1),
            nn.Flatten(),
            nn.Linear(48, code),
        )
        self.project = nn.Linear(code, 48)
        self.up = nn.ConvTranspose2d(12, 6, 2, stride=2)
        self.out = nn.ConvTranspose2d(6, 1, 2, stride=2)

    def forward(self, x):
        code = self.encoder(x)
        h = torch.relu(self.project(code)).view(-1, 12, 2, 2)
        h = torch.relu(self.up(h))
        image = torch.sigmoid(self.out(h))
        return Reconstruction(image, code)


def blobs(n):
    centre = 2 + 4 * torch.rand(n, 2, 1)
    grid = torch.arange(8.0)
    rows = torch.exp(-((grid - centre[:, 0]) ** 2) / 3)
    columns = torch.exp(-((grid - centre[:, 1]) ** 2) / 3)
    return (rows.unsqueeze(2) * columns.unsqueeze(1)).unsqueeze(1)


def objective(output, target):
    reconstruction = nn.functional.binary_cross_entropy(output.image, target)
    sparsity = output.code.abs().mean()
    return reconstruction + 0.001 * sparsity


def run_epoch(model, images, optimizer):
    model.train()
    total = 0.0
    for batch in images.split(16):
        optimizer.zero_grad()
        loss = objective(model(batch), batch)
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), 0.1)
        optimizer.step()
        total += loss.item() * len(batch)
    return total / len(images)


def validate(model, images):
    model.eval()
    with torch.no_grad():
        return objective(model(images), images).item()


model = AutoEncoder(code=4)
optimizer = torch.optim.RMSprop(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0)
train_images, valid_images = blobs(48), blobs(16)
for epoch in range(5):
    train_loss = run_epoch(model, train_images, optimizer)
    valid_loss = validate(model, valid_images)
    scheduler.step(valid_loss)
    print("epoch %d: train %.4f, valid %.4f" % (epoch, train_loss, valid_loss))
