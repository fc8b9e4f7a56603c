"""Multi-head attention, as torch.nn.functional has it."""

import math
import warnings

import torch


def _expect(condition, text):
    if not condition:
        raise AssertionError(text)


def _mha_shape_check(query, key, value, key_padding_mask, attn_mask, num_heads):
    """Whether the inputs have a batch dimension; their ranks have to agree."""
    rank = query.dim()
    if rank not in (2, 3):
        raise AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {rank}-D query tensor")
    given = f"For {'batched (3-D)' if rank == 3 else 'unbatched (2-D)'} `query`, expected "
    _expect(
        key.dim() == rank and value.dim() == rank,
        given + f"`key` and `value` to be {rank}-D but found {key.dim()}-D and {value.dim()}-D tensors respectively",
    )
    if key_padding_mask is not None:
        found = key_padding_mask.dim()
        _expect(
            found == rank - 1,
            given + f"`key_padding_mask` to be `None` or {rank - 1}-D but found {found}-D tensor instead",
        )
    if attn_mask is not None:
        found = attn_mask.dim()
        _expect(found in (2, 3), given + f"`attn_mask` to be `None`, 2-D or 3-D but found {found}-D tensor instead")
        if rank == 2 and found == 3:
            expected = (num_heads, query.shape[0], key.shape[0])
            _expect(
                attn_mask.shape == expected,
                f"Expected `attn_mask` shape to be {expected} but got {attn_mask.shape}",
            )
    return rank == 3


def _none_or_dtype(input):
    """The dtype of a tensor, None of None."""
    if input is None:
        return None
    if isinstance(input, torch.Tensor):
        return input.dtype
    raise RuntimeError("input to _none_or_dtype() must be None or torch.Tensor")


def _canonical_mask(mask, mask_name, other_type, other_name, target_type, check_other=True):
    """A mask as numbers to add: a bool mask becomes -inf where it is True."""
    if mask is None:
        return None
    is_float = torch.is_floating_point(mask)
    if mask.dtype != torch.bool and not is_float:
        raise AssertionError(f"only bool and floating types of {mask_name} are supported")
    if check_other and other_type is not None and mask.dtype != other_type:
        warnings.warn(
            f"Support for mismatched {mask_name} and {other_name} is deprecated. Use same type for both instead."
        )
    if is_float:
        return mask
    return torch.zeros_like(mask, dtype=target_type).masked_fill_(mask, float("-inf"))


def _split_projection(x, weight, bias, parts):
    """One projection of x, cut into parts of the size of its last dimension."""
    projected = torch.nn.functional.linear(x, weight, bias)
    return projected.unflatten(-1, (parts, x.size(-1))).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()


def _in_projection_packed(q, k, v, w, b=None):
    """The projections of query, key and value by one weight, with as few products as possible."""
    linear = torch.nn.functional.linear
    size = q.size(-1)
    if k is not v:
        weights, biases = w.chunk(3), (None, None, None) if b is None else b.chunk(3)
        return tuple(linear(x, *of) for x, *of in zip((q, k, v), weights, biases))
    if q is k:
        projected = _split_projection(q, w, b, 3)
        return projected[0], projected[1], projected[2]
    weight_q, weight_kv = w.split([size, size * 2])
    bias_q, bias_kv = (None, None) if b is None else b.split([size, size * 2])
    query = linear(q, weight_q, bias_q)
    projected = _split_projection(k, weight_kv, bias_kv, 2)
    return query, projected[0], projected[1]


def _in_projection(q, k, v, w_q, w_k, w_v, b_q=None, b_k=None, b_v=None):
    """The projections of query, key and value by a weight each."""
    size = q.size(-1)
    names = ("query", "key", "value")
    for name, x, w in zip(names, (q, k, v), (w_q, w_k, w_v)):
        expected = (size, x.size(-1))
        _expect(w.shape == expected, f"expecting {name} weights shape of {expected}, but got {w.shape}")
    for name, b in zip(names, (b_q, b_k, b_v)):
        _expect(
            b is None or b.shape == (size,),
            f"expecting {name} bias shape of {(size,)}, but got {None if b is None else b.shape}",
        )
    linear = torch.nn.functional.linear
    return linear(q, w_q, b_q), linear(k, w_k, b_k), linear(v, w_v, b_v)


def _check_attn_mask(mask, target, source, heads):
    """The mask with a dimension for the heads."""
    if mask.dim() not in (2, 3):
        raise RuntimeError(f"attn_mask's dimension {mask.dim()} is not supported")
    expected = (target, source) if mask.dim() == 2 else (heads, target, source)
    if mask.shape != expected:
        raise RuntimeError(f"The shape of the {mask.dim()}D attn_mask is {mask.shape}, but should be {expected}.")
    return mask.unsqueeze(0) if mask.dim() == 2 else mask


def _by_head(x, static, name, heads, head_dim):
    """Keys or values as (heads of all samples, time, features), unless they are given so."""
    if static is None:
        return x.view(x.shape[0], heads, head_dim).transpose(0, 1)
    _expect(static.size(0) == heads, f"expecting {name}.size(0) of {heads}, but got {static.size(0)}")
    _expect(static.size(2) == head_dim, f"expecting {name}.size(2) of {head_dim}, but got {static.size(2)}")
    return static


