import torch
import torch.nn.functional as F

torch.manual_seed(0)
q, k, v = (torch.randn(1, 2, 3, 4, requires_grad=True) for _ in range(3))
out = F.scaled_dot_product_attention(q, k, v)
print(out, out.grad_fn.name())
out.pow(2).sum().backward()
print(q.grad[0, 0], k.grad[0, 0], v.grad[0, 0])
print(F.scaled_dot_product_attention(q, k, v, is_causal=True)[0, 0])
mask = torch.tensor([[True, True, False], [True, False, True], [False, True, True]])
print(F.scaled_dot_product_attention(q, k, v, attn_mask=mask)[0, 0])
print(F.scaled_dot_product_attention(q, k, v, attn_mask=torch.zeros(3, 3).masked_fill(~mask, float("-inf")), scale=0.1)[0, 1])
print(F.scaled_dot_product_attention(q[0], k[0], v[0]).shape, F.scaled_dot_product_attention(q.double(), k.double(), v.double())[0, 0, 0])
few = torch.randn(1, 1, 3, 4)
print(F.scaled_dot_product_attention(q, few, few, enable_gqa=True).shape)
by_hand = torch.softmax(q @ k.transpose(-2, -1) / 2, dim=-1) @ v
print(torch.allclose(out, by_hand, atol=1e-6))
for bad in (
    lambda: F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=True), lambda: F.scaled_dot_product_attention(q, k.double(), v),
    lambda: F.scaled_dot_product_attention(q[0, 0, 0], k, v), lambda: F.scaled_dot_product_attention(q, torch.randn(1, 2, 3, 5), v), lambda: F.scaled_dot_product_attention(q, k, v, mask.int()),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
