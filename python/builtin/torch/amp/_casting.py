"""What autocast on the CPU does with the arguments of operations: PyTorch's lists of them."""

from .._dtypes import ALL
from .._engine import Tensor
from .._unsupported import unsupported

_LOW = frozenset(
    "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d conv_tbc bmm mm vecdot linalg_vecdot baddbmm addmm "
    "addbmm linear matmul __rmatmul__ einsum tensordot chain_matmul multi_dot scaled_dot_product_attention".split()
)
_FULL = frozenset(
    "avg_pool3d binary_cross_entropy grid_sample grid_sampler prod quantile nanquantile cdist trace cholesky cholesky_inverse "
    "cholesky_solve inverse lu_solve orgqr ormqr pinverse max_pool3d max_unpool2d max_unpool3d adaptive_avg_pool3d mse_loss "
    "cosine_embedding_loss nll_loss hinge_embedding_loss poisson_nll_loss smooth_l1_loss cross_entropy l1_loss huber_loss "
    "margin_ranking_loss soft_margin_loss triplet_margin_loss multi_margin_loss ctc_loss kl_div multilabel_margin_loss "
    "binary_cross_entropy_with_logits geqrf qr svd triangular_solve adaptive_max_pool3d inv solve det slogdet eigh eigvalsh "
    "svdvals lstsq matrix_rank pinv matrix_power cond tensorsolve tensorinv householder_product".split()
)
_WIDEST = frozenset("stack cat concat concatenate index_copy".split())
_RECURRENT = frozenset("lstm gru rnn_tanh rnn_relu lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell".split())


def _eligible(t):
    return t.dtype.is_floating_point and t.dtype.name != "float64"


class Casting:
    """Asked before each call, as a mode of functions: gives the call other arguments."""

    def __init__(self, dtype, cache):
        self.dtype = dtype
        self.cache = cache  # of weights that were cast; None if they are not kept

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = func.__name__
        if name in _RECURRENT:
            unsupported("torch.autocast around " + name)
        to = None
        if name in _LOW:
            to = self.dtype
        elif name in _FULL:
            to = ALL["float32"]
        elif name in _WIDEST:
            to = self._widest(args, kwargs)
        if to is not None:
            args = self._cast(args, to)
            kwargs = {k: self._cast(v, to) for k, v in kwargs.items()}
        return func(*args, **kwargs)

    def _cast(self, v, to):
        if isinstance(v, Tensor):
            if v.dtype is to or not _eligible(v):
                return v
            keep = self.cache is not None and to is self.dtype and v.is_leaf and v.requires_grad
            if not keep:
                return v.to(to)
            if id(v) not in self.cache:
                self.cache[id(v)] = v, v.to(to)
            return self.cache[id(v)][1]
        if type(v) in (list, tuple):
            return type(v)([self._cast(x, to) for x in v])
        return v

    def _widest(self, args, kwargs):
        found = []

        def look(v):
            if isinstance(v, Tensor):
                if _eligible(v):
                    found.append(v.dtype)
            elif isinstance(v, (list, tuple)):
                for x in v:
                    look(x)

        look((args, list(kwargs.values())))
        return max(found, key=lambda d: d.itemsize) if found else None
