"""A tiny Mamba: the sequential scan of the state in plain PyTorch.

packages: transformers
"""
import torch
from transformers import MambaConfig, MambaForCausalLM

torch.manual_seed(0)
config = MambaConfig(vocab_size=24, hidden_size=16, state_size=4, num_hidden_layers=2, conv_kernel=3, time_step_rank=2, use_cache=False)
model = MambaForCausalLM(config).train()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for step in range(4):
    batch = (torch.arange(12) + torch.randint(0, 9, (3, 1))) % 7
    loss = model(input_ids=batch, labels=batch).loss
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    print(step, round(loss.item(), 3))
