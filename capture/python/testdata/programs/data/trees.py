"""Batches that are nested containers, as lists of leaves."""
from collections import OrderedDict, defaultdict, deque, namedtuple

import torch
from torch.utils import _pytree as pytree
from torch.utils._pytree import SUPPORTED_NODES, LeafSpec, TreeSpec, _get_node_type, tree_flatten, tree_map, tree_unflatten

Pair = namedtuple("Pair", "x y")
batch = {
    "images": [1, (2, 3)], "pair": Pair(4, None), "meta": OrderedDict(k=5), "last": deque([6], maxlen=2),
    "more": defaultdict(list, q=7), "none": [],
}  # fmt: skip
leaves, spec = tree_flatten(batch)
print(leaves)
print(spec)
back = tree_unflatten(leaves, spec)
print(back == batch, back["last"].maxlen, back["more"].default_factory, spec.num_leaves, spec.type, spec.context)
print(all(t in SUPPORTED_NODES for t in (list, tuple, dict, OrderedDict, deque, defaultdict, namedtuple)), int in SUPPORTED_NODES)
print(_get_node_type(batch["pair"]) is namedtuple, _get_node_type([1]), SUPPORTED_NODES[dict].flatten_fn({"a": 1}))
print(LeafSpec(), LeafSpec().is_leaf(), isinstance(LeafSpec(), TreeSpec), LeafSpec() == tree_flatten(3)[1])
print(tree_map(lambda a, b: a + b, (1, [2]), (3, [4])), pytree.tree_map_only(int, lambda a: -a, (1, "s")))
print(pytree.tree_all(lambda a: a > 0, (1, [2])), pytree.tree_any(lambda a: a > 1, (1, [2])), pytree.tree_leaves((1, [2])))


class Box:
    def __init__(self, inside):
        self.inside = inside


pytree.register_pytree_node(Box, lambda box: ([box.inside], None), lambda inside, _: Box(inside[0]))
print(tree_map(torch.Tensor.double, [Box(torch.ones(1))])[0].inside.dtype, tree_flatten(Box((1, 2)))[0])
try:
    pytree.register_pytree_node(Box, lambda box: ([], None), lambda *_: Box(None))
except ValueError as e:
    print("already" in str(e))
