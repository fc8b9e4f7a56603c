"""Starts the ranks of a distributed program, as torchrun does: launch.py PROGRAM ARGUMENTS."""

import os
import socket
import subprocess
import sys

SIZE = 2

with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    port = s.getsockname()[1]


def start(rank):
    own = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": SIZE, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    python = os.environ.get("PYTHON_EXEC", sys.executable)
    return subprocess.Popen([python, *sys.argv[1:]], env={**os.environ, **{k: str(v) for k, v in own.items()}})


codes = [p.wait() for p in [start(rank) for rank in range(SIZE)]]
sys.exit(next((1 if code < 0 else code for code in codes if code), 0))
