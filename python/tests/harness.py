"""A torch package of a few lines: every operation notes the stack that it ran at.

Its code is compiled under a name in our folder, as if it were ours.
"""

import os
import sys
import types

from gradtui._agent import imports

imports.builtin = os.path.abspath("builtin")  # before stacks looks for it

from gradtui._agent import names

SOURCE = '''
from gradtui._agent import modules, names, stacks

LOG = []


class T:
    def operation(self, *args, **kwargs):
        LOG.append(stacks.here(2))
        return T()

    __abs__ = __add__ = __eq__ = __getitem__ = __gt__ = __iadd__ = __lt__ = operation
    __matmul__ = __mul__ = __neg__ = __radd__ = __rmul__ = relu = operation
    __hash__ = object.__hash__

    def pair(self):
        LOG.append(stacks.here(2))
        return T(), T()

    T = property(operation)

    def __setitem__(self, key, value):
        LOG.append(stacks.here(2))

    def __iter__(self):
        LOG.append(stacks.here(2))
        return iter((T(), T()))

    def __bool__(self):
        return True


def op(*args, **kwargs):
    LOG.append(stacks.here(2))
    return T()


def fail(*args):
    raise RuntimeError("the engine says no")


def fail_later(*args):
    try:
        {}["key"]
    except KeyError:
        fail()


def linear(x, w):
    out = op(x)
    return out + w


class Module:
    def __call__(self, *args):
        modules.version += 1  # these modules do not say when they are made
        running = modules.enter(self)
        try:
            result = self.forward(*args)
        finally:
            modules.leave(running)
        names.result(result)
        return result

    def __init__(self):
        self.__dict__["_modules"] = {}
        self.__dict__["_parameters"] = {}

    def __setattr__(self, name, value):
        (self._modules if isinstance(value, Module) else self._parameters)[name] = value

    def __getattr__(self, name):
        return self._modules[name] if name in self._modules else self._parameters[name]


class Linear(Module):
    def __init__(self):
        Module.__init__(self)
        self.weight = T()

    def forward(self, x):
        return linear(x, self.weight)


class Sequential(Module):
    def __init__(self, *layers):
        Module.__init__(self)
        for i, layer in enumerate(layers):
            self._modules[str(i)] = layer

    def forward(self, x):
        for layer in self._modules.values():
            x = layer(x)
        return x


def call(function, *args):
    return function(*args)
'''

module = types.ModuleType("fake")
exec(compile(SOURCE, imports.builtin + "/torch/fake.py", "exec"), module.__dict__)
sys.modules["fake"] = module

names.tensor = module.T
bound = []
names.bind = lambda tensor, name, scope: bound.append((name, scope, tensor))


def run(source, file="prog.py"):
    """Runs a program and returns its variables."""
    module.LOG.clear()
    bound.clear()
    variables = {"__name__": "__main__"}
    exec(compile("from fake import *\n" + source, file, "exec"), variables)
    return variables
