import torch
import torch.nn as nn

torch.manual_seed(26)

SYMBOLS = 4  # and the blank, which is 0


class Recognizer(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.conv = nn.Conv1d(features, hidden, kernel_size=3, padding=1)
        self.rnn = nn.GRU(hidden, hidden)
        self.head = nn.Linear(hidden, SYMBOLS + 1)

    def forward(self, frames):
        h = torch.relu(self.conv(frames))
        h = h.permute(2, 0, 1)
        outputs, _ = self.rnn(h)
        return self.head(outputs)


def utterances(prototypes, batch, length):
    targets = torch.randint(1, SYMBOLS + 1, (batch, length))
    frames = prototypes[targets].repeat_interleave(3, dim=1)
    frames = frames + 0.1 * torch.randn_like(frames)
    return frames.transpose(1, 2), targets


def greedy_decode(logits):
    best = logits.argmax(dim=2).transpose(0, 1)
    texts = []
    for row in best.tolist():
        collapsed = [s for i, s in enumerate(row) if i == 0 or s != row[i - 1]]
        texts.append([s for s in collapsed if s != 0])
    return texts


prototypes = torch.randn(SYMBOLS + 1, 6)
model = Recognizer(6, 10)
ctc = nn.CTCLoss(blank=0, zero_infinity=True)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(5):
    frames, targets = utterances(prototypes, 4, 3)
    logits = model(frames)
    log_probs = nn.functional.log_softmax(logits, dim=2)
    input_lengths = torch.full((4,), logits.shape[0], dtype=torch.long)
    target_lengths = torch.full((4,), 3, dtype=torch.long)
    loss = ctc(log_probs, targets, input_lengths, target_lengths)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    print(step, round(loss.item(), 4))

model.eval()
with torch.no_grad():
    frames, targets = utterances(prototypes, 2, 3)
    print(greedy_decode(model(frames)), targets.tolist())
