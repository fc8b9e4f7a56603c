package python

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
)

const (
	editedMain = `import sys, linecache
import torch
import layers
print(__name__, __file__, sys.argv, sys.path[0], sorted(k for k in globals() if not k.startswith("__")))
print(open(__file__).read() == "the file", linecache.getline(__file__, 2))
x = torch.ones(2, requires_grad=True)
class Step(torch.autograd.Function):
    pass
y = layers.scale(x)
y.backward(torch.ones(2))
print(x.grad.tolist(), Step.__module__)
if __name__ == "__main__":
    raise ValueError(y.shape)
`
	editedLayers = "def scale(x):\r\n    é = 3\r\n    return x * é\r\n"
)

// TestAnEditedProgramRunsAsIfItsFilesWereEdited runs a program whose files have the text, and one whose
// files have another one: what both print and what is on their tapes must be the same.
func TestAnEditedProgramRunsAsIfItsFilesWereEdited(t *testing.T) {
	t.Parallel()
	each(t, askable(), func(t *testing.T, on target) {
		type ran struct{ Out, Err, Events string }
		run := func(dir, main, layers string, edited map[string]string) ran {
			write(t, filepath.Join(dir, "prog.py"), main)
			write(t, filepath.Join(dir, "layers.py"), layers)
			tape := graph.NewTape(graph.Limits{})
			var out, errs bytes.Buffer
			p := Program{
				Path: filepath.Join(dir, "prog.py"), Args: []string{"-x", "1"}, Python: on.python, Engine: on.engine,
				Edited: edited, Stdout: &out, Stderr: &errs,
			}
			if _, err := p.Run(t.Context(), tape); err != nil {
				t.Fatal(err)
			}
			var events strings.Builder
			for pos := range tape.Len() {
				head, e, err := tape.At(pos)
				if err != nil {
					t.Fatal(err)
				}
				if source, ok := e.(*graph.SourceRead); ok && !strings.HasPrefix(tape.String(source.File), dir) || e.Kind() == graph.KindOutputWritten {
					continue
				}
				events.Write(tape.EventText(nil, e))
				for _, frame := range tape.Stack(head.Stack) {
					events.WriteString(" " + frame.String())
				}
				events.WriteByte('\n')
			}
			plain := strings.NewReplacer(dir, "DIR")
			return ran{plain.Replace(out.String()), plain.Replace(errs.String()), plain.Replace(events.String())}
		}
		want := run(t.TempDir(), editedMain, editedLayers, nil)
		if !strings.Contains(want.Out, "[3.0, 3.0]") || !strings.Contains(want.Err, "raise ValueError(y.shape)") {
			t.Fatalf("the program does something else: %s%s", want.Out, want.Err)
		}
		dir := t.TempDir()
		got := run(dir, "the file", "also", map[string]string{
			filepath.Join(dir, "prog.py"): editedMain, filepath.Join(dir, "layers.py"): editedLayers,
		})
		got.Out = strings.Replace(got.Out, "True import torch", "False import torch", 1) // the file itself is as it was
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		entries, _ := os.ReadDir(dir)
		if len(entries) != 2 {
			t.Errorf("the folder of the program has %d entries, not 2", len(entries))
		}
	})
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
