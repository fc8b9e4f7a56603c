import torch
from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence, pad_sequence

x = torch.ones(3, 2, 1)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: pack_padded_sequence(x, [2, 3]))
attempt(lambda: pack_padded_sequence(x, [3, 0]))
attempt(lambda: pack_padded_sequence(x, [0, 0]))
attempt(lambda: pack_padded_sequence(x, [3]))
attempt(lambda: pack_padded_sequence(x, torch.tensor([3.0, 2.0])))
attempt(lambda: pack_padded_sequence(torch.ones(0, 2), [1, 1]))
attempt(lambda: pack_padded_sequence(x, [3, 3], batch_first=True))
attempt(lambda: pack_sequence([]))
attempt(lambda: pack_sequence([torch.ones(1), torch.ones(2)]))
attempt(lambda: pack_sequence([torch.ones(1), torch.ones(0)]))
attempt(lambda: pad_sequence([]))
attempt(lambda: pad_sequence(3))
attempt(lambda: pad_sequence([torch.ones(2, 2), torch.ones(2, 3)]))
attempt(lambda: pad_sequence([torch.ones(2)], padding_side="top"))
attempt(lambda: pad_packed_sequence(pack_sequence([torch.ones(3)]), total_length=2))
attempt(lambda: pad_sequence(torch.ones(2, 3)))
pack_padded_sequence(x, [1, 3])
