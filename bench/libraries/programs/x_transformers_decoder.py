"""x-transformers: a decoder with rotary positions, flash attention and an autoregressive wrapper.

packages: x-transformers
"""
import torch
from x_transformers import AutoregressiveWrapper, Decoder, TransformerWrapper

torch.manual_seed(0)
model = AutoregressiveWrapper(TransformerWrapper(
    num_tokens=16, max_seq_len=32,
    attn_layers=Decoder(dim=16, depth=2, heads=2, attn_dim_head=8, rotary_pos_emb=True, ff_glu=True, use_rmsnorm=True, attn_qk_norm=True),
))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for step in range(5):
    batch = (torch.arange(17) + torch.randint(0, 8, (4, 1))) % 8
    loss = model(batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    optimizer.step()
    optimizer.zero_grad()
    print(step, round(loss.item(), 3))
model.eval()
print(model.generate(batch[:1, :4], 6, temperature=0.0).tolist())
