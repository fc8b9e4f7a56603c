"""SimCSE-style contrastive training of mean-pooled BERT embeddings; the pooler is left out of the model.

packages: transformers
"""
import torch
import torch.nn.functional as F
from transformers import BertConfig, BertModel

torch.manual_seed(0)
config = BertConfig(
    vocab_size=50, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, max_position_embeddings=16
)
model = BertModel(config, add_pooling_layer=False).train()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(5):
    ids = torch.randint(1, 50, (8, 10))
    mask = (torch.arange(10) < torch.randint(4, 11, (8, 1))).long()

    def embed():
        hidden = model(ids, attention_mask=mask).last_hidden_state
        return (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)

    similar = F.cosine_similarity(embed()[:, None], embed()[None], dim=-1) / 0.05
    loss = F.cross_entropy(similar, torch.arange(8))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 3))
