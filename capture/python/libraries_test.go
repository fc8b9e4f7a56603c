//go:build unix

package python

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMuonDoesWhatTheCurrentReleaseDoes compares with what PyTorch 2.15 has printed: 2.6 has no
// Muon.
func TestMuonDoesWhatTheCurrentReleaseDoes(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("testdata", "current", "muon.py"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "current", "muon.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, out := ran(t, &Program{}, string(source))
	if diff := cmp.Diff(string(want), out); diff != "" {
		t.Errorf("(-PyTorch's +ours)\n%s", diff)
	}
}

func TestTensorBoardIsWhatIsInstalled(t *testing.T) {
	_, out := ran(t, &Program{}, `
import sys
import types
import torch

sys.modules["tensorboardX"] = sys.modules["tensorboard"] = None  # as if neither were installed
try:
    from torch.utils.tensorboard import SummaryWriter
except ImportError as e:
    print(e)
written = []

class SummaryWriter:
    def __init__(self, folder):
        self.folder = folder
    def add_scalar(self, name, value, step):
        written.append((self.folder, name, float(value), step))

sys.modules["tensorboardX"] = types.SimpleNamespace(FileWriter=1, RecordWriter=2, SummaryWriter=SummaryWriter)
from torch.utils import tensorboard
tensorboard.SummaryWriter("logs").add_scalar("loss", torch.tensor(0.5), 3)
print(written, tensorboard.FileWriter, tensorboard.RecordWriter)
`)
	want := "import of tensorboard halted; None in sys.modules\n[('logs', 'loss', 0.5, 3)] 1 2\n"
	if out != want {
		t.Errorf("got %q", out)
	}
}
