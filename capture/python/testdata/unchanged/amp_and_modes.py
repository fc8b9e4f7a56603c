# Autocast, GradScaler, default device and dtype, deterministic algorithms, inference mode.
import torch
import torch.nn.functional as F
from torch import nn


def attempt(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, str(e).strip().split("\n")[0][:150])


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
opt = torch.optim.AdamW(net.parameters(), 0.01)
x = torch.randn(8, 4)
for i in range(12):
    opt.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=i % 3 != 2):
        y = net(x)
        loss = F.mse_loss(y.float(), torch.ones(8, 2))
        with torch.autocast("cpu", enabled=False):
            z = net(x)
    loss.backward()
    opt.step()
    print(i, y.dtype, z.dtype, loss, (x @ x.t()).dtype)


@torch.autocast("cpu", dtype=torch.bfloat16)
def decorated(a):
    return a @ a


print(decorated(torch.ones(2, 2)).dtype, torch.is_autocast_enabled())
scaler = getattr(torch.amp, "GradScaler", None)
scaler = scaler("cpu") if scaler else torch.cuda.amp.GradScaler(enabled=False)
for i in range(4):
    opt.zero_grad()
    loss = net(x).pow(2).mean() * (float("inf") if i == 2 else 1)
    scaler.scale(loss).backward()
    attempt("unscale", lambda: scaler.unscale_(opt))
    attempt("clip", lambda: nn.utils.clip_grad_norm_(net.parameters(), 0.5))
    scaler.step(opt)
    scaler.update()
    print(scaler.get_scale(), loss)


class Half(torch.autograd.Function):
    @staticmethod
    @torch.cuda.amp.custom_fwd
    def forward(ctx, a):
        return a * 2

    @staticmethod
    @torch.cuda.amp.custom_bwd
    def backward(ctx, g):
        return g * 2


attempt("custom_fwd", lambda: Half.apply(torch.ones(1, requires_grad=True)).backward())
for dtype in (torch.float64, torch.float32):
    torch.set_default_dtype(dtype)
    for _ in range(10):
        a = torch.ones(2) * 2
    print(a.dtype, torch.tensor(1.0).dtype, torch.get_default_dtype(), nn.Linear(1, 1).weight.dtype)
if hasattr(torch, "set_default_device"):
    for device in ("meta", "cpu", None):
        torch.set_default_device(device)
        for _ in range(10):
            a = torch.ones(2) * 2
        print(a.device, torch.arange(3).device, torch.tensor([1.0]).device, nn.Linear(1, 1).weight.device)
        attempt("value", lambda: a.sum().item())
    with torch.device("meta"):
        big = nn.Linear(10000, 10000)
        attempt("meta", lambda: big(torch.ones(3, 10000)).shape)
torch.use_deterministic_algorithms(True)
attempt("deterministic", lambda: torch.ones(3).index_add_(0, torch.tensor([0, 0]), torch.ones(2)))
attempt("forbidden", lambda: torch.ones(3, requires_grad=True).put(torch.tensor([0]), torch.ones(1)).sum().backward())
attempt("empty is filled", lambda: torch.empty(3).isnan().all())
for _ in range(12):
    attempt("put", lambda: torch.ones(3).put_(torch.tensor([0]), torch.ones(1)))
torch.use_deterministic_algorithms(True, warn_only=True)
for _ in range(3):
    attempt("put", lambda: torch.ones(3).put_(torch.tensor([0]), torch.ones(1)))
torch.use_deterministic_algorithms(False)
for _ in range(2):
    with torch.inference_mode():
        i = torch.ones(2) * 2
        j = i + 1
        i.add_(1)
        print(i.is_inference(), j.requires_grad, i.data.is_inference(), i[0].is_inference(), torch.is_inference_mode_enabled())
        with torch.inference_mode(False):
            k = torch.ones(2)
            print(k.is_inference())
    w = torch.ones(2, requires_grad=True)
    attempt("save", lambda: w * i)
    attempt("add", lambda: w + i)
    attempt("in place", lambda: i.add_(1))
    attempt("version", lambda: i._version)
    attempt("view", lambda: i[0])
    attempt("grad", lambda: i.requires_grad_())
    attempt("clone", lambda: (w * i.clone()).sum().backward())


@torch.inference_mode()
def inferred(a):
    return a * 2


@torch.no_grad()
def counts(n):
    for k in range(n):
        yield torch.ones(1, requires_grad=True) * k, torch.is_grad_enabled()


print(inferred(w).is_inference(), [c[0].requires_grad for c in counts(3)], torch.is_grad_enabled())
for _ in range(20):
    with torch.set_grad_enabled(_ % 2 == 0):
        a = w * 2
    torch.set_grad_enabled(_ % 3 == 0)
    b = w * 2
    torch.set_grad_enabled(True)
    print(a.requires_grad, b.requires_grad, end=" ")
print()
torch.set_printoptions(precision=2, sci_mode=False)
print(w * 1234.5678, torch.ones(3000))
print(torch.random.get_rng_state().sum())
