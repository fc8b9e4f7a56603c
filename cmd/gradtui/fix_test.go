package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/internal/documents"
)

// twoBugs reads a module and data beside it, and has two bugs.
const twoBugs = `import pathlib
import torch
from layers import scale
data = torch.tensor([float(x) for x in (pathlib.Path(__file__).parent / "data.txt").read_text().split()])
torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for step in range(4):
    h = scale(torch.sigmoid(w * data))
    loss = (h - 1).pow(2).sum()
    loss.backward()
    opt.step()
`

const twoBugsLayers = "def scale(h):\r\n    h *= 0.5; return h\r\n"

func twoBugsIn(t *testing.T) (dir string, contents func() string) {
	dir = t.TempDir()
	files := map[string]string{"train.py": twoBugs, "layers.py": strings.Replace(twoBugsLayers, "; ", "\r\n    ", 1), "data.txt": "1 2 3"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, func() (all string) {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if text, err := os.ReadFile(filepath.Join(dir, e.Name())); err == nil {
				all += e.Name() + "\n" + string(text)
			}
		}
		return all
	}
}

// The first bug ends the program, and hides the second one. With --apply the second is found when the first is mended.
func TestFixTriesEditsAndLeavesFilesAlone(t *testing.T) {
	for engine, flags := range map[string][]string{
		"builtin": {"--engine", "builtin"},
		"torch":   {"--engine", "torch", "--python", pythonWithTorch(t)},
	} {
		dir, contents := twoBugsIn(t)
		before := contents()
		train := filepath.Join(dir, "train.py")
		code, said := did(t, "", append([]string{"fix", train}, flags...)...)
		for _, want := range []string{
			"1. inplace-saved-tensor ", "layers.py:2: ", "-    h *= 0.5\n+    h = h * 0.5\n", "suggestion: the finding is gone; new: grad-accumulated at line 11",
			"the program runs to its end; before: RuntimeError: ",
		} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: no %q in\n%s", engine, want, said)
			}
		}
		if code != cli.ExitFindings || contents() != before {
			t.Errorf("%s: exit code %d; the files are now\n%s", engine, code, contents())
		}
	}
}

func TestFixAppliesWhatIsProven(t *testing.T) {
	dir, contents := twoBugsIn(t)
	layers, train := filepath.Join(dir, "layers.py"), filepath.Join(dir, "train.py")
	if err := os.WriteFile(layers, []byte("def scale(h):\r\n    return h * 0.5\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, said := did(t, "", "fix", train, "--engine", "builtin", "--format", "json", "--apply", "--only", "grad-accumulated:11")
	var doc documents.Trials
	if err := json.Unmarshal([]byte(said), &doc); err != nil || code != cli.ExitOK || len(doc.Fixes) != 1 || len(doc.Written) != 1 {
		t.Fatalf("%d, %v\n%s", code, err, said)
	}
	if f := doc.Fixes[0]; f.Verdict != "proven" || !f.Gone || f.Before.Passes != 4 || len(f.After.Losses) != 4 || *f.After.Losses[0] != *f.Before.Losses[0] || *f.After.Losses[3] == *f.Before.Losses[3] {
		t.Errorf("%+v", f)
	}
	if text := contents(); !strings.Contains(text, "    opt.zero_grad()\n    loss.backward()\n") {
		t.Error(text)
	}
	if code, said := did(t, "", "fix", train, "--engine", "builtin"); code != cli.ExitOK || !strings.Contains(said, "nothing was found") {
		t.Errorf("after the fix: %d\n%s", code, said)
	}
}

func TestFixSaysWhatItCannotDo(t *testing.T) {
	file := written(t, "slow.py", slow)
	goes := written(t, "train.go", "package main\nfunc main() {}\n")
	for _, c := range []struct {
		code int
		args []string
		want string
	}{
		{cli.ExitFindings, []string{file}, "no edit is known; "},
		{cli.ExitFailed, []string{file, "--only", "7"}, "there is no finding 7; the program has 1"},
		{cli.ExitFailed, []string{file, "--only", "nothing-like-it"}, "no rule is called"},
		{cli.ExitFailed, []string{file, "--format", "xml"}, "use text or json"},
		{cli.ExitFailed, []string{goes}, "apply only to Python programs"},
	} {
		code, said := did(t, "", append([]string{"fix", "--engine", "builtin"}, c.args...)...)
		if code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%v: %d, want %q\n%s", c.args, code, c.want, said)
		}
	}
}
