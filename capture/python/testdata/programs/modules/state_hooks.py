import torch
from torch import nn

torch.manual_seed(0)


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(1))
        self.hits = 3

    def get_extra_state(self):
        return {"hits": self.hits}

    def set_extra_state(self, state):
        self.hits = state["hits"]


c = Counter()
outer = nn.Sequential(c)
state = outer.state_dict()
print(dict(state))
c.hits = 0
print(outer.load_state_dict(state), c.hits)
del state["0._extra_state"]
try:
    outer.load_state_dict(state)
except RuntimeError as e:
    print(e)
plain = nn.Sequential(nn.ReLU())
try:
    plain.load_state_dict({"0._extra_state": 1})
except RuntimeError as e:
    print(e)
try:
    nn.ReLU().get_extra_state()
except RuntimeError as e:
    print(str(e)[:60])

m = nn.Linear(1, 1)
m.register_state_dict_pre_hook(lambda mod, prefix, keep: print("pre", type(mod).__name__, repr(prefix), keep))


def post(mod, state, prefix, metadata):
    print("post", sorted(state), prefix, metadata)
    state[prefix + "note"] = torch.tensor(1)


handle = m.register_state_dict_post_hook(post)
print(list(nn.Sequential(m).state_dict()))
handle.remove()
m._register_state_dict_hook(lambda mod, s, p, l: {k.upper(): v for k, v in s.items()})
print(list(m.state_dict()))
try:
    m._register_state_dict_hook(post)
except RuntimeError as e:
    print(e)
m = nn.Linear(1, 1)
m.register_state_dict_post_hook(lambda *a: 1 and {})
try:
    m.state_dict()
except RuntimeError as e:
    print(e)
m = nn.Linear(1, 1)
m.register_load_state_dict_pre_hook(lambda mod, state, prefix, *rest: state.pop("old", None) is None or print("dropped", rest))
m.register_load_state_dict_post_hook(lambda mod, keys: keys.missing_keys.clear())
print(m.load_state_dict({"old": 1, "weight": torch.zeros(1, 1)}), m.weight)
m.register_load_state_dict_post_hook(lambda mod, keys: keys)
try:
    m.load_state_dict({})
except AssertionError as e:
    print(e)
