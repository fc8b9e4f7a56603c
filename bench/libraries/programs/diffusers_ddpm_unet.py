"""diffusers: a tiny UNet2D trained to predict noise, with an EMA of its weights, then sampled.

packages: diffusers
"""
import torch
import torch.nn.functional as F
from diffusers import DDPMScheduler, UNet2DModel
from diffusers.training_utils import EMAModel

torch.manual_seed(0)
model = UNet2DModel(
    sample_size=8, in_channels=1, out_channels=1, layers_per_block=1, block_out_channels=(8, 16), norm_num_groups=4,
    down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D"), attention_head_dim=8,
)
ema = EMAModel(model.parameters(), decay=0.9)
noise_scheduler = DDPMScheduler(num_train_timesteps=20)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
images = torch.zeros(8, 1, 8, 8)
images[:, :, 2:6, 2:6] = 1.0
for step in range(4):
    noise = torch.randn_like(images)
    t = torch.randint(0, 20, (8,))
    noisy = noise_scheduler.add_noise(images, noise, t)
    loss = F.mse_loss(model(noisy, t).sample, noise)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    ema.step(model.parameters())
    print(step, round(loss.item(), 3))

ema.store(model.parameters())
ema.copy_to(model.parameters())
noise_scheduler.set_timesteps(5)
sample = torch.randn(1, 1, 8, 8)
with torch.no_grad():
    for t in noise_scheduler.timesteps:
        sample = noise_scheduler.step(model(sample, t).sample, t, sample).prev_sample
print(sample.shape)
