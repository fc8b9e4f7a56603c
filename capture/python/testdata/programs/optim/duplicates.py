import warnings

import torch

p = torch.tensor([1.0], requires_grad=True)
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always")
    opts = [torch.optim.SGD([p, p], lr=0.1, momentum=0.9), torch.optim.Adam([p, p], lr=0.1)]
    print([str(x.message) for x in w])
for opt in opts:
    p.grad = torch.ones(1)
    opt.step()
    print(p, opt.state_dict()["param_groups"][0]["params"], opt.state_dict()["state"])
