"""einops: an MLP-Mixer built of rearrange and its layers.

packages: einops
"""
import torch
from einops import rearrange, reduce, repeat
from einops.layers.torch import Rearrange, Reduce
from torch import nn

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, tokens, width):
        super().__init__()
        self.tokens = nn.Sequential(nn.LayerNorm(width), Rearrange("b t c -> b c t"), nn.Linear(tokens, tokens), nn.GELU(), Rearrange("b c t -> b t c"))
        self.channels = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU())

    def forward(self, x):
        x = x + self.tokens(x)
        return x + self.channels(x)


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(48, 16)
        self.token = nn.Parameter(torch.zeros(1, 1, 16))
        self.blocks = nn.Sequential(Block(17, 16), Block(17, 16))
        self.head = nn.Sequential(Reduce("b t c -> b c", "mean"), nn.Linear(16, 3))

    def forward(self, images):
        x = self.embed(rearrange(images, "b c (h p) (w q) -> b (h w) (p q c)", p=4, q=4))
        x = torch.cat([repeat(self.token, "1 1 c -> b 1 c", b=len(x)), x], 1)
        return self.head(self.blocks(x))


model = Mixer()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
x, y = torch.randn(8, 3, 16, 16), torch.arange(8) % 3
for step in range(4):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 3), reduce(x, "b c h w -> c", "mean").shape)
