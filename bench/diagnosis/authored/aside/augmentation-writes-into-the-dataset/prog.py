import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class AddNoise:
    def __init__(self, std):
        self.std = std

    def __call__(self, image):
        image += self.std * torch.randn_like(image)
        return image


class Brightness:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __call__(self, image):
        factor = float(torch.empty(1).uniform_(self.low, self.high))
        image *= factor
        return image


class Compose:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, image):
        for step in self.steps:
            image = step(image)
        return image


class Letters(Dataset):
    def __init__(self, n, transform=None):
        self.labels = torch.randint(0, 3, (n,))
        base = torch.zeros(3, 1, 7, 7)
        base[0, 0, :, 3] = 1
        base[1, 0, 3, :] = 1
        base[2, 0] = torch.eye(7)
        self.images, self.transform = base[self.labels].clone(), transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        image = self.images[i]
        if self.transform is not None:
            image = self.transform(image)
        return image, self.labels[i]


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, padding=1)
        self.fc = nn.Linear(8 * 9, 3)

    def forward(self, x):
        return self.fc(nn.functional.max_pool2d(torch.relu(self.conv(x)), 2).flatten(1))


def main():
    torch.manual_seed(56)
    train = Letters(72, Compose(AddNoise(0.3), Brightness(0.7, 1.3)))
    loader = DataLoader(train, batch_size=12, shuffle=True)
    model = Classifier()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(3):
        model.train()
        for image, label in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(image), label)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f} std of the data {train.images.std().item():.3f}")


if __name__ == "__main__":
    main()
