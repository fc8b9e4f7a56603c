"""Trains for 1,000 iterations, and writes to the file `growth.json` how much is alive after
some of them, and after operations of which each is another one: tensors, blocks of Python's
memory, entries in the recorder's own tables, the memory of the process. Without a
recorder the first look is enough; it goes to `alone.json`.
"""

import gc
import json
import os
import sys
import weakref

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

LOOKS = 200, 600, 1000
FORMS = 400  # of operations that are to be known at once, for the last look
WIDE = 1 << 14  # elements of a row: what is kept of it can be seen in the process's memory


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 2 + 0 * x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 2)
        self.register_buffer("mean", torch.zeros(8))

    def forward(self, x):
        x = torch.relu_(self.first(x))
        self.mean.mul_(0.9).add_(x.detach().mean(0), alpha=0.1)
        return self.second(x)


def tables():
    """How much is in each table of the recorder."""
    found = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("gradtui."):
            for variable, value in vars(module).items():
                if isinstance(value, (dict, list, set)):
                    found[name + "." + variable] = len(value)
    stacks = sys.modules.get("gradtui._agent.stacks")
    if stacks is not None:
        found["sites"] = sum(1 for _ in stacks.all_sites())
        nodes = sys.modules["gradtui._recorder.nodes"]
        found["ranges of nodes"] = sum(len(known.older) for known in nodes._known.values())
        ops = sys.modules["gradtui._recorder.ops"]
        found["learned"] = sum(len(op.learned) for op in ops.ops)
    return found


def resident():
    """The bytes of memory that the process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def alive():
    wire = sys.modules.get("gradtui._recorder.wire")
    if wire is not None:
        wire.flush(True)
    gc.collect()
    return {
        "tensors": sum(issubclass(type(o), torch.Tensor) for o in gc.get_objects()),
        "blocks": sys.getallocatedblocks(),
        "tables": tables(),
        "resident": resident(),
    }


def train(looks_at):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.001, momentum=0.9)
    data = torch.randn(16, 4)
    state = torch.zeros(2)
    scale = torch.ones(WIDE, requires_grad=True)
    kept = weakref.WeakSet()
    looks = []
    for i in range(1, looks_at[-1] + 1):
        optimizer.zero_grad()
        y = net(data)
        y.register_hook(lambda g: g * 1)
        z = Doubled.apply(y)
        z[0] += 1
        view = z[1:, :1]
        view.mul_(0.5)
        row = (scale * data[i % 16, 0]).exp()
        kept.add(row)
        loss = z.pow(2).mean() + row.mean()
        if i % 3 == 0:
            state = torch.tanh(state.detach() + y.mean(0))
            loss = loss + state.sum()
        if i % 4 == 0:
            loss = loss + checkpoint(torch.sin, y, use_reentrant=i % 8 == 0).mean()
        if i % 5 == 0:
            loss.retain_grad()
            (g,) = torch.autograd.grad(net(data).pow(2).sum(), net.first.weight, create_graph=True)
            loss = loss + g.pow(2).sum() if i % 2 == 0 else loss
            g = None
        if i % 7 == 0:
            try:
                torch.mm(row, y)
            except RuntimeError:
                pass
        loss.backward(retain_graph=i % 10 == 0)
        scale.grad = None
        optimizer.step()
        loss.item()
        if i in looks_at:
            y = z = view = row = loss = g = None
            state = state.detach()
            looks.append(alive())
            looks[-1]["rows"] = len(kept)
    return looks


def varied():
    """Operations that get another number each time, as in Adam."""
    signatures = sys.modules.get("gradtui._recorder.signatures")
    if signatures is not None:
        signatures._MOST_SIGNATURES = FORMS
    w = torch.ones(3)
    for i in range(2 * FORMS):
        w.mul_(1 - i * 1e-6).add(i * 1e-3).sum(dim=0)
    return alive()


if __name__ == "__main__":
    recorded = "gradtui._agent" in sys.modules
    looks = train(LOOKS if recorded else LOOKS[:1])
    looks.append(varied())
    with open("growth.json" if recorded else "alone.json", "w") as file:
        json.dump(looks, file)