def multi_head_attention_forward(
    query,
    key,
    value,
    embed_dim_to_check,
    num_heads,
    in_proj_weight,
    in_proj_bias,
    bias_k,
    bias_v,
    add_zero_attn,
    dropout_p,
    out_proj_weight,
    out_proj_bias,
    training=True,
    key_padding_mask=None,
    need_weights=True,
    attn_mask=None,
    use_separate_proj_weight=False,
    q_proj_weight=None,
    k_proj_weight=None,
    v_proj_weight=None,
    static_k=None,
    static_v=None,
    average_attn_weights=True,
    is_causal=False,
):
    """What nn.MultiheadAttention computes: the output and, if needed, the attention weights."""
    F = torch.nn.functional
    batched = _mha_shape_check(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    target, batch, size = query.shape
    source = key.shape[0]
    key_padding_mask = _canonical_mask(
        key_padding_mask, "key_padding_mask", _none_or_dtype(attn_mask), "attn_mask", query.dtype
    )
    if is_causal and attn_mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
            "`generate_square_subsequent_mask` to create this mask."
        )
    if is_causal and key_padding_mask is None and not need_weights:
        attn_mask = None
    else:
        attn_mask = _canonical_mask(attn_mask, "attn_mask", None, "", query.dtype, check_other=False)
        if key_padding_mask is not None:
            is_causal = False

    _expect(
        size == embed_dim_to_check, f"was expecting embedding dimension of {embed_dim_to_check}, but got {size}"
    )
    head_dim = size // num_heads
    _expect(head_dim * num_heads == size, f"embed_dim {size} not divisible by num_heads {num_heads}")
    heads = batch * num_heads
    if use_separate_proj_weight:
        _expect(
            key.shape[:2] == value.shape[:2],
            f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}",
        )
        weights = (q_proj_weight, k_proj_weight, v_proj_weight)
        for letter, weight in zip("qkv", weights):
            _expect(weight is not None, f"use_separate_proj_weight is True but {letter}_proj_weight is None")
        biases = (None, None, None) if in_proj_bias is None else in_proj_bias.chunk(3)
        q, k, v = _in_projection(query, key, value, *weights, *biases)
    else:
        _expect(key.shape == value.shape, f"key shape {key.shape} does not match value shape {value.shape}")
        _expect(in_proj_weight is not None, "use_separate_proj_weight is False but in_proj_weight is None")
        q, k, v = _in_projection_packed(query, key, value, in_proj_weight, in_proj_bias)

    if attn_mask is not None:
        attn_mask = _check_attn_mask(attn_mask, target, source, heads)
    added = 0  # positions after the source's
    if bias_k is not None and bias_v is not None:
        _expect(static_k is None, "bias cannot be added to static key.")
        _expect(static_v is None, "bias cannot be added to static value.")
        k = torch.cat([k, bias_k.repeat(1, batch, 1)])
        v = torch.cat([v, bias_v.repeat(1, batch, 1)])
        added = 1
    else:
        assert bias_k is None
        assert bias_v is None
    q = q.view(target, heads, head_dim).transpose(0, 1)
    k = _by_head(k, static_k, "static_k", heads, head_dim)
    v = _by_head(v, static_v, "static_v", heads, head_dim)
    if add_zero_attn:
        zeros = (heads, 1, head_dim)
        k = torch.cat([k, torch.zeros(zeros, dtype=k.dtype, device=k.device)], dim=1)
        v = torch.cat([v, torch.zeros(zeros, dtype=v.dtype, device=v.device)], dim=1)
        added += 1
    for _ in range(added):
        if attn_mask is not None:
            attn_mask = F.pad(attn_mask, (0, 1))
        if key_padding_mask is not None:
            key_padding_mask = F.pad(key_padding_mask, (0, 1))
    source = k.size(1)

    if key_padding_mask is not None:
        for at, expected in enumerate((batch, source)):
            found = key_padding_mask.shape[at]
            _expect(found == expected, f"Expected key_padded_mask.shape[{at}] to be {expected}, but got {found}")
        padding = key_padding_mask.view(batch, 1, 1, source)
        padding = padding.expand(-1, num_heads, -1, -1).reshape(heads, 1, source)
        attn_mask = padding if attn_mask is None else attn_mask + padding
    if not training:
        dropout_p = 0.0

    if need_weights:
        q = q * math.sqrt(1.0 / float(q.shape[2]))
        assert not (is_causal and attn_mask is None), "FIXME: is_causal not implemented for need_weights"
        if attn_mask is not None:
            weights = torch.baddbmm(attn_mask, q, k.transpose(-2, -1))
        else:
            weights = torch.bmm(q, k.transpose(-2, -1))
        weights = F.softmax(weights, dim=-1)
        if dropout_p > 0.0:
            weights = F.dropout(weights, p=dropout_p)
        output = torch.bmm(weights, v).transpose(0, 1)
    else:
        if attn_mask is not None:
            if attn_mask.size(0) == 1 and attn_mask.dim() == 3:
                attn_mask = attn_mask.unsqueeze(0)
            else:
                attn_mask = attn_mask.view(batch, num_heads, -1, source)
        q = q.view(batch, num_heads, target, head_dim)
        k = k.view(batch, num_heads, source, head_dim)
        v = v.view(batch, num_heads, source, head_dim)
        weights = None
        output = F.scaled_dot_product_attention(q, k, v, attn_mask, dropout_p, is_causal).permute(2, 0, 1, 3)
    output = F.linear(output.contiguous().view(target * batch, size), out_proj_weight, out_proj_bias)
    output = output.view(target, batch, output.size(1))
    if weights is not None:
        weights = weights.view(batch, num_heads, target, source)
        if average_attn_weights:
            weights = weights.mean(dim=1)
    if not batched:
        output = output.squeeze(1)
        weights = None if weights is None else weights.squeeze(0)
    return output, weights
