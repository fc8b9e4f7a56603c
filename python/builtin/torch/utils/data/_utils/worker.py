"""Workers of a DataLoader. They work in the program's own process, one batch after the other,
with random numbers and a dataset of their own, as if they were processes."""

import copy
import random
import traceback

import torch

_worker_info = None


class WorkerInfo:
    """What a worker knows of itself: id, num_workers, seed and its copy of the dataset."""

    def __init__(self, **fields):
        self.__dict__.update(fields)

    def __setattr__(self, key, value):
        raise RuntimeError(f"Cannot assign attributes to {type(self).__name__} objects")

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v}' for k, v in self.__dict__.items())})"


def get_worker_info():
    """The WorkerInfo of the worker that runs now, None in the main program."""
    return _worker_info


class Worker:
    """Fetches batches in a context of its own."""

    def __init__(self, loader, number, seed, make_fetcher):
        self.number = number
        self.ended = False
        dataset = copy.copy(loader.dataset)
        self.info = WorkerInfo(id=number, num_workers=loader.num_workers, seed=seed, dataset=dataset)
        self._make_fetcher = make_fetcher
        with _Seeded(seed):
            self.states = torch.get_rng_state(), random.getstate()
        self._inside(self._start, loader.worker_init_fn)

    def _start(self, init):
        if init is not None:
            init(self.number)
        self.fetcher = self._make_fetcher(self.info.dataset)

    def resume(self):
        """Begins another pass."""
        self.ended = False
        self._inside(self._start, None)

    def fetch(self, index):
        """The batch for indices."""
        return self._inside(self.fetcher, index)

    def _inside(self, function, *args):
        global _worker_info
        mine, outside = self.states, (torch.get_rng_state(), random.getstate())
        torch.set_rng_state(mine[0])
        random.setstate(mine[1])
        before, _worker_info = _worker_info, self.info
        try:
            return function(*args)
        except StopIteration:
            raise
        except Exception as error:
            raise _carried(error, self.number) from None
        finally:
            _worker_info = before
            self.states = torch.get_rng_state(), random.getstate()
            torch.set_rng_state(outside[0])
            random.setstate(outside[1])


class _Seeded:
    """Seeds the random numbers for a while."""

    def __init__(self, seed):
        self.seed = seed

    def __enter__(self):
        self.outside = torch.get_rng_state(), random.getstate()
        random.seed(self.seed)
        torch.manual_seed(self.seed)

    def __exit__(self, *_):
        torch.set_rng_state(self.outside[0])
        random.setstate(self.outside[1])


def _carried(error, number):
    """The error as a process that reads from worker number sees it."""
    kind = type(error)
    text = "".join(traceback.format_exception(kind, error, error.__traceback__))
    message = f"Caught {kind.__name__} in DataLoader worker process {number}.\nOriginal {text}"
    try:
        return kind(message)
    except Exception:
        return RuntimeError(message)
