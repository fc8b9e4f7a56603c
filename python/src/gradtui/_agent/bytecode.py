"""What the bytecode around an instruction does with the instruction's result.

`follow` runs the instructions after an operation on a stack of symbols: where
the result is stored and whether it is returned. It knows the bytecode of Python
3.9 to 3.14. What it does not know makes the result unknown: a name must never
be wrong.
"""

from __future__ import annotations

import sys
from _opcode import stack_effect
from bisect import bisect_left, bisect_right
from opcode import HAVE_ARGUMENT, opname

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import CodeType
    from typing import Any

    Symbol = Any  # a Value, Expression or Constant, a tuple of symbols, or None: unknown

_VERSION = sys.version_info[:2]
_MOST_BEFORE = 200  # instructions that are read before an operation
_MOST_AFTER = 200  # and after it
_MOST_CODES = 512

# Instructions that call a method or function and push what it returns.
RESULT = {
    name
    for name in opname
    if name.startswith(("BINARY_", "INPLACE_", "CALL_FUNCTION"))
    or name
    in (
        "BEFORE_WITH",
        "CALL",
        "CALL_INTRINSIC_1",
        "CALL_KW",
        "CALL_METHOD",
        "COMPARE_OP",
        "LOAD_ATTR",
        "LOAD_SUPER_ATTR",
        "PRECALL",
        "SETUP_WITH",
        "UNARY_INVERT",
        "UNARY_NEGATIVE",
        "UNARY_POSITIVE",
        "UNPACK_EX",
        "UNPACK_SEQUENCE",
    )
}
CALLS = {"CALL", "CALL_KW", "CALL_METHOD", "CALL_FUNCTION", "CALL_FUNCTION_KW", "CALL_FUNCTION_EX"}

# Those of them that usually mean that something is computed.
_WORKS = RESULT - {"BINARY_SUBSCR", "LOAD_ATTR", "LOAD_SUPER_ATTR", "PRECALL", "UNPACK_EX", "UNPACK_SEQUENCE"}

_NOTHING = {
    "CACHE",
    "COPY_FREE_VARS",
    "KW_NAMES",
    "MAKE_CELL",
    "NOP",
    "NOT_TAKEN",
    "POP_BLOCK",
    "PRECALL",
    "RESUME",
    "SETUP_ANNOTATIONS",
}

# How many symbols an instruction pops; what it pushes follows from its effect.
_POPS: dict[str, Any] = {
    "BINARY_SLICE": 3,
    "BINARY_SUBSCR": 2,
    "BINARY_OP": 2,
    "BUILD_CONST_KEY_MAP": lambda n: n + 1,
    "BUILD_LIST": lambda n: n,
    "BUILD_MAP": lambda n: 2 * n,
    "BUILD_SET": lambda n: n,
    "BUILD_SLICE": lambda n: n,
    "BUILD_STRING": lambda n: n,
    "BUILD_INTERPOLATION": lambda n: 2 + (n & 1),
    "BUILD_TEMPLATE": 2,
    "CALL_INTRINSIC_1": 1,
    "COMPARE_OP": 2,
    "CONTAINS_OP": 2,
    "CONVERT_VALUE": 1,
    "DELETE_ATTR": 1,
    "DELETE_DEREF": 0,
    "DELETE_FAST": 0,
    "DELETE_GLOBAL": 0,
    "DELETE_NAME": 0,
    "DELETE_SUBSCR": 2,
    "DICT_MERGE": 1,
    "DICT_UPDATE": 1,
    "FORMAT_SIMPLE": 1,
    "FORMAT_WITH_SPEC": 2,
    "FORMAT_VALUE": lambda n: 1 + (n >> 2 & 1),
    "GET_ITER": 1,
    "GET_LEN": 0,
    "IMPORT_FROM": 0,
    "IMPORT_NAME": 2,
    "IS_OP": 2,
    "LIST_EXTEND": 1,
    "LIST_TO_TUPLE": 1,
    "LOAD_SPECIAL": 1,
    "LOAD_SUPER_ATTR": 3,
    "MAKE_FUNCTION": lambda n: 1 + (_VERSION < (3, 11)) + bin(n).count("1") * (_VERSION < (3, 13)),
    "POP_TOP": 1,
    "PRINT_EXPR": 1,
    "PUSH_NULL": 0,
    "SET_FUNCTION_ATTRIBUTE": 2,
    "SET_UPDATE": 1,
    "STORE_SLICE": 4,
    "TO_BOOL": 1,
    "UNARY_INVERT": 1,
    "UNARY_NEGATIVE": 1,
    "UNARY_NOT": 1,
    "UNARY_POSITIVE": 1,
}
for _name in opname:
    if _name.startswith(("BINARY_", "INPLACE_")):
        _POPS.setdefault(_name, 2)


