"""Nested containers as a list of leaves and a description of the nesting."""

import collections
from typing import Any, NamedTuple

__all__ = [
    "PyTree", "TreeSpec", "LeafSpec", "register_pytree_node", "tree_flatten", "tree_unflatten", "tree_leaves", "tree_structure",
    "tree_map", "tree_map_", "tree_map_only", "tree_all", "tree_any", "treespec_pprint",
]  # fmt: skip

PyTree = Any


class TreeSpec:
    """How leaves are nested: the type of the container, its context and what is inside."""

    def __init__(self, type, context, children_specs):
        self.type, self.context, self.children_specs = type, context, children_specs
        self.num_leaves = sum(child.num_leaves for child in children_specs) if type else 1

    def is_leaf(self):
        return self.type is None

    def __eq__(self, other):
        return (
            isinstance(other, TreeSpec)
            and self.type is other.type
            and self.context == other.context
            and self.children_specs == other.children_specs
        )

    def __repr__(self, indent=0):
        if self.is_leaf():
            return "*"
        indent += 2
        children = [child.__repr__(indent) for child in self.children_specs]
        return f"TreeSpec({self.type.__name__}, {self.context}, [" + (",\n" + " " * indent).join(children) + "])"


class LeafSpec(TreeSpec):
    """A leaf."""

    def __init__(self):
        super().__init__(None, None, [])


class NodeDef(NamedTuple):
    """A type of containers."""

    type: type
    flatten_fn: Any  # (tree) -> (children, context)
    unflatten_fn: Any  # (children, context) -> tree


# The types of containers; what else is in a tree is a leaf.
SUPPORTED_NODES = {}


def register_pytree_node(cls, flatten_fn, unflatten_fn, **_):
    """Makes a type one of containers."""
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn)


def _by_keys(tree):
    return list(tree.values()), list(tree.keys())


for _type in (tuple, list):
    register_pytree_node(_type, lambda tree: (list(tree), None), lambda children, _, make=_type: make(children))
for _type in (dict, collections.OrderedDict):
    register_pytree_node(_type, _by_keys, lambda children, keys, make=_type: make(zip(keys, children)))
register_pytree_node(
    collections.namedtuple, lambda tree: (list(tree), type(tree)), lambda children, context: context(*children)
)
register_pytree_node(
    collections.defaultdict,
    lambda tree: (list(tree.values()), [tree.default_factory, list(tree.keys())]),
    lambda children, context: collections.defaultdict(context[0], zip(context[1], children)),
)
register_pytree_node(
    collections.deque,
    lambda tree: (list(tree), tree.maxlen),
    lambda children, maxlen: collections.deque(children, maxlen=maxlen),
)


def _is_namedtuple(tree):
    return isinstance(tree, tuple) and hasattr(tree, "_fields")


def _get_node_type(tree):
    return collections.namedtuple if _is_namedtuple(tree) else type(tree)


def _children(tree):
    """The type, the context and the children of a container; the type of a leaf is None."""
    node = SUPPORTED_NODES.get(_get_node_type(tree))
    if node is None:
        return None, None, []
    children, context = node.flatten_fn(tree)
    return node.type, context, list(children)


def _flatten(tree, leaves, is_leaf):
    kind, context, children = _children(tree)
    if kind is None or is_leaf is not None and is_leaf(tree):
        leaves.append(tree)
        return LeafSpec()
    return TreeSpec(kind, context, [_flatten(child, leaves, is_leaf) for child in children])


def tree_flatten(tree, is_leaf=None):
    """The leaves of a tree, and how they are nested."""
    leaves = []
    return leaves, _flatten(tree, leaves, is_leaf)


def tree_unflatten(leaves, treespec):
    """The tree of leaves."""
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(
            f"tree_unflatten(leaves, treespec): `leaves` has length {len(leaves)} but the spec refers to a pytree "
            f"that holds {treespec.num_leaves} items ({treespec})."
        )
    rest = iter(leaves)

    def build(spec):
        if spec.is_leaf():
            return next(rest)
        return SUPPORTED_NODES[spec.type].unflatten_fn([build(child) for child in spec.children_specs], spec.context)

    return build(treespec)


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    """The tree with each leaf replaced by func of it and of the same leaf of the other trees."""
    leaves, spec = tree_flatten(tree, is_leaf)
    return tree_unflatten(map(func, leaves, *(tree_leaves(r, is_leaf) for r in rests)), spec)


def tree_map_(func, tree, *rests, is_leaf=None):
    """Calls func with each leaf and returns the tree."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def tree_map_only(types, func, tree, is_leaf=None):
    """The tree with func of its leaves of some types instead of them."""
    return tree_map(lambda leaf: func(leaf) if isinstance(leaf, types) else leaf, tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    return all(map(pred, tree_leaves(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    return any(map(pred, tree_leaves(tree, is_leaf)))


def _broadcast_to_and_flatten(tree, treespec):
    """Leaves for the tree of treespec from a tree of which a leaf may stand for a whole part; None if they differ."""
    kind, context, children = _children(tree)
    if kind is None:
        return [tree] * treespec.num_leaves
    if treespec.is_leaf() or kind is not treespec.type or context != treespec.context:
        return None
    if len(children) != len(treespec.children_specs):
        return None
    leaves = []
    for child, spec in zip(children, treespec.children_specs):
        part = _broadcast_to_and_flatten(child, spec)
        if part is None:
            return None
        leaves += part
    return leaves


class _Star:
    def __repr__(self):
        return "*"


def treespec_pprint(treespec):
    """The tree with stars for leaves."""
    return repr(tree_unflatten([_Star()] * treespec.num_leaves, treespec))
