import torch

z = torch.tensor([1 + 2j, -3j])
print(z, z.dtype, z.real, z.imag, z.conj(), z.abs(), z.is_complex())
print(torch.complex(torch.ones(1), torch.zeros(1)), torch.view_as_real(z), torch.sgn(z), z * 1j, torch.tensor(2) * 1j)
w = torch.tensor([1 + 1j], requires_grad=True)
(w * w.conj()).real.sum().backward()
print(w.grad)
