import torch
from torch import nn

torch.manual_seed(0)
embed = nn.Embedding(5, 4)
layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.5, batch_first=True)
root = layer(embed(torch.tensor([[1, 2, 3]]))).softmax(-1).mean()
params = {"embed." + k: v for k, v in embed.named_parameters()} | {"layer." + k: v for k, v in layer.named_parameters()}
