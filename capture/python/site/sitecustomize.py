"""Python imports this when it starts, because gradtui has put this folder first on
PYTHONPATH. It hides that and lets the sitecustomize of the user, if there is one,
take its place."""

import sys
from importlib.machinery import PathFinder
from os.path import dirname

from gradtui_agent import start


def make_way():
    """Imports the sitecustomize that Python would have found without us."""
    here = dirname(__file__)
    spec = PathFinder.find_spec("sitecustomize", [p for p in sys.path if p != here])
    if spec is None:
        # The site module takes this for what it is: there is none.
        raise ImportError("No module named 'sitecustomize'", name="sitecustomize")
    from importlib.util import module_from_spec

    module = sys.modules["sitecustomize"] = module_from_spec(spec)
    spec.loader.exec_module(module)


start.hide()
make_way()
