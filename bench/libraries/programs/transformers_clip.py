"""A tiny CLIP trained with its contrastive loss; the temperature is clamped after each step.

packages: transformers
"""
import torch
from transformers import CLIPConfig, CLIPModel

torch.manual_seed(0)
config = CLIPConfig(
    text_config=dict(vocab_size=40, hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, max_position_embeddings=12, eos_token_id=39),
    vision_config=dict(hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, image_size=16, patch_size=8),
    projection_dim=8,
)
model = CLIPModel(config)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(5):
    ids = torch.randint(1, 39, (6, 8))
    ids[:, -1] = 39
    out = model(input_ids=ids, attention_mask=torch.ones_like(ids), pixel_values=torch.randn(6, 3, 16, 16), return_loss=True)
    optimizer.zero_grad()
    out.loss.backward()
    optimizer.step()
    with torch.no_grad():
        model.logit_scale.clamp_(0, 4.6)
    print(step, round(out.loss.item(), 3))
