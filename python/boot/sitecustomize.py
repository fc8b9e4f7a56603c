"""Python imports this when it starts, because gradtui has put this folder first on
PYTHONPATH. It hides that, prepares what the program needs, and lets the sitecustomize of
the user, if there is one, take its place."""

import sys
from os.path import dirname

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from typing import Any


def package(folder: str) -> None:
    """Imports our package, whose folder is not on the path."""
    from _frozen_importlib import module_from_spec
    from _frozen_importlib_external import spec_from_file_location

    spec: Any = spec_from_file_location("gradtui", folder + "/__init__.py", submodule_search_locations=[folder])
    module = sys.modules["gradtui"] = module_from_spec(spec)
    spec.loader.exec_module(module)


here = dirname(__file__)
home = dirname(here)
package(home + "/src/gradtui")

from gradtui._agent import imports, start

start.hide(here)
if start.channel:  # the program gets our torch
    sys.path[:] = [home + "/builtin" if p == here else p for p in sys.path]
    imports.keep_apart(home + "/builtin")
else:
    while here in sys.path:
        sys.path.remove(here)
    start.wait_for_torch()
if start.edited:
    from gradtui._agent import edited

    edited.install(start.edited)
start.make_way(here)
