"""A recurrent network trained with CTC on packed sequences.

packages: torch
"""
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

torch.manual_seed(0)
rnn = nn.GRU(6, 12, bidirectional=True, batch_first=True, num_layers=2, dropout=0.1)
head = nn.Linear(24, 5)
ctc = nn.CTCLoss(blank=0, zero_infinity=True)
optimizer = torch.optim.Adam([*rnn.parameters(), *head.parameters()], lr=3e-3)
x = torch.randn(4, 15, 6)
lengths = torch.tensor([15, 13, 12, 10])
targets = torch.randint(1, 5, (4, 4))
target_lengths = torch.tensor([4, 4, 3, 2])
for step in range(5):
    packed = pack_padded_sequence(x, lengths, batch_first=True)
    out, _ = pad_packed_sequence(rnn(packed)[0], batch_first=True)
    logs = head(out).log_softmax(-1).transpose(0, 1)
    loss = ctc(logs, targets, lengths, target_lengths)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(rnn.parameters(), 1.0)
    optimizer.step()
    print(step, round(loss.item(), 4))
