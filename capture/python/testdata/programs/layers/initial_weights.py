import torch
from torch import nn

def show(make):
    torch.manual_seed(42)
    layer = make()
    print(layer.__class__.__name__, [(n, p.dtype, round(p.sum().item(), 4)) for n, p in layer.named_parameters()], torch.rand(1))


for make in (
    lambda: nn.Linear(5, 4), lambda: nn.Bilinear(2, 3, 4), lambda: nn.Conv1d(2, 3, 4), lambda: nn.Conv2d(2, 4, 3, groups=2), lambda: nn.Conv3d(1, 2, 2), lambda: nn.ConvTranspose1d(2, 3, 4),
    lambda: nn.ConvTranspose2d(2, 4, 3, groups=2), lambda: nn.ConvTranspose3d(1, 2, 2), lambda: nn.Embedding(4, 3), lambda: nn.Embedding(4, 3, 1), lambda: nn.EmbeddingBag(4, 3), lambda: nn.BatchNorm1d(3),
    lambda: nn.LayerNorm(3), lambda: nn.RNN(2, 3), lambda: nn.LSTM(2, 3, 2, bidirectional=True), lambda: nn.LSTM(2, 3, proj_size=1), lambda: nn.GRU(2, 3, bias=False), lambda: nn.RNNCell(2, 3), lambda: nn.LSTMCell(2, 3),
    lambda: nn.GRUCell(2, 3), lambda: nn.MultiheadAttention(4, 2), lambda: nn.MultiheadAttention(4, 2, bias=False, add_bias_kv=True, kdim=3), lambda: nn.TransformerEncoderLayer(4, 2, 5), lambda: nn.TransformerDecoderLayer(4, 2, 5),
    lambda: nn.Transformer(4, 2, 1, 1, 5), lambda: nn.PReLU(3), lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 10, [3, 6]), lambda: nn.Linear(5, 4, dtype=torch.float64), lambda: nn.Conv1d(2, 3, 4, bias=False),
):
    show(make)
layer = nn.Linear(3, 3)
torch.manual_seed(0)
layer.reset_parameters()
print(layer.weight)
