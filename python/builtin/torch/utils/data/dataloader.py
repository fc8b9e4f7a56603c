"""DataLoader: iterates over a dataset in batches."""

import collections
import itertools
import math
import multiprocessing
import os
import warnings
from typing import Generic, TypeVar

import torch
from torch._namespace import missing

from ._utils.collate import default_collate, default_convert
from ._utils.worker import Worker, get_worker_info
from .dataset import IterableDataset
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler

__all__ = ["DataLoader", "get_worker_info", "default_collate", "default_convert"]

_T_co = TypeVar("_T_co", covariant=True)


class _DatasetKind:
    Map = 0
    Iterable = 1


class _InfiniteConstantSampler(Sampler):
    """The sampler of datasets that are only iterated over."""

    def __iter__(self):
        return itertools.repeat(None)


class DataLoader(Generic[_T_co]):
    """Reads samples by a sampler, in batches that collate_fn makes.

    With num_workers > 0 the batches are computed as if by worker processes, but in
    the program's own.
    """

    _iterator = None
    __initialized = False

    def __init__(
        self,
        dataset,
        batch_size=1,
        shuffle=None,
        sampler=None,
        batch_sampler=None,
        num_workers=0,
        collate_fn=None,
        pin_memory=False,
        drop_last=False,
        timeout=0,
        worker_init_fn=None,
        multiprocessing_context=None,
        generator=None,
        *,
        prefetch_factor=None,
        persistent_workers=False,
        pin_memory_device="",
        in_order=True,
    ):
        if num_workers < 0:
            raise ValueError(
                "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing."
            )
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError(
                "prefetch_factor option could only be specified in multiprocessing."
                "let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None."
            )
        if num_workers > 0 and prefetch_factor is None:
            prefetch_factor = 2
        elif prefetch_factor is not None and prefetch_factor < 0:
            raise ValueError("prefetch_factor option should be non-negative")
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order

        if isinstance(dataset, IterableDataset):
            self._dataset_kind = _DatasetKind.Iterable
            self._refuse_order(shuffle, sampler, batch_sampler)
        else:
            self._dataset_kind = _DatasetKind.Map
            shuffle = bool(shuffle)
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
            batch_size = None
            drop_last = False
        elif batch_size is None and drop_last:
            raise ValueError(
                "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
            )
        if sampler is None:
            if self._dataset_kind == _DatasetKind.Iterable:
                sampler = _InfiniteConstantSampler()
            elif shuffle:
                sampler = RandomSampler(dataset, generator=generator)
            else:
                sampler = SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        self.collate_fn = collate_fn or (default_collate if self._auto_collation else default_convert)
        self.persistent_workers = persistent_workers
        self.__initialized = True
        self._IterableDataset_len_called = None
        self._iterator = None
        self.check_worker_number_rationality()

    @staticmethod
    def _refuse_order(shuffle, sampler, batch_sampler):
        given = [("shuffle", None if shuffle is False else shuffle), ("sampler", sampler), ("batch_sampler", batch_sampler)]
        for name, value in given:
            if value is not None:
                raise ValueError(
                    f"DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={value}"
                )

    @property
    def multiprocessing_context(self):
        """How worker processes would be started."""
        return self.__multiprocessing_context

    @multiprocessing_context.setter
    def multiprocessing_context(self, context):
        if context is not None:
            if self.num_workers == 0:
                raise ValueError(
                    "multiprocessing_context can only be used with multi-process loading (num_workers > 0), "
                    f"but got num_workers={self.num_workers}"
                )
            if isinstance(context, str):
                methods = multiprocessing.get_all_start_methods()
                if context not in methods:
                    raise ValueError(
                        f"multiprocessing_context option should specify a valid start method in {methods!r}, "
                        f"but got multiprocessing_context={context!r}"
                    )
                context = multiprocessing.get_context(context)
            if not isinstance(context, multiprocessing.context.BaseContext):
                raise TypeError(
                    "multiprocessing_context option should be a valid context object or a string specifying the "
                    f"start method, but got multiprocessing_context={context}"
                )
        self.__multiprocessing_context = context

    def __setattr__(self, attr, val):
        if self.__initialized and attr in (
            "batch_size",
            "batch_sampler",
            "sampler",
            "drop_last",
            "dataset",
            "persistent_workers",
        ):
            raise ValueError(f"{attr} attribute should not be set after {type(self).__name__} is initialized")
        super().__setattr__(attr, val)

    def _get_iterator(self):
        if self.num_workers == 0:
            return _SingleProcessDataLoaderIter(self)
        self.check_worker_number_rationality()
        return _MultiProcessingDataLoaderIter(self)

    def __iter__(self):
        if not (self.persistent_workers and self.num_workers > 0):
            return self._get_iterator()
        if self._iterator is None:
            self._iterator = self._get_iterator()
        else:
            self._iterator._reset(self)
        return self._iterator

    @property
    def _auto_collation(self):
        return self.batch_sampler is not None

    @property
    def _index_sampler(self):
        return self.batch_sampler if self._auto_collation else self.sampler

    def __len__(self):
        if self._dataset_kind == _DatasetKind.Map:
            return len(self._index_sampler)
        length = self._IterableDataset_len_called = len(self.dataset)
        if self.batch_size is None:
            return length
        return length // self.batch_size if self.drop_last else math.ceil(length / self.batch_size)

    def check_worker_number_rationality(self):
        """Warns of more workers than there are processors."""
        if not self.num_workers:
            return
        if hasattr(os, "sched_getaffinity"):
            processors, note = len(os.sched_getaffinity(0)), ""
        else:
            processors, note = os.cpu_count(), " (`cpuset` is not taken into account)"
        if processors is not None and self.num_workers <= processors:
            return
        suggestion = (
            f"Our suggested max number of worker in current system is {processors}{note}, which is smaller "
            "than what this DataLoader is going to create."
            if processors is not None
            else "DataLoader is not able to compute a suggested max number of worker in current system."
        )
        warnings.warn(
            f"This DataLoader will create {self.num_workers} worker processes in total. {suggestion} "
            "Please be aware that excessive worker creation might get DataLoader running slow or even freeze, "
            "lower the worker number to avoid potential slowness/freeze if necessary."
        )


