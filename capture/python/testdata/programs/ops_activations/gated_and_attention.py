import torch
import torch.nn.functional as F

torch.manual_seed(1)
x = torch.randn(2, 4, requires_grad=True)
print(F.glu(x), F.glu(x, dim=0))
F.glu(x).pow(2).sum().backward()
print(x.grad)
q, k, v = (torch.randn(1, 2, 3, 4, requires_grad=True) for _ in range(3))
out = F.scaled_dot_product_attention(q, k, v)
print(out, out.grad_fn.name())
print(F.scaled_dot_product_attention(q, k, v, is_causal=True)[0, 0], F.scaled_dot_product_attention(q, k, v, attn_mask=torch.tril(torch.ones(3, 3)).bool())[0, 1], F.scaled_dot_product_attention(q, k, v, attn_mask=torch.zeros(3, 3), scale=0.3)[0, 0])
(out.pow(2).sum() + F.scaled_dot_product_attention(q, k, v, is_causal=True).sum()).backward()
print(q.grad, k.grad, v.grad)
print(F.scaled_dot_product_attention(q[0, 0], k[0, 0], v[0, 0]))
logits = torch.tensor([[1.0, 2.0, 3.0], [0.0, 0.0, 10.0]], requires_grad=True)
p = F.softmax(logits, dim=-1)
print(p, F.softmax(logits, -1, dtype=torch.float64), F.log_softmax(logits, dim=0), F.softmin(logits, 1), torch.softmax(logits, dim=1, dtype=torch.float64).dtype, F.softmax(logits.long(), 0, dtype=torch.float32))
(p[0, 0] + F.log_softmax(logits, 1)[1, 2] + F.softmin(logits, 0)[1, 1]).backward()
print(logits.grad)
torch.manual_seed(2)
print(F.gumbel_softmax(logits, tau=0.5), F.gumbel_softmax(logits, hard=True))
for bad in (lambda: F.glu(torch.ones(3)), lambda: F.glu(x, 5), lambda: F.scaled_dot_product_attention(q, k, v[..., :2, :]), lambda: F.scaled_dot_product_attention(q, k, v, attn_mask=torch.zeros(3, 3), is_causal=True), lambda: F.scaled_dot_product_attention(q, k.double(), v), lambda: F.scaled_dot_product_attention(q, k, v, attn_mask=torch.zeros(2, 2))):
    try:
        print(bad().shape)
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