class Value:
    """The result of the operation, or an element of it."""

    __slots__ = ("path",)

    def __init__(self, path: tuple[int, ...] = ()) -> None:
        self.path = path


class Expression:
    """An expression that denotes a place: a variable, an attribute or element of one."""

    __slots__ = ("text", "scope", "leaf", "root")

    def __init__(self, text: str, scope: str, leaf: str, root: str | None = None) -> None:
        self.text = text
        self.scope = scope
        self.leaf = leaf  # the last name in it
        self.root = root  # "global" for the name of a global variable alone


class Constant:
    """A constant."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value


class Instructions:
    """The instructions of a code object."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.list = list(_decode(code.co_code))
        self.offsets = [offset for offset, _, _, _ in self.list]
        self.targets = {_target(name, arg, after) for _, name, arg, after in self.list if _jumps(name)}


def _decode(code: bytes) -> Iterator[tuple[int, str, int, int]]:
    """The offset, name, argument and next offset of each instruction."""
    arg = 0
    start = None
    for offset in range(0, len(code), 2):
        name = opname[code[offset]]
        if name == "CACHE":
            continue
        arg = arg << 8 | code[offset + 1]
        if start is None:
            start = offset
        if name == "EXTENDED_ARG":
            continue
        yield offset, name, arg, offset + 2
        arg = 0
        start = None


def _jumps(name: str) -> bool:
    return "JUMP" in name or name in ("FOR_ITER", "SEND", "SETUP_FINALLY", "SETUP_WITH")


def _target(name: str, arg: int, after: int) -> int:
    unit = 1 if _VERSION < (3, 10) else 2
    if _VERSION < (3, 11) and ("ABSOLUTE" in name or "_IF_" in name):
        return arg * unit
    if "BACKWARD" in name:
        return after - arg * unit
    return after + arg * unit


_codes: dict[int, Instructions] = {}


def instructions(code: CodeType) -> Instructions:
    """The instructions of a code object, from a table of those met lately."""
    known = _codes.get(id(code))
    if known is None:
        if len(_codes) >= _MOST_CODES:
            _codes.clear()
        known = _codes[id(code)] = Instructions(code)
    return known


