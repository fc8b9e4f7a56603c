import sys

import torch


def main(arguments):
    x = torch.arange(3.0, requires_grad=True)
    (x * x).sum().backward()
    print(x.grad, arguments)
    return int(x.grad.sum())


if __name__ == "__main__":
    print(sys.modules["__main__"].main is main, main.__module__, __package__)
    sys.exit(main(sys.argv[1:]))
