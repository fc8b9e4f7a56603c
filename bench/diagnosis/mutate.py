"""Puts bugs into correct training programs, one at a time.

    mutate.py operators               lists the operators: name, causes, what they do
    mutate.py snippets                reads {operator: text} and prints {operator: mutants} as JSON
    mutate.py write KEPT PROGRAMS DIR writes the mutants that a table lists
    mutate.py sites PROGRAMS          lists all mutants, kept or not

`write` puts each mutant into DIR/ID/prog.py and prints a line of JSON for it: {"id",
"operator", "program", "causes", "lines"}. A line of the table KEPT is OPERATOR, PROGRAM,
SITE and the first characters of the SHA-256 of the mutant, separated by tabs. A mutant
whose text has changed since the table was made is an error: keep.py makes the table again.

An operator finds its sites in the syntax tree and edits the text there. The rest of the
text keeps its layout. The right answers are lines of the mutant:

- a line that was changed or inserted is right itself;
- for a line that was dropped, the statements before and after it in its block are right,
  or the header of the block where there is none;
- an operator adds lines where a maintainer would accept the repair equally, such as the
  backward() that accumulates because of a missing zero_grad(). It names them in its comment.

Nothing here is random, and nothing imports torch.
"""

import ast
import functools
import hashlib
import json
import os
import re
import sys

IN_PLACE = ["inplace-saved-tensor", "inplace-alias", "leaf-inplace", "illegal-view-inplace", "stale-graph-across-iterations"]
CARRIED = ["stale-graph-across-iterations", "second-backward", "memory-growth"]
OPERATORS = {}


class Mutant:
    """A changed text, with the lines of it that are right answers. `meant`: what the change looks like it does, if
    that is not what the program did before."""

    def __init__(self, text, lines, meant=None):
        self.text, self.lines, self.meant = text, sorted(set(lines)), meant


class Operator:
    def __init__(self, function, causes, shows):
        self.name = function.__name__.replace("_", "-")
        self.what = " ".join(function.__doc__.split())
        self.causes, self.shows, self.function = causes, shows, function

    def mutants(self, text):
        """The mutants of a text, without those that do not parse or change nothing."""
        found = []
        for mutant in self.function(parsed(text)):
            try:
                ast.parse(mutant.text)
            except SyntaxError:
                continue
            if mutant.text != text:
                found.append(mutant)
        return found


def operator(*causes, shows="behaviour"):
    """Adds a function to the table, with the causes that are right. `shows` is what a mutant must change to be
    kept: the behaviour of the program, the "graphs" that stay alive, or gradients to "nan"."""

    def add(function):
        made = Operator(function, list(causes), shows)
        OPERATORS[made.name] = made
        return function

    return add


