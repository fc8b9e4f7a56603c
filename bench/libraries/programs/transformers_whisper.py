"""Trains a tiny Whisper on random spectra with a frozen encoder front.

packages: transformers
"""
import torch
from transformers import WhisperConfig, WhisperForConditionalGeneration

torch.manual_seed(0)
config = WhisperConfig(
    vocab_size=30, num_mel_bins=8, encoder_layers=1, encoder_attention_heads=2, decoder_layers=1,
    decoder_attention_heads=2, d_model=16, encoder_ffn_dim=32, decoder_ffn_dim=32, max_source_positions=20,
    max_target_positions=16, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1,
)
model = WhisperForConditionalGeneration(config)
spectra = torch.randn(4, 8, 40)
labels = torch.randint(3, 30, (4, 6))
optimizer = torch.optim.AdamW(filter(lambda p: p.requires_grad, model.parameters()), lr=5e-3)
for step in range(5):
    optimizer.zero_grad()
    out = model(input_features=spectra, labels=labels)
    out.loss.backward()
    optimizer.step()
    print(step, round(out.loss.item(), 3))
