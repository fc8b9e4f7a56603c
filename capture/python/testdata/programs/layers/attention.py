import torch
from torch import nn

torch.manual_seed(0)
mha = nn.MultiheadAttention(4, 2)
print(mha)
print({k: tuple(v.shape) for k, v in mha.state_dict().items()})
print(mha.in_proj_weight, mha.in_proj_bias, mha.out_proj.bias)
x = torch.randn(3, 2, 4, requires_grad=True)
out, weights = mha(x, x, x)
print(out)
print(weights)
out.pow(2).sum().backward()
print(x.grad)
print(mha.in_proj_weight.grad[0], mha.out_proj.weight.grad[0])
memory = torch.randn(5, 2, 4)
out, weights = mha(x, memory, memory, average_attn_weights=False)
print(out.shape, weights.shape)
out, weights = mha(x, memory, memory, need_weights=False)
print(out, weights)
causal = torch.triu(torch.ones(3, 3, dtype=torch.bool), 1)
print(mha(x, x, x, attn_mask=causal)[1])
padding = torch.tensor([[False, False, True], [False, True, True]])
print(mha(x, x, x, key_padding_mask=padding)[1])
print(mha(x, x, x, key_padding_mask=padding, attn_mask=causal, need_weights=False)[0])
first = nn.MultiheadAttention(4, 2, batch_first=True, bias=False, dropout=0.5)
out, weights = first(x.transpose(0, 1), x.transpose(0, 1), x.transpose(0, 1))
print(out.shape, weights.shape, [n for n, _ in first.named_parameters()])
torch.manual_seed(0)
other = nn.MultiheadAttention(4, 1, kdim=3, vdim=2, add_bias_kv=True, add_zero_attn=True)
print({k: tuple(v.shape) for k, v in other.state_dict().items()})
print(other(torch.ones(2, 1, 4), torch.ones(3, 1, 3), torch.ones(3, 1, 2)))
print(mha(x[:, 0], x[:, 0], x[:, 0])[0].shape)
for bad in (
    lambda: nn.MultiheadAttention(5, 2), lambda: nn.MultiheadAttention(0, 1), lambda: mha(x, memory, x), lambda: mha(torch.ones(3, 2, 6), x, x),
    lambda: mha(x, x, x, attn_mask=torch.ones(2, 3)), lambda: mha(x, x, x, key_padding_mask=padding.int()), lambda: mha(x[0, 0], x, x), lambda: mha(x, x[0], x[0]),
    lambda: mha(x, x, x, is_causal=True), lambda: mha(x, x, x, key_padding_mask=padding[:1]), lambda: mha(x, x, x, attn_mask=torch.ones(3, 3, 3)),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
