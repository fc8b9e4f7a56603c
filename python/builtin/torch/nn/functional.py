"""torch.nn.functional: the layers as functions.

The engine computes them and makes PyTorch's checks; this file gives them their names and
signatures. What is made of other functions is in the files that it imports from.
"""

import torch  # noqa: F401  (programs reach it as F.torch)
from torch import Tensor  # noqa: F401
from torch._engine import function
from torch._unsupported import unsupported
from torch.nn import _reduction as _Reduction  # noqa: F401
from torch.nn.modules.utils import _list_with_default, _pair, _single, _triple  # noqa: F401


def _engine(declaration):
    """The engine's function of that name, which shows the signature of the declaration."""
    result = function("torch.nn.functional." + declaration.__name__)
    result.__doc__ = declaration.__doc__
    result.__module__ = __name__
    result.__wrapped__ = declaration
    return result


# Those that PyTorch has in C++, where functions show no signature.
for _name in """
    adaptive_avg_pool1d avg_pool1d avg_pool2d avg_pool3d bilinear celu_ channel_shuffle conv1d conv2d
    conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d cosine_similarity gelu
    hardshrink linear logsigmoid native_channel_shuffle one_hot pairwise_distance
    pdist pixel_shuffle pixel_unshuffle prelu relu_ rrelu_ scaled_dot_product_attention selu_ softplus
    softshrink threshold_
""".split():
    globals()[_name] = function("torch.nn.functional." + _name)
del _name


# --- activations


@_engine
def threshold(input, threshold, value, inplace=False):
    """The input where it is above the threshold, value elsewhere."""


@_engine
def relu(input, inplace=False):
    """max(0, input)."""


@_engine
def relu6(input, inplace=False):
    """The input, clamped to 0 ... 6."""


@_engine
def glu(input, dim=-1):
    """The first half along dim times the sigmoid of the second half."""


@_engine
def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """The input, clamped to min_val ... max_val."""


@_engine
def elu(input, alpha=1.0, inplace=False):
    """The input where positive, alpha * (exp(input) - 1) elsewhere."""


@_engine
def selu(input, inplace=False):
    """The self-normalizing exponential linear unit."""


@_engine
def celu(input, alpha=1.0, inplace=False):
    """max(0, input) + min(0, alpha * (exp(input / alpha) - 1))."""


@_engine
def leaky_relu(input, negative_slope=0.01, inplace=False):
    """The input where positive, negative_slope times the input elsewhere."""


@_engine
def rrelu(input, lower=0.125, upper=1.0 / 3, training=False, inplace=False):
    """leaky_relu with a random slope for each element, or the middle one if not training."""


@_engine
def silu(input, inplace=False):
    """input * sigmoid(input)."""


@_engine
def mish(input, inplace=False):
    """input * tanh(softplus(input))."""


@_engine
def hardsigmoid(input, inplace=False):
    """relu6(input + 3) / 6."""


@_engine
def hardswish(input, inplace=False):
    """input * relu6(input + 3) / 6."""


@_engine
def tanhshrink(input):
    """input - tanh(input)."""


@_engine
def softsign(input):
    """input / (1 + |input|)."""


@_engine
def tanh(input):
    """The hyperbolic tangent."""


@_engine
def sigmoid(input):
    """1 / (1 + exp(-input))."""


def elu_(input, alpha=1.0):
    """elu in place."""
    return elu(input, alpha, True)


def hardtanh_(input, min_val=-1.0, max_val=1.0):
    """hardtanh in place."""
    return hardtanh(input, min_val, max_val, True)


def leaky_relu_(input, negative_slope=0.01):
    """leaky_relu in place."""
    return leaky_relu(input, negative_slope, True)


# --- dropout


@_engine
def dropout(input, p=0.5, training=True, inplace=False):
    """Zeroes elements with probability p and scales up the others."""


@_engine
def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Dropout that keeps mean and variance of what selu gives."""


@_engine
def dropout1d(input, p=0.5, training=True, inplace=False):
    """Dropout of whole channels of (N, C, L) or (C, L)."""


@_engine
def dropout2d(input, p=0.5, training=True, inplace=False):
    """Dropout of whole channels of (N, C, H, W)."""


@_engine
def dropout3d(input, p=0.5, training=True, inplace=False):
    """Dropout of whole channels of (N, C, D, H, W)."""


@_engine
def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Alpha dropout of whole channels."""


# --- pooling


@_engine
def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Puts what max_pool1d gave back to where it was."""


@_engine
def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Puts what max_pool2d gave back to where it was."""


@_engine
def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Puts what max_pool3d gave back to where it was."""


@_engine
def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The norms of the windows along a line."""


@_engine
def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The norms of the windows of a plane."""


@_engine
def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The norms of the windows of a volume."""


@_engine
def adaptive_avg_pool2d(input, output_size):
    """The averages of as many windows as output_size says."""


@_engine
def adaptive_avg_pool3d(input, output_size):
    """The averages of as many windows as output_size says."""


