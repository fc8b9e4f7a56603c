"""Python imports this when it starts, because gradtui has put this folder first on
PYTHONPATH. It hides that and lets the sitecustomize of the user, if there is one,
take its place."""

import importlib.util
import sys
from importlib.machinery import PathFinder
from os.path import dirname

from gradtui_agent import start

start.hide()
_here = dirname(__file__)
_spec = PathFinder.find_spec("sitecustomize", [p for p in sys.path if p != _here])
if _spec is None:
    # The site module takes this for what it is: there is none.
    raise ImportError("No module named 'sitecustomize'", name="sitecustomize")
sys.modules["sitecustomize"] = _module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
