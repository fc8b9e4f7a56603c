"""Double DQN with a replay buffer, a soft target and Huber loss.

packages: torch
"""
import copy
import random
from collections import deque

import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)
online = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 3))
target = copy.deepcopy(online).requires_grad_(False)
optimizer = torch.optim.AdamW(online.parameters(), lr=1e-3, amsgrad=True)
memory = deque(maxlen=200)
state = torch.randn(1, 2)
for step in range(40):
    if random.random() < 0.3:
        action = torch.tensor([[random.randrange(3)]])
    else:
        with torch.no_grad():
            action = online(state).max(1).indices.view(1, 1)
    following = 0.9 * state + 0.1 * (action - 1)
    reward = -following.pow(2).sum(1)
    memory.append((state, action, following, reward))
    state = following if step % 10 else torch.randn(1, 2)
    if len(memory) < 16:
        continue
    batch = [torch.cat(column) for column in zip(*random.sample(memory, 8))]
    states, actions, followings, rewards = batch
    values = online(states).gather(1, actions)
    with torch.no_grad():
        best = online(followings).argmax(1, keepdim=True)
        goal = rewards.unsqueeze(1) + 0.99 * target(followings).gather(1, best)
    loss = nn.functional.smooth_l1_loss(values, goal)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(online.parameters(), 100)
    optimizer.step()
    kept = target.state_dict()
    for name, value in online.state_dict().items():
        kept[name] = value * 0.05 + kept[name] * 0.95
    target.load_state_dict(kept)
print(round(loss.item(), 4))
