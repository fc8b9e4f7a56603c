import torch

x = torch.ones(1, requires_grad=True)
log = []


def note(name):
    def hook(*args):
        log.append(name)

    return hook


y = x * 2
z = y * 3
x.register_hook(note("x"))
y.register_hook(note("y"))
z.register_hook(note("z"))
y.grad_fn.register_prehook(note("y pre"))
y.grad_fn.register_hook(note("y post"))
z.grad_fn.register_hook(note("z post"))
z.grad_fn.register_prehook(note("z pre"))
x.register_post_accumulate_grad_hook(note("x accumulated"))
y.grad_fn.next_functions[0][0].register_hook(note("acc post"))
y.grad_fn.next_functions[0][0].register_prehook(note("acc pre"))
y.retain_grad()
z.sum().backward(retain_graph=True)
print(log)
log.clear()
torch.autograd.grad(z.sum(), x, retain_graph=True)
print(log)
log.clear()
torch.autograd.grad(z.sum(), y)
print(log)
