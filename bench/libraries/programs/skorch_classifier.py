"""skorch: a classifier with the interface of scikit-learn, cross-validated.

packages: skorch, scikit-learn
"""
import numpy as np
import torch
from skorch import NeuralNetClassifier
from skorch.callbacks import GradientNormClipping, LRScheduler
from sklearn.model_selection import cross_val_score
from torch import nn

torch.manual_seed(0)
x = np.random.RandomState(0).randn(60, 5).astype("float32")
y = (x[:, 0] > 0).astype("int64")


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.first, self.last = nn.Linear(5, width), nn.Linear(width, 2)

    def forward(self, x):
        return self.last(torch.relu(self.first(x)))


net = NeuralNetClassifier(
    Net, criterion=nn.CrossEntropyLoss, optimizer=torch.optim.Adam, lr=0.02, max_epochs=2, batch_size=16, verbose=0,
    callbacks=[GradientNormClipping(1.0), LRScheduler("StepLR", step_size=1)],
)
net.fit(x, y)
print(net.score(x, y), cross_val_score(net, x, y, cv=2).mean())
