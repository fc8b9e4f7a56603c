"""Python imports this when it starts, because gradtui has put this folder first on
PYTHONPATH. It hides that, lets the sitecustomize of the user take its place, and waits
for the program to import torch."""

import sys
from os.path import dirname


def agent():
    """Imports our package, whose folder is not on the path."""
    from _frozen_importlib import module_from_spec
    from _frozen_importlib_external import spec_from_file_location

    home = dirname(dirname(__file__))
    spec = spec_from_file_location("gradtui_agent", home + "/__init__.py", submodule_search_locations=[home])
    module = sys.modules["gradtui_agent"] = module_from_spec(spec)
    spec.loader.exec_module(module)


agent()

from gradtui_agent import start  # noqa: E402

here = dirname(__file__)
start.hide(here)
while here in sys.path:
    sys.path.remove(here)
start.wait_for_torch()
start.provide(dirname(dirname(here)))
start.make_way(here)
