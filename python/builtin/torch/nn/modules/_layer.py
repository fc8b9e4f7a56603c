"""Layers from declarations: what most layers are is a list of parameters and one function call."""

import sys


def layer(parameters=None, result=None, inputs="input", shown=None, stored={}):
    """Gives a class a constructor that keeps its parameters as attributes, a forward and an extra_repr.

    parameters is the parameter list of the constructor (None: the one of the base class), which passes
    on those that the constructor of the base class has, too. result is the expression that forward
    returns for its inputs, shown the attributes in extra_repr (default: all parameters; inplace shows
    only when it is True), stored the expressions that are kept instead of the parameters themselves.
    What the class defines itself stays.
    """

    def complete(cls):
        if parameters is not None:
            names = [p.split("=")[0].strip() for p in parameters.split(",") if p.strip() not in ("", "*")]
            code = super(cls, cls).__init__.__code__
            passed = [name for name in names if name in code.co_varnames[1 : code.co_argcount]]
            names = [name for name in names if name not in passed]
            body = [f"super(_cls, self).__init__({', '.join(f'{name}={name}' for name in passed)})"]
            body += [f"self.{name} = {stored.get(name, name)}" for name in names]
            _define(cls, "__init__", parameters, body)
            _show(cls, names if shown is None else shown.split())
        if result is not None:
            _define(cls, "forward", inputs, [f"return {result}"])
        return cls

    return complete


def _show(cls, names):
    if not names or "extra_repr" in cls.__dict__:
        return
    parts = [f'"{name}={{}}".format(self.{name})' for name in names if name != "inplace"]
    body = [f"parts = [{', '.join(parts)}]"]
    if "inplace" in names:
        body += ["if self.inplace:", "    parts.append('inplace=True')"]
    _define(cls, "extra_repr", "", body + ["return ', '.join(parts)"])


def _define(cls, name, parameters, body):
    """Defines a method by its source, with the names of the class's module."""
    if name in cls.__dict__:
        return
    module = sys.modules[cls.__module__]
    lines = "".join(f"  {line}\n" for line in body)
    source = f"def make(_cls):\n def {name}(self, {parameters}):\n{lines} return {name}\n"
    scope = {}
    exec(compile(source, module.__file__, "exec"), module.__dict__, scope)
    method = scope["make"](cls)
    method.__qualname__ = f"{cls.__qualname__}.{name}"
    method.__module__ = cls.__module__
    setattr(cls, name, method)


def family(base, name, result=None, parameters=None, stored={}, inputs="input"):
    """Layers in one, two and three dimensions, for which {n} stands in the texts.

    They go where the base class is defined and show what it shows.
    """
    for n in (1, 2, 3):
        cls = type(base)("Layer", (base,), {"__module__": base.__module__, "__doc__": base.__doc__})
        publish(cls, name.format(n=n))
        layer(
            parameters,
            result and result.format(n=n),
            inputs,
            shown="",
            stored={k: v.format(n=n) for k, v in stored.items()},
        )(cls)


def publish(cls, name):
    """Gives a class and its methods the name by which programs know it, and puts it into its module."""
    for method in vars(cls).values():
        if hasattr(method, "__code__"):
            method.__qualname__ = f"{name}.{method.__name__}"
    cls.__name__ = cls.__qualname__ = name
    setattr(sys.modules[cls.__module__], name, cls)
