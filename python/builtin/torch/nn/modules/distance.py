"""Distances between vectors."""

import torch.nn.functional as F  # noqa: F401  (the forward methods name it)
from torch.nn.modules._layer import layer
from torch.nn.modules.module import Module

__all__ = ["PairwiseDistance", "CosineSimilarity"]


@layer(result="F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)", inputs="x1, x2")
class PairwiseDistance(Module):
    """The p-norm of the difference of vectors."""

    def __init__(self, p=2.0, eps=1e-6, keepdim=False):
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim


@layer("dim=1, eps=1e-8", "F.cosine_similarity(x1, x2, self.dim, self.eps)", inputs="x1, x2", shown="")
class CosineSimilarity(Module):
    """The cosine of the angle between vectors along dim."""
