"""Profiling: blocks that are profiled run as they are, and what they would have measured is not there."""

from enum import Enum

from gradtui._agent.imports import standard

from .._namespace import missing
from ..autograd.profiler import Profile, record_function


class ProfilerAction(Enum):
    """What a profiler does at a step."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


class ProfilerActivity(Enum):
    """What a profiler looks at."""

    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    PrivateUse1 = 4


def supported_activities():
    return {ProfilerActivity.CPU}


def kineto_available():
    return False


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """A function from the number of a step to what a profiler does then."""

    def action(step):
        assert step >= 0
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait != 0:
            step += wait
        cycle = wait + warmup + active
        if 0 < repeat <= step // cycle:
            return ProfilerAction.NONE
        step %= cycle
        if step < wait:
            return ProfilerAction.NONE
        if step < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if step < cycle - 1 else ProfilerAction.RECORD_AND_SAVE

    assert wait >= 0 and warmup >= 0 and active > 0 and repeat >= 0 and skip_first >= 0, "Invalid profiler schedule arguments"
    if warmup == 0:
        standard("warnings").warn("Profiler won't be using warmup, this can skew profiler results")
    return action


class profile(Profile):
    """A block that would be profiled. on_trace_ready is called when there would be a trace."""

    _what = "torch.profiler.profile"

    def __init__(self, *, activities=None, schedule=None, on_trace_ready=None, **options):
        self.schedule = schedule
        self.on_trace_ready = on_trace_ready
        self.step_num = 0

    def start(self):
        pass

    def stop(self):
        if self.schedule is None or self._recording(self.step_num):
            self._ready()

    def _recording(self, step):
        return self.schedule(step) in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)

    def _ready(self):
        if self.on_trace_ready:
            self.on_trace_ready(self)

    def step(self):
        """Says that a step is over."""
        if self.schedule and self.schedule(self.step_num) is ProfilerAction.RECORD_AND_SAVE:
            self._ready()
        self.step_num += 1

    def add_metadata(self, key, value):
        pass

    add_metadata_json = preset_metadata_json = add_metadata


__getattr__ = missing(__name__)
