"""The examples as PyTorch programs: writes what they print with PyTorch 2.6.

    python3 tools/record/examples.py examples/testdata

The last line of a program that fails is its error.
"""

from __future__ import annotations

import contextlib
import io
import pathlib
import sys

import torch


def lesson() -> None:
    p = torch.tensor([1.0], requires_grad=True)
    w = p * 10
    loss = w**2
    print("p:", p)
    print("w = 10p:", w)
    print("l = w²:", loss)
    loss.backward()
    print("dl/dp = p.grad:", p.grad)

    p = torch.tensor([1.0], requires_grad=True)
    w = p * 10
    w.backward(retain_graph=True)
    print("once:", p.grad)
    w.backward()
    print("twice:", p.grad)

    p = torch.tensor([3.2], requires_grad=True)
    w = p * 10
    w.retain_grad()
    (w**2).backward()
    print("dl/dw = w.grad:", w.grad)

    p = torch.tensor([1.0, 3.0, 2.0, 2.0], requires_grad=True)
    loss = ((p - p**2) ** 2).sum()
    print("loss:", loss)
    loss.backward()
    print("p.grad:", p.grad)

    torch.manual_seed(0)
    p = torch.randn(2, requires_grad=True)
    points = torch.randn(100, 2)
    sgd = torch.optim.SGD([p], lr=0.1)
    for epoch in range(20):
        sgd.zero_grad()
        loss = ((points - p) ** 2).mean(0).mean()
        loss.backward()
        sgd.step()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1:2}  loss {loss:.4f}  p {p.detach()}")
    print("mean of the points:", points.mean(0))


def inplace() -> None:
    stiffness = torch.tensor([0.5, 2.0], requires_grad=True)
    pos = torch.tensor([1.0, -1.0])
    vel = torch.tensor([0.0, 1.0])
    loss = torch.tensor(0.0)
    for t in range(2):
        pos += vel * 0.1
        force = stiffness * pos
        loss = loss + (force**2).sum()
        print(f"t={t} pos={pos} loss={loss:.4f}")
    loss.backward()


def second_backward() -> None:
    w = torch.tensor([[0.5, -0.25], [0.75, 1.0]], requires_grad=True)
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    hidden = (x @ w).tanh()
    reconstruction = ((hidden - x) ** 2).mean()
    sparsity = hidden.abs().mean()
    reconstruction.backward()
    print("after the first backward:", w.grad)
    sparsity.backward()


def nbody() -> None:
    pos = torch.tensor([[0.0, 0.0], [1.0, 0.5], [-0.5, 1.0]])
    velocity = torch.zeros(3, 2, requires_grad=True)
    mass = torch.tensor([0.1, 1.0, 1.0], requires_grad=True)
    target = torch.tensor([0.8, 0.9])
    adam = torch.optim.Adam([velocity, mass], lr=0.05)
    for epoch in range(30):
        adam.zero_grad()
        p, v = pos, velocity
        for _ in range(8):
            diff = p.unsqueeze(0) - p.unsqueeze(1)
            pull = mass / ((diff**2).sum(-1) + 0.1) ** 1.5
            v = v + (diff * pull.unsqueeze(-1)).sum(1) * 0.1
            p = p + v * 0.1
        loss = ((p.select(0, 0) - target) ** 2).sum()
        loss.backward()
        if epoch % 10 == 0 or epoch == 29:
            print(f"epoch {epoch:2}  loss {loss:.4f}  mass.grad {mass.grad}")
        adam.step()
    print("masses:", mass.detach())


def main() -> None:
    for program in (lesson, inplace, second_backward, nbody):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                program()
            except RuntimeError as e:
                print(f"RuntimeError: {e}")
        name = program.__name__.replace("_", "-")
        (pathlib.Path(sys.argv[1]) / f"{name}.txt").write_text(out.getvalue())


if __name__ == "__main__":
    main()
