import torch

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
y = x.matmul(x.t()).relu().sum()


def walk(fn, depth=0):
    if fn is None:
        print("  " * depth + "None")
        return
    saved = sorted(a for a in dir(fn) if a.startswith("_saved_"))
    print("  " * depth + fn.name(), saved, len(fn.next_functions))
    for child, nr in fn.next_functions:
        walk(child, depth + 1)


walk(y.grad_fn)
fn = y.grad_fn
print(type(fn).__name__, type(fn), repr(fn).split(" at ")[0])
print(fn == y.grad_fn, hash(fn) == hash(y.grad_fn), fn is y.grad_fn, fn == (x * 2).grad_fn)
fn.metadata["a"] = 1
print(y.grad_fn.metadata, fn.requires_grad)
acc = (x * 2).grad_fn.next_functions[0][0]
print(acc.name(), acc.variable is x, acc.next_functions)
print(fn._input_metadata[0].shape, fn._input_metadata[0].dtype)
print({fn: "as key"}[y.grad_fn])
try:
    fn.nothing
except AttributeError as e:
    print(e)
print((x + 1).grad_fn._saved_alpha, x.softmax(1).grad_fn._saved_dim)
print(x.sum(1).grad_fn(torch.ones(2)))
