"""The version of PyTorch whose behaviour this is."""

__version__ = "2.6.0+gradtui"
debug = False
cuda = None
hip = None
xpu = None
git_version = "Unknown"
