import threading

import torch

w = torch.ones(2, requires_grad=True)
results = {}


def work(i):
    with torch.no_grad():
        inner = (w * 2).requires_grad
    y = (w * (i + 1)).sum()
    (g,) = torch.autograd.grad(y, w)
    results[i] = (inner, g.tolist(), torch.is_grad_enabled())


torch.set_grad_enabled(False)
threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
for t in threads:
    t.start()
    t.join()
torch.set_grad_enabled(True)
print(sorted(results.items()))


def fail():
    try:
        torch.ones(1).backward()
    except RuntimeError as e:
        results["error"] = str(e)


t = threading.Thread(target=fail)
t.start()
t.join()
print(results["error"])


def accumulate():
    (w * 2).sum().backward()


threads = [threading.Thread(target=accumulate) for _ in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(w.grad)
