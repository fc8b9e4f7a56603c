"""Batch normalisation made part of the layer before it, for evaluation."""

import copy

import torch


def _check_fusable(layer, bn):
    assert not (layer.training or bn.training), "Fusion only for eval!"


def _fused(layer, bn, weights, *more):
    fused = copy.deepcopy(layer)
    assert bn.running_mean is not None and bn.running_var is not None
    fused.weight, fused.bias = weights(
        fused.weight,
        fused.bias,
        bn.running_mean,
        bn.running_var,
        bn.eps,
        bn.weight,
        bn.bias,
        *more,
    )
    return fused


def _parameters(weight, fused_weight, bias, fused_bias):
    return (
        torch.nn.Parameter(fused_weight, weight.requires_grad),
        torch.nn.Parameter(fused_bias, bias.requires_grad),
    )


def fuse_conv_bn_eval(conv, bn, transpose=False):
    """A convolution that does what conv and then bn do."""
    _check_fusable(conv, bn)
    return _fused(conv, bn, fuse_conv_bn_weights, transpose)


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    """Weight and bias of the fused convolution."""
    bias_dtype = conv_w.dtype if conv_b is None else conv_b.dtype
    conv_b = torch.zeros_like(bn_rm) if conv_b is None else conv_b
    bn_w = torch.ones_like(bn_rm) if bn_w is None else bn_w
    bn_b = torch.zeros_like(bn_rm) if bn_b is None else bn_b
    scale = torch.rsqrt(bn_rv + bn_eps)
    shape = ([1, -1] if transpose else [-1, 1]) + [1] * (len(conv_w.shape) - 2)
    weight = (conv_w * (bn_w * scale).reshape(shape)).to(dtype=conv_w.dtype)
    bias = ((conv_b - bn_rm) * scale * bn_w + bn_b).to(dtype=bias_dtype)
    return _parameters(conv_w, weight, conv_b, bias)


def fuse_linear_bn_eval(linear, bn):
    """A linear layer that does what linear and then bn do."""
    _check_fusable(linear, bn)
    assert linear.out_features == bn.num_features or bn.num_features == 1, (
        "To fuse, linear.out_features == bn.num_features or bn.num_features == 1"
    )
    return _fused(linear, bn, fuse_linear_bn_weights)


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    """Weight and bias of the fused linear layer."""
    bias_dtype = linear_w.dtype if linear_b is None else linear_b.dtype
    linear_b = torch.zeros_like(bn_rm) if linear_b is None else linear_b
    scale = bn_w * torch.rsqrt(bn_rv + bn_eps)
    weight = linear_w * scale.unsqueeze(-1).to(dtype=linear_w.dtype)
    bias = ((linear_b - bn_rm) * scale + bn_b).to(dtype=bias_dtype)
    return _parameters(linear_w, weight, linear_b, bias)
