"""Nested containers as a list of leaves and a description of the nesting."""

import collections

__all__ = ["tree_flatten", "tree_unflatten", "tree_leaves", "tree_map", "tree_map_", "tree_structure", "treespec_pprint"]


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


LeafSpec = TreeSpec(None, None, [])


def _is_namedtuple(tree):
    return isinstance(tree, tuple) and hasattr(tree, "_fields")


def _children(tree):
    """The type, the context and the children of a container; the type of a leaf is None."""
    kind = type(tree)
    if _is_namedtuple(tree):
        return collections.namedtuple, kind, list(tree)
    if kind in (tuple, list):
        return kind, None, list(tree)
    if kind in (dict, collections.OrderedDict):
        return kind, list(tree.keys()), list(tree.values())
    if kind is collections.defaultdict:
        return kind, [tree.default_factory, list(tree.keys())], list(tree.values())
    if kind is collections.deque:
        return kind, tree.maxlen, list(tree)
    return None, None, []


def _build(spec, children):
    if spec.type is collections.namedtuple:
        return spec.context(*children)
    if spec.type in (tuple, list):
        return spec.type(children)
    if spec.type is collections.defaultdict:
        return spec.type(spec.context[0], zip(spec.context[1], children))
    if spec.type is collections.deque:
        return spec.type(children, maxlen=spec.context)
    return spec.type(zip(spec.context, children))


def _flatten(tree, leaves, is_leaf):
    kind, context, children = _children(tree)
    if kind is None or is_leaf is not None and is_leaf(tree):
        leaves.append(tree)
        return LeafSpec
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
        return next(rest) if spec.is_leaf() else _build(spec, [build(child) for child in spec.children_specs])

    return build(treespec)


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    """The tree with func of its leaves, and of those of other trees like it, instead of them."""
    leaves, spec = tree_flatten(tree, is_leaf)
    return tree_unflatten(map(func, leaves, *(tree_leaves(r, is_leaf) for r in rests)), spec)


def tree_map_(func, tree, *rests, is_leaf=None):
    """Calls func with each leaf and returns the tree."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


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
