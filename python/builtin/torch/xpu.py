"""There is no such device: what programs ask before they use one."""

from ._namespace import missing


def is_available():
    return False


def device_count():
    return 0


def manual_seed(seed):
    pass


manual_seed_all = empty_cache = lambda *args: None
_is_in_bad_fork = is_available
__getattr__ = missing(__name__)
