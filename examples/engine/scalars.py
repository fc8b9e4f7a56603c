"""An autograd engine for single numbers, and the tape of a program that runs on it.

    python3 scalars.py > scalars.tape
    gradtui tape verify scalars.tape
    gradtui open scalars.tape

Nothing of gradtui is used: an engine in any language can print the same lines, which
docs/internals/tape-format.md describes under "Text".
"""
import itertools
import json
import sys

tensors, nodes, passes = itertools.count(1), itertools.count(1), itertools.count(1)
first_of_all = 2**64 - 1  # the sequence number of AccumulateGrad, which runs as soon as it can
sequence = itertools.count()
stacks = {}


def emit(kind, fields):
    """Prints an event, at the line of main that caused it."""
    frame = sys._getframe()
    while frame.f_code.co_name != "main":
        frame = frame.f_back
    if (line := frame.f_lineno) not in stacks:
        stacks[line] = len(stacks) + 1
        print(f'stack {stacks[line]} {json.dumps(__file__)}:{line}:0-0:0:"main"')
    print(f"+1us {kind} @{stacks[line]} {fields}")


def content(x):
    return f"(dtype=float64 count=1 whole=true first=[{x!r}])"


class Node:
    def __init__(self, name, order, parents=(), partials=(), saved="", leaf=None):
        self.number, self.order, self.parents, self.partials, self.leaf = next(nodes), order, parents, partials, leaf
        variable = f" variable={leaf.number}" if leaf else ""
        edges = ",".join(f"(node={p.number})" for p in parents)
        emit("node-created", f'node={self.number} name="{name}" sequence={order} outputs=1{variable} '
             f"edges=[{edges}]{saved}")


class Scalar:
    def __init__(self, data, node=None, flags="requires_grad"):
        self.data, self.node, self.accumulate, self.grad, self.number = float(data), node, None, None, next(tensors)
        emit("tensor-created", f"tensor={self.number} storage={self.number} bytes=8 counter={self.number} "
             "dtype=float64 " + (f"node={node.number}" if node else f"flags={flags}") + f" value={content(self.data)}")

    def edge(self):
        if not self.node and not self.accumulate:
            self.accumulate = Node("AccumulateGrad", first_of_all, leaf=self)
        return self.node or self.accumulate

    def result(self, op, data, other, partials, saved=""):
        node = Node(f"{op.title()}Backward0", next(sequence), (self.edge(), other.edge()), partials, saved)
        out = Scalar(data, node)
        emit("op-ran", f'op="{op}" inputs=[{self.number},{other.number}] outputs=[{out.number}] node={node.number}')
        return out

    def __add__(self, other):
        return self.result("add", self.data + other.data, other, (1.0, 1.0))

    def __mul__(self, other):
        saved = f' saved=[(name="self" tensor={self.number}),(name="other" tensor={other.number})]'
        return self.result("mul", self.data * other.data, other, (other.data, self.data), saved)

    def backward(self):
        run, grads = next(passes), {self.node: 1.0}
        emit("backward-began", f"backward={run} "
             f"roots=[(tensor={self.number} node={self.node.number} grad={content(1.0)})]")
        while grads:
            node = max(grads, key=lambda node: node.order if node.partials else -1)
            grad, names = grads.pop(node), f"backward={run} node={node.number}"
            emit("node-ready", names)
            out = [grad * partial for partial in node.partials]
            for parent, part in zip(node.parents, out):
                grads[parent] = grads.get(parent, 0.0) + part
            if leaf := node.leaf:
                how = "inplace" if leaf.grad else "steal"
                leaf.grad = leaf.grad or Scalar(0, flags="gradient")
                leaf.grad.data += grad
                emit("grad-accumulated", f"backward={run} tensor={leaf.number} grad={leaf.grad.number} how={how} "
                     f"added={content(grad)} value={content(leaf.grad.data)}")
            emit("node-executed", f"{names} in=[{content(grad)}] out=[{','.join(map(content, out))}]")
            emit("saved-freed", names)
        emit("backward-ended", f"backward={run}")


def main():
    w, x, b = Scalar(3), Scalar(2), Scalar(1)
    y = w * x + b
    loss = y * y
    loss.backward()
    print(w.grad.data, x.grad.data, b.grad.data, file=sys.stderr)


print('# gradtui tape 2.0\n# engine "scalars"\n# program "scalars.py"')
main()
