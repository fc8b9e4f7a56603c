import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Callback:
    def on_epoch_begin(self, trainer, epoch):
        pass

    def on_critic_step_end(self, trainer):
        pass

    def on_epoch_end(self, trainer, epoch, logs):
        pass


class WeightClipping(Callback):
    """Lipschitz constraint of the critic."""

    def __init__(self, bound=0.02, skip_bias=True):
        self.bound, self.skip_bias = bound, skip_bias

    def on_critic_step_end(self, trainer):
        for name, param in trainer.critic.named_parameters():
            if self.skip_bias and name.endswith("bias"):
                continue
            with torch.no_grad():
                param.clamp_(-self.bound, self.bound)


class Logger(Callback):
    def on_epoch_end(self, trainer, epoch, logs):
        print(f"[{epoch}] " + "  ".join(f"{k}={v:.5f}" for k, v in logs.items()))


class TabularGenerator(nn.Module):
    def __init__(self, noise_dim, columns):
        super().__init__()
        self.noise_dim = noise_dim
        self.net = nn.Sequential(
            nn.Linear(noise_dim, 32), nn.BatchNorm1d(32), nn.ReLU(),
            nn.Linear(32, columns),
        )

    def sample(self, n):
        return self.net(torch.randn(n, self.noise_dim))


class WGANTrainer:
    def __init__(self, columns, noise_dim=6, n_critic=3, callbacks=()):
        self.generator = TabularGenerator(noise_dim, columns)
        self.critic = nn.Sequential(nn.Linear(columns, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
        self.opt_g = torch.optim.RMSprop(self.generator.parameters(), lr=1e-3)
        self.opt_c = torch.optim.RMSprop(self.critic.parameters(), lr=1e-3)
        self.n_critic = n_critic
        self.callbacks = list(callbacks)

    def emit(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def critic_step(self, real):
        fake = self.generator.sample(len(real)).detach()
        self.opt_c.zero_grad()
        loss = self.critic(fake).mean() - self.critic(real).mean()
        loss.backward()
        self.opt_c.step()
        self.emit("on_critic_step_end")
        return -loss.item()

    def generator_step(self, n):
        self.opt_g.zero_grad()
        loss = -self.critic(self.generator.sample(n)).mean()
        loss.backward()
        self.opt_g.step()
        return loss.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.emit("on_epoch_begin", epoch)
            logs = {}
            for i, (real,) in enumerate(loader, 1):
                logs["wasserstein"] = self.critic_step(real)
                if i % self.n_critic == 0:
                    logs["g_loss"] = self.generator_step(len(real))
            self.emit("on_epoch_end", epoch, logs)


def make_table(rows=240):
    age = torch.rand(rows, 1)
    income = 0.6 * age + 0.2 * torch.randn(rows, 1)
    spend = income.clamp(min=0).sqrt()
    table = torch.cat([age, income, spend], dim=1)
    return (table - table.mean(0)) / table.std(0)


torch.manual_seed(8)
table = make_table()
trainer = WGANTrainer(columns=table.size(1), callbacks=[WeightClipping(), Logger()])
trainer.fit(DataLoader(TensorDataset(table), batch_size=40, shuffle=True), epochs=3)
trainer.generator.eval()
with torch.no_grad():
    fake = trainer.generator.sample(200)
print("column means", [round(v, 3) for v in fake.mean(0).tolist()])
