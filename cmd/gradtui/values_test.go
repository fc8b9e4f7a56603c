//go:build unix

package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
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

const namedProgram = `import json, sys
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(20, 30), nn.ReLU())
        self.head = nn.Linear(30, 5)

    def forward(self, x):
        h = self.encoder(x)
        other = h * 2
        return self.head(other)

torch.manual_seed(0)
model = Net()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(6, 20)
for i in range(3):
    opt.zero_grad()
    out = model(x)
    first, second = out.split(3)
    loss = out.pow(2).mean()
    loss.backward()
    opt.step()
found = {"out": out, "second": second, "h": model.encoder(x)}
for name, p in model.named_parameters():
    found["model." + name.replace("encoder.0", "encoder[0]")] = p
    found["model." + name.replace("encoder.0", "encoder[0]") + ".grad"] = p.grad
with open(sys.argv[1], "w") as f:
    json.dump({name: t.flatten().tolist() for name, t in found.items()}, f)
`

// Of what has a name, or is made in a module with that path, the tape has as many elements as the name
// asks for, and they are the ones that the program has.
func TestValuesAreKeptByNameAndModule(t *testing.T) {
	engines := map[string][]string{
		"builtin": {"--engine", "builtin"},
		"torch":   {"--engine", "torch", "--python", pythonWithTorch(t)},
	}
	if python := os.Getenv("GRADTUI_PYTHON_1_13"); python != "" {
		engines["torch 1.13"] = []string{"--engine", "torch", "--python", python}
	}
	for engine, flags := range engines {
		dir := t.TempDir()
		file, out, has := filepath.Join(dir, "named.py"), filepath.Join(dir, "run.tape"), filepath.Join(dir, "has.json")
		if err := os.WriteFile(file, []byte(namedProgram), 0o600); err != nil {
			t.Fatal(err)
		}
		const asked = "head.weight=full, encoder=40,out=30,second=12,nothing.*=9"
		args := append([]string{"record", file, "-o", out, "--values", asked}, flags...)
		code, said := did(t, "", append(args, "--", has)...)
		if code != cli.ExitOK {
			t.Fatal(said)
		}
		if !strings.Contains(said, `--values: no tensor or module was named "nothing.*"`) || strings.Contains(said, `"encoder"`) {
			t.Errorf("%s said %s", engine, said)
		}
		data, err := os.ReadFile(has)
		if err != nil {
			t.Fatal(err)
		}
		var held map[string][]float64
		if err := json.Unmarshal(data, &held); err != nil {
			t.Fatal(err)
		}
		values := valuesIn(t, out)
		for name, n := range map[string]int{
			"model.head.weight": 150, "model.head.weight.grad": 150, "model.encoder[0].weight": 40, "model.encoder[0].weight.grad": 40,
			"model.encoder[0].bias": 30, "model.encoder[0].bias.grad": 30, "out": 30, "second": 12, "first": 0, "other": 0,
		} {
			v := values[name]
			if len(v.First) != n && (n > 0 || len(v.First) > 8) {
				t.Errorf("%s: the tape has %d elements of %s, want %d", engine, len(v.First), name, n)
				continue
			}
			for i := range v.First[:min(n, len(v.First))] {
				if got, want := v.First[i], held[name][i]; math.Abs(got-want) > 1e-6 {
					t.Fatalf("%s: element %d of %s is %v on the tape, %v in the program", engine, i, name, got, want)
				}
			}
		}
		if v := values["h"]; len(v.First) != 40 {
			t.Errorf("%s: the tape has %d elements of what the encoder made", engine, len(v.First))
		}
		tape, _, err := tapefile.Open(out, tapefile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if problems := graph.Validate(tape, 5); len(problems) > 0 {
			t.Error(engine, problems)
		}
	}
}

func TestAWrongNameOfValuesSaysWhatToWrite(t *testing.T) {
	for asked, want := range map[string]string{
		"fc1":            `by name, write for example fc1=full`,
		"fc1=all":        `write full, summary or a number of elements, for example fc1=full`,
		"=full":          `has no name before the =`,
		"full,fc1=8":     `put "full" last`,
		"*=full,fc1=8":   `put "*=full" last`,
		"fc1=8,,fc2=8":   `has an empty item`,
		"fc1..weight=9":  `is not a name`,
		"fc1=full,fc2=0": `asks for "0"`,
	} {
		code, said := did(t, "", "record", "a.py", "-o", "b.tape", "--values", asked)
		if code == cli.ExitOK || !strings.Contains(said, want) {
			t.Errorf("--values %s: exit code %d, %s", asked, code, said)
		}
	}
}
