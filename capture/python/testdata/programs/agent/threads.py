import threading

import torch

results = {}


def work(name, n):
    x = torch.full((2,), float(n), requires_grad=True)
    for _ in range(20):
        y = (x * x).sum()
        y.backward()
    results[name] = x.grad


threads = [threading.Thread(target=work, args=("thread %d" % i, i)) for i in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
for name in sorted(results):
    print(name, results[name])


def grad_mode():
    results["grad"] = torch.is_grad_enabled()


with torch.no_grad():
    t = threading.Thread(target=grad_mode)
    t.start()
    t.join()
    print(torch.is_grad_enabled(), results.pop("grad"))

caught = []
threading.excepthook = lambda args: caught.append((args.exc_type.__name__, str(args.exc_value), args.thread.name))
t = threading.Thread(target=lambda: torch.ones(2).view(3), name="bad")
t.start()
t.join()
print(caught)
results = dict(sorted(results.items()))