class Run:
    """A run of the instructions around an operation.

    stores are the places that got the result, as (path, Expression, later):
    later says that other operations may have run before. returned is what the
    function returns, if that is known to hold the result.
    """

    def __init__(self, code: CodeType, lasti: int, variables: dict[str, Any]) -> None:
        self.code: Any = code
        self.globals = variables
        name = variables.get("__name__")
        self.module = name if type(name) is str and name != "__main__" else ""
        self.function = "" if code.co_name == "<module>" else getattr(code, "co_qualname", code.co_name)
        self.stack: list[Symbol] = []
        self.variables: dict[str, Symbol] = {}
        self.stores: list[tuple[tuple[int, ...], Expression, bool]] = []
        self.returned: Symbol = None
        self.callee: Symbol = None
        self.call = ""
        self.after = False
        self.later = False
        known = instructions(code)
        self.list = known.list
        self.at = bisect_right(known.offsets, lasti) - 1  # lasti may be one of its caches
        self._before(known)

    def _before(self, known: Instructions) -> None:
        """Run the instructions that lead to the operation."""
        first = self.at
        while first > 0 and self.at - first < _MOST_BEFORE:
            name = self.list[first - 1][1]
            if name.startswith("STORE_") or name == "POP_TOP" or _jumps(name):
                break
            first -= 1
        for offset, name, arg, _ in self.list[first : self.at]:
            if offset in known.targets:
                self.stack.clear()
            if not self.step(name, arg):
                self.stack.clear()
        if self.list[self.at][0] in known.targets:
            self.stack.clear()

    def result(self, value: Symbol) -> bool:
        """Replace the operands with the result of the operation."""
        _, name, arg, _ = self.list[self.at]
        if name == "PRECALL":
            self.at += 1
            _, name, arg, _ = self.list[self.at]
        if name not in RESULT:
            return False
        self.call = name
        if name.startswith("UNPACK_"):
            self.pop()
            self.push(value)
            self.step(name, arg)
        elif name in ("BEFORE_WITH", "SETUP_WITH"):
            self.pop()
            self.push(None)
            self.push(value)
        else:
            if name in CALLS:
                self.callee = self._callee(name, arg)
            self.step(name, arg)
            if not self.stack:
                return False
            self.stack[-1] = value
        self.at += 1
        return True

    def _callee(self, name: str, arg: int) -> Symbol:
        """What stands for the function that is called."""
        above = arg
        if name == "CALL_FUNCTION_EX":
            above = 2 if _VERSION >= (3, 14) else 1 + (arg & 1)
        elif name in ("CALL_KW", "CALL_FUNCTION_KW"):
            above = arg + 1
        pair = _VERSION >= (3, 11) or name == "CALL_METHOD"
        for depth in range(above + 1, above + 2 + pair):
            if depth <= len(self.stack) and self.stack[-depth] is not None:
                return self.stack[-depth]
        return None

    def follow(self, value: Symbol) -> None:
        """Run the instructions after the operation for as long as its result is known."""
        if not self.result(value):
            return
        self.after = True
        for _ in range(_MOST_AFTER):
            if self.at >= len(self.list):
                return
            offset, name, arg, after = self.list[self.at]
            if name == "RETURN_VALUE":
                self.returned = self.pop()
                return
            if name in ("JUMP_FORWARD", "JUMP_ABSOLUTE"):
                target = _target(name, arg, after)
                if target <= offset:
                    return
                self.at = bisect_left(instructions(self.code).offsets, target)
                continue
            if not self.step(name, arg):
                return
            self.at += 1
            if not self.holds():
                return
            if name in _WORKS:
                self.later = True

    def holds(self) -> bool:
        """Whether something still holds the result."""
        return any(_held(s) for s in self.stack) or any(_held(s) for s in self.variables.values())

    def pop(self) -> Symbol:
        return self.stack.pop() if self.stack else None

    def push(self, symbol: Symbol) -> None:
        self.stack.append(symbol)

    def step(self, name: str, arg: int) -> bool:
        """Run an instruction, or say that it is not known what it does."""
        if name in _NOTHING:
            return True
        if name in _STEPS:
            return _STEPS[name](self, arg) is not False
        if name in CALLS:
            pops = arg + 1
            if name == "CALL_FUNCTION_EX":
                pops = 4 if _VERSION >= (3, 14) else 2 + (arg & 1) + (_VERSION >= (3, 11))
            elif name in ("CALL_KW", "CALL_FUNCTION_KW"):
                pops += 1
            if _VERSION >= (3, 11) and name != "CALL_FUNCTION_EX" or name == "CALL_METHOD":
                pops += 1
            return self.generic(pops, 1)
        pops = _POPS.get(name)
        if pops is None:
            return False
        if not isinstance(pops, int):
            pops = pops(arg)
        op = _OPS[name]
        try:
            effect = stack_effect(op, arg if op >= HAVE_ARGUMENT else None, jump=False)
        except ValueError:
            return False
        return self.generic(pops, pops + effect)

    def generic(self, pops: int, pushes: int) -> bool:
        for _ in range(pops):
            self.pop()
        self.stack.extend([None] * max(pushes, 0))
        return True

    # The variables.

    def local(self, arg: int) -> str:
        if _VERSION >= (3, 11):
            return self.code._varname_from_oparg(arg)
        return self.code.co_varnames[arg]

    def load(self, name: str, scope: str, root: str | None = None) -> None:
        held = self.variables.get(name)
        self.push(held if held is not None else Expression(name, scope, name, root))

    def store(self, name: str, scope: str) -> None:
        symbol = self.pop()
        if self.after:
            self.named(symbol, Expression(name, scope, name))
            if _held(symbol):
                self.variables[name] = symbol
            else:
                self.variables.pop(name, None)

    def named(self, symbol: Symbol, place: Expression | None) -> None:
        """A place gets a symbol."""
        if isinstance(symbol, Value) and place is not None:
            self.stores.append((symbol.path, place, self.later))

    def load_fast(self, arg: int) -> None:
        self.load(self.local(arg), self.function)

    def store_fast(self, arg: int) -> None:
        self.store(self.local(arg), self.function)

    def load_two(self, arg: int) -> None:
        self.load_fast(arg >> 4)
        self.load_fast(arg & 15)

    def store_two(self, arg: int) -> None:
        self.store_fast(arg >> 4)
        self.store_fast(arg & 15)

    def store_load(self, arg: int) -> None:
        self.store_fast(arg >> 4)
        self.load_fast(arg & 15)

    def cell(self, arg: int) -> tuple[str, str]:
        """The name and scope of a variable that functions share."""
        code = self.code
        if _VERSION >= (3, 11):
            name = code._varname_from_oparg(arg)
        else:
            name = (code.co_cellvars + code.co_freevars)[arg]
        if name in code.co_freevars:
            return name, self.function.rpartition(".<locals>.")[0]
        return name, self.function

    def load_deref(self, arg: int) -> None:
        self.load(*self.cell(arg))

    def store_deref(self, arg: int) -> None:
        self.store(*self.cell(arg))

    def load_name(self, arg: int) -> None:
        if self.function:
            self.load(self.code.co_names[arg], self.function)
        else:
            self.load(self.code.co_names[arg], self.module, "global")

    def store_name(self, arg: int) -> None:
        self.store(self.code.co_names[arg], self.function or self.module)

    def load_global(self, arg: int) -> None:
        if _VERSION < (3, 11):
            self.load(self.code.co_names[arg], self.module, "global")
            return
        null = [None] * (arg & 1)
        if _VERSION < (3, 13):
            self.stack += null
            null = []
        self.load(self.code.co_names[arg >> 1], self.module, "global")
        self.stack += null

    def store_global(self, arg: int) -> None:
        self.store(self.code.co_names[arg], self.module)

    # Attributes and elements.

    def attribute(self, name: str) -> Expression:
        owner = self.pop()
        if isinstance(owner, Expression) and owner.text:
            return Expression(owner.text + "." + name, owner.scope, name)
        return Expression("", "", name)

    def load_attr(self, arg: int) -> None:
        method = 0
        if _VERSION >= (3, 12):
            arg, method = arg >> 1, arg & 1
        self.push(self.attribute(self.code.co_names[arg]))
        if method:
            self.push(None)

    def load_method(self, arg: int) -> None:
        self.push(self.attribute(self.code.co_names[arg]))
        self.push(None)

    def store_attr(self, arg: int) -> None:
        owner = self.attribute(self.code.co_names[arg])
        symbol = self.pop()
        if owner.text:
            self.named(symbol, owner)

    def element(self, container: Symbol, key: Symbol) -> Expression | None:
        """The expression for an element with a constant key."""
        if isinstance(container, Expression) and container.text and isinstance(key, Constant):
            key = key.value
            if type(key) is str or type(key) is int and key >= 0:
                return Expression("%s[%r]" % (container.text, key), container.scope, "")
        return None

    def load_element(self, arg: int) -> None:
        key = self.pop()
        self.push(self.element(self.pop(), key))

    def binary(self, arg: int) -> None:
        if arg == 26 and _VERSION >= (3, 14):
            self.load_element(arg)
        else:
            self.generic(2, 1)

    def store_element(self, arg: int) -> None:
        key, container = self.pop(), self.pop()
        place = self.element(container, key)
        if place is not None and type(key.value) is int:
            # A number is as likely to choose a part of a tensor.
            known = container.root == "global" and self.globals.get(container.leaf)
            place = place if type(known) in (dict, list) else None
        self.named(self.pop(), place)

    # The stack.

    def constant(self, arg: int) -> None:
        self.push(Constant(self.code.co_consts[arg]))

    def small(self, arg: int) -> None:
        self.push(Constant(arg))

    def copy(self, depth: int) -> None:
        self.push(self.stack[-depth] if depth <= len(self.stack) else None)

    def swap(self, depth: int) -> None:
        self.reach(depth)
        stack = self.stack
        stack[-1], stack[-depth] = stack[-depth], stack[-1]

    def rotate(self, depth: int) -> None:
        self.reach(depth)
        symbol = self.pop()
        self.stack.insert(len(self.stack) - depth + 1, symbol)

    def reach(self, depth: int) -> None:
        """Make the stack as deep as that with unknown symbols at its bottom."""
        if len(self.stack) < depth:
            self.stack[:0] = [None] * (depth - len(self.stack))

    def copy_two(self, arg: int) -> None:
        self.copy(2)
        self.copy(2)

    def build_tuple(self, count: int) -> None:
        self.reach(count)
        items = self.stack[len(self.stack) - count :]
        del self.stack[len(self.stack) - count :]
        self.push(tuple(items))

    def unpack(self, count: int) -> None:
        symbol = self.pop()
        if isinstance(symbol, tuple) and len(symbol) == count:
            items: Sequence[Symbol] = symbol
        elif isinstance(symbol, Value):
            items = [Value(symbol.path + (i,)) for i in range(count)]
        else:
            items = [None] * count
        self.stack.extend(reversed(items))

    def unpack_rest(self, arg: int) -> None:
        symbol = self.pop()
        before, after = arg & 255, arg >> 8
        first: Sequence[Symbol] = ()
        last: Sequence[Symbol] = ()
        if isinstance(symbol, tuple) and len(symbol) >= before + after:
            first, last = symbol[:before], symbol[len(symbol) - after :]
        elif isinstance(symbol, Value):
            first = [Value(symbol.path + (i,)) for i in range(before)]
        self.stack.extend(reversed(last or [None] * after))
        self.push(None)
        self.stack.extend(reversed(first or [None] * before))


