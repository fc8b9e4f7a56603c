package python

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
)

// TestModulesBesideTheProgramMayBeCalledAsStandardOnes: the recorder imports the standard
// ones, and the program gets what plain Python gives it, also where PyTorch itself cannot be
// imported then.
func TestModulesBesideTheProgramMayBeCalledAsStandardOnes(t *testing.T) {
	const program = `
import sys
print(sorted(m for m in sys.modules if not m.startswith("gradtui")))
try:
    import torch
    w = torch.ones(3, requires_grad=True)
    (w * 2).sum().backward()
    print(w.grad)
except Exception as e:
    print(type(e).__name__, e)
for name in "fnmatch select mmap sysconfig traceback types".split():
    print(name, getattr(__import__(name), "own", None))
`
	for _, on := range torches() {
		t.Run(on.name, func(t *testing.T) {
			on.require(t)
			for _, shadows := range [][]string{{"fnmatch", "select", "mmap"}, {"sysconfig"}, {"traceback"}, {"types"}} {
				dir := t.TempDir()
				path := filepath.Join(dir, "program.py")
				files := map[string]string{path: program}
				for _, name := range shadows {
					files[filepath.Join(dir, name+".py")] = "own = True\n"
				}
				for file, text := range files {
					if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				want, _ := exec.Command(on.python, path).Output() // it may fail
				var got bytes.Buffer
				p := Program{Path: path, Python: on.python, Engine: on.engine, Stdout: &got}
				run, err := p.Run(t.Context(), graph.NewTape(graph.Limits{}))
				if err != nil {
					t.Fatal(err)
				}
				if run.Damaged != nil {
					t.Errorf("%v: %v", shadows, run.Damaged)
				}
				if diff := cmp.Diff(string(want), got.String()); diff != "" {
					t.Errorf("%v (-plain +recorded):\n%s", shadows, diff)
				}
			}
		})
	}
}
