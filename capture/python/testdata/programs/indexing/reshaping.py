import torch

x = torch.arange(12)
print(x.view(3, 4).shape, x.view(2, -1).shape, x.reshape(3, 2, 2).shape, x.view(3, 4).t().shape, x.view(3, 4).T.reshape(-1), x.view(1, 12).squeeze().shape, x.unsqueeze(0).shape, x.unsqueeze(-1).shape, x.view(2, 6).flatten().shape, x.view(2, 2, 3).flatten(1).shape, x.view(2, 2, 3).permute(2, 0, 1).shape, x.view(2, 2, 3).transpose(0, 2).stride(), x.view_as(torch.ones(4, 3)).shape, x.reshape(4, 3).ravel().shape, x.view(2, 6).swapaxes(0, 1).shape, x.view(1, 3, 1, 4).squeeze(0).shape, x.view(1, 3, 1, 4).squeeze((0, 2)).shape, x.expand(2, 12).shape, x.view(3, 4).expand(-1, 4).shape, torch.atleast_2d(x).shape)
print(x.view(torch.int32).shape if False else x.view(3, 4).contiguous().is_contiguous(), x.view(3, 4).t().contiguous().stride(), x.resize_(2, 2), torch.ones(2, 3).resize_as_(torch.ones(3, 2)).shape)
y = torch.arange(6).view(2, 3)
for bad in (lambda: y.view(4), lambda: y.view(-1, -1), lambda: y.t().view(6), lambda: y.view(2, -2), lambda: y.squeeze(3), lambda: y.unsqueeze(4), lambda: y.transpose(0, 2), lambda: y.permute(0, 0), lambda: y.expand(3, 3), lambda: y.view(0, -1), lambda: torch.ones(2, 2, 2).t(), lambda: y.flatten(1, 0), lambda: y.reshape(5, -1), lambda: y.view()):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
