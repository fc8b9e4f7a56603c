"""diffusers: a tiny AutoencoderKL with a reconstruction and a KL term.

packages: diffusers
"""
import torch
import torch.nn.functional as F
from diffusers import AutoencoderKL

torch.manual_seed(0)
vae = AutoencoderKL(
    in_channels=1, out_channels=1, block_out_channels=(8,), latent_channels=2, norm_num_groups=4,
    down_block_types=("DownEncoderBlock2D",), up_block_types=("UpDecoderBlock2D",), sample_size=8,
)
optimizer = torch.optim.Adam(vae.parameters(), lr=1e-3)
x = torch.rand(4, 1, 8, 8)
for step in range(4):
    posterior = vae.encode(x).latent_dist
    out = vae.decode(posterior.sample()).sample
    loss = F.mse_loss(out, x) + 1e-3 * posterior.kl().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 3))
