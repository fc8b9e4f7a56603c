"""Records what a part of a PyTorch program does, and stops it in a debugger.

    import gradtui

    with gradtui.record("run.tape"):        # then: gradtui open run.tape
        train_one_step()

    with gradtui.check() as findings:       # what gradtui check would say
        train_one_step()
    print(findings)

    with gradtui.audit() as findings:       # what gradtui audit would measure
        loss_of(batch).backward()

    gradtui.breakpoint()                    # stops here, if `gradtui attach` waits in a terminal

The work is done by the command gradtui, which has to be on the PATH, or at the path that
the environment variable GRADTUI names. Outside of recordings nothing is changed.
"""

# Modules are loaded when they are needed: gradtui imports this package into every program.
_HOMES = {
    "Error": "_receiver",
    "Findings": "_record",
    "FindingsError": "_record",
    "Recording": "_record",
    "attach": "_attach",
    "attached": "_attach",
    "audit": "_record",
    "breakpoint": "_attach",
    "check": "_record",
    "detach": "_attach",
    "record": "_record",
}

__all__ = [
    "Error", "Findings", "FindingsError", "Recording",
    "attach", "attached", "audit", "breakpoint", "check", "detach", "record",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError("module 'gradtui' has no attribute %r" % name)
    from importlib import import_module

    value = globals()[name] = getattr(import_module("." + _HOMES[name], __name__), name)
    return value


def __dir__() -> "list[str]":
    return sorted(set(globals()) | set(__all__))


TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from ._attach import attach, attached, breakpoint, detach
    from ._receiver import Error
    from ._record import Findings, FindingsError, Recording, audit, check, record
