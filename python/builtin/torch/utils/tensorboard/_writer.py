"""The writer of logs where TensorBoard is installed: scalars, histograms, texts and hyperparameters."""

import os
import socket
import time
from datetime import datetime

import numpy
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import HistogramProto, Summary, SummaryMetadata
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.compat.proto.types_pb2 import DT_STRING
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from torch import Tensor
from torch._unsupported import unsupported


def _array(values):
    return values.detach().numpy() if isinstance(values, Tensor) else numpy.asarray(values)


def _edges():
    """Limits of bins that grow by a tenth, to both sides of zero."""
    positive = []
    v = 1e-12
    while v < 1e20:
        positive.append(v)
        v *= 1.1
    return [-x for x in reversed(positive)] + [0] + positive


class SummaryWriter:
    """Writes events into a folder."""

    def __init__(self, log_dir=None, comment="", purge_step=None, max_queue=10, flush_secs=120, filename_suffix=""):
        if not log_dir:
            when = datetime.now().strftime("%b%d_%H-%M-%S")
            log_dir = os.path.join("runs", when + "_" + socket.gethostname() + comment)
        self.log_dir = str(log_dir)
        self._made = {"": EventFileWriter(self.log_dir, max_queue, flush_secs, filename_suffix)}

    def get_logdir(self):
        return self.log_dir

    def _write(self, values, step, walltime, folder=""):
        if folder not in self._made:
            self._made[folder] = EventFileWriter(os.path.join(self.log_dir, folder))
        event = Event(summary=Summary(value=values), wall_time=time.time() if walltime is None else walltime)
        if step is not None:
            event.step = int(step)
        self._made[folder].add_event(event)

    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None, new_style=False, double_precision=False):
        value = Summary.Value(tag=tag, simple_value=float(_array(scalar_value).reshape(()).item()))
        self._write([value], global_step, walltime)

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None):
        for tag, x in tag_scalar_dict.items():
            value = Summary.Value(tag=main_tag, simple_value=float(_array(x).reshape(()).item()))
            self._write([value], global_step, walltime, main_tag.replace("/", "_") + "_" + tag)

    def add_histogram(self, tag, values, global_step=None, bins="tensorflow", walltime=None, max_bins=None):
        x = _array(values).astype(float).reshape(-1)
        if x.size == 0:
            raise ValueError("The input has no element.")
        counts, limits = numpy.histogram(x, bins=_edges() if bins == "tensorflow" else bins)
        filled = numpy.nonzero(counts)[0]
        first, last = (filled[0], filled[-1]) if filled.size else (0, 0)
        proto = HistogramProto(
            min=x.min(), max=x.max(), num=x.size, sum=x.sum(), sum_squares=x.dot(x),
            bucket_limit=limits[first + 1 : last + 2].tolist(), bucket=counts[first : last + 1].tolist(),
        )  # fmt: skip
        self._write([Summary.Value(tag=tag, histo=proto)], global_step, walltime)

    def add_text(self, tag, text_string, global_step=None, walltime=None):
        metadata = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name="text"))
        shape = TensorShapeProto(dim=[TensorShapeProto.Dim(size=1)])
        tensor = TensorProto(dtype=DT_STRING, string_val=[str(text_string).encode()], tensor_shape=shape)
        self._write([Summary.Value(tag=tag + "/text_summary", metadata=metadata, tensor=tensor)], global_step, walltime)

    def add_hparams(self, hparam_dict, metric_dict, hparam_domain_discrete=None, run_name=None, global_step=None):
        from tensorboard.plugins.hparams import summary_v2

        if not isinstance(hparam_dict, dict) or not isinstance(metric_dict, dict):
            raise TypeError("hparam_dict and metric_dict should be dictionary.")
        folder = run_name or str(time.time())
        plain = {k: v.item() if isinstance(v, Tensor) else v for k, v in hparam_dict.items()}
        self._write(list(summary_v2.hparams_pb(plain).value), None, None, folder)
        for tag, x in metric_dict.items():
            value = Summary.Value(tag=tag, simple_value=float(_array(x).reshape(()).item()))
            self._write([value], global_step, None, folder)

    def flush(self):
        for writer in self._made.values():
            writer.flush()

    def close(self):
        for writer in self._made.values():
            writer.close()

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.close()

    def __getattr__(self, name):
        if name.startswith("add_"):
            return lambda *args, **kwargs: unsupported("torch.utils.tensorboard.SummaryWriter.%s without tensorboardX" % name)
        raise AttributeError("'SummaryWriter' object has no attribute '%s'" % name)
