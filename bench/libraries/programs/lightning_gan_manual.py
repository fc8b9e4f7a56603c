"""Lightning: a GAN with manual optimisation and toggled optimizers.

packages: lightning
"""
import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader


class GAN(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
        self.discriminator = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))

    def training_step(self, real, i):
        g, d = self.optimizers()
        bce = nn.functional.binary_cross_entropy_with_logits
        z = torch.randn(len(real), 4)

        self.toggle_optimizer(g)
        judged = self.discriminator(self.generator(z))
        g_loss = bce(judged, torch.ones_like(judged))
        g.zero_grad()
        self.manual_backward(g_loss)
        g.step()
        self.untoggle_optimizer(g)

        self.toggle_optimizer(d)
        on_real = self.discriminator(real)
        on_fake = self.discriminator(self.generator(z).detach())
        d_loss = (bce(on_real, torch.ones_like(on_real)) + bce(on_fake, torch.zeros_like(on_fake))) / 2
        d.zero_grad()
        self.manual_backward(d_loss)
        d.step()
        self.untoggle_optimizer(d)
        self.log_dict({"g": g_loss, "d": d_loss})

    def configure_optimizers(self):
        return [torch.optim.Adam(self.generator.parameters(), 1e-3), torch.optim.Adam(self.discriminator.parameters(), 1e-3)]


L.seed_everything(0)
loader = DataLoader(torch.randn(32, 2) + 3, batch_size=8)
trainer = L.Trainer(max_epochs=2, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False)
trainer.fit(GAN(), loader)
print({k: round(v.item(), 3) for k, v in trainer.callback_metrics.items()})
