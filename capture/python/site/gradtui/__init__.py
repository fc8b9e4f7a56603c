"""Records what a part of a PyTorch program does, and stops it in a debugger.

    import gradtui

    with gradtui.record("run.tape"):        # then: gradtui open run.tape
        train_one_step()

    with gradtui.check() as findings:       # what gradtui check would say
        train_one_step()
    print(findings)

    gradtui.breakpoint()                    # stops here, if `gradtui attach` waits in a terminal

The work is done by the command gradtui, which has to be on the PATH, or at the path that
the environment variable GRADTUI names. Outside of recordings nothing is changed.
"""

from ._attach import attach, attached, breakpoint, detach
from ._record import Findings, FindingsError, Recording, check, record
from ._receiver import Error

__all__ = [
    "Error", "Findings", "FindingsError", "Recording", "attach", "attached", "breakpoint", "check", "detach", "record",
]
