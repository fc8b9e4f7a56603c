import random

import torch
import torch.nn as nn

torch.manual_seed(42)
random.seed(42)


class RewardModel(nn.Module):
    def __init__(self, context, arms):
        super().__init__()
        self.shared = nn.Linear(context, 16)
        self.arms = nn.Linear(16, arms)

    def forward(self, context):
        h = torch.relu(self.shared(context))
        return self.arms(h)


class Bandit:
    def __init__(self, context, arms):
        self.truth = torch.randn(arms, context)

    def context(self):
        return torch.randn(self.truth.shape[1])

    def pull(self, context, arm):
        return (self.truth[arm] @ context + 0.1 * torch.randn(())).item()


def choose(model, context, epsilon, arms):
    if random.random() < epsilon:
        return random.randrange(arms)
    model.eval()
    with torch.no_grad():
        estimate = model(context)
    model.train()
    return int(estimate.argmax())


bandit = Bandit(4, 3)
model = RewardModel(4, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
contexts, arms, rewards = [], [], []
average = 0.0
for t in range(24):
    context = bandit.context()
    arm = choose(model, context, epsilon=0.2, arms=3)
    reward = bandit.pull(context, arm)
    contexts.append(context)
    arms.append(arm)
    rewards.append(reward)
    average += (reward - average) / (t + 1)
    if (t + 1) % 4 == 0:
        predicted = model(torch.stack(contexts))
        chosen = predicted.gather(1, torch.tensor(arms).unsqueeze(1)).squeeze(1)
        loss = (chosen - torch.tensor(rewards)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"{t}: loss {loss.item():.3f}, average reward {average:.3f}")