class Program:
    """The text of a program and its syntax tree."""

    def __init__(self, text):
        self.text = text
        self.tree = ast.parse(text)
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.parents, self.blocks = {}, {}
        self.nodes = []
        for node in ast.walk(self.tree):
            self.nodes.append(node)
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
            for field in ("body", "orelse", "finalbody"):
                block = getattr(node, field, None)
                if isinstance(block, list):
                    for statement in block:
                        self.blocks[statement] = block
        self.nodes.sort(key=lambda n: (getattr(n, "lineno", 0), getattr(n, "col_offset", 0)))

    def all(self, kind):
        return [node for node in self.nodes if isinstance(node, kind)]

    def calls(self, *names):
        """The calls of functions or methods with one of these names."""
        return [call for call in self.all(ast.Call) if called(call) in names]

    def source(self, node):
        return self.text[self.at(node)[0] : self.at(node)[1]]

    def operand(self, node):
        """The source of an expression, in parentheses if it needs them before a dot."""
        atom = isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
        return self.source(node) if atom else "(%s)" % self.source(node)

    def at(self, node):
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset

    def replaced(self, *changes):
        """The text with other texts for nodes, or for ranges of it."""
        ranges = [(self.at(node) if isinstance(node, ast.AST) else node, new) for node, new in changes]
        text = self.text
        for (start, end), new in sorted(ranges, reverse=True):
            gone = text[start:end].count("\n") - new.count("\n")
            text = text[:start] + new + "\n" * max(0, gone if new.strip() else 0) + text[end:]
        return text

    def mutant(self, node, new, *also):
        """A node replaced by a text, with more right lines."""
        return Mutant(self.replaced((node, new)), [*self.span(node), *also])

    def span(self, node):
        return range(node.lineno, node.end_lineno + 1)

    def statement(self, node):
        while node not in self.blocks:
            node = self.parents[node]
        return node

    def inside(self, node, *kinds):
        """The nearest node of one of these kinds around a node, or None."""
        node = self.parents.get(node)
        while node is not None and not isinstance(node, kinds):
            node = self.parents.get(node)
        return node

    def scope(self, node):
        return self.inside(node, ast.FunctionDef) or self.tree

    def in_forward(self, node):
        function = self.inside(node, ast.FunctionDef)
        return function is not None and function.name == "forward" and not function.decorator_list

    def neighbours(self, statement):
        """The lines of the statements before and after one, or of the header of its block."""
        block = self.blocks[statement]
        i = block.index(statement)
        lines = []
        if i > 0:
            lines.extend(self.header(block[i - 1]))
        if i + 1 < len(block):
            lines.extend(self.header(block[i + 1]))
        if len(lines) < 2 and self.parents[statement] is not self.tree:
            lines.extend(self.header(self.parents[statement]))
        return lines

    def header(self, statement):
        """The lines of a statement, without its body."""
        body = getattr(statement, "body", None)
        return range(statement.lineno, body[0].lineno) if body else self.span(statement)

    def dropped(self, statement, *also):
        """A statement left out."""
        new = "pass" if len(self.blocks[statement]) == 1 else ""
        start, end = self.at(statement)
        place = (start, end) if new else (self.starts[statement.lineno - 1], end)
        return Mutant(self.replaced((place, new)), [*self.neighbours(statement), *([statement.lineno] if new else []), *also])

    def lines_of(self, *names, within=None):
        """The lines of all statements that call one of these."""
        lines = []
        for call in self.calls(*names):
            if within is None or within is self.tree or within in self.above(call):
                lines.append(call.lineno)
        return lines

    def above(self, node):
        while node in self.parents:
            node = self.parents[node]
            yield node

    def chunk(self, statement):
        """The lines of a statement, as they are in the text."""
        return self.text.splitlines()[statement.lineno - 1 : statement.end_lineno]

    def moved(self, statement, before=None, after=None, indent=None):
        """The text with a statement moved, and the line where it is then."""
        lines = self.text.splitlines()
        chunk = self.chunk(statement)
        if indent is not None:
            chunk = [" " * indent + line[statement.col_offset :] for line in chunk]
        there = before.lineno - 1 if before is not None else after.end_lineno
        if there > statement.lineno:
            new = lines[: statement.lineno - 1] + lines[statement.end_lineno : there] + chunk + lines[there:]
            return "\n".join(new) + "\n", there - len(chunk) + 1
        new = lines[:there] + chunk + lines[there : statement.lineno - 1] + lines[statement.end_lineno :]
        return "\n".join(new) + "\n", there + 1

    def inserted(self, statement, text, also=()):
        """A line inserted after a statement, with its indentation."""
        lines = self.text.splitlines()
        lines.insert(statement.end_lineno, " " * statement.col_offset + text)
        after = statement.end_lineno
        return Mutant("\n".join(lines) + "\n", [after + 1, *self.span(statement), *[line + (line > after) for line in also]])

    def criteria(self, *classes):
        """The names of loss modules of these classes: `criterion = nn.CrossEntropyLoss()`."""
        names = set()
        for assign in self.all(ast.Assign):
            if isinstance(assign.value, ast.Call) and called(assign.value) in classes:
                names.add(called_name(assign.targets[0]))
        return names

    def optimizers(self):
        """Statements that construct an optimizer, with the call and the name it gets."""
        found = []
        for call in self.all(ast.Call):
            function = call.func
            while isinstance(function, ast.Attribute) and function.attr != "optim":
                function = function.value
            if isinstance(function, ast.Attribute) and call.args and not self.source(call.func).startswith("torch.optim.lr_scheduler"):
                statement = self.statement(call)
                if isinstance(statement, ast.Assign):
                    found.append((statement, call, self.source(statement.targets[0])))
        return found

    def models(self):
        """Names that a statement at the top gives to a module, with that statement."""
        modules = {c.name for c in self.all(ast.ClassDef) if any("Module" in self.source(b) for b in c.bases)}
        modules |= {f.name for f in self.all(ast.FunctionDef) if any("nn.Sequential" in self.source(r) for r in ast.walk(f) if isinstance(r, ast.Return))}
        for statement in self.tree.body:
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name) and isinstance(statement.value, ast.Call):
                if called(statement.value) in modules | {"Sequential"}:
                    yield statement.targets[0].id, statement

    def losses(self):
        """The lines where something named like a loss is computed."""
        lines = []
        for node in self.all(ast.Assign):
            if any("loss" in self.source(target).lower() for target in node.targets):
                lines.extend(self.span(node))
        for node in self.all(ast.Return):
            scope = self.scope(node)
            inside = self.inside(node, ast.ClassDef)
            if "loss" in getattr(scope, "name", "").lower() or (inside is not None and "loss" in inside.name.lower()):
                lines.extend(self.span(node))
        return lines

    def backwards(self, node):
        """The calls of backward() in the function around a node, or in the program if it has none."""
        return self.lines_of("backward", within=self.scope(node)) or self.lines_of("backward")


@functools.cache
def parsed(text):
    return Program(text)


def called(call):
    """The last part of the name of what is called."""
    return called_name(call.func)


def called_name(node):
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def keyword(call, name):
    return next((k for k in call.keywords if k.arg == name), None)


