"""vector-quantize-pytorch: a VQ-VAE with an EMA codebook, then with a residual and a learnt one.

packages: vector-quantize-pytorch
"""
import torch
from torch import nn
from vector_quantize_pytorch import FSQ, ResidualVQ, VectorQuantize

torch.manual_seed(0)
x = torch.randn(8, 6, 12)


def train(quantise, width):
    encoder, decoder = nn.Linear(12, width), nn.Linear(width, 12)
    modules = nn.ModuleList([encoder, quantise, decoder])
    optimizer = torch.optim.Adam(modules.parameters(), lr=3e-3)
    for step in range(4):
        quantised, _, *rest = quantise(encoder(x))
        loss = (decoder(quantised) - x).pow(2).mean()
        if rest:
            loss = loss + rest[0].sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(type(quantise).__name__, round(loss.item(), 4))


train(VectorQuantize(dim=8, codebook_size=16, decay=0.8, commitment_weight=0.25), 8)
train(VectorQuantize(dim=8, codebook_size=16, learnable_codebook=True, ema_update=False), 8)
train(ResidualVQ(dim=8, codebook_size=16, num_quantizers=2, kmeans_init=True, kmeans_iters=2), 8)
train(FSQ([8, 5, 5]), 3)
