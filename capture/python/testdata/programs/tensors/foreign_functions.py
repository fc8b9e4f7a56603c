import torch

x = torch.tensor([3.0, 1.0, 2.0])
print(x.apply_(lambda v: v * 2), x.map_(torch.ones(3), lambda a, b: a + b), torch.unravel_index(torch.tensor([1, 5]), (2, 3)), torch.vander(torch.tensor([1, 2, 3])))
print(torch.gradient(torch.tensor([1.0, 2.0, 4.0, 8.0])), torch.gradient(torch.tensor([[1.0, 2.0], [4.0, 8.0]]), spacing=2.0, dim=1), torch.gradient(torch.tensor([1.0, 2.0, 4.0, 8.0]), spacing=(torch.tensor([0.0, 1.0, 3.0, 4.0]),), edge_order=2))
print(torch.frexp(torch.tensor([1.5, -8.0, 0.0])), torch.angle(torch.tensor([1.0, -1.0])), torch.nonzero_static(torch.tensor([1, 0, 1]), size=3), x.sum_to_size(1), torch.ones(2, 3).sum_to_size(2, 1))
print(torch.bartlett_window(5), torch.kaiser_window(4, periodic=False, beta=8.0), torch.blackman_window(5)[1:], torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3])), torch.combinations(torch.tensor([1, 2, 3])))
for bad in (lambda: torch.gradient(torch.tensor([1.0])), lambda: torch.frexp(torch.tensor([1])), lambda: torch.ones(2, 3).sum_to_size(2, 2), lambda: torch.bartlett_window(-1), lambda: torch.vander(torch.ones(2, 2)), lambda: torch.unravel_index(torch.tensor(1.0), (2,)), lambda: torch.ones(1, requires_grad=True).apply_(abs)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
