"""The case lists, one module a family."""
