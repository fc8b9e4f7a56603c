# What functions, classes and tensors look like to a program that looks.
import copy
import inspect
import io
import pickle

import torch
from torch import nn

x = torch.ones(2, requires_grad=True)
print(torch.Tensor.add.__name__, torch.add.__name__, torch.relu.__name__, torch._C._nn.gelu.__name__)
print(torch.add is torch.add, torch.Tensor.add is torch.Tensor.add, x.add == x.add, torch.add == torch.add, x.add.__self__ is x)
print(callable(torch.add), torch.add.__doc__[:40], torch.Tensor.add.__doc__[:40], torch.Tensor.grad.__doc__[:40])
print(isinstance(x, torch.Tensor), type(x), type(nn.Parameter(x)), isinstance(nn.Parameter(torch.ones(1)), nn.Parameter), issubclass(nn.Parameter, torch.Tensor))
print(x.__dict__, nn.Parameter(torch.ones(1)).__dict__, x.__class__.__mro__)
x.note = "mine"
print(x.__dict__, hasattr(x, "nothing"), getattr(x, "nothing", 3), dir(x) == sorted(set(dir(x))))
for f in (nn.Module.__call__, nn.Module.zero_grad, torch.optim.Optimizer.zero_grad, torch.optim.Optimizer.add_param_group,
          torch.Tensor.register_hook, nn.Module.register_forward_hook, nn.utils.clip_grad_norm_, torch.optim.lr_scheduler.StepLR.step,
          torch.Tensor.backward, torch.autograd.grad, torch.autograd.backward, torch.inference_mode.__enter__, torch.set_default_dtype,
          torch.utils.checkpoint.checkpoint if hasattr(torch.utils, "checkpoint") else len, nn.Linear.forward):
    print(f.__name__, f.__qualname__, f.__module__, inspect.signature(f), inspect.isfunction(f))
print(inspect.getsource(nn.Module.zero_grad)[:60], inspect.getsourcefile(nn.Module.__call__).rpartition("/")[2])
for f in (torch.add, torch.Tensor.add, torch.nn.functional.linear):
    try:
        print(inspect.signature(f))
    except ValueError as e:
        print("no signature", str(e)[:20])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.act = torch.relu
        self.gelu = nn.functional.gelu
        self.scale = torch.ones(1)

    def forward(self, x):
        return self.gelu(self.act(self.lin(x))) * self.scale


net = Net()
net(x)
print(len(pickle.dumps(x)), len(pickle.dumps(torch.ones(3))), len(pickle.dumps(nn.Linear(2, 2))))
for thing in (x, nn.Parameter(torch.ones(2)), nn.Linear(2, 3), torch.float32, torch.Size([2]), net.state_dict(), torch.optim.Adam(net.parameters())):
    data = pickle.dumps(thing)
    again = pickle.loads(data)
    print(type(again).__name__, b"gradtui" in data, type(thing) is type(again))
for f in (torch.relu, torch.nn.functional.gelu, torch.nn.functional.relu, torch.Tensor.relu, nn.Module.zero_grad, net):
    try:
        print(pickle.loads(pickle.dumps(f)) == f, b"gradtui" in pickle.dumps(f))
    except Exception as e:
        print(type(e).__name__, str(e)[:50])
    print(copy.deepcopy(f) == f)
file = io.BytesIO()
torch.save(net, file)
print(b"gradtui" in file.getvalue(), len(file.getvalue()) > 100)
file.seek(0)
try:
    print(torch.load(file, weights_only=False).scale)
except TypeError:
    file.seek(0)
    print(torch.load(file).scale)
y = x * 2
for thing in (x, y.detach(), net, torch.optim.SGD(net.parameters(), 0.1), nn.ParameterList([x])):
    c = copy.deepcopy(thing)
    print(type(c) is type(thing), c is thing, getattr(c, "__dict__", {}).keys() == getattr(thing, "__dict__", {}).keys())
try:
    copy.deepcopy(y)
except RuntimeError as e:
    print(e)
print(copy.copy(x) is x, copy.copy(net).lin is net.lin)
print(y.grad_fn.name(), type(y.grad_fn).__name__, y.grad_fn.next_functions[0][0].variable is x, hasattr(y.grad_fn, "saved"), dir(y.grad_fn)[-5:])
print(y.grad_fn is y.grad_fn, {y.grad_fn: 1}[y.grad_fn], y._backward_hooks, x._backward_hooks, y._base, y._version)
print([n for n in dir(torch.Tensor) if "gradtui" in n], [n for n in dir(torch) if "gradtui" in n], [n for n in vars(net) if "gradtui" in n])
print(x in [x], hash(x) == id(x), {x: 1}[x], x.is_leaf, x.data_ptr() == x.data.data_ptr(), x.untyped_storage().nbytes() if hasattr(x, "untyped_storage") else None)
print(torch.Tensor.__getitem__.__name__, torch.is_tensor(x), torch.overrides.is_tensor_like(x), isinstance(x, (list, tuple)))
import collections.abc  # noqa: E402
import operator  # noqa: E402

print(isinstance(x, collections.abc.Sequence), isinstance(x, collections.abc.Sized), operator.add(x, 1), operator.matmul(x, x), operator.getitem(x, 0), operator.index(torch.tensor(3)))
print(torch.tensor([x[0], x[1]]), torch.tensor([torch.tensor(1), 2]), list(x), [*x], sum(x), max(x), min(x), sorted(x.detach()), pow(x, 2), abs(-x))
a, b = x
print(a, b, x.__len__())
import numpy  # noqa: E402

d = x.detach()
print(numpy.asarray(d), numpy.add(d, 1), numpy.ones(2) * d, d * numpy.ones(2), numpy.float32(2) * d, d * numpy.float32(2), torch.from_numpy(numpy.ones(2)), torch.as_tensor(numpy.ones(2)))
match d.tolist():
    case [p, q]:
        print(p, q)
match d:
    case [p, q]:
        print("a sequence")
    case _:
        print("no sequence")
