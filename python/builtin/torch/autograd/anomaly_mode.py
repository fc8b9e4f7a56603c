"""Anomaly mode: backward fails at the first NaN and shows where the forward op was called."""

import linecache
import re
import warnings

from torch._engine import call

__all__ = ["detect_anomaly", "set_detect_anomaly"]


def is_anomaly_enabled():
    return call("autograd.anomaly", ())[0]


def is_anomaly_check_nan_enabled():
    return call("autograd.anomaly", ())[1]


def set_anomaly_enabled(mode, check_nan=True):
    call("autograd.set_anomaly", (mode, check_nan))


def with_source(text):
    """The text with the source lines of the frames that it lists."""

    def frame(match):
        line = linecache.getline(match[1], int(match[2])).strip()
        return f"{match[0]}    {line}\n" if line else match[0]

    return re.sub(r'  File "([^"\n]*)", line (\d+), in .*\n', frame, text)


class detect_anomaly:
    """Anomaly mode inside a block, with a warning that it is slow."""

    def __init__(self, check_nan=True):
        self.prev, self.prev_check_nan = call("autograd.anomaly", ())
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. "
            "This mode will increase the runtime "
            "and should only be enabled for debugging.",
            stacklevel=2,
        )

    def __enter__(self):
        set_anomaly_enabled(True, self.check_nan)

    def __exit__(self, *args):
        set_anomaly_enabled(self.prev, self.prev_check_nan)


class set_detect_anomaly:
    """Switches anomaly mode: at once as a function, for a block as a context manager."""

    def __init__(self, mode, check_nan=True):
        self.prev, self.prev_check_nan = call("autograd.anomaly", ())
        set_anomaly_enabled(mode, check_nan)

    def __enter__(self):
        pass

    def __exit__(self, *args):
        set_anomaly_enabled(self.prev, self.prev_check_nan)
