import torch
import torch.nn as nn
import torch.nn.functional as F

values = torch.tensor([[0.5, -1.07, 2.2, -0.03], [-0.59, 0.1, -1.4, 3.0], [1.5, 1.25, -2.5, 0.7]])
for dtype in (torch.bfloat16, torch.float16):
    x = values.to(dtype).requires_grad_()
    y = F.leaky_relu(x)
    y.backward(torch.arange(12.0).view(3, 4).to(dtype))
    print(y)
    print(x.grad)
    print(F.leaky_relu(x, 0.2), F.leaky_relu(x.detach().clone(), 0.3, inplace=True))

    x = values.to(dtype)
    print(F.layer_norm(x, (4,)))
    layer = nn.LayerNorm(4, dtype=dtype)
    print(layer(x))
    print(F.group_norm(x.view(3, 4, 1), 2).flatten())
    print(nn.GroupNorm(2, 4)(x.float().view(3, 4, 1)).flatten().to(dtype))
