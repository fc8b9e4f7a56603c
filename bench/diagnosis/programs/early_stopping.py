import copy

import torch
from torch import nn

torch.manual_seed(37)


def build(inputs):
    return nn.Sequential(
        nn.Linear(inputs, 24),
        nn.ReLU(),
        nn.Dropout(0.3),
        nn.Linear(24, 1),
    )


def dataset(n, weights):
    x = torch.randn(n, len(weights))
    y = (x @ weights).unsqueeze(1) + 0.5 * torch.randn(n, 1)
    return x, y


def validate(model, x, y, criterion):
    model.eval()
    with torch.no_grad():
        return criterion(model(x), y).item()


weights = torch.randn(8)
train = dataset(24, weights)
valid = dataset(24, weights)
model = build(8)
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.2)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
best_loss, best_state, patience = float("inf"), None, 0
for epoch in range(8):
    model.train()
    for xb, yb in zip(train[0].split(8), train[1].split(8)):
        optimizer.zero_grad()
        output = model(xb)
        loss = criterion(output, yb)
        loss.backward()
        optimizer.step()
    valid_loss = validate(model, *valid, criterion)
    scheduler.step(valid_loss)
    if valid_loss < best_loss:
        best_loss = valid_loss
        best_state = copy.deepcopy(model.state_dict())
        patience = 0
    else:
        patience += 1
        if patience > 2:
            break
    print(f"epoch {epoch}: {valid_loss:.4f}")

model.load_state_dict(best_state)
restored = validate(model, *valid, criterion)
print("best", best_loss, "restored", restored)
assert abs(best_loss - restored) < 1e-5
