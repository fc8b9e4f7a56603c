"""Python imports this when it starts, because gradtui has put this folder first on
PYTHONPATH. It hides that and lets the sitecustomize of the user, if there is one,
take its place."""

from os.path import dirname

from gradtui_agent import start

start.hide(dirname(__file__))
start.keep_apart(dirname(__file__))
start.make_way(dirname(__file__))
