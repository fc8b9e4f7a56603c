"""Equal operations in several threads, which have modes of their own."""

import threading

import torch

w = torch.ones(2, requires_grad=True)
results = {}
packed = []
turn = threading.Barrier(2)


def work(name, mode):
    seen = []
    for _ in range(3):
        turn.wait()
        with mode():
            for _ in range(3):
                y = w * w
                z = y * 2.0 - w
            seen.append((z.requires_grad, z.tolist()))
        turn.wait()
    results[name] = seen


def hooked():
    return torch.autograd.graph.saved_tensors_hooks(lambda t: packed.append(threading.current_thread().name) or t, lambda t: t)


def run(first, second):
    threads = [
        threading.Thread(target=work, args=("first", first), name="first"),
        threading.Thread(target=work, args=("second", second), name="second"),
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    print(sorted(results.items()))


run(torch.enable_grad, torch.no_grad)
run(torch.no_grad, torch.inference_mode)
for _ in range(3):
    y = w * w
run(torch.enable_grad, hooked)
print(set(packed))

gradients = []


def train(k):
    v = torch.full((2,), float(k), requires_grad=True)
    for _ in range(20):
        loss = ((v * 2.0 - 1.0) ** 2.0).mean()
        (g,) = torch.autograd.grad(loss, v)
        v = (v - 0.1 * g).detach().requires_grad_()
    gradients.append((k, [round(x, 4) for x in v.tolist()]))


threads = [threading.Thread(target=train, args=(k,)) for k in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(sorted(gradients))
