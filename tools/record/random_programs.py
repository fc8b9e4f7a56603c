"""Random programs in the style of people's code, and what torch 2.6 does with them.

    ATEN_CPU_CAPABILITY=avx2 python3 tools/record/random_programs.py SEED COUNT > programs.jsonl

A line is a program: the syntax trees of its statements, one after the other, with what each of them raised and
warned of, and what its variables were after it. A statement that raises does not end the program. The next
statement is chosen by what is there, so most of them work; some are wrong on purpose.

autograd/testdata/programs/programs.jsonl is a selection of the lines of seeds 0 to 3999: programs that once found a difference, and others
that raise different errors.
"""

from __future__ import annotations

import ast
import json
import math
import random
import sys
import warnings
from typing import Any

import torch
from torch import nn

LEFT_OUT = {"ctx", "kind", "type_comment", "type_ignores", "type_params", "simple"}
DEPTH = 4
"""How far the history of a tensor is followed."""


def tree(node: Any) -> Any:
    if isinstance(node, ast.Constant) and node.value is ...:
        return {"_": "Ellipsis"}
    if isinstance(node, ast.AST):
        fields = {k: tree(v) for k, v in ast.iter_fields(node) if k not in LEFT_OUT}
        return {"_": type(node).__name__} | {k: v for k, v in fields.items() if v is not None and v != []}
    if isinstance(node, list):
        return [tree(n) for n in node]
    return node


def history(node: Any, depth: int = DEPTH) -> str:
    if node is None:
        return "-"
    following = node.next_functions
    if not following:
        return type(node).__name__
    if depth == 1:
        return type(node).__name__ + "(...)"
    return f"{type(node).__name__}({', '.join(history(f, depth - 1) + ('' if i == 0 else f'#{i}') for f, i in following)})"


def number(x: Any) -> Any:
    return x if not isinstance(x, float) or math.isfinite(x) else str(x)


def attempt(f: Any) -> Any:
    """What f gives, or the text of what it raises."""
    try:
        return f()
    except RuntimeError as error:
        return str(error)


def state(t: torch.Tensor) -> dict[str, Any]:
    """What is observable of a tensor."""
    out = {
        "shape": list(t.shape),
        "stride": list(t.stride()),
        "offset": t.storage_offset(),
        "dtype": str(t.dtype),
        "history": attempt(lambda: history(t.grad_fn)),
        "flags": attempt(lambda: [t.requires_grad, t.is_leaf, t.retains_grad, t._is_view(), t.is_inference()]),
        "output": attempt(lambda: t.output_nr),
        "version": attempt(lambda: t._version),
        "values": [number(v) for v in t.detach().reshape(-1).tolist()],
        "repr": attempt(lambda: repr(t)),
    }
    if t.grad is not None:
        out["grad"] = state(t.grad)
    return out


def value(v: Any) -> Any:
    if isinstance(v, torch.Tensor):
        return state(v)
    if isinstance(v, (tuple, list)):
        return [value(x) for x in v]
    if v is None or isinstance(v, (bool, int, str)):
        return v
    return number(v) if isinstance(v, float) else "?"


