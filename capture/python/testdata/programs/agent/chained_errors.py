import torch


class Wrong(Exception):
    pass


def step(x):
    try:
        return x.view(7)
    except RuntimeError as e:
        raise Wrong("cannot take the step") from e


try:
    step(torch.ones(3))
except Wrong as e:
    print(repr(e), "|", type(e.__cause__).__name__, e.__cause__, e.__suppress_context__)

try:
    try:
        torch.ones(2) + torch.ones(3)
    except RuntimeError:
        {}["missing"]
except KeyError as e:
    print(repr(e), "|", type(e.__context__).__name__, e.__context__.__context__)

try:
    torch.ones(2) + torch.ones(3)
except RuntimeError as e:
    print(e.__cause__, e.__context__, e.args == (str(e),))
step(torch.ones(4))