def receiver(program, call):
    return program.source(call.func.value) if isinstance(call.func, ast.Attribute) else ""


def expression_calls(program, name):
    """The statements that are only a call of a method of this name, with the call."""
    for call in program.calls(name):
        statement = program.statement(call)
        if isinstance(statement, ast.Expr) and statement.value is call and isinstance(call.func, ast.Attribute):
            yield statement, call


def without_keyword(program, call, name):
    """The range of a keyword argument in a call, with the comma before it."""
    k = keyword(call, name)
    start, end = program.at(k)
    head = program.text[:start].rstrip()
    return (len(head) - 1 if head.endswith(",") else len(head), end)


def is_pure(node):
    """Whether an expression can be computed twice."""
    return isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) or (isinstance(node, ast.BinOp) and is_pure(node.left) and is_pure(node.right))


def steps(program, receiver_name, block):
    """The statements of a block that call NAME.step()."""
    return [s for s, c in expression_calls(program, "step") if receiver(program, c) == receiver_name and s in block]


def backward_in(program, block):
    return [s for s, _ in expression_calls(program, "backward") if s in block]


# The training loop.


@operator("grad-accumulated")
def drop_zero_grad(p):
    """leaves out zero_grad()"""
    # Also right: the backward() that accumulates, and the step() of the same optimizer.
    for statement, call in expression_calls(p, "zero_grad"):
        same = [c.lineno for c in p.calls("step") if receiver(p, c) == receiver(p, call)]
        yield p.dropped(statement, *p.backwards(call), *same)


@operator("step-order")
def zero_grad_before_step(p):
    """moves zero_grad() between backward() and step()"""
    for statement, call in expression_calls(p, "zero_grad"):
        block = p.blocks[statement]
        after = [s for s in steps(p, receiver(p, call), block) if s.lineno > statement.lineno]
        passes = [s for s in backward_in(p, block) if after and statement.lineno < s.lineno < after[0].lineno]
        if passes:
            text, line = p.moved(statement, before=after[0])
            yield Mutant(text, [line, passes[-1].lineno - 1, after[0].lineno])


@operator("grad-accumulated")
def zero_grad_outside_loop(p):
    """moves zero_grad() out of the loop over the batches"""
    # Also right: the loop, the backward() that accumulates, the step.
    for statement, call in expression_calls(p, "zero_grad"):
        loop = p.parents[statement]
        if isinstance(loop, ast.For) and backward_in(p, loop.body):
            text, line = p.moved(statement, before=loop, indent=loop.col_offset)
            inner = [s.lineno + (s.lineno < statement.lineno) for s in backward_in(p, loop.body) + steps(p, receiver(p, call), loop.body)]
            yield Mutant(text, [line, loop.lineno + 1, *inner])


@operator("step-order", "stepped-before-backward")
def step_before_backward(p):
    """exchanges backward() and the step() after it"""
    for statement, call in expression_calls(p, "step"):
        block = p.blocks[statement]
        before = [s for s in backward_in(p, block) if s.lineno < statement.lineno]
        if before and any(receiver(p, call) == name for _, _, name in p.optimizers()):
            text, line = p.moved(statement, before=before[-1])
            yield Mutant(text, [line, line + 1])


@operator("step-order")
def clip_after_step(p):
    """clips the gradients after the step"""
    for call in p.calls("clip_grad_norm_"):
        statement = p.statement(call)
        after = [s for s, _ in expression_calls(p, "step") if s in p.blocks[statement] and s.lineno > statement.lineno]
        if after:
            text, line = p.moved(statement, after=after[0])
            yield Mutant(text, [line, after[0].lineno - (statement.end_lineno - statement.lineno + 1)])


@operator("second-backward")
def backward_twice(p):
    """runs backward() twice"""
    for statement, call in expression_calls(p, "backward"):
        if isinstance(call.func.value, ast.Name) and not call.keywords:
            yield p.inserted(statement, p.source(statement))


@operator("second-backward")
def drop_retain_graph(p):
    """leaves out retain_graph=True"""
    # Also right: the other backward passes of the function.
    for call in p.all(ast.Call):
        if keyword(call, "retain_graph"):
            yield Mutant(p.replaced((without_keyword(p, call, "retain_graph"), "")), [*p.span(call), *p.backwards(call)])


@operator("accumulation-not-averaged")
def drop_division(p):
    """does not divide the loss of a micro-batch by their number"""
    # Also right: the backward().
    for assign in p.all(ast.Assign):
        value = assign.value
        by_name = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div) and not isinstance(value.right, ast.Constant)
        if not (by_name and "loss" in p.source(assign.targets[0])):
            continue
        block = p.blocks[assign]
        direct = [s for s, _ in expression_calls(p, "step") if s in block]
        if backward_in(p, block) and not direct and isinstance(p.parents[assign], ast.For):
            yield p.mutant(value, p.source(value.left), *p.backwards(assign))


