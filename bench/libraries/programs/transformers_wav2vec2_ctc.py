"""A tiny wav2vec 2.0 with CTC, masked time steps and a frozen feature encoder.

packages: transformers
"""
import torch
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC

torch.manual_seed(0)
config = Wav2Vec2Config(
    vocab_size=12, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, conv_dim=(8, 8),
    conv_stride=(4, 2), conv_kernel=(8, 4), num_feat_extract_layers=2, num_conv_pos_embeddings=8,
    num_conv_pos_embedding_groups=2, mask_time_length=2, mask_time_prob=0.1, layerdrop=0.1, ctc_zero_infinity=True, pad_token_id=0,
)
model = Wav2Vec2ForCTC(config)
model.freeze_feature_encoder()
model.train()
optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)
sound, labels = torch.randn(3, 400), torch.randint(1, 12, (3, 5))
for step in range(5):
    loss = model(sound, labels=labels).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 3))
