"""Sequences of different lengths in one tensor: padded, or packed."""

from collections import namedtuple
from collections.abc import Iterable

import torch
from torch import Tensor
from torch._namespace import missing

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpad_sequence",
    "pack_sequence",
    "unpack_sequence",
]

PackedSequence_ = namedtuple(
    "PackedSequence_", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"]
)


def _optionally(value, function):
    return None if value is None else function(value)


class PackedSequence(PackedSequence_):
    """Sequences packed step by step: batch_sizes says how many are in each step."""

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            assert isinstance(data, (list, tuple)) and len(data) == 2
            data, batch_sizes = data
        elif batch_sizes.device.type != "cpu":
            raise ValueError(
                "batch_sizes should always be on CPU. "
                "Instances of PackedSequence should never be created manually. "
                "They should be instantiated by functions like pack_sequence "
                "and pack_padded_sequences in nn.utils.rnn. "
                "https://pytorch.org/docs/stable/nn.html#torch.nn.utils.rnn.pack_sequence"
            )
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        """The sequences with another dtype or on another device."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        others = {k: v for k, v in kwargs.items() if k not in ("device", "dtype")}
        moved = [
            _optionally(indices, lambda t: t.to(data.device, **others))
            for indices in (self.sorted_indices, self.unsorted_indices)
        ]
        return type(self)(data, self.batch_sizes, *moved)

    def cuda(self, *args, **kwargs):
        """The sequences on a GPU."""
        kwargs["device"] = "cuda"
        return self.to(*args, **kwargs)

    def cpu(self, *args, **kwargs):
        """The sequences on the CPU."""
        return self.to(*args, **kwargs)

    def double(self):
        """The sequences as float64."""
        return self.to(dtype=torch.double)

    def float(self):
        """The sequences as float32."""
        return self.to(dtype=torch.float)

    def half(self):
        """The sequences as float16."""
        return self.to(dtype=torch.half)

    def long(self):
        """The sequences as int64."""
        return self.to(dtype=torch.long)

    def int(self):
        """The sequences as int32."""
        return self.to(dtype=torch.int)

    def short(self):
        """The sequences as int16."""
        return self.to(dtype=torch.short)

    def char(self):
        """The sequences as int8."""
        return self.to(dtype=torch.int8)

    def byte(self):
        """The sequences as uint8."""
        return self.to(dtype=torch.uint8)

    def pin_memory(self):
        """The sequences in pinned memory."""
        return type(self)(
            self.data.pin_memory(),
            self.batch_sizes,
            _optionally(self.sorted_indices, lambda t: t.pin_memory()),
            _optionally(self.unsorted_indices, lambda t: t.pin_memory()),
        )

    def is_pinned(self):
        """Whether the memory is pinned."""
        return self.data.is_pinned()

    @property
    def is_cuda(self):
        """Whether the data is on a GPU."""
        return self.data.is_cuda


def invert_permutation(permutation):
    """The permutation that undoes one."""
    if permutation is None:
        return None
    output = torch.empty_like(permutation, memory_format=torch.contiguous_format)
    count = torch.arange(0, permutation.numel(), device=permutation.device)
    output.scatter_(0, permutation, count)
    return output


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """Packs sequences that are padded to one length."""
    if isinstance(lengths, Tensor):
        lengths = lengths.to(dtype=torch.int64)
    else:
        lengths = torch.as_tensor(lengths, dtype=torch.int64, device="cpu")
    sorted_indices = None
    if not enforce_sorted:
        lengths, sorted_indices = torch.sort(lengths, descending=True)
        sorted_indices = sorted_indices.to(input.device)
        input = input.index_select(0 if batch_first else 1, sorted_indices)
    data, batch_sizes = torch._pack_padded_sequence(input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, sorted_indices, None)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """The sequences padded to one length, and their lengths."""
    length = sequence.batch_sizes.size(0)
    if total_length is not None:
        if total_length < length:
            raise ValueError(
                "Expected total_length to be at least the length "
                "of the longest sequence in input, but got "
                f"total_length={total_length} and max sequence length being {length}"
            )
        length = total_length
    padded, lengths = _padded(sequence.data, sequence.batch_sizes, padding_value, length)
    if batch_first:
        padded = padded.transpose(0, 1)
    order = sequence.unsorted_indices
    if order is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, order), lengths[order.cpu()]


def _padded(data, batch_sizes, padding_value, length):
    """Packed data step by step in padded form, and the lengths of the sequences."""
    sizes = batch_sizes.tolist()
    output = data.new_full((length, sizes[0], *data.shape[1:]), padding_value)
    lengths = []
    start = offset = 0
    for step, size in enumerate([*sizes[1:], 0], 1):
        before = sizes[start]
        if size == before:
            continue
        count = (step - start) * before
        part = data[offset : offset + count].view(step - start, before, *data.shape[1:])
        output[start:step, :before].copy_(part)
        lengths = [step] * (before - size) + lengths
        start, offset = step, offset + count
    return output, torch.tensor(lengths)


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Stacks sequences, the shorter ones padded to the length of the longest."""
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            "pad_sequence: Expected iterable for input sequences, but got arg of type: "
            f"{type(sequences)}"
        )
    sequences = tuple(sequences)
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise RuntimeError(
            f"Expected padding_side to be one of left or right, but got {padding_side}."
        )
    length = max(sequence.size(0) for sequence in sequences)
    sizes = (len(sequences), length) if batch_first else (length, len(sequences))
    out = sequences[0].new_full(sizes + tuple(sequences[0].shape[1:]), padding_value)
    for i, sequence in enumerate(sequences):
        own = sequence.size(0)
        start = length - own if padding_side == "left" else 0
        if batch_first:
            out.select(0, i).narrow(0, start, own).copy_(sequence)
        else:
            out.narrow(0, start, own).select(1, i).copy_(sequence)
    return out


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """The sequences without their padding, as a list."""
    if not batch_first:
        padded_sequences.transpose_(0, 1)
    count = torch.arange(padded_sequences.shape[1], device=lengths.device)
    return [seq[count < length] for seq, length in zip(padded_sequences, lengths)]


def pack_sequence(sequences, enforce_sorted=True):
    """Packs a list of sequences."""
    lengths = torch.as_tensor([v.size(0) for v in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    """The sequences as a list."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)


__getattr__ = missing(__name__)
