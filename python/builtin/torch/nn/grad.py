"""Gradients of convolutions with respect to their input and to their weight."""

import torch
import torch.nn.functional as F


def _gradient(conv, of_input):
    """A function for one of the two gradients: of the other operand only the size
    has to be known."""

    def gradient(first, second, grad_output, stride=1, padding=0, dilation=1, groups=1):
        with torch.enable_grad():
            if of_input:
                wanted = grad_output.new_zeros(first, requires_grad=True)
                output = conv(wanted, second, None, stride, padding, dilation, groups)
            else:
                wanted = grad_output.new_zeros(second, requires_grad=True)
                output = conv(first, wanted, None, stride, padding, dilation, groups)
        create = torch.is_grad_enabled() and grad_output.requires_grad
        return torch.autograd.grad(output, wanted, grad_output, create_graph=create)[0]

    what = "input" if of_input else "weight"
    gradient.__name__ = gradient.__qualname__ = f"{conv.__name__}_{what}"
    gradient.__doc__ = f"The gradient of {conv.__name__} with respect to its {what}."
    return gradient


conv1d_input = _gradient(F.conv1d, True)
conv1d_weight = _gradient(F.conv1d, False)
conv2d_input = _gradient(F.conv2d, True)
conv2d_weight = _gradient(F.conv2d, False)
conv3d_input = _gradient(F.conv3d, True)
conv3d_weight = _gradient(F.conv3d, False)
