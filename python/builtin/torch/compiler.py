"""Compilation is not there: functions run as they are."""

from ._namespace import missing


def compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False):
    """The function or module itself; also a decorator with arguments."""
    if mode is not None and options is not None:
        raise RuntimeError("Either mode or options can be specified, but both can't be specified at the same time.")
    return (lambda model: model) if model is None else model


def is_compiling():
    return False


is_dynamo_compiling = is_compiling


def disable(fn=None, recursive=True):
    return (lambda fn: fn) if fn is None else fn


allow_in_graph = disable


def reset():
    pass


def cudagraph_mark_step_begin():
    pass


__getattr__ = missing(__name__)
