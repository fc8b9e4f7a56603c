import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

torch.manual_seed(11)
GAMMA = 0.9


class ActorCritic(nn.Module):
    def __init__(self, states, actions):
        super().__init__()
        self.body = nn.Linear(states, 16)
        self.actor = nn.Linear(16, actions)
        self.critic = nn.Linear(16, 1)

    def forward(self, state):
        h = torch.relu(self.body(state))
        return Categorical(logits=self.actor(h)), self.critic(h).squeeze(-1)


def environment_step(state, action):
    target = state.argmax().item() % 3
    reward = 1.0 if action == target else 0.0
    following = torch.zeros(6)
    following[torch.randint(6, (1,)).item()] = 1.0
    return following, reward


def rollout(model, state, length):
    log_probs, values, rewards, entropies = [], [], [], []
    for _ in range(length):
        distribution, value = model(state)
        action = distribution.sample()
        log_probs.append(distribution.log_prob(action))
        entropies.append(distribution.entropy())
        values.append(value)
        state, reward = environment_step(state, action.item())
        rewards.append(reward)
    with torch.no_grad():
        _, bootstrap = model(state)
    returns, running = [], bootstrap.item()
    for reward in reversed(rewards):
        running = reward + GAMMA * running
        returns.insert(0, running)
    return state, torch.stack(log_probs), torch.stack(values), torch.tensor(returns), torch.stack(entropies)


model = ActorCritic(6, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
state = torch.zeros(6)
state[0] = 1.0
for update in range(6):
    state, log_probs, values, returns, entropies = rollout(model, state, 6)
    advantage = returns - values.detach()
    actor_loss = -(log_probs * advantage).mean()
    critic_loss = F.mse_loss(values, returns)
    loss = actor_loss + 0.5 * critic_loss - 0.01 * entropies.mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    optimizer.step()
    print(f"{update}: actor {actor_loss.item():.3f} critic {critic_loss.item():.3f}")
