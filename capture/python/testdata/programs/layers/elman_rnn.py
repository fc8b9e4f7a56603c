import torch
from torch import nn

torch.manual_seed(0)
rnn = nn.RNN(3, 4, 2)
print(rnn)
print(list(rnn.state_dict()))
x = torch.randn(5, 2, 3, requires_grad=True)
h0 = torch.randn(2, 2, 4)
out, h = rnn(x, h0)
print(out)
print(h)
out.pow(2).sum().backward()
print(x.grad[0], rnn.weight_hh_l0.grad, rnn.bias_ih_l1.grad)
relu = nn.RNN(3, 2, nonlinearity="relu", batch_first=True, bias=False, bidirectional=True)
print(relu, [n for n, _ in relu.named_parameters()])
y, hy = relu(x.detach().transpose(0, 1))
print(y.shape, hy)
hy.sum().backward()
print(relu.weight_ih_l0_reverse.grad)
one, state = nn.RNN(3, 2)(torch.ones(4, 3))
print(one.shape, state.shape)
torch.manual_seed(1)
dropped = nn.RNN(3, 4, num_layers=3, dropout=0.5)
print(dropped, dropped(torch.ones(2, 1, 3))[0])
print(dropped.eval()(torch.ones(2, 1, 3))[0])
for bad in (
    lambda: rnn(torch.ones(5, 2, 4)), lambda: rnn(x, torch.ones(1, 2, 4)), lambda: rnn(torch.ones(3)), lambda: rnn(x, torch.ones(2, 4)),
    lambda: nn.RNN(3, 4, nonlinearity="sigmoid"), lambda: nn.RNN(3, 0), lambda: nn.RNN(3, 4, 0), lambda: nn.RNN(3, 4, proj_size=2),
    lambda: nn.RNN(3, 4, dropout=2), lambda: nn.RNN(3, 4.0), lambda: rnn(x.double()), lambda: rnn(torch.ones(0, 2, 3)),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
nn.RNN(2, 2, dropout=0.3)