class Writer:
    """Chooses the statements of one program and runs them."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)
        self.env: dict[str, Any] = {"torch": torch, "nn": nn, "F": nn.functional}
        self.base = set(self.env)
        self.steps: list[dict[str, Any]] = []
        self.count = 0

    # What is there.

    def names(self, test: Any) -> list[str]:
        def passes(v: Any) -> bool:
            try:
                return bool(test(v))
            except RuntimeError:  # of a view that may not be used any more
                return False

        return [k for k, v in self.env.items() if k not in self.base and not k.startswith("_") and passes(v)]

    def tensor(self, test: Any = lambda t: True) -> str:
        found = self.names(lambda v: isinstance(v, torch.Tensor) and test(v))
        if not found or self.r.random() < 0.02:
            found = self.names(lambda v: isinstance(v, torch.Tensor)) or ["x"]
        return self.r.choice(found[-3:] if self.r.random() < 0.5 else found)

    def floating(self, least: int = 0) -> str:
        return self.tensor(lambda t: t.is_floating_point() and t.dim() >= least)

    def shape(self, name: str) -> list[int]:
        v = self.env.get(name)
        return list(v.shape) if isinstance(v, torch.Tensor) else []

    def partner(self, name: str) -> str:
        s = tuple(self.shape(name))

        def fits(t: torch.Tensor) -> bool:
            try:
                return torch.broadcast_shapes(s, tuple(t.shape)) == s
            except RuntimeError:
                return False

        return self.tensor(fits)

    def fresh(self, kind: str = "") -> str:
        if self.r.random() < 0.12 and (old := self.names(lambda v: isinstance(v, torch.Tensor))):
            return self.r.choice(old)
        pool = [n for n in ("x", "y", "z", "a", "b", "c", "w", "h", "u", "v", "p", "q", "out", "tmp", "s", "t") if n not in self.env]
        return self.r.choice(pool[:4]) if pool else f"x{self.count}"

    def dim(self, name: str) -> int:
        n = max(len(self.shape(name)), 1)
        return self.r.randrange(-n, n) if self.r.random() < 0.95 else n + 1

    def scalar(self) -> str:
        return self.r.choice(["2", "0.5", "3.0", "-1", "1.5", "10", "0.1", "1e-3", "-2.5"])

    def pick(self, *options: Any) -> Any:
        return self.r.choice(options)

    # Statements.

    def create(self) -> str:
        r = self.r
        s = self.pick("3", "4", "2, 3", "2, 2", "3, 4", "2, 3, 4", "1, 3", "4, 1", "1", "2, 1, 2", "0", "3, 3", "4, 4")
        rg = self.pick("", "", ", requires_grad=True", ", requires_grad=True", ", requires_grad=True")
        dt = self.pick("", "", "", "", ", dtype=torch.float64", ", dtype=torch.int64", ", dtype=torch.float16", ", dtype=torch.bfloat16")
        n = self.fresh()
        return n + " = " + self.pick(
            f"torch.randn({s}{rg})",
            f"torch.randn({s}{rg})",
            f"torch.rand({s}{rg}{dt})",
            f"torch.ones({s}{rg}{dt})",
            f"torch.zeros({s}{rg}{dt})",
            f"torch.full(({s},), {self.scalar()}{rg}{dt})",
            f"torch.tensor([1.0, 2.0, 3.0]{rg}{dt})",
            f"torch.tensor([[1., -2.], [3., 4.]]{rg}{dt})",
            f"torch.tensor([[1, 2, 3], [4, 5, 6]]{dt})",
            f"torch.tensor({self.scalar()}{rg}{dt})",
            f"torch.tensor([True, False, True])",
            f"torch.arange({r.randint(1, 8)}{dt})",
            f"torch.arange(6.0{rg}).reshape(2, 3)",
            f"torch.linspace(-1, 1, {r.randint(1, 6)}{rg})",
            f"torch.eye(3{rg})",
            f"nn.Parameter(torch.randn({s}))",
            f"torch.randint(0, 3, ({s},){dt})",
            f"torch.empty(0{rg})",
            f"torch.randperm({r.randint(2, 6)})",
        )

    def like(self) -> str:
        a = self.tensor()
        rg = self.pick("", "", ", requires_grad=True")
        return f"{self.fresh()} = " + self.pick(
            f"torch.{self.pick('zeros', 'ones', 'rand', 'randn')}_like({a}{rg})",
            f"{a}.new_zeros(2, 3{rg})", f"{a}.new_ones(3)", f"{a}.new_tensor([1.0, 2.0]{rg})", f"torch.full_like({a}, 2)",
        )

    def arithmetic(self) -> str:
        a = self.tensor()
        b = self.partner(a) if self.r.random() < 0.6 else self.scalar() if self.r.random() < 0.8 else self.tensor()
        op = self.pick("+", "-", "*", "*", "/", "**", "+", "//", "%")
        if op == "**":
            b = self.pick("2", "3", "0.5", "-1", b)
        left, right = (a, b) if self.r.random() < 0.8 else (b, a)
        return f"{self.fresh()} = " + self.pick(
            f"{left} {op} {right}", f"{left} {op} {right}", f"({left} {op} {right}).sum()", f"({left} {op} {right}) * {a}", f"({a} {op} {b}) + {a}.{self.pick('exp', 'sin', 'sigmoid', 'tanh')}()",
            f"torch.{self.pick('add', 'mul', 'sub', 'div', 'maximum', 'minimum', 'atan2')}({a}, {b})", f"torch.add({a}, {b}, alpha=2)",
            f"torch.where({a} > 0, {a}, {b})", f"torch.lerp({a}, {b}, 0.3)", f"torch.addcmul({a}, {b}, {a}, value=0.5)", f"-{a}", f"{a}.{self.pick('add', 'mul', 'sub', 'div')}({b})",
        )

    def compare(self) -> str:
        a = self.tensor()
        return f"{self.fresh()} = {a} {self.pick('>', '<', '>=', '==', '!=')} {self.pick('0', '0.5', self.partner(a), '1')}"

    def unary(self) -> str:
        a = self.floating()
        f = self.pick("exp()", "log()", "sqrt()", "abs()", "sin()", "cos()", "tanh()", "sigmoid()", "relu()", "neg()", "square()", "reciprocal()", "clamp(min=0)", "clamp(-0.5, 0.5)",
                      "clamp_min(0.1)", "sign()", "floor()", "round()", "pow(2)", "pow(3)", "erf()", "log1p()", "expm1()", "softmax(-1)", "softmax(0)", "log_softmax(-1)", "rsqrt()", "atan()", "frac()", "trunc()", "isnan()", "logical_not()",
                      "nan_to_num()", "cumsum(0)", "cumprod(0)", "flip(0)", "roll(1, 0)", "tril()", "triu()", "contiguous()", "clone()", "float()", "double()", "long()", "half()", "to(torch.float64)", "type_as(" + a + ")")
        return f"{self.fresh()} = {a}.{f}"

    def reduce(self) -> str:
        a = self.floating() if self.r.random() < 0.85 else self.tensor()
        d = self.dim(a)
        k = self.pick("", ", keepdim=True")
        n = self.fresh()
        return self.pick(
            f"{n} = {a}.sum()", f"{n} = {a}.sum()", f"{n} = {a}.mean()", f"{n} = ({a} ** 2).sum()", f"{n} = {a}.pow(2).mean()", f"{n} = {a}.sum({d}{k})", f"{n} = {a}.mean({d}{k})", f"{n} = {a}.prod()", f"{n} = {a}.prod({d})",
            f"{n} = {a}.max()", f"{n} = {a}.min()", f"{n}, idx = {a}.max({d}{k})", f"{n}, idx = {a}.sort({d})", f"{n} = {a}.norm()", f"{n} = {a}.norm(1, {d})", f"{n} = {a}.std()", f"{n} = {a}.var({d}, unbiased=False)",
            f"{n} = {a}.argmax({d})", f"{n} = {a}.logsumexp({d})", f"{n} = {a}.amax({d})", f"{n} = {a}.median()", f"{n}, idx = torch.topk({a}, 1)", f"{n} = {a}.any()", f"{n} = {a}.all({d})", f"{n} = {a}.cumsum({d})", f"{n} = torch.linalg.norm({a})", f"{n}, idx = torch.min({a}, dim={d})",
            f"{n} = {a}.sum(dim=({d},))", f"{n} = {a}.argsort()", f"{n} = {a}.count_nonzero()", f"{n} = {a}.nonzero()", f"{n} = {a}.unique()",
        )

    def index(self, a: str) -> str:
        s = self.shape(a)
        n = s[0] if s else 1
        i = self.r.randrange(-max(n, 1), max(n, 1)) if self.r.random() < 0.95 else n + 2
        options = [f"{i}", f"{i}", "0", ":1", "1:", "-1", "::2", "None", "...", f"[{i}, 0]", f"torch.tensor([{i}, 0])", f"{a} > 0", "..., 0", f"..., None", "True"]
        if len(s) > 1:
            j = self.r.randrange(max(s[1], 1))
            options += [f":, {j}", f":, {j}", f"{i}, {j}", f"{i}, :{j}", ":, 1:", f"{i}, None", "..., -1", f":, [{j}, 0]", f"[0, {i}], [{j}, 0]", f"{i}, [{j}]", "1:, ::2"]
        masks = self.names(lambda v: isinstance(v, torch.Tensor) and v.dtype == torch.bool and list(v.shape) == s[: v.dim()])
        return self.r.choice(options + masks * 2)

    def select(self) -> str:
        a = self.tensor(lambda t: t.dim() >= 1)
        return f"{self.fresh()} = {a}[{self.index(a)}]"

    def view(self) -> str:
        a = self.tensor(lambda t: t.dim() >= 1)
        s = self.shape(a)
        d = self.dim(a)
        n = self.fresh()
        whole = [f"{n} = {a}.view(-1)", f"{n} = {a}.reshape(-1)", f"{n} = {a}.flatten()", f"{n} = {a}.unsqueeze({d})", f"{n} = {a}.squeeze()", f"{n} = {a}.squeeze({d})", f"{n} = {a}.select({d}, 0)", f"{n} = {a}.narrow({d}, 0, 1)",
                 f"{n} = {a}.detach()", f"{n} = {a}.view_as({a})", f"{n} = {a}.unfold({d}, 1, 1)", f"{n} = {a}.expand(2, {', '.join(['-1'] * len(s))})", f"{n} = {a}.expand_as({a})", f"{n}, *_rest = {a}.unbind()", f"{n}, *_rest = {a}.chunk(2)",
                 f"{n}, *_rest = {a}.split(1, {d})", f"{n} = {a}.t()", f"{n} = {a}.movedim(0, -1)", f"{n} = {a}.data", f"{n} = {a}.as_strided((2,), (1,))", f"{n} = {a}.view({', '.join(map(str, s[::-1]))})", f"{n} = {a}.view(2, -1)", f"{n} = {a}.reshape(2, -1)", f"{n} = {a}.real", f"{n} = {a}.diag()"]
        if len(s) > 1:
            whole += [f"{n} = {a}.t()", f"{n} = {a}.T", f"{n} = {a}.transpose(0, 1)", f"{n} = {a}.mT", f"{n} = {a}.diagonal()", f"{n} = {a}.permute({', '.join(map(str, self.r.sample(range(len(s)), len(s))))})", f"{n} = {a}.T.reshape(-1)", f"{n} = {a}.t().contiguous()", f"{n} = {a}.flatten(0, 1)"] * 2
        return self.r.choice(whole)

    def combine(self) -> str:
        a = self.tensor()
        b = self.partner(a)
        d = self.dim(a)
        return f"{self.fresh()} = " + self.pick(
            f"torch.cat([{a}, {b}])", f"torch.cat([{a}, {a}], dim={d})", f"torch.stack([{a}, {b}])", f"torch.stack([{a}, {a}], {d})", f"{a} @ {b}", f"{a} @ {a}.T", f"{a}.matmul({b}.t())", f"torch.mm({a}, {b})", f"torch.dot({a}.flatten(), {b}.flatten())",
            f"torch.outer({a}.flatten(), {b}.flatten())", f"torch.einsum('i...,i...->...', {a}, {b})", f"torch.gather({a}, 0, torch.zeros_like({a}, dtype=torch.int64))", f"{a}.index_select({d}, torch.tensor([0]))", f"{a}.repeat(2, {', '.join(['1'] * len(self.shape(a)))})",
            f"{a}.masked_fill({a} > 0, {self.scalar()})", f"{a}.masked_select({a} > 0)", f"torch.where({a} > {b}, {a}, {b})", f"{a}.scatter(0, torch.zeros_like({a}, dtype=torch.int64), 1.0)", f"{a}.take(torch.tensor([0]))", f"sum([{a}, {b}])", f"[{a}, {b}]", f"({a}, {b}.sum())", f"torch.nn.functional.pad({a}, (1, 1))",
        )

    def inplace(self) -> str:
        a = self.tensor()
        b = self.partner(a)
        v = self.pick(self.scalar(), b, b, f"{b} * 2")
        dest = self.pick(a, a, f"{a}[{self.index(a)}]", f"{a}.data", f"{a}.detach()", f"{a}.view(-1)", f"{a}.T", f"{a}[0]")
        return self.pick(
            f"{a} {self.pick('+=', '-=', '*=', '/=', '**=')} {v}", f"{a} += {v}", f"{dest}.{self.pick('add_', 'mul_', 'sub_', 'div_')}({v})", f"{dest}.{self.pick('add_', 'mul_')}({v})",
            f"{a}[{self.index(a)}] = {v}", f"{a}[{self.index(a)}] = {self.scalar()}", f"{a}[{self.index(a)}] {self.pick('+=', '*=', '-=')} {v}", f"{dest}.zero_()", f"{dest}.fill_({self.scalar()})", f"{dest}.copy_({b})", f"{dest}.relu_()", f"{dest}.clamp_(0, 1)", f"{dest}.exp_()", f"{dest}.sigmoid_()",
            f"{dest}.neg_()", f"{dest}.pow_(2)", f"{dest}.sqrt_()", f"{a}.masked_fill_({a} > 0, {self.scalar()})", f"{a}.t_()", f"{a}.unsqueeze_(0)", f"{a}.squeeze_()", f"{dest}.normal_()", f"{dest}.uniform_()", f"{a}.index_fill_(0, torch.tensor([0]), {self.scalar()})",
            f"{a}.addcmul_({b}, {b})", f"{a}.detach_()", f"{a}.resize_(2, 2)", f"{a}.index_add_(0, torch.tensor([0]), {b}[:1])", f"{a}.transpose_(0, 1)", f"{a}.data = {b}", f"{a}.data = {b}.clone()", f"{a}.data += 1", f"{a}.lerp_({b}, 0.5)", f"{a}.tanh_()", f"F.relu({a}, inplace=True)", f"{a}.floor_()",
            f"torch.add({a}, {v}, out={b})", f"torch.exp({a}, out={a})",
        )

    def modes(self) -> str:
        a, b = self.floating(), self.floating()
        inner = self.pick(self.arithmetic, self.inplace, self.view, self.unary, self.inplace)()
        mode = self.pick("torch.no_grad()", "torch.no_grad()", "torch.no_grad()", "torch.inference_mode()", "torch.enable_grad()", "torch.set_grad_enabled(False)")
        more = self.pick("", "", f"\n    {self.inplace()}", f"\n    {self.reduce()}")
        return self.pick(f"with {mode}:\n    {inner}{more}", f"with {mode}:\n    {inner}{more}", f"with torch.no_grad():\n    {a} -= 0.1 * {a}.grad", f"with torch.no_grad():\n    {a}.grad.zero_()", f"with torch.no_grad():\n    with torch.enable_grad():\n        {inner}")

    def leaf(self) -> str:
        a = self.floating() if self.r.random() < 0.9 else self.tensor()
        n = self.fresh()
        return self.pick(
            f"{n} = {a}.detach()", f"{n} = {a}.detach().clone()", f"{n} = {a}.clone()", f"{n} = {a}.data", f"{n} = {a}.detach().requires_grad_()", f"{a}.requires_grad_()", f"{a}.requires_grad_(False)", f"{a}.requires_grad = True", f"{a}.requires_grad = False",
            f"{a}.retain_grad()", f"{a}.retain_grad()", f"{a}.grad = None", f"{a}.grad.zero_()", f"{a}.grad = torch.ones_like({a})", f"{a}.grad = {self.tensor()}", f"{n} = {a}.grad", f"{n} = {a}.grad.clone()", f"{n} = {a}.item()", f"{n} = {a}.tolist()", f"{n} = torch.tensor({a})", f"{n} = nn.Parameter({a})", f"{n} = {a}.is_leaf",
            f"{n} = float({a})", f"{n} = int({a}.sum())", f"{n} = len({a})", f"del {a}", f"{n} = {a}.size()[0]", f"if {a}.sum() > 0:\n    {n} = {a} * 2\nelse:\n    {n} = {a} - 1", f"for i in range(2):\n    {a} = {a} * 2", f"for row in {a}:\n    {n} = row.sum()", f"{n} = {a}.grad * 2", f"{n} = {a}._base", f"{n} = {a}.shape", f"{n} = {a}.dtype == torch.float32",
        )

    def hook(self) -> str:
        a = self.tensor(lambda t: t.requires_grad)
        f = self.pick("lambda g: g * 2", "lambda g: None", "lambda g: g.clamp(-0.5, 0.5)", "lambda g: g.sum()", "lambda g: g + g", "lambda g: torch.zeros_like(g)", "lambda g: g.mul_(3)", "lambda g: 1.0")
        return self.pick(f"_h = {a}.register_hook({f})", f"_h = {a}.register_hook({f})", f"_h = {a}.register_hook({f})", "_h.remove()", f"_k = {a}.register_post_accumulate_grad_hook(lambda p: p.grad.mul_(0.5))", f"_g = {a}.grad_fn.register_prehook(lambda go: (go[0] * 2,) + go[1:])")

    def backward(self) -> str:
        a = self.tensor(lambda t: t.requires_grad) if self.r.random() < 0.97 else self.tensor()
        v = self.env.get(a)
        if not (isinstance(v, torch.Tensor) and v.numel() == 1) and self.r.random() < 0.93:
            e = self.pick(f"{a}.sum()", f"{a}.mean()", f"({a} ** 2).sum()", f"({a} * {self.partner(a)}).sum()")
            g = ""
            if self.r.random() < 0.2:
                e, g = a, self.pick(f"torch.ones_like({a})", f"gradient=torch.ones_like({a})", f"{a}.detach()", self.partner(a))
        else:
            e, g = a, ""
        if self.r.random() < 0.3:
            g += (", " if g else "") + self.pick("retain_graph=True", "retain_graph=True", "create_graph=True", f"inputs=[{self.tensor(lambda t: t.requires_grad)}]", f"inputs={self.floating()}")
        return f"{e}.backward({g})"

    def gradient(self) -> str:
        a = self.tensor(lambda t: t.requires_grad)
        x, y = self.tensor(lambda t: t.requires_grad and t.is_leaf), self.tensor(lambda t: t.requires_grad)
        n = self.fresh()
        e = a if isinstance(self.env.get(a), torch.Tensor) and self.env[a].numel() == 1 else self.pick(f"{a}.sum()", f"({a} ** 3).sum()", f"{a}.exp().mean()")
        k = self.pick("", "", ", create_graph=True", ", create_graph=True", ", allow_unused=True", ", retain_graph=True", f", allow_unused=True, create_graph=True", ", materialize_grads=True")
        return self.pick(f"{n}, = torch.autograd.grad({e}, {x}{k})", f"{n} = torch.autograd.grad({e}, [{x}, {y}]{k})[0]", f"{n} = torch.autograd.grad({e}, {y}{k})[0]", f"{n} = torch.autograd.grad({a}, {x}, grad_outputs=torch.ones_like({a}){k})[0]", f"{n} = torch.autograd.grad([{e}, {x}.sum()], {x}{k})[0]")

    def functional(self) -> str:
        a = self.floating(1)
        b = self.tensor(lambda t: t.is_floating_point() and list(t.shape) == self.shape(a))
        s = self.shape(a)
        red = self.pick("", "", ", reduction='sum'", ", reduction='none'")
        n = self.fresh()
        target = f"torch.arange({s[0] if s else 1}) % {s[1] if len(s) > 1 else 1}"
        return f"{n} = F." + self.pick(
            f"mse_loss({a}, {b}{red})", f"mse_loss({a}, {self.floating()}{red})", f"l1_loss({a}, {b}{red})", f"smooth_l1_loss({a}, {b}{red})", f"huber_loss({a}, {b})", f"cross_entropy({a}, {target}{red})", f"nll_loss(F.log_softmax({a}, dim=-1), {target}{red})", f"binary_cross_entropy_with_logits({a}, {b}.sigmoid(){red})",
            f"binary_cross_entropy({a}.sigmoid(), {b}.sigmoid().detach())", f"kl_div({a}.log_softmax(-1), {b}.softmax(-1), reduction='batchmean')", f"relu({a})", f"gelu({a})", f"softplus({a})", f"leaky_relu({a}, 0.1)", f"elu({a})", f"silu({a})", f"softmax({a}, dim=-1)", f"log_softmax({a}, dim=0)", f"hardtanh({a})", f"selu({a})", f"mish({a})",
            f"normalize({a}, dim=0)", f"layer_norm({a}, ({s[-1] if s else 1},))", f"dropout({a}, 0.5)", f"dropout({a}, 0.5, training=False)", f"linear({a}, torch.randn(2, {s[-1] if s else 1}))", f"cosine_similarity({a}, {b}, dim=0)", f"one_hot(torch.arange(3))", f"glu({a})", f"hardswish({a})", f"logsigmoid({a})", f"threshold({a}, 0.1, 0.0)", f"pairwise_distance({a}, {b})", f"hinge_embedding_loss({a}, {b}.sign())", f"cross_entropy({a}, {b}.softmax(-1))", f"max_pool1d({a}, 2)", f"avg_pool1d({a}, 2)", f"interpolate({a}, scale_factor=2)", f"batch_norm({a}, None, None, training=True)",
        )

    def layer(self) -> str:
        layers = self.names(lambda v: isinstance(v, nn.Module))
        if not layers or self.r.random() < 0.4:
            k = self.r.choice([1, 2, 3, 4])
            return f"{self.pick('net', 'fc', 'layer')} = nn." + self.pick(f"Linear({k}, 2)", f"Linear({k}, 1)", f"Linear({k}, 3, bias=False)", f"LayerNorm({k})", f"BatchNorm1d({k})", f"Embedding(4, {k})", f"Conv1d({k}, 2, 1)", f"Conv2d(1, 2, 2)", f"LSTMCell({k}, 2)", f"GRUCell({k}, 2)", f"Sequential(nn.Linear({k}, 3), nn.ReLU(), nn.Linear(3, 1))", f"Sequential(nn.Linear({k}, 2), nn.Tanh())", "Dropout(0.5)", f"MSELoss()", "CrossEntropyLoss()", "PReLU()", "ReLU(inplace=True)", f"Conv1d({k}, 2, 2, padding=1)", f"GroupNorm(1, {k})", "Flatten()", "Softmax(dim=-1)")
        m = self.r.choice(layers)
        v = self.env[m]
        n = self.fresh()
        if type(v).__name__ == "Embedding":
            return f"{n} = {m}({self.pick('torch.tensor([0, 1, 3])', 'torch.arange(4)', self.tensor(lambda t: not t.is_floating_point()))})"
        if type(v).__name__.endswith("Loss"):
            a = self.floating()
            return f"{n} = {m}({a}, {self.tensor(lambda t: list(t.shape) == self.shape(a))})"
        if type(v).__name__ == "LSTMCell":
            return f"{n}, _c = {m}({self.floating(2)})"
        width = getattr(v, "in_features", None) or (getattr(v, "normalized_shape", None) or [None])[-1] or getattr(v, "num_features", None) or getattr(v, "input_size", None)
        if type(v).__name__ == "Sequential":
            width = v[0].in_features
        a = self.tensor(lambda t: t.dtype == torch.float32 and t.dim() >= 1 and (width is None or t.shape[-1] == width))
        if self.shape(a)[-1:] != [width] and width and self.r.random() < 0.9:
            a = f"torch.randn(2, {width})"
        if type(v).__name__ == "Conv1d" and self.r.random() < 0.8:
            a = f"torch.randn(2, {v.in_channels}, 3)"
        if type(v).__name__ == "Conv2d":
            a = "torch.randn(1, 1, 3, 3)"
        has = [p for p, _ in v.named_parameters(recurse=False)]
        extra = [f"{m}.eval()", f"{m}.zero_grad()", f"{n} = list({m}.parameters())[0]"] + [f"{n} = {m}.{p}.grad" for p in has] + [f"{n} = {m}.{p}" for p in has] + [f"{m}.{p}.requires_grad_(False)" for p in has]
        return self.r.choice(extra) if self.r.random() < 0.15 else self.pick(f"{n} = {m}({a})", f"{n} = {m}({a})", f"{n} = {m}({a}).sum()", f"loss = F.mse_loss({m}({a}), torch.ones(2, 1))")

    def optimize(self) -> str:
        opts = self.names(lambda v: isinstance(v, torch.optim.Optimizer))
        if opts and self.r.random() < 0.75:
            o = self.r.choice(opts)
            return self.pick(f"{o}.step()", f"{o}.step()", f"{o}.zero_grad()", f"{o}.zero_grad(set_to_none=False)")
        layers = self.names(lambda v: isinstance(v, nn.Module) and list(v.parameters()))
        ps = f"list({self.r.choice(layers)}.parameters())" if layers and self.r.random() < 0.6 else f"[{self.tensor(lambda t: t.requires_grad and t.is_leaf)}]"
        return f"opt = torch.optim." + self.pick(f"SGD({ps}, lr=0.1)", f"SGD({ps}, lr=0.1, momentum=0.9)", f"SGD({ps}, lr=0.01, momentum=0.9, nesterov=True, weight_decay=0.1)", f"Adam({ps}, lr=0.01)", f"AdamW({ps})")

    def custom(self) -> str:
        if "Fn" not in self.env:
            return self.pick(
                "class Fn(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        ctx.save_for_backward(x)\n        return x * x\n    @staticmethod\n    def backward(ctx, g):\n        x, = ctx.saved_tensors\n        return g * 2 * x",
                "class Fn(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return x.clone()\n    @staticmethod\n    def backward(ctx, g):\n        return -g",
                "class Fn(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        y = x.exp()\n        ctx.save_for_backward(y)\n        return y\n    @staticmethod\n    def backward(ctx, g):\n        y, = ctx.saved_tensors\n        return y * g, None",
                "class Fn(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        ctx.mark_dirty(x)\n        x.mul_(2)\n        return x\n    @staticmethod\n    def backward(ctx, g):\n        return g * 2",
                "class Fn(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return x.view(-1)\n    @staticmethod\n    def backward(ctx, g):\n        return g",
            )
        return f"{self.fresh()} = Fn.apply({self.floating()})"

    KINDS = [(create, 8), (like, 2), (arithmetic, 14), (compare, 2), (unary, 8), (reduce, 8), (select, 7), (view, 10), (combine, 7), (inplace, 16), (modes, 6), (leaf, 12), (hook, 4), (backward, 15), (gradient, 6), (functional, 8), (layer, 7), (optimize, 5), (custom, 2)]

    def run(self, source: str) -> None:
        step: dict[str, Any] = {"source": source, "tree": tree(ast.parse(source))["body"]}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                exec(source, self.env)  # noqa: S102
            except Exception as error:  # noqa: BLE001
                step["error"] = f"{type(error).__name__}: {error}"
        step["warnings"] = [f"{w.category.__name__}: {w.message}".split(" (Triggered internally at")[0] for w in caught]
        self.steps.append(step)
        self.base.add("__builtins__")
        self.count += 1

    def write(self) -> dict[str, Any]:
        self.run(f"torch.manual_seed({self.r.randrange(1000)})")
        self.run(self.create())
        self.run(self.create())
        for _ in range(self.r.randint(3, 13)):
            kinds, weights = zip(*self.KINDS)
            for _try in range(20):
                source = self.r.choices(kinds, weights)[0](self)
                if len(source) < 600:
                    break
            self.run(source)
        variables = {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, v in self.env.items():
                if name not in self.base and not name.startswith("_"):
                    variables[name] = value(v)
        for step in self.steps:
            if not step["warnings"]:
                del step["warnings"]
        return {"steps": self.steps, "variables": variables}


def main() -> None:
    torch.set_warn_always(True)
    torch.set_num_threads(1)
    first, count = int(sys.argv[1]), int(sys.argv[2])
    for seed in range(first, first + count):
        try:
            program = Writer(seed).write()
        except RecursionError:  # a tensor that is its own gradient
            continue
        print(json.dumps({"seed": seed} | program, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
