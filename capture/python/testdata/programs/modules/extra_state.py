import torch
from torch import nn


class Keeps(nn.Module):
    def __init__(self, state):
        super().__init__()
        self.state = state

    def get_extra_state(self):
        return self.state

    def set_extra_state(self, state):
        self.state = state


class Versioned(nn.Linear):
    _version = 3

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "extra"] = torch.tensor(5)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, *rest):
        print("version", local_metadata.get("version"), repr(prefix))
        state_dict.pop(prefix + "extra", None)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)


for state in ("x", {"a": 1}, torch.ones(1), None):
    a, b = Keeps(state), Keeps("other")
    print(b.load_state_dict(a.state_dict()), b.state)
print(Keeps(1).load_state_dict({}, strict=False))
torch.manual_seed(0)
net = nn.Sequential(Versioned(1, 1), Keeps(2))
print(list(net.state_dict()), dict(net.state_dict()._metadata))
print(net.load_state_dict(net.state_dict()))
log = []
for name, m in net.named_modules():
    m._register_load_state_dict_pre_hook(lambda sd, prefix, *rest, name=name: log.append((name, prefix, len(sd))))
    m.register_load_state_dict_post_hook(lambda mod, keys, name=name: log.append(("after", name)))
net.load_state_dict(net.state_dict())
print(log)
net[1].register_load_state_dict_post_hook(lambda mod, keys: keys.unexpected_keys.append("made_up"))
try:
    net.load_state_dict(net.state_dict())
except RuntimeError as e:
    print(e)
Keeps(1).load_state_dict({})
