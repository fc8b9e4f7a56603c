# Tensors on two devices, with the one besides the CPU that every build of PyTorch has: "meta",
# whose tensors hold nothing. Modules that move, and mixed precision for a GPU that is not there.
import torch


def attempt(what, call):
    try:
        print(what, call())
    except Exception as e:
        print(what, type(e).__name__, str(e).split("\n")[0])


here = torch.ones(2, 3, requires_grad=True)
there = here.to("meta")
again = there.to("meta")
attempt("back", lambda: there.cpu())
attempt("both", lambda: (here + torch.empty(3, device="meta")).device)
attempt("backward to the CPU", lambda: there.sum().backward())
attempt("optimizer", lambda: torch.optim.SGD([there], 0.1))
attempt("value", lambda: there.sum().item())

own = torch.empty(4, device="meta", requires_grad=True)
number = torch.tensor(2.0)
view = own[1:3]
large = torch.empty(1 << 20, device="meta").exp()
for i in range(4):
    loss = (own.exp() * 2 * number).sum()
    loss.backward()
own_grad = own.grad
own.data = torch.empty(5, device="meta")
own.grad = None
own_detached = own.detach()
print(own.shape, own.device, here.grad)
attempt("data", lambda: setattr(own, "data", torch.empty(4)))

net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
before = net[0].weight
y = net(torch.ones(2, 3))
y.sum().backward()
net.to("meta")
moved = net[0].weight
print(moved is before, moved.device, before.device)
optimizer = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
for i in range(3):
    optimizer.zero_grad()
    z = net(torch.empty(2, 3, device="meta"))
    z.sum().backward()
    optimizer.step()
moved_grad = moved.grad
net.zero_grad(set_to_none=True)
net.to_empty(device="cpu")
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.5)
filled = net[0].weight
w = net(torch.ones(2, 3))
w.sum().backward()
print(filled.device, filled.grad)

swap = getattr(torch.__future__, "set_swap_module_params_on_conversion", None)
if swap:
    swap(True)
    moving = torch.nn.Linear(3, 1)
    inside = moving.weight
    optimizer = torch.optim.SGD(moving.parameters(), 0.1)
    moving.to("meta")
    moving(torch.empty(2, 3, device="meta")).sum().backward()
    optimizer.step()
    print(inside is moving.weight, inside.device, inside.grad.shape)
    swap(False)

with torch.autocast(device_type="cuda"):
    product = here @ torch.ones(3, 2)
print(product.dtype)
with torch.autocast(device_type="cuda", enabled=False):
    print((here @ torch.ones(3, 2)).dtype)
if hasattr(torch, "get_autocast_dtype"):
    with torch.autocast("mps"):
        print((here @ torch.ones(3, 2)).dtype, torch.is_autocast_enabled("mps"))
with torch.cuda.amp.autocast():
    print((here @ torch.ones(3, 2)).dtype)
for scaler in (torch.cuda.amp.GradScaler(), torch.cuda.amp.GradScaler(enabled=False)):
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for i in range(3):
        optimizer.zero_grad()
        scaler.scale(net(torch.ones(2, 3)).mean()).backward()
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()
    print(scaler.is_enabled(), scaler.get_scale(), net[0].weight)