def _map_fetcher(dataset, loader):
    """The function that makes the batch of some indices."""
    collate = loader.collate_fn
    if not loader._auto_collation:
        return lambda index: collate(dataset[index])

    def fetch(indices):
        if getattr(dataset, "__getitems__", None):
            return collate(dataset.__getitems__(indices))
        return collate([dataset[i] for i in indices])

    return fetch


def _iterable_fetcher(dataset, loader):
    """The function that makes the next batch, for indices that say only how many."""
    collate, drop_last = loader.collate_fn, loader.drop_last
    samples = iter(dataset)
    if not loader._auto_collation:
        return lambda _: collate(next(samples))
    ended = False

    def fetch(indices):
        nonlocal ended
        if ended:
            raise StopIteration
        batch = list(itertools.islice(samples, len(indices)))
        ended = len(batch) < len(indices)
        if not batch or (drop_last and ended):
            raise StopIteration
        return collate(batch)

    return fetch


class _BaseDataLoaderIter:
    """One pass over a loader's dataset."""

    def __init__(self, loader):
        self._loader = loader
        self._dataset = loader.dataset
        self._dataset_kind = loader._dataset_kind
        self._index_sampler = loader._index_sampler
        self._sampler_iter = iter(self._index_sampler)
        self._base_seed = torch.empty((), dtype=torch.int64).random_(generator=loader.generator).item()
        self._num_yielded = 0
        self._expected = loader._IterableDataset_len_called

    def _make_fetcher(self, dataset):
        make = _map_fetcher if self._dataset_kind == _DatasetKind.Map else _iterable_fetcher
        return make(dataset, self._loader)

    def __iter__(self):
        return self

    def _reset(self, loader):
        self._sampler_iter = iter(self._index_sampler)
        self._num_yielded = 0
        self._expected = loader._IterableDataset_len_called

    def __next__(self):
        data = self._next_data()
        self._num_yielded += 1
        if (
            self._dataset_kind == _DatasetKind.Iterable
            and self._expected is not None
            and self._num_yielded > self._expected
        ):
            text = (
                f"Length of IterableDataset {self._dataset} was reported to be {self._expected}"
                f"(when accessing len(dataloader)), but {self._num_yielded} samples have been fetched. "
            )
            if self._loader.num_workers > 0:
                text += (
                    "For multiprocessing data-loading, this could be caused by not properly configuring the "
                    "IterableDataset replica at each worker. Please see "
                    "https://pytorch.org/docs/stable/data.html#torch.utils.data.IterableDataset for examples."
                )
            warnings.warn(text)
        return data

    def __len__(self):
        return len(self._index_sampler)

    def __getstate__(self):
        raise NotImplementedError("{} cannot be pickled", type(self).__name__)


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    def __init__(self, loader):
        super().__init__(loader)
        assert loader.timeout == 0
        self._fetch = self._make_fetcher(self._dataset)

    def _next_data(self):
        return self._fetch(next(self._sampler_iter))


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """Deals the batches out to workers in turn and gives them back in that order."""

    def __init__(self, loader):
        super().__init__(loader)
        self._workers = [
            Worker(loader, i, self._base_seed + i, self._make_fetcher) for i in range(loader.num_workers)
        ]
        self._prefetch()

    def _reset(self, loader):
        super()._reset(loader)
        for worker in self._workers:
            worker.resume()
        self._prefetch()

    def _prefetch(self):
        self._tasks = collections.deque()
        self._turns = itertools.cycle(self._workers)
        for _ in range(self._loader.prefetch_factor * len(self._workers)):
            self._deal()

    def _deal(self):
        index = next(self._sampler_iter, _END)
        if index is _END:
            return
        for _ in self._workers:
            worker = next(self._turns)
            if not worker.ended:
                self._tasks.append((worker, index))
                return

    def _next_data(self):
        while self._tasks:
            worker, index = self._tasks.popleft()
            if worker.ended:
                continue
            try:
                data = worker.fetch(index)
            except StopIteration:
                worker.ended = True
                self._deal()
                continue
            self._deal()
            return data
        raise StopIteration


_END = object()


__getattr__ = missing(__name__)
