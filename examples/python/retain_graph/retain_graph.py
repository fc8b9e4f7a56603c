"""Two losses share a part of the graph: the first backward() must not free it."""

import torch

torch.manual_seed(0)
encoder = torch.nn.Linear(3, 2)
x = torch.randn(4, 3)

code = torch.tanh(encoder(x))  # shared
reconstruction = (code @ encoder.weight - x).pow(2).mean()
sparsity = code.abs().mean()

reconstruction.backward(retain_graph=True)
first = encoder.weight.grad.clone()
sparsity.backward()  # the last one may free the graph
print("both:  ", encoder.weight.grad)
print("second:", encoder.weight.grad - first)

# The same in one pass, which needs no retain_graph and runs the shared part once.
encoder.zero_grad()
code = torch.tanh(encoder(x))
((code @ encoder.weight - x).pow(2).mean() + code.abs().mean()).backward()
print("at once:", encoder.weight.grad)