@operator("memory-growth", shows="graphs")
def sum_of_losses(p):
    """adds up losses instead of their numbers"""
    for statement in p.all(ast.AugAssign):
        for call in ast.walk(statement.value):
            if isinstance(call, ast.Call) and called(call) == "item" and isinstance(statement.op, ast.Add):
                yield p.mutant(call, p.operand(call.func.value))


@operator("memory-growth", shows="graphs")
def list_of_losses(p):
    """keeps losses instead of their numbers"""
    for statement, call in expression_calls(p, "append"):
        for item in ast.walk(statement):
            if isinstance(item, ast.Call) and called(item) == "item" and call.args[0] is item:
                yield p.mutant(item, p.operand(item.func.value))


@operator("scheduler-per-batch")
def scheduler_in_inner_loop(p):
    """steps a scheduler of epochs in every batch"""
    # Also right: the construction of the scheduler.
    for statement, call in expression_calls(p, "step"):
        block = p.blocks[statement]
        loops = [s for s in block if isinstance(s, ast.For) and s.lineno < statement.lineno and backward_in(p, s.body)]
        if loops and "sched" in receiver(p, call) and not call.args:
            text, line = p.moved(statement, after=loops[-1].body[-1], indent=loops[-1].body[-1].col_offset)
            yield Mutant(text, [line, *[s.lineno for s in p.all(ast.Assign) if p.source(s.targets[0]) == receiver(p, call)]])


@operator("zero-learning-rate")
def learning_rate_zero(p):
    """constructs an optimizer with a rate of zero"""
    for _, call, _ in p.optimizers():
        rate = keyword(call, "lr")
        if rate and "[" not in p.source(call.args[0]):
            yield p.mutant(rate.value, "0.0", *p.span(call))


@operator("grad-none-rewrapped", "grad-none-detached")
def rewrap_loss(p):
    """makes a new tensor of the value of the loss"""
    for assign in p.all(ast.Assign):
        if p.source(assign.targets[0]).endswith("loss") and isinstance(assign.value, (ast.Call, ast.BinOp)) and backward_of(p, assign):
            value = "".join(line.strip() for line in p.source(assign.value).splitlines())
            yield p.mutant(assign.value, "torch.tensor((%s).item(), requires_grad=True)" % value)


def backward_of(p, assign):
    """The statements after an assignment that call backward() of what it assigns."""
    name = p.source(assign.targets[0])
    return [s for s, c in expression_calls(p, "backward") if receiver(p, c) == name and s in p.blocks[assign] and s.lineno > assign.lineno]


@operator("grad-none-detached")
def number_in_loss(p):
    """adds a part of the loss as a number"""
    for assign in p.all(ast.Assign):
        value = assign.value
        if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub)) and "loss" in p.source(assign.targets[0]):
            for side in (value.left, value.right):
                name = side.right if isinstance(side, ast.BinOp) and isinstance(side.op, ast.Mult) else side
                if isinstance(name, ast.Name):
                    yield p.mutant(name, name.id + ".item()")


@operator("nonscalar-backward")
def drop_reduction(p):
    """leaves out the mean or the sum of a loss"""
    # Also right: the backward().
    for call in p.calls("mean", "sum"):
        statement = p.statement(call)
        returned = isinstance(statement, ast.Return) and "loss" in getattr(p.scope(call), "name", "")
        assigned = isinstance(statement, ast.Assign) and "loss" in p.source(statement.targets[0])
        if (returned or assigned) and statement.value is call and isinstance(call.func, ast.Attribute):
            yield p.mutant(call, p.operand(call.func.value), *p.lines_of("backward"))


# Where gradients go.


@operator("target-not-detached", "second-backward", "stale-graph-across-iterations", "stepped-before-backward", "grad-accumulated")
def drop_detach(p):
    """leaves out detach()"""
    for call in p.calls("detach"):
        statement = p.statement(call)
        if isinstance(call.func, ast.Attribute) and not carries(p, statement, call) and not isinstance(p.parents[call], ast.GeneratorExp):
            yield p.mutant(call, p.operand(call.func.value))


def carries(p, statement, call):
    """Whether a statement cuts the history of a state: `h = h.detach()`."""
    return isinstance(statement, ast.Assign) and p.source(statement.targets[0]) == p.source(call.func.value)


@operator(*CARRIED)
def drop_state_detach(p):
    """carries a state on without detach()"""
    # Also right: the lines that assign the state.
    for call in p.calls("detach"):
        statement = p.statement(call)
        if isinstance(call.func, ast.Attribute) and carries(p, statement, call):
            name = p.source(statement.targets[0])
            again = [s.lineno for s in p.all(ast.Assign) if name in re.findall(r"\w+", p.source(s.targets[0]))]
            yield p.mutant(call, name, *again)


@operator(*CARRIED)
def state_of_a_generator(p):
    """does not cut the history of a tuple of states"""
    # Also right: the lines that assign the state, or ask for the tuple.
    for generator in p.all(ast.GeneratorExp):
        call = generator.elt
        if isinstance(call, ast.Call) and called(call) == "detach":
            function = getattr(p.scope(call), "name", "")
            again = [s.lineno for s in p.all(ast.Assign) if "state" in p.source(s.targets[0])]
            yield p.mutant(call, p.operand(call.func.value), *again, *p.lines_of(function))


