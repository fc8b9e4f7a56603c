//go:build unix

package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

const measuredProgram = `import torch
a = torch.arange(60, dtype=torch.float32).reshape(6, 10) - 20
b = a.clamp(min=0)
c = b.t()
d = b.double() / 3
e = b.to(torch.int64)
f = b > 0
b.mul_(2)
w = torch.linspace(-1, 1, 12).requires_grad_()
w.pow(2).sum().backward()
`

// valuesOf records a program and returns what its named tensors hold at the end, and .grad of w.
func valuesOf(t *testing.T, flags ...string) map[string]graph.Value {
	t.Helper()
	dir := t.TempDir()
	file, out := filepath.Join(dir, "measured.py"), filepath.Join(dir, "run.tape")
	if err := os.WriteFile(file, []byte(measuredProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, said := did(t, "", append([]string{"record", file, "-o", out}, flags...)...); code != cli.ExitOK {
		t.Fatal(said)
	}
	return valuesIn(t, out)
}

func valuesIn(t *testing.T, path string) map[string]graph.Value {
	t.Helper()
	tape, _, err := tapefile.Open(path, tapefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := tape.CursorAt(tape.Len()).Graph()
	values := map[string]graph.Value{}
	for b := range g.Bindings() {
		if found, ok := g.Tensor(b.Tensor); ok {
			values[b.Name] = found.Value
			if grad, ok := g.Tensor(found.Grad); ok {
				values[b.Name+".grad"] = grad.Value
			}
		}
	}
	return values
}

// The norm of b after it was doubled is known from the elements: 2·√(1² + … + 39²).
func TestValuesAreKeptAsAsked(t *testing.T) {
	for engine, flags := range map[string][]string{
		"builtin": {"--engine", "builtin"},
		"torch":   {"--engine", "torch", "--python", pythonWithTorch(t)},
	} {
		for asked, first := range map[string]int{"summary": 8, "25": 25, "full": 60} {
			values := valuesOf(t, append([]string{"--values", asked}, flags...)...)
			norm := 2 * math.Sqrt(39*40*79/6)
			if v := values["b"]; len(v.First) != first || v.Count != 60 || v.Zeros != 21 || v.Max != 78 || math.Abs(v.Norm-norm) > 1e-9 {
				t.Errorf("%s, %s: b is %+v, want %d elements, 21 zeros and a norm of %v", engine, asked, v, first, norm)
			}
			// c shows the memory of b, and was recorded before it was doubled: row by row.
			if v := values["c"]; v.Zeros != 21 || v.Max != 39 || v.First[4] != 20 || v.First[5] != 30 {
				t.Errorf("%s, %s: c is %+v", engine, asked, v)
			}
			if v := values["d"]; math.Abs(v.Norm-norm/6) > 1e-9 {
				t.Errorf("%s, %s: d is %+v, want a norm of %v", engine, asked, v, norm/6)
			}
			if v := values["e"]; math.Abs(v.Norm-norm/2) > 1e-9 || v.Zeros != 21 {
				t.Errorf("%s, %s: e is %+v", engine, asked, v)
			}
			if v := values["f"]; v.Zeros != 21 || math.Abs(v.Norm-math.Sqrt(39)) > 1e-9 {
				t.Errorf("%s, %s: f is %+v", engine, asked, v)
			}
			if v := values["w.grad"]; len(v.First) != min(first, 12) || math.Abs(v.Norm-2*values["w"].Norm) > 1e-6 {
				t.Errorf("%s, %s: the gradient of w is %+v", engine, asked, v)
			}
		}
	}
}

func TestARecordingInAProgramKeepsValuesAsAsked(t *testing.T) {
	dir := t.TempDir()
	withPackage(t, dir, `
import gradtui, torch
with gradtui.record("run.tape", values="full"):
    a = torch.arange(40.) + 1
try:
    gradtui.record("no.tape", values="all").start()
except gradtui.Error as error:
    assert "neither full, summary nor a number" in str(error), error
else:
    raise AssertionError("values='all' was accepted")
`)
	for name, v := range valuesIn(t, filepath.Join(dir, "run.tape")) {
		if !v.Whole() || v.Count != 40 {
			t.Errorf("%s is %+v", name, v)
		}
	}
}

func TestValuesApplyToProgramsOnly(t *testing.T) {
	for _, args := range [][]string{{"explain", "-", "w", "--values", "full"}, {"record", "a.py", "-o", "b.tape", "--values", "many"}} {
		if code, said := did(t, "", args...); code == cli.ExitOK {
			t.Errorf("%q: %s", args, said)
		}
	}
}