def _held(symbol: Symbol) -> bool:
    if isinstance(symbol, tuple):
        return any(_held(s) for s in symbol)
    return isinstance(symbol, Value)


_STEPS: dict[str, Callable[[Run, int], Any]] = {
    "BINARY_SUBSCR": Run.load_element,
    "BUILD_TUPLE": Run.build_tuple,
    "COPY": Run.copy,
    "DUP_TOP": lambda run, arg: run.copy(1),
    "DUP_TOP_TWO": Run.copy_two,
    "LOAD_ATTR": Run.load_attr,
    "LOAD_CLASSDEREF": Run.load_deref,
    "LOAD_CLOSURE": lambda run, arg: run.push(None),
    "LOAD_BUILD_CLASS": lambda run, arg: run.push(None),
    "LOAD_COMMON_CONSTANT": lambda run, arg: run.push(None),
    "LOAD_CONST": Run.constant,
    "LOAD_DEREF": Run.load_deref,
    "LOAD_FAST": Run.load_fast,
    "LOAD_FAST_BORROW": Run.load_fast,
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW": Run.load_two,
    "LOAD_FAST_CHECK": Run.load_fast,
    "LOAD_FAST_LOAD_FAST": Run.load_two,
    "LOAD_GLOBAL": Run.load_global,
    "LOAD_METHOD": Run.load_method,
    "LOAD_NAME": Run.load_name,
    "LOAD_SMALL_INT": Run.small,
    "ROT_FOUR": lambda run, arg: run.rotate(4),
    "ROT_N": Run.rotate,
    "ROT_THREE": lambda run, arg: run.rotate(3),
    "ROT_TWO": lambda run, arg: run.rotate(2),
    "STORE_ATTR": Run.store_attr,
    "STORE_DEREF": Run.store_deref,
    "STORE_FAST": Run.store_fast,
    "STORE_FAST_LOAD_FAST": Run.store_load,
    "STORE_FAST_STORE_FAST": Run.store_two,
    "STORE_GLOBAL": Run.store_global,
    "STORE_NAME": Run.store_name,
    "STORE_SUBSCR": Run.store_element,
    "SWAP": Run.swap,
    "UNPACK_EX": Run.unpack_rest,
    "UNPACK_SEQUENCE": Run.unpack,
}
if _VERSION >= (3, 14):
    _STEPS["BINARY_OP"] = Run.binary

_OPS = {name: op for op, name in enumerate(opname)}
