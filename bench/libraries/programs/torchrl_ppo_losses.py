"""torchrl: ClipPPOLoss with generalised advantages over random trajectories in a TensorDict.

packages: torchrl, tensordict
"""
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.modules import OneHotCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

torch.manual_seed(0)
net = TensorDictModule(nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 2)), in_keys=["observation"], out_keys=["logits"])
actor = ProbabilisticActor(net, in_keys=["logits"], distribution_class=OneHotCategorical, return_log_prob=True)
critic = ValueOperator(nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1)), in_keys=["observation"])
advantage = GAE(gamma=0.99, lmbda=0.95, value_network=critic)
criterion = ClipPPOLoss(actor, critic)
optimizer = torch.optim.Adam(criterion.parameters(), lr=3e-3)
for update in range(2):
    done = torch.zeros(12, 1, dtype=torch.bool)
    done[-1] = True
    data = TensorDict({"observation": torch.randn(12, 3)}, [12])
    with torch.no_grad():
        data = actor(data)
    data["next"] = TensorDict({"observation": torch.randn(12, 3), "reward": torch.randn(12, 1), "done": done, "terminated": done.clone()}, [12])
    with torch.no_grad():
        advantage(data)
    for epoch in range(2):
        losses = criterion(data)
        loss = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(criterion.parameters(), 1.0)
        optimizer.step()
    print(update, round(loss.item(), 3))
