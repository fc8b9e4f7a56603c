#!/usr/bin/env bash
# Installs the current release of PyTorch from the Python Package Index, into a virtual
# environment of its own: `torch-current.sh [DIR]`. The tests that compare with PyTorch take it
# when GRADTUI_PYTHON_CURRENT names its Python, which is the last line printed. The release that
# they were last run with, and how, is in docs/current-release.md.
set -euo pipefail
dir=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/gradtui-ci/torch-current}
if ! "$dir/bin/python" -W ignore -c 'import torch' 2>/dev/null; then
	python3 -m venv "$dir"
	"$dir/bin/python" -m pip install --quiet torch numpy pytest
fi
"$dir/bin/python" -W ignore -c 'import torch; print("PyTorch", torch.__version__)' >&2
echo "$dir/bin/python"
