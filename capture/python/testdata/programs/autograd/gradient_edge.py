import torch
from torch.autograd.graph import GradientEdge, get_gradient_edge

a = torch.tensor([1.0, 2.0], requires_grad=True)
edge = get_gradient_edge(a)
print(edge.node.name(), edge.output_nr, isinstance(edge, GradientEdge))
y = a * 3
edge_y = get_gradient_edge(y)
print(edge_y.node.name())
print(torch.autograd.grad((y * y).sum(), edge))
z = (a * 4).sum()
print(torch.autograd.grad(get_gradient_edge(z), a))
print(torch.autograd.grad(edge_y, a, grad_outputs=torch.tensor([1.0, 10.0])))
torch.autograd.backward((a * 5).sum(), inputs=[edge])
print(a.grad)
u, v = torch.stack([a, a * 2]).unbind()
print(get_gradient_edge(u).output_nr, get_gradient_edge(v).output_nr)
for f in (
    lambda: get_gradient_edge(torch.ones(2)),
    lambda: torch.autograd.grad(get_gradient_edge(a * 2), a),
    lambda: torch.autograd.grad(edge_y, a, torch.ones(3)),
    lambda: torch.autograd.grad((a * 2).sum(), edge_y, materialize_grads=True),
):
    try:
        print(f())
    except RuntimeError as e:
        print(e)
