import torch
from torch import nn
from torch.distributions import Categorical


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        layers = []
        for i in range(len(sizes) - 2):
            layers += [nn.Linear(sizes[i], sizes[i + 1]), nn.ReLU()]
        layers.append(nn.Linear(sizes[-2], sizes[-1]))
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)


class MatchingPennies:
    """Two actions, a hint about the opponent, a reward of one."""

    def __init__(self, dim=6):
        self.mix = torch.randn(dim, 3)

    def batch(self, n):
        state = torch.randn(n, 6)
        return state, (state @ self.mix).argmax(dim=1)

    @staticmethod
    def reward(action, best):
        return 10.0 * (action == best).float() - 3.0


class PolicyGradient:
    def __init__(self, lr_pi=5e-3, lr_v=1e-2, max_norm=0.5):
        self.pi_net, self.v_net = MLP([6, 24, 3]), MLP([6, 24, 1])
        self.pi_opt = torch.optim.SGD(self.pi_net.parameters(), lr=lr_pi)
        self.v_opt = torch.optim.SGD(self.v_net.parameters(), lr=lr_v)
        self.max_norm = max_norm

    def act(self, state):
        with torch.no_grad():
            return Categorical(logits=self.pi_net(state)).sample()

    def critic_update(self, state, returns):
        loss = nn.functional.mse_loss(self.v_net(state).squeeze(1), returns)
        self.v_opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.v_net.parameters(), self.max_norm)
        self.v_opt.step()
        self.v_opt.zero_grad()
        return loss.item()

    def pi_update(self, state, action, returns):
        dist = Categorical(logits=self.pi_net(state))
        advantage = returns - self.v_net(state).squeeze(1).detach()
        loss = -(dist.log_prob(action) * advantage).mean() - 0.01 * dist.entropy().mean()
        self.pi_opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.v_net.parameters(), self.max_norm)
        self.pi_opt.step()
        return loss.item()


def main():
    torch.manual_seed(12)
    game, agent = MatchingPennies(), PolicyGradient()
    for episode in range(12):
        state, best = game.batch(32)
        action = agent.act(state)
        returns = game.reward(action, best)
        v_loss = agent.critic_update(state, returns)
        pi_loss = agent.pi_update(state, action, returns)
        if episode % 4 == 3:
            print(f"{episode} reward {returns.mean():.3f} v {v_loss:.3f} pi {pi_loss:.3f}")


if __name__ == "__main__":
    main()