@operator("grad-none-detached", "no-grad-path")
def add_detach(p):
    """detaches a value in a forward method"""
    for assign in p.all(ast.Assign):
        if p.in_forward(assign) and isinstance(assign.value, ast.Call) and isinstance(assign.targets[0], ast.Name):
            yield p.mutant(assign.value, p.source(assign.value) + ".detach()")


@operator("grad-none-detached", "no-grad-path")
def data_of_activation(p):
    """continues with .data of an operand in a forward method"""
    for node in p.all(ast.BinOp):
        if p.in_forward(node) and isinstance(node.left, ast.Name) and isinstance(p.statement(node), (ast.Assign, ast.Return)):
            yield p.mutant(node.left, node.left.id + ".data")


@operator("no-grad-path")
def forward_without_grad(p):
    """runs a forward pass of training under no_grad()"""
    for assign in p.all(ast.Assign):
        if p.scope(assign) is not p.tree and p.in_forward(assign):
            continue
        block = p.blocks[assign]
        if isinstance(assign.value, ast.Call) and [s for s in backward_in(p, block) if s.lineno > assign.lineno] and is_model_call(p, assign.value):
            yield p.mutant(assign, "with torch.no_grad(): " + p.source(assign))


def is_model_call(p, call):
    return any(word in p.source(call.func) for word in ("model", "net", "generator", "critic", "encoder", "policy", "discriminator", "learner"))


@operator("leaf-inplace", "target-not-detached", "second-backward", "stale-graph-across-iterations", "memory-growth", "inplace-saved-tensor")
def drop_no_grad(p):
    """leaves out no_grad()"""
    # Also right: the lines of the block, which can detach as well.
    for block in p.all((ast.With, ast.FunctionDef)):
        for guard in [i.context_expr for i in block.items] if isinstance(block, ast.With) else block.decorator_list:
            if not p.source(guard).endswith("no_grad()"):
                continue
            inside = [line for s in ast.walk(block) if isinstance(s, ast.stmt) and s is not block for line in p.header(s)]
            if isinstance(block, ast.With):
                start, end = p.at(guard)
                yield Mutant(p.replaced(((p.starts[block.lineno - 1] + block.col_offset, end), "if True")), [block.lineno, *inside])
            else:
                start, end = p.at(guard)
                yield Mutant(p.replaced(((p.starts[guard.lineno - 1], end), "")), [block.lineno, *inside])


@operator("missing-create-graph", "no-grad-path")
def drop_create_graph(p):
    """leaves out create_graph=True"""
    for call in p.all(ast.Call):
        if keyword(call, "create_graph"):
            yield Mutant(p.replaced((without_keyword(p, call, "create_graph"), "")), p.span(call))


@operator("nondifferentiable-op", "vanishing-grad")
def sign_of_activation(p):
    """replaces an activation by a sign"""
    for call in p.calls("tanh", "relu", "sigmoid"):
        if p.in_forward(call) and len(call.args) == 1 and not isinstance(p.statement(call), ast.FunctionDef):
            yield p.mutant(call.func, "torch.sign")


@operator("nan-grad", shows="nan")
def drop_epsilon(p):
    """leaves out what keeps a root or a division from zero"""
    for call in p.calls("add", "clamp"):
        if isinstance(call.func, ast.Attribute) and re.search(r"1e-\d+", p.source(call)):
            yield p.mutant(call, p.operand(call.func.value))
    for node in p.all(ast.BinOp):
        if isinstance(node.op, ast.Add) and isinstance(node.right, ast.Constant) and re.match(r"1e-\d+", p.source(node.right)):
            yield p.mutant(node, p.source(node.left))


# In place.


