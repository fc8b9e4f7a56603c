"""The memory format of the weights of convolutions."""

import torch


def _convert(module, kinds, memory_format):
    if isinstance(module, kinds):
        weight = module.weight.detach().clone().contiguous(memory_format=memory_format)
        module.weight.data = weight.resize_(weight.size(), memory_format=memory_format)
    for child in module.children():
        _convert(child, kinds, memory_format)
    return module


def convert_conv2d_weight_memory_format(module, memory_format):
    """Converts the weights of all Conv2d and ConvTranspose2d."""
    return _convert(module, (torch.nn.Conv2d, torch.nn.ConvTranspose2d), memory_format)


def convert_conv3d_weight_memory_format(module, memory_format):
    """Converts the weights of all Conv3d and ConvTranspose3d."""
    return _convert(module, (torch.nn.Conv3d, torch.nn.ConvTranspose3d), memory_format)
