#!/usr/bin/env bash
# Installs real PyTorch for the tests that compare with it, from Debian's own
# packages: 1.13 for Debian 12's python3 (`torch.sh 1.13`), or 2.6 in a folder of
# its own, made of Debian 13's packages (`torch.sh 2.6 DIR`). Needs root.
#
# The second form leaves DIR/python, a command that runs Python with PyTorch 2.6
# on a script anywhere below /.
set -euo pipefail

packages() {
	DEBIAN_FRONTEND=noninteractive apt-get -qq update
	DEBIAN_FRONTEND=noninteractive apt-get -qq install -y "$@" >/dev/null
}

case "${1:-}" in
1.13)
	/usr/bin/python3 -c 'import torch' 2>/dev/null || packages python3-torch
	/usr/bin/python3 -c 'import torch; print("PyTorch", torch.__version__)'
	;;
2.6)
	dir=${2:?usage: torch.sh 2.6 DIR}
	if ! [ -x "$dir/root/usr/bin/python3" ]; then
		command -v mmdebstrap >/dev/null || packages mmdebstrap
		mkdir -p "$dir"
		mmdebstrap --quiet --variant=minbase --include=python3-torch trixie "$dir/root"
	fi
	dir=$(cd "$dir" && pwd)
	cat >"$dir/python" <<-EOF
		#!/usr/bin/env bash
		# Runs Python with PyTorch 2.6 in the present directory.
		root=$dir/root
		for d in proc sys dev; do mountpoint -q "\$root/\$d" || mount --rbind "/\$d" "\$root/\$d"; done
		mkdir -p "\$root/\$PWD"
		mountpoint -q "\$root/\$PWD" || mount --bind "\$PWD" "\$root/\$PWD"
		exec chroot "\$root" /usr/bin/env -C "\$PWD" /usr/bin/python3 "\$@"
	EOF
	chmod +x "$dir/python"
	"$dir/python" -W ignore -c 'import torch; print("PyTorch", torch.__version__)' 2>/dev/null
	;;
*)
	echo "usage: torch.sh 1.13 | torch.sh 2.6 DIR" >&2
	exit 2
	;;
esac