@operator(*IN_PLACE)
def augmented_assignment(p):
    """turns `y = y + x` into `y += x`"""
    symbols = {ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*=", ast.Div: "/="}
    for assign in p.all(ast.Assign):
        value, target = assign.value, assign.targets[0]
        if isinstance(value, ast.BinOp) and type(value.op) in symbols and p.source(value.left) == p.source(target):
            new = "%s %s %s" % (p.source(target), symbols[type(value.op)], p.source(value.right))
            yield p.mutant(assign, new)


@operator(*IN_PLACE)
def in_place_function(p):
    """calls the in-place form of an activation"""
    for call in p.calls("relu", "tanh", "sigmoid", "exp", "elu", "clamp", "masked_fill", "leaky_relu"):
        if not isinstance(call.func, ast.Attribute) or p.inside(call, ast.Lambda):
            continue
        module = p.operand(call.func.value)
        name = call.func.attr
        if module in ("F", "nn.functional", "torch.nn.functional") or module != "torch" or name in ("relu", "tanh", "sigmoid", "exp", "clamp"):
            yield p.mutant(call.func, module + "." + name + "_")


@operator(*IN_PLACE)
def in_place_module(p):
    """constructs a module with inplace=True"""
    # Also right: the lines of forward() that run it, or the write that it causes.
    for call in p.calls("ReLU", "Dropout", "LeakyReLU", "ELU", "SiLU"):
        if keyword(call, "inplace") is None and isinstance(call.func, ast.Attribute):
            arguments = [p.source(a) for a in call.args] + ["%s=%s" % (k.arg, p.source(k.value)) for k in call.keywords]
            name = p.source(p.statement(call)).split(" = ")[0]
            uses = [c.lineno for c in p.all(ast.Call) if p.source(c.func) == name]
            yield p.mutant(call, "%s(%s)" % (p.source(call.func), ", ".join([*arguments, "inplace=True"])), *uses)


@operator("data-bypass-silent")
def data_write(p):
    """scales a result that was saved, through .data"""
    for assign in p.all(ast.Assign):
        name = assign.targets[0]
        if isinstance(name, ast.Name) and isinstance(assign.value, ast.Call) and called(assign.value) in ("tanh", "sigmoid", "exp", "softmax"):
            if p.inside(assign, ast.FunctionDef) and not p.inside(assign, ast.With):
                mutant = p.inserted(assign, "%s.data.mul_(0.9)" % name.id)
                mutant.meant = p.inserted(assign, "%s = %s * 0.9" % (name.id, name.id)).text
                yield mutant


@operator("param-rebound", "optimizer-missing-param")
def rebind_parameter(p):
    """binds a name to a new tensor instead of writing to the parameter"""
    for loop in p.all(ast.For):
        names = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
        for statement in loop.body:
            if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name) and statement.target.id in names:
                symbol = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}.get(type(statement.op))
                if symbol:
                    yield p.mutant(statement, "%s = %s %s (%s)" % (statement.target.id, statement.target.id, symbol, p.source(statement.value)))
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
                continue
            text = p.source(statement)
            name = re.match(r"(\w+)\.(\w+)_\(", text)
            if name and name[1] in names and name[2] == "copy":
                yield p.mutant(statement, "%s = %s" % (name[1], p.source(statement.value.args[0])))
            elif name and name[1] in names:
                yield p.mutant(statement, "%s = %s" % (name[1], re.sub(r"(\.[a-z]+)_\(", r"\1(", text)))


# Modules and optimizers.


@operator("train-mode-in-evaluation")
def drop_eval(p):
    """leaves out eval()"""
    # Also right: the evaluation, which are the lines of the no_grad() block of the function, and its calls.
    for statement, call in expression_calls(p, "eval"):
        if not isinstance(call.func.value, ast.Name) and not receiver(p, call).startswith("self."):
            continue
        scope = p.scope(call)
        body = [w for w in p.all(ast.With) if "no_grad" in p.source(w.items[0].context_expr) and (scope is p.tree or scope in p.above(w))]
        if scope is not p.tree and any("no_grad" in p.source(d) for d in scope.decorator_list):
            body.append(scope)
        inside = [line for w in body for s in ast.walk(w) if isinstance(s, ast.stmt) and s is not w for line in p.header(s)]
        yield p.dropped(statement, *inside, *[w.lineno for w in body], *p.lines_of(getattr(scope, "name", "")))


@operator("frozen-norm-updates", "train-mode-in-evaluation")
def drop_eval_of_part(p):
    """leaves a frozen part in training mode"""
    # Also right: the train() before it, which includes the part.
    for statement, call in expression_calls(p, "eval"):
        if isinstance(call.func.value, ast.Attribute) and not receiver(p, call).startswith("self."):
            yield p.dropped(statement, *p.lines_of("train", within=p.scope(call)))


@operator("eval-mode-while-training")
def drop_train(p):
    """leaves out train()"""
    # Also right: every eval(), which nothing undoes any more.
    for statement, call in expression_calls(p, "train"):
        if call.args and not isinstance(getattr(call.args[0], "value", None), bool):
            continue  # a function of the program that trains
        yield p.dropped(statement, *p.lines_of("eval"))


@operator("dropout-in-evaluation")
def dropout_function(p):
    """calls dropout as a function that does not know the mode"""
    for call in p.calls("dropout"):
        if keyword(call, "training"):
            yield Mutant(p.replaced((without_keyword(p, call, "training"), "")), p.span(call))
    modules = p.criteria("Dropout")
    for call in p.all(ast.Call):
        if called(call) in modules and p.source(call.func).startswith("self."):
            yield p.mutant(call.func, "torch.nn.functional.dropout", *p.span(call))


@operator("optimizer-missing-param")
def rebuild_model(p):
    """builds the model once more, after the optimizer"""
    # Also right: the construction of the optimizer.
    for name, statement in p.models():
        for made, call, _ in p.optimizers():
            if made in p.tree.body and re.search(r"\b%s\b" % name, p.source(call.args[0])) and made.lineno > statement.lineno:
                source = " ".join(line.strip() for line in p.source(statement).splitlines())
                mutant = p.inserted(made, source)
                yield Mutant(mutant.text, [*mutant.lines, *p.span(statement)])


