import torch
from torch import nn

torch.manual_seed(0)
enc = nn.TransformerEncoderLayer(d_model=4, nhead=2, dim_feedforward=6, dropout=0.0)
print(enc)
print(list(enc.state_dict()))
src = torch.randn(3, 2, 4, requires_grad=True)
y = enc(src)
print(y)
(y * torch.arange(24.0).view_as(y)).sum().backward()
print(src.grad)
print(enc.linear1.weight.grad[0], enc.norm2.bias.grad, enc.self_attn.in_proj_bias.grad)
dec = nn.TransformerDecoderLayer(4, 1, 5, 0.0, activation="gelu", norm_first=True, bias=False)
print(dec)
memory = torch.randn(5, 2, 4)
z = dec(src, memory)
print(z)
(z * torch.arange(24.0).view_as(z)).sum().backward()
print(dec.multihead_attn.in_proj_weight.grad[0])
mask = nn.Transformer.generate_square_subsequent_mask(3)
print(mask)
print(enc(src, src_mask=mask)[0], dec(src, memory, tgt_mask=mask, tgt_is_causal=True)[0])
padding = torch.tensor([[False, False, True], [False, False, False]])
print(enc(src, src_key_padding_mask=padding)[2])
first = nn.TransformerEncoderLayer(4, 2, 6, 0.1, activation=nn.ReLU(), batch_first=True, layer_norm_eps=1e-3)
print(first.activation, first.norm1, first.eval()(src.detach().transpose(0, 1)).shape)
torch.manual_seed(2)
print(first.train()(src.detach().transpose(0, 1))[0, 0])
for bad in (lambda: nn.TransformerEncoderLayer(4, 3), lambda: nn.TransformerDecoderLayer(4, 2, activation="tanh"), lambda: enc(torch.ones(3, 2, 5)), lambda: dec(src, torch.ones(5, 3, 4))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
