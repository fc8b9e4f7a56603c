"""Facts that the engine itself does not see. Each becomes an event of the tape:

    ("note", kind, stack, values)

A tensor is given by its handle.
"""

from . import stacks


def handle(t):
    """What messages carry for a tensor; the recorder of PyTorch replaces it."""
    return complex(t._h)


after = int  # is called after each note

_LONGEST = 2000  # characters of a message


def note(kind, *values, skip=1):
    """Notes a fact at the program's line: skip is the number of innermost frames that
    are left out."""
    stacks.pending.append(("note", kind, stacks.here(skip + 1), values))
    after()


def raised(error, *tensors):
    """Notes an error that our Python files are about to raise, and returns it."""
    values = type(error).__name__, str(error)[:_LONGEST], [handle(t) for t in tensors]
    stacks.pending.append(("note", "raised", stacks.here(2), values))
    return error


def failed(error, tb):
    """Notes an exception that nobody caught. tb is its traceback without our frames."""
    if tb is None:
        return
    while tb.tb_next is not None:
        tb = tb.tb_next
    try:
        text = str(error)[:_LONGEST]
        number = stacks.find(tb.tb_frame).number
    except Exception:  # code of the program has failed again
        return
    stacks.pending.append(("note", "failed", number, (type(error).__name__, text)))
