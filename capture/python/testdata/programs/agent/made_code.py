import torch

names = {"torch": torch}
exec("x = torch.arange(4.0, requires_grad=True)\ny = (x ** 2).sum()\ny.backward()", names)
print(names["x"].grad, eval("y + 1", names))
for i in range(300):
    exec("z = x * %d" % i, names)
print(names["z"])
square = eval("lambda t: t * t", names)
print(square(names["x"]))
code = compile("def f(t):\n    return t.view(3)\n", "made", "exec")
exec(code, names)
try:
    names["f"](names["x"])
except RuntimeError as e:
    tb = e.__traceback__.tb_next
    print(tb.tb_frame.f_code.co_filename, tb.tb_lineno, e)
x, y = names["x"], names["y"]
exec("x[9]", names)
