"""Lists the mutants whose run differs from the run of their program.

    tools/pytorch/python-torch-2.6 -W ignore bench/diagnosis/keep.py [--jobs N] [--most N] > bench/diagnosis/kept.tsv

The interpreter must have PyTorch, which is imported once: programs and mutants run in forks
of this process. Of each run it compares

- gradients: the norm of every parameter's gradient before each step of an optimizer;
- trajectory: the norm of every parameter after that step, the loss of each backward pass,
  and what the program prints;
- error: the text of the exception that ends the run;
- graphs: how many nodes of the graph are alive at each backward pass.

Most operators must change one of the first three. Those that are meant to keep graphs
alive must make the last one grow over four passes, which the program does not, and those
that are meant to spoil gradients must make NaN.

A mutant is left out if its exception is not about gradients, such as one about shapes, if
it runs for too long, if it has the gradients that the change means to give, or if another mutant of its operator has the same trace in this
program. `--most` is the number of mutants of one operator that are kept. They are chosen by
the digest of their text: first one of each program, then a second one, and so on.
"""

import concurrent.futures
import contextlib
import gc
import io
import json
import os
import re
import signal
import sys
import warnings

import mutate
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")
MOST_SECONDS = 20
TOLERANCE = 1e-5

# What the errors of autograd say. The rest, such as shapes that do not match, needs no diagnosis.
ABOUT_GRADIENTS = re.compile(
    "inplace operation|in-place|in place|does not require grad|second time|leaf|can be implicitly created|"
    "not to have been used in the graph|is a view|deepcopy|empty parameter list|inference"
)


def living_nodes():
    """The number of nodes that tensors alive now can reach."""
    seen, todo = set(), []
    for thing in gc.get_objects():
        if isinstance(thing, torch.Tensor) and thing.grad_fn is not None:
            todo.append(thing.grad_fn)
    while todo:
        node = todo.pop()
        if node in seen:
            continue
        seen.add(node)
        todo.extend(f for f, _ in node.next_functions if f is not None)
    return len(seen)


def norm(tensor):
    return None if tensor is None else tensor.detach().double().norm().item()


class Trace:
    """Follows the program that runs in this process."""

    def __init__(self):
        self.gradients, self.trajectory, self.graphs = [], [], []
        self.error = ""
        backward, init = torch.Tensor.backward, torch.optim.Optimizer.__init__
        trace = self

        def traced_backward(tensor, *arguments, **named):
            trace.trajectory.append(norm(tensor))
            trace.graphs.append(living_nodes())
            return backward(tensor, *arguments, **named)

        def traced_init(optimizer, *arguments, **named):
            init(optimizer, *arguments, **named)
            optimizer.register_step_pre_hook(trace.before_step)
            optimizer.register_step_post_hook(trace.after_step)

        torch.Tensor.backward = traced_backward
        torch.optim.Optimizer.__init__ = traced_init

    def before_step(self, optimizer, *_):
        self.gradients.append([norm(p.grad) for group in optimizer.param_groups for p in group["params"]])

    def after_step(self, optimizer, *_):
        self.trajectory.append([norm(p) for group in optimizer.param_groups for p in group["params"]])

    def run(self, text):
        printed = io.StringIO()
        warnings.simplefilter("ignore")
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
                exec(compile(text, "prog.py", "exec"), {"__name__": "__main__"})
        except Exception as error:
            self.error = "%s: %s" % (type(error).__name__, error)
        numbers = [float(n) for n in re.findall(r"-?\d+\.\d+(?:e-?\d+)?", printed.getvalue())]
        return {"gradients": self.gradients, "trajectory": [self.trajectory, numbers], "error": self.error, "graphs": self.graphs}


def trace(text):
    """Runs a program in a fork, and returns its trace, or None if it takes too long or is killed."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reader)
            signal.alarm(MOST_SECONDS)
            with os.fdopen(writer, "w") as out:
                json.dump(Trace().run(text), out)
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader) as come:
        answer = come.read()
    return json.loads(answer) if os.waitpid(child, 0)[1] == 0 else None


def same(a, b):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= TOLERANCE * max(1, abs(a), abs(b)) or (a != a and b != b)
    return a == b


def grows(counts):
    """Whether numbers rise three times in a row, as they do if each iteration keeps a graph."""
    return any(a < b < c < d for a, b, c, d in zip(counts, counts[1:], counts[2:], counts[3:]))


def has_nan(numbers):
    return any(map(has_nan, numbers)) if isinstance(numbers, list) else numbers != numbers


def differences(program, traces):
    """For the mutants of a program, what differs: (operator, site, digest, difference)."""
    with open(os.path.join(PROGRAMS, program), encoding="ascii") as file:
        text = file.read()
    before = traces(text)
    if before is None or before["error"]:
        sys.exit("keep.py: %s does not run: %s" % (program, before and before["error"]))
    found = []
    for op in mutate.OPERATORS.values():
        seen = []
        for i, mutant in enumerate(op.mutants(text)):
            after = traces(mutant.text)
            if after is None or (after["error"] and not ABOUT_GRADIENTS.search(after["error"])):
                continue
            kinds = [kind for kind in ("error", "gradients", "trajectory", "graphs") if not same(before[kind], after[kind])]
            shown = {"behaviour": kinds != ["graphs"], "graphs": grows(after["graphs"]) and not grows(before["graphs"]), "nan": has_nan(after["gradients"])}
            if not kinds or not shown[op.shows]:
                continue
            meant = mutant.meant and traces(mutant.meant)
            if meant and same(after["gradients"], meant["gradients"]):
                continue
            if any(all(same(after[kind], other[kind]) for kind in after) for other in seen):
                continue
            seen.append(after)
            found.append((op.name, program, i, mutate.digest(mutant), kinds[0]))
    return found


def chosen(rows, most):
    """At most a number of mutants of each operator, spread over the programs."""
    kept = []
    for name in mutate.OPERATORS:
        turns = {}
        for row in sorted((r for r in rows if r[0] == name), key=lambda r: r[3]):
            turns.setdefault(row[1], []).append(row)
        turn = [(i, row[3], row) for programs in turns.values() for i, row in enumerate(programs)]
        kept += sorted(row for _, _, row in sorted(turn)[:most])
    return kept


def main(arguments):
    options = {"--jobs": "2", "--most": "14"}
    while len(arguments) > 1 and arguments[0] in options:
        options[arguments[0]] = arguments[1]
        del arguments[:2]
    torch.set_num_threads(1)
    type("Late", (torch.optim.SGD,), {})([torch.zeros(1)], 0.1).step()  # imports what the first step imports
    gc.collect()
    gc.freeze()  # so that living_nodes() looks only at what the program makes
    programs = arguments or sorted(p for p in os.listdir(PROGRAMS) if p.endswith(".py"))
    rows = []
    with concurrent.futures.ThreadPoolExecutor(int(options["--jobs"])) as pool:
        for found in pool.map(lambda program: differences(program, trace), programs):
            rows += found
            print(".", end="", file=sys.stderr, flush=True)
    print("# operator\tprogram\tsite\tdigest\twhat differs first (PyTorch %s)" % torch.__version__.split("+")[0])
    for row in chosen(rows, int(options["--most"])):
        print("\t".join(map(str, row)))
    print("\n%d of the mutants differ" % len(rows), file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
