import torch
from torch.distributions import Categorical

torch.manual_seed(1)
policy = torch.nn.Linear(4, 3)
state = torch.randn(5, 4)
opt = torch.optim.SGD(policy.parameters(), lr=0.1)
for step in range(3):
    m = Categorical(torch.softmax(policy(state), dim=-1))
    action = m.sample()
    reward = (action == 1).float()
    loss = (-m.log_prob(action) * reward).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, action.tolist(), round(loss.item(), 4))
print(policy.bias)