def _max_pools(dims):
    """The functions that pool by the maximum: two that choose by return_indices, two that return the indices."""
    fixed, adaptive = f"max_pool{dims}d", f"adaptive_max_pool{dims}d"

    @_engine_as(fixed)
    def max_pool(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
        """The largest elements of windows; with return_indices also where they are."""

    @_engine_as(adaptive)
    def adaptive_max_pool(input, output_size, return_indices=False):
        """The largest elements of as many windows as output_size says."""

    def max_pool_with_indices(
        input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
    ):
        """The largest elements of windows, and where they are."""
        return max_pool(input, kernel_size, stride, padding, dilation, ceil_mode, True)

    def adaptive_max_pool_with_indices(input, output_size, return_indices=False):
        """The largest elements of as many windows as output_size says, and where they are."""
        return adaptive_max_pool(input, output_size, True)

    for f, name in (max_pool_with_indices, fixed), (adaptive_max_pool_with_indices, adaptive):
        f.__name__ = f.__qualname__ = name + "_with_indices"
        globals()[f.__name__] = f
    globals()[fixed], globals()[adaptive] = max_pool, adaptive_max_pool


def _engine_as(name):
    """_engine for a declaration of another name."""

    def declared(declaration):
        declaration.__name__ = declaration.__qualname__ = name
        return _engine(declaration)

    return declared


for _dims in 1, 2, 3:
    _max_pools(_dims)
del _dims


def fractional_max_pool2d(*args, **kwargs):
    """Not part of this engine."""
    unsupported("torch.nn.functional.fractional_max_pool2d")


def fractional_max_pool3d(*args, **kwargs):
    """Not part of this engine."""
    unsupported("torch.nn.functional.fractional_max_pool3d")


# --- normalization


@_engine
def batch_norm(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05
):
    """Normalizes each channel over the batch, or by the running statistics."""


@_engine
def instance_norm(
    input,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    use_input_stats=True,
    momentum=0.1,
    eps=1e-05,
):
    """Normalizes each channel of each sample."""


@_engine
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """Normalizes over the last dimensions, which have the given sizes."""


@_engine
def rms_norm(input, normalized_shape, weight=None, eps=None):
    """Divides by the root mean square over the last dimensions."""


@_engine
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    """Normalizes each group of channels of each sample."""


@_engine
def local_response_norm(input, size, alpha=0.0001, beta=0.75, k=1.0):
    """Normalizes each element by its neighbours in size channels."""


@_engine
def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """Divides by the p-norm along dim."""


# --- embedding


@_engine
def embedding(
    input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False
):
    """The rows of the weight that the input names."""


@_engine
def embedding_bag(
    input,
    weight,
    offsets=None,
    max_norm=None,
    norm_type=2,
    scale_grad_by_freq=False,
    mode="mean",
    sparse=False,
    per_sample_weights=None,
    include_last_offset=False,
    padding_idx=None,
):
    """Sums, means or maxima of bags of rows of the weight."""


# --- images


@_engine
def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """The input at the places, from -1 to 1, that the grid holds."""


@_engine
def affine_grid(theta, size, align_corners=None):
    """The grid of places that affine maps lead to."""


@_engine
def pad(input, pad, mode="constant", value=None):
    """Pads the last dimensions; pad lists the sizes from the last dimension on."""


@_engine
def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """The sliding blocks of a batch of images, as columns."""


@_engine
def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Images from the sums of columns of sliding blocks."""


# --- losses


@_engine
def ctc_loss(
    log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False
):
    """The connectionist temporal classification loss."""


@_engine
def nll_loss(
    input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"
):
    """The negative of the log-probabilities of the targets."""


@_engine
def poisson_nll_loss(
    input,
    target,
    log_input=True,
    full=False,
    size_average=None,
    eps=1e-08,
    reduce=None,
    reduction="mean",
):
    """The negative log-likelihood of a Poisson distribution."""


@_engine
def gaussian_nll_loss(input, target, var, full=False, eps=1e-06, reduction="mean"):
    """The negative log-likelihood of a normal distribution."""


@_engine
def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """The Kullback-Leibler divergence of log-probabilities from the target."""


@_engine
def cross_entropy(
    input,
    target,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
):
    """The cross entropy between logits and classes or probabilities."""


@_engine
def binary_cross_entropy(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean"
):
    """The cross entropy between probabilities and targets."""


@_engine
def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    """The cross entropy between the sigmoid of the input and targets."""


@_engine
def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """Squared below beta, linear above."""


@_engine
def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    """Squared below delta, delta-scaled linear above."""


@_engine
def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """The mean absolute difference."""


@_engine
def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """The mean squared difference."""


@_engine
def margin_ranking_loss(
    input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"
):
    """max(0, -target * (input1 - input2) + margin)."""


@_engine
def hinge_embedding_loss(
    input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"
):
    """The input where the target is 1, max(0, margin - input) where it is -1."""


@_engine
def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """The margin loss of several classes for each sample."""


@_engine
def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """log(1 + exp(-target * input))."""


@_engine
def multilabel_soft_margin_loss(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean"
):
    """The binary cross entropy of each class, averaged over the classes."""


@_engine
def cosine_embedding_loss(
    input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"
):
    """The loss of the cosine of pairs that are alike (1) or not (-1)."""


@_engine
def multi_margin_loss(
    input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"
):
    """The margin loss of one class for each sample."""


@_engine
def triplet_margin_loss(
    anchor,
    positive,
    negative,
    margin=1.0,
    p=2,
    eps=1e-06,
    swap=False,
    size_average=None,
    reduce=None,
    reduction="mean",
):
    """max(0, margin + |anchor - positive| - |anchor - negative|)."""


from torch._namespace import missing
from torch.nn._attention import (  # noqa: F401
    _canonical_mask,
    _in_projection,
    _in_projection_packed,
    _mha_shape_check,
    _none_or_dtype,
    multi_head_attention_forward,
)
from torch.nn._composed import (  # noqa: F401
    _get_softmax_dim,
    assert_int_or_pair,
    gumbel_softmax,
    interpolate,
    log_softmax,
    softmax,
    softmin,
    triplet_margin_with_distance_loss,
    upsample,
    upsample_bilinear,
    upsample_nearest,
)

__getattr__ = missing(__name__)
