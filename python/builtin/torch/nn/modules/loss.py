"""Losses."""

import warnings

import torch.nn.functional as F  # noqa: F401  (the forward methods name it)
from torch.nn import _reduction as _Reduction
from torch.nn.modules._layer import layer
from torch.nn.modules.distance import PairwiseDistance
from torch.nn.modules.module import Module

__all__ = """
    L1Loss NLLLoss NLLLoss2d PoissonNLLLoss GaussianNLLLoss KLDivLoss MSELoss BCELoss BCEWithLogitsLoss
    HingeEmbeddingLoss MultiLabelMarginLoss SmoothL1Loss HuberLoss SoftMarginLoss CrossEntropyLoss
    MultiLabelSoftMarginLoss CosineEmbeddingLoss MarginRankingLoss MultiMarginLoss TripletMarginLoss
    TripletMarginWithDistanceLoss CTCLoss
""".split()


class _Loss(Module):
    """What all losses have: how the losses of the elements are put together."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            reduction = _Reduction.legacy_get_string(size_average, reduce)
        self.reduction = reduction


class _WeightedLoss(_Loss):
    """A loss with a weight for each class or element."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


def _loss(parameters, result, inputs="input, target"):
    """A layer that shows nothing."""
    return layer(parameters, result, inputs, shown="")


_COMMON = "size_average=None, reduce=None, reduction='mean'"


@_loss(_COMMON, "F.l1_loss(input, target, reduction=self.reduction)")
class L1Loss(_Loss):
    """The mean absolute difference."""


@_loss(
    "weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean'",
    "F.nll_loss(input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction)",
)
class NLLLoss(_WeightedLoss):
    """The negative of the log-probabilities of the targets."""


class NLLLoss2d(NLLLoss):
    """NLLLoss, by its old name."""

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        warnings.warn(
            "`NLLLoss2d` has been deprecated. Please use `NLLLoss` instead as a drop-in replacement and see "
            "https://pytorch.org/docs/main/nn.html#torch.nn.NLLLoss for more details.",
            category=FutureWarning,
            stacklevel=2,
        )
        super().__init__(weight, size_average, ignore_index, reduce, reduction)


@_loss(
    "log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction='mean'",
    "F.poisson_nll_loss(log_input, target, log_input=self.log_input, full=self.full, eps=self.eps,"
    " reduction=self.reduction)",
    inputs="log_input, target",
)
class PoissonNLLLoss(_Loss):
    """The negative log-likelihood of a Poisson distribution."""


@_loss(
    "*, full=False, eps=1e-6, reduction='mean'",
    "F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)",
    inputs="input, target, var",
)
class GaussianNLLLoss(_Loss):
    """The negative log-likelihood of a normal distribution."""


@_loss(
    f"{_COMMON}, log_target=False",
    "F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)",
)
class KLDivLoss(_Loss):
    """The Kullback-Leibler divergence of log-probabilities from the target."""


@_loss(_COMMON, "F.mse_loss(input, target, reduction=self.reduction)")
class MSELoss(_Loss):
    """The mean squared difference."""


@_loss(
    f"weight=None, {_COMMON}",
    "F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)",
)
class BCELoss(_WeightedLoss):
    """The cross entropy between probabilities and targets."""


@layer(
    result="F.binary_cross_entropy_with_logits(input, target, self.weight, pos_weight=self.pos_weight,"
    " reduction=self.reduction)",
    inputs="input, target",
)
class BCEWithLogitsLoss(_Loss):
    """The cross entropy between the sigmoid of the input and targets."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)


@_loss(
    f"margin=1.0, {_COMMON}",
    "F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)",
)
class HingeEmbeddingLoss(_Loss):
    """The input where the target is 1, max(0, margin - input) where it is -1."""


@_loss(_COMMON, "F.multilabel_margin_loss(input, target, reduction=self.reduction)")
class MultiLabelMarginLoss(_Loss):
    """The margin loss of several classes for each sample."""


@_loss(f"{_COMMON}, beta=1.0", "F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)")
class SmoothL1Loss(_Loss):
    """Squared below beta, linear above."""


@_loss("reduction='mean', delta=1.0", "F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)")
class HuberLoss(_Loss):
    """Squared below delta, delta-scaled linear above."""


@_loss(_COMMON, "F.soft_margin_loss(input, target, reduction=self.reduction)")
class SoftMarginLoss(_Loss):
    """log(1 + exp(-target * input))."""


@_loss(
    "weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0",
    "F.cross_entropy(input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction,"
    " label_smoothing=self.label_smoothing)",
)
class CrossEntropyLoss(_WeightedLoss):
    """The cross entropy between logits and classes or probabilities."""


@_loss(
    f"weight=None, {_COMMON}",
    "F.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)",
)
class MultiLabelSoftMarginLoss(_WeightedLoss):
    """The binary cross entropy of each class, averaged over the classes."""


@_loss(
    f"margin=0.0, {_COMMON}",
    "F.cosine_embedding_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)",
    inputs="input1, input2, target",
)
class CosineEmbeddingLoss(_Loss):
    """The loss of the cosine of pairs that are alike (1) or not (-1)."""


@_loss(
    f"margin=0.0, {_COMMON}",
    "F.margin_ranking_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)",
    inputs="input1, input2, target",
)
class MarginRankingLoss(_Loss):
    """max(0, -target * (input1 - input2) + margin)."""


@layer(
    result="F.multi_margin_loss(input, target, p=self.p, margin=self.margin, weight=self.weight,"
    " reduction=self.reduction)",
    inputs="input, target",
)
class MultiMarginLoss(_WeightedLoss):
    """The margin loss of one class for each sample."""

    def __init__(self, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise ValueError("only p == 1 and p == 2 supported")
        if weight is not None and weight.dim() != 1:
            raise ValueError(f"MultiMarginLoss: expected weight to be None or 1D tensor, got {weight.dim()}D instead")
        self.p = p
        self.margin = margin


def _check_margin(loss, margin):
    if margin <= 0:
        raise ValueError(f"{loss}: expected margin to be greater than 0, got {margin} instead")


@layer(
    result="F.triplet_margin_loss(anchor, positive, negative, margin=self.margin, p=self.p, eps=self.eps,"
    " swap=self.swap, reduction=self.reduction)",
    inputs="anchor, positive, negative",
)
class TripletMarginLoss(_Loss):
    """max(0, margin + |anchor - positive| - |anchor - negative|)."""

    def __init__(
        self, margin=1.0, p=2.0, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"
    ):
        super().__init__(size_average, reduce, reduction)
        _check_margin("TripletMarginLoss", margin)
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap


@layer(
    result="F.triplet_margin_with_distance_loss(anchor, positive, negative,"
    " distance_function=self.distance_function, margin=self.margin, swap=self.swap, reduction=self.reduction)",
    inputs="anchor, positive, negative",
)
class TripletMarginWithDistanceLoss(_Loss):
    """The triplet margin loss with any distance."""

    def __init__(self, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
        super().__init__(reduction=reduction)
        _check_margin("TripletMarginWithDistanceLoss", margin)
        self.distance_function = PairwiseDistance() if distance_function is None else distance_function
        self.margin = margin
        self.swap = swap


@_loss(
    "blank=0, reduction='mean', zero_infinity=False",
    "F.ctc_loss(log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity)",
    inputs="log_probs, targets, input_lengths, target_lengths",
)
class CTCLoss(_Loss):
    """The connectionist temporal classification loss."""
