"""An autoencoder whose decoder layers share weights with a bigram model over the codes."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(65)


class TokenAutoencoder(nn.Module):
    def __init__(self, vocabulary, width):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.mix = nn.Linear(width, width)
        self.drop = nn.Dropout(0.1)
        self.output = nn.Linear(width, vocabulary, bias=False)
        self.output.weight = self.embed.weight

    def forward(self, tokens):
        h = self.embed(tokens).mean(dim=1)
        h = torch.tanh(self.mix(h))
        return self.output(self.drop(h))


def bags(n, vocabulary):
    kind = torch.randint(0, 3, (n,))
    tokens = (kind.unsqueeze(1) * 3 + torch.randint(0, 3, (n, 5))) % vocabulary
    return tokens, tokens[:, 0]


def evaluate(model, tokens, targets):
    model.eval()
    with torch.no_grad():
        loss = F.cross_entropy(model(tokens), targets)
    return loss.item()


tokens, targets = bags(48, 9)
held_tokens, held_targets = bags(16, 9)
model = TokenAutoencoder(9, 8)
optimizer = torch.optim.Adam(model.parameters(), lr=0.2)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.8)
best, best_weights = float("inf"), None
for epoch in range(4):
    model.train()
    for start in range(0, 48, 12):
        optimizer.zero_grad()
        logits = model(tokens[start : start + 12])
        loss = F.cross_entropy(logits, targets[start : start + 12])
        loss.backward()
        optimizer.step()
    scheduler.step()
    held = evaluate(model, held_tokens, held_targets)
    if held < best:
        best = held
        best_weights = {name: value.detach().clone() for name, value in model.state_dict().items()}
    print(f"epoch {epoch}: {loss.item():.3f} {held:.3f}")
model.load_state_dict(best_weights)
print("best", evaluate(model, held_tokens, held_targets))