@operator("optimizer-missing-param")
def part_of_parameters(p):
    """gives the optimizer all parameters but the first or the last ones"""
    for _, call, _ in p.optimizers():
        if isinstance(call.args[0], ast.Call) and called(call.args[0]) == "parameters":
            yield p.mutant(call.args[0], "list(%s)[2:]" % p.source(call.args[0]), *p.span(call))
            yield p.mutant(call.args[0], "list(%s)[:-2]" % p.source(call.args[0]), *p.span(call))


@operator("optimizer-missing-param")
def drop_group(p):
    """leaves out a group or an entry of a list of parameters"""
    # Also right: the construction of the optimizer.
    lists = []
    for statement, call, _ in p.optimizers():
        if isinstance(call.args[0], ast.List):
            lists.append((call.args[0], statement))
        elif isinstance(call.args[0], ast.Name):
            name = call.args[0].id
            lists += [(s.value, statement) for s in p.all(ast.Assign) if isinstance(s.value, ast.List) and p.source(s.targets[0]) == name]
    for parameters, statement in lists:
        for i in range(len(parameters.elts) if len(parameters.elts) > 1 else 0):
            rest = [p.source(e) for j, e in enumerate(parameters.elts) if j != i]
            text = p.replaced((parameters, "[" + ", ".join(rest) + "]"))
            yield Mutant(text, [*p.span(parameters), *p.span(statement)])


@operator("optimizer-missing-param")
def list_of_modules(p):
    """keeps layers in a Python list"""
    # Also right: the construction of the optimizer.
    for call in p.calls("ModuleList"):
        made = [line for statement, _, _ in p.optimizers() for line in p.span(statement)]
        new = p.source(call.args[0]) if isinstance(call.args[0], (ast.List, ast.ListComp)) else "list(%s)" % p.source(call.args[0])
        yield p.mutant(call, new, *made)


@operator("parameter-updated-twice", "grad-accumulated")
def two_optimizers(p):
    """gives the parameters of one optimizer to another one as well"""
    # Also right: the steps and the constructions of both.
    made = [(s, c, n) for s, c, n in p.optimizers() if isinstance(c.args[0], ast.Call) and called(c.args[0]) == "parameters"]
    for statement, call, name in made:
        for other, first, its_name in made:
            if p.blocks[other] is not p.blocks[statement] or p.source(first.args[0]) == p.source(call.args[0]) or p.scope(other) is not p.scope(statement):
                continue
            both = "[*%s, *%s]" % (p.source(call.args[0]), p.source(first.args[0]))
            also = [c.lineno for c in p.calls("step") if receiver(p, c) in (name, its_name)]
            yield p.mutant(call.args[0], both, *p.span(call), *p.span(first), *also)


@operator("frozen-by-mistake")
def freeze_last_layer(p):
    """freezes the last parameters of a model before it is trained"""
    for name, statement in p.models():
        if any(re.search(r"\b%s\.parameters\(\)" % name, p.source(c.args[0])) for _, c, _ in p.optimizers()) or re.search(r"\(%s[,.)]" % name, p.text):
            yield p.inserted(statement, "for p in list(%s.parameters())[-2:]: p.requires_grad_(False)" % name)


@operator("frozen-by-mistake", "no-grad-path")
def freeze_whole_model(p):
    """freezes a model where only a part of it is meant"""
    for call in p.all(ast.Call):
        if len(call.args) == 2 and p.source(call.args[1]) == "False" and isinstance(call.args[0], ast.Attribute):
            yield p.mutant(call.args[0], p.source(call.args[0].value))
    for loop in p.all(ast.For):
        freezes = "requires_grad = False" in p.source(loop) or "requires_grad_(False)" in p.source(loop)
        if freezes and isinstance(loop.iter, ast.Call) and isinstance(loop.iter.func, ast.Attribute) and isinstance(loop.iter.func.value, ast.Attribute):
            yield p.mutant(loop.iter.func.value, p.source(loop.iter.func.value.value), *p.span(loop))


@operator("symmetric-init", "vanishing-grad", "dead-relu")
def constant_init(p):
    """starts with equal weights everywhere"""
    for name, statement in p.models() if re.search(r"nn\.(Linear|Conv|Embedding|GRU|LSTM)", p.text) else ():
        yield p.inserted(statement, "for p in %s.parameters(): torch.nn.init.constant_(p, 0.1)" % name)


@operator("snapshot-aliases-weights")
def state_without_copy(p):
    """keeps the state of a model without a copy"""
    for call in p.calls("deepcopy"):
        if call.args and isinstance(call.args[0], ast.Call) and called(call.args[0]) == "state_dict":
            yield p.mutant(call, p.source(call.args[0]))
    for call in p.calls("clone"):
        if p.inside(call, ast.DictComp) and isinstance(call.func, ast.Attribute):
            new = p.source(call.func.value)
            yield p.mutant(call, new.replace(".detach()", ""))


