"""Writes autograd/internal/schema/signatures.txt: what Python functions and methods of PyTorch take.

Run it with a Python that has the release to describe, and its torchgen:

    python3 tools/record/signatures.py > autograd/internal/schema/signatures.txt

PyTorch generates a list of signatures for each function; its messages about
wrong arguments quote them, in order. torchgen generates the C++ sources again,
and the lists are read from there. A line is

    place.name(parameters)

with the place torch, Tensor, linalg, special, or nn for torch._C._nn. A final
"|deprecated" marks signatures that messages do not show. A line "F.x = place.x"
says that torch.nn.functional has a function from another place, and a line
"def place.x(parameters)" that a function is written in Python.
"""

from __future__ import annotations

import inspect
import re
import sys
import tempfile
import types
from pathlib import Path

import torch
import torchgen
from torchgen.packaged.autograd import gen_python_functions

PLACES = {
    "python_torch_functions_": "torch",
    "python_variable_methods": "Tensor",
    "python_nn_functions": "nn",
    "python_linalg_functions": "linalg",
    "python_special_functions": "special",
}
TYPES = {
    "int64_t": "int",
    "double": "float",
    "c10::string_view": "str",
    "std::string": "str",
    "TensorList": "Tensor[]",
    "c10::List<::std::optional<Tensor>>": "Tensor[]",
    "IntArrayRef": "int[]",
    "SymIntArrayRef": "int[]",
    "ArrayRef<double>": "float[]",
    "DimnameList": "Dimname[]",
    "ScalarList": "Scalar[]",
    "PyObject*": "object",
}
ELSEWHERE = re.compile(
    r"_[a-z]|q_|quantize|fake_quantize|fused_|cudnn|miopen|mkldnn|mkl_|fbgemm|sym_|fft|.*(sparse|nested|quant|_copy$)"
)

# Written by hand in PyTorch's sources.
BY_HAND = [
    "torch.tensor(object data, *, ScalarType dtype=None, Device? device=None, bool pin_memory=False, bool requires_grad=False, Dimname[]? names=None)",
    "torch.as_tensor(object data, *, ScalarType dtype=None, Device? device=None)",
    "torch.nonzero(Tensor input, *, bool as_tuple=False, Tensor out=None)",
]


def parameter(text: str) -> str:
    """Writes the type of a parameter as native_functions.yaml does."""
    if text == "*":
        return text
    kind, name = text.split(" ", 1)
    kind, optional, _ = kind.partition("?")
    kind, bracket, size = kind.partition("[")
    kind = TYPES.get(kind, kind)
    if bracket:
        kind = kind.replace("[]", "[" + size)
    return kind + optional + " " + name.replace('\\"', '"')


def signatures(source: str, place: str) -> list[str]:
    """The signatures in a generated source."""
    found = []
    for parser in re.findall(
        r"static PythonArgParser parser\(\{(.*?)\}[,)]", source, re.DOTALL
    ):
        for text in re.findall(r'"((?:[^"\\]|\\.)*)"', parser):
            name, _, rest = text.partition("(")
            parameters, _, mark = rest.rpartition(")")
            if not ELSEWHERE.match(name):
                taken = ", ".join(parameter(p) for p in parameters.split(", ") if p)
                found.append(f"{place}.{name}({taken}){mark}")
    return found


def functional() -> list[str]:
    """The functions of torch.nn.functional that come from C++."""
    lines = []
    for name, f in sorted(vars(torch.nn.functional).items()):
        if isinstance(f, types.BuiltinFunctionType) and "torch_function" not in name:
            place = "nn" if hasattr(torch._C._nn, f.__name__) else "torch"
            lines.append(f"F.{name} = {place}.{f.__name__}")
    return lines


def in_python(place: str, where: object) -> list[str]:
    """The functions of a module or class that are written in Python."""
    lines = []
    for name, f in sorted(vars(where).items()):
        if (
            not isinstance(f, types.FunctionType)
            or f.__name__ != name
            or name.startswith("_")
        ):
            continue
        taken = []
        for p in inspect.signature(f).parameters.values():
            if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
                break  # takes anything
            if p.kind == p.KEYWORD_ONLY and "*" not in taken:
                taken.append("*")
            taken.append(p.name if p.default is p.empty else p.name + "=")
        else:
            lines.append(f"def {place}.{name}({', '.join(taken)})")
    return lines


def main() -> None:
    packaged = Path(torchgen.__file__).parent / "packaged"
    lines = []
    with tempfile.TemporaryDirectory() as out:
        gen_python_functions.gen(
            out,
            str(packaged / "ATen/native/native_functions.yaml"),
            str(packaged / "ATen/native/tags.yaml"),
            str(packaged / "autograd/deprecated.yaml"),
            str(packaged / "autograd/templates"),
        )
        for path in sorted(Path(out).glob("*.cpp")):
            for start, place in PLACES.items():
                if path.name.startswith(start) and "Everything" not in path.name:
                    lines += signatures(path.read_text(), place)
    lines = [s for s in lines if not s.startswith("nn.to(")] + BY_HAND
    # Order counts within a function, and nowhere else.
    lines = sorted(dict.fromkeys(lines), key=lambda s: s.partition("(")[0])
    lines += functional()
    lines += in_python("F", torch.nn.functional)
    lines += in_python("torch", torch.functional)
    lines += in_python("Tensor", torch.Tensor)
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
