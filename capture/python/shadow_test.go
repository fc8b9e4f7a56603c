package python

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
)

// TestModulesBesideTheProgramDoNotStandInForThoseOfOurTorch: the built-in engine's torch
// imports the standard ones, also late, and the program gets its own where plain Python
// gives it them.
func TestModulesBesideTheProgramDoNotStandInForThoseOfOurTorch(t *testing.T) {
	interpreter := anyPython(t).command()
	const uses = `
import torch
w = torch.ones(3, requires_grad=True)
class Double(torch.autograd.Function):
    @staticmethod
    def forward(x): return x * 2
    @staticmethod
    def setup_context(ctx, inputs, output): pass
    @staticmethod
    def backward(ctx, g): return g * 2
Double.apply(torch.nn.Linear(3, 1)(w)).sum().backward()
torch.optim.SGD([w], 0.1).step()
torch.nn.utils.skip_init(torch.nn.Linear, 2, 2)
torch.distributions.Normal(0, 1)
torch.utils.data.DataLoader([1, 2])
torch.histogramdd(torch.rand(4, 2), [2, 2])
str(w)
`
	shadows := strings.Fields("random types queue socket enum logging json copy weakref functools warnings contextlib operator " +
		"re inspect traceback threading typing mmap select array bisect linecache string heapq signal dis pickle fcntl numbers collections")
	dir := t.TempDir()
	plain, using := filepath.Join(dir, "plain.py"), filepath.Join(dir, "using.py")
	asks := "for name in \"" + strings.Join(shadows, " ") + "\".split():\n    print(name, getattr(__import__(name), \"own\", None))\n"
	files := map[string]string{plain: asks, using: uses + asks}
	for _, name := range shadows {
		files[filepath.Join(dir, name+".py")] = "own = True\n"
	}
	for file, text := range files {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := exec.Command(interpreter, plain).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	p := Program{Path: using, Python: interpreter, Engine: Builtin, Stdout: &got, Stderr: t.Output()}
	run, err := p.Run(t.Context(), graph.NewTape(graph.Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); run.ExitCode != 0 || diff != "" {
		t.Errorf("exit code %d (-plain +recorded):\n%s", run.ExitCode, diff)
	}
}
