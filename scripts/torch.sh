#!/usr/bin/env bash
# Installs real PyTorch for the tests that compare with it, from Debian's own
# packages: 1.13 and pytest for Debian 12's python3 (`torch.sh 1.13`), or 2.6 in a folder of
# its own, made of Debian 13's packages (`torch.sh 2.6 [DIR]`), which takes about
# a minute and 1.2 GB. Needs root. scripts/python-2.6 runs what the second form
# installs, and knows the folder that it takes when no other is given.
set -euo pipefail

packages() {
	DEBIAN_FRONTEND=noninteractive apt-get -qq update
	DEBIAN_FRONTEND=noninteractive apt-get -qq install -y "$@" >/dev/null
}

case "${1:-}" in
1.13)
	/usr/bin/python3 -W ignore -c 'import pytest, torch' 2>/dev/null || packages python3-torch python3-pytest
	/usr/bin/python3 -W ignore -c 'import torch; print("PyTorch", torch.__version__)'
	;;
2.6)
	python=$(dirname "$0")/python-2.6
	export GRADTUI_TORCH_2_6=${2:-$("$python" --root)}
	if ! "$python" -W ignore -c 'import torch' 2>/dev/null; then
		command -v mmdebstrap >/dev/null || packages mmdebstrap
		rm -rf "$GRADTUI_TORCH_2_6"
		mkdir -p "$GRADTUI_TORCH_2_6"
		mmdebstrap --quiet --variant=minbase --include=python3-torch trixie "$GRADTUI_TORCH_2_6"
	fi
	"$python" -W ignore -c 'import torch; print("PyTorch", torch.__version__)' 2>/dev/null
	;;
*)
	echo "usage: torch.sh 1.13 | torch.sh 2.6 [DIR]" >&2
	exit 2
	;;
esac
