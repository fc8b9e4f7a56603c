"""Lightning: a regression with stochastic weight averaging, metrics and early stopping.

packages: lightning, torchmetrics
"""
import lightning as L
import torch
import torchmetrics
from lightning.pytorch.callbacks import EarlyStopping, StochasticWeightAveraging
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Regression(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
        self.error = torchmetrics.MeanAbsoluteError()

    def training_step(self, batch, i):
        x, y = batch
        return nn.functional.mse_loss(self.net(x).squeeze(-1), y)

    def validation_step(self, batch, i):
        x, y = batch
        self.error(self.net(x).squeeze(-1), y)
        self.log("mae", self.error)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.05)


L.seed_everything(0)
x = torch.randn(40, 4)
y = x @ torch.tensor([1.0, -1.0, 0.5, 0.0])
loader = DataLoader(TensorDataset(x, y), batch_size=10)
trainer = L.Trainer(
    max_epochs=4, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
    callbacks=[StochasticWeightAveraging(0.01, swa_epoch_start=2), EarlyStopping("mae", patience=5)],
)
trainer.fit(Regression(), loader, loader)
print(round(trainer.callback_metrics["mae"].item(), 3))
