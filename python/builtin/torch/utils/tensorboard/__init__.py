"""Logs for TensorBoard: written by tensorboardX, or by TensorBoard itself, whichever is installed."""

try:
    from tensorboardX import FileWriter, RecordWriter, SummaryWriter
except ImportError:
    import tensorboard

    del tensorboard
    from ._writer import SummaryWriter
    from tensorboard.summary.writer.event_file_writer import EventFileWriter as FileWriter
    from tensorboard.summary.writer.record_writer import RecordWriter

__all__ = ["FileWriter", "SummaryWriter", "RecordWriter"]