@operator("tied-weights-broken", "grad-none-rewrapped")
def break_tie(p):
    """copies a weight that two layers should share"""
    for assign in p.all(ast.Assign):
        if all(re.match(r"[\w.]+\.weight$", p.source(side)) for side in (assign.targets[0], assign.value)):
            yield p.mutant(assign.value, "torch.nn.Parameter(%s.detach().clone())" % p.source(assign.value))


# Shapes and losses.


@operator("misaligned-reshape")
def reshape_for_transpose(p):
    """reshapes where dimensions have to be exchanged"""
    for call in p.calls("transpose", "permute", "t"):
        if isinstance(call.func, ast.Attribute) and is_pure(call.func.value) and p.source(call.func.value) != "torch":
            value = p.operand(call.func.value)
            yield p.mutant(call, "%s.reshape(%s.shape)" % (value, p.source(call)))


@operator("broadcast-mismatch")
def drop_squeeze(p):
    """leaves out squeeze() or unsqueeze()"""
    # Also right: the lines of losses, where the shapes meet.
    for call in p.calls("squeeze", "unsqueeze"):
        if isinstance(call.func, ast.Attribute):
            yield p.mutant(call, p.operand(call.func.value), *p.losses())


@operator("broadcast-mismatch")
def drop_keepdim(p):
    """leaves out keepdim=True"""
    # Also right: the lines of losses, where the shapes meet.
    for call in p.all(ast.Call):
        if keyword(call, "keepdim"):
            yield Mutant(p.replaced((without_keyword(p, call, "keepdim"), "")), [*p.span(call), *p.losses()])


@operator("softmax-before-cross-entropy")
def softmax_before_cross_entropy(p):
    """gives probabilities to cross_entropy"""
    names = p.criteria("CrossEntropyLoss") | {"cross_entropy"}
    for call in p.calls(*names):
        yield p.mutant(call.args[0], "torch.softmax(%s, dim=1)" % p.source(call.args[0]), *p.span(call))


@operator("sigmoid-before-bce-with-logits")
def sigmoid_before_bce(p):
    """gives probabilities to binary_cross_entropy_with_logits"""
    names = p.criteria("BCEWithLogitsLoss") | {"binary_cross_entropy_with_logits"}
    for call in p.calls(*names):
        yield p.mutant(call.args[0], "torch.sigmoid(%s)" % p.source(call.args[0]), *p.span(call))


@operator("softmax-wrong-dim")
def softmax_over_batch(p):
    """normalises over the batch"""
    for call in p.calls("softmax", "log_softmax"):
        dim = keyword(call, "dim")
        if dim and p.source(dim.value) != "0":
            yield p.mutant(dim.value, "0", *p.span(call))


def sites(programs):
    """All mutants of the programs of a folder: operator, program, number, mutant."""
    for name in sorted(os.listdir(programs)):
        if name.endswith(".py"):
            with open(os.path.join(programs, name), encoding="ascii") as file:
                text = file.read()
            for op in OPERATORS.values():
                for i, mutant in enumerate(op.mutants(text)):
                    yield op, name, i, mutant


def digest(mutant):
    return hashlib.sha256(mutant.text.encode()).hexdigest()[:12]


def write(kept, programs, folder):
    with open(kept, encoding="ascii") as file:
        rows = [line.rstrip("\n").split("\t")[:4] for line in file if line.strip() and not line.startswith("#")]
    for name, program, site, wanted in rows:
        with open(os.path.join(programs, program), encoding="ascii") as file:
            mutants = OPERATORS[name].mutants(file.read())
        if int(site) >= len(mutants) or digest(mutants[int(site)]) != wanted:
            sys.exit("mutate.py: %s of %s, number %s, is not what the table lists: run keep.py" % (name, program, site))
        mutant = mutants[int(site)]
        known = "%s.%s.%s" % (name, program[:-3], site)
        os.makedirs(os.path.join(folder, known), exist_ok=True)
        with open(os.path.join(folder, known, "prog.py"), "w", encoding="ascii") as file:
            file.write(mutant.text)
        print(json.dumps({"id": known, "operator": name, "program": program, "causes": OPERATORS[name].causes, "lines": mutant.lines}))


def main(arguments):
    command = arguments[0] if arguments else ""
    if command == "operators":
        for op in OPERATORS.values():
            print("\t".join([op.name, ",".join(op.causes), op.what]))
    elif command == "snippets":
        snippets = json.load(sys.stdin)
        json.dump({name: [vars(mutant) for mutant in OPERATORS[name].mutants(text)] for name, text in snippets.items()}, sys.stdout)
    elif command == "write" and len(arguments) == 4:
        write(*arguments[1:])
    elif command == "sites" and len(arguments) == 2:
        for op, name, i, mutant in sites(arguments[1]):
            print("\t".join([op.name, name, str(i), digest(mutant)]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
