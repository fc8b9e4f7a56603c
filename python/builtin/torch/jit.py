"""TorchScript is not there, and programs run without it: script and the decorators
return what they get, which behaves the same."""

from ._namespace import missing
from ._unsupported import unsupported


def _unchanged(obj=None, *args, **kwargs):
    if obj is None:
        return _unchanged
    return obj


script = script_if_tracing = ignore = unused = export = interface = _unchanged


def is_scripting():
    return False


is_tracing = is_scripting


def annotate(the_type, the_value):
    return the_value


def isinstance(obj, target_type):
    import builtins

    return builtins.isinstance(obj, target_type)


class ScriptModule:
    """The class of scripted modules, of which there are none."""

    def __init__(self, *args, **kwargs):
        unsupported("torch.jit.ScriptModule")


class ScriptFunction(ScriptModule):
    """The class of scripted functions, of which there are none."""


RecursiveScriptModule = ScriptModule
__getattr__ = missing(__name__)
