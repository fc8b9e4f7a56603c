"""Layers that are functions with derivatives of their own."""

import torch
from torch.autograd import Function


class CrossMapLRN2d(Function):
    """Normalization of each element by its neighbours in size channels, as one node.

    The windows are PyTorch's. It never drops the square of channel 0 from a window that once had it,
    and its gradient looks one channel further back than the output does.
    """

    @staticmethod
    def forward(ctx, input, size, alpha=1e-4, beta=0.75, k=1):
        if input.dim() != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        squares = input.pow(2).unbind(1)
        reach = (size - 1) // 2 + 1
        sums = [sum(squares[1:reach], squares[0].clone())]
        for c in range(1, len(squares)):
            window = sums[-1]
            if c + reach - 1 < len(squares):
                window = window + squares[c + reach - 1]
            if c > reach:
                window = window - squares[c - reach]
            sums.append(window)
        scale = torch.stack(sums, 1).mul_(alpha / size).add_(k)
        output = scale.pow(-beta).mul_(input)
        ctx.size, ctx.alpha, ctx.beta, ctx.scale = size, alpha, beta, scale
        ctx.save_for_backward(input, output)
        return output

    @staticmethod
    def backward(ctx, grad_output):
        input, output = ctx.saved_tensors
        size = ctx.size
        before = int(size - (size - 1) / 2)
        ratios = (grad_output * output).div_(ctx.scale)
        ratios = torch.nn.functional.pad(ratios, (0, 0, 0, 0, before, size - 1 - before)).unbind(1)
        window, sums = torch.stack(ratios[: size - 1]).sum(0), []
        for c in range(input.size(1)):
            sums.append(window + ratios[c + size - 1])
            window = sums[-1] - ratios[c]
        grad = ctx.scale.pow(-ctx.beta).mul_(grad_output)
        grad.addcmul_(input, torch.stack(sums, 1), value=-2 * ctx.alpha * ctx.beta / size)
        return grad, None, None, None, None
