package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/internal/documents"
)

func TestASparklineIsLogarithmic(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		of      []float64
		columns int
		want    string
	}{
		{nil, 4, ""},
		{[]float64{1, 8, 100}, 4, "▁▄█"},
		{[]float64{0, 3, inf, nan}, 4, "_▅!·"},
		{[]float64{1, 100, 100, 1, nan, nan, 1, 2}, 4, "██·▁"},
		{[]float64{1, 1, 100, 1, 0, 0}, 3, "▁█_"},
	} {
		if got := sparkline(c.of, c.columns); got != c.want {
			t.Errorf("%v: %q, want %q", c.of, got, c.want)
		}
	}
}

// The gradient of the sum of squares is twice the parameter, so a step of 0.25 halves it.
const halving = `import torch
w = torch.tensor([3.0, 4.0] + [0.0] * 10, requires_grad=True)
still = torch.ones(12, requires_grad=True)
opt = torch.optim.SGD([w, still], lr=0.25)
for _ in range(4):
    opt.zero_grad()
    (w.pow(2).sum() + (still * 0).sum()).backward()
    opt.step()
`

func TestStatSaysHowParametersChange(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "halving.py")
	if err := os.WriteFile(file, []byte(halving), 0o600); err != nil {
		t.Fatal(err)
	}
	for engine, flags := range map[string][]string{
		"builtin": {"--engine", "builtin"},
		"torch":   {"--engine", "torch", "--python", pythonWithTorch(t)},
	} {
		code, said := did(t, "", append([]string{"stat", file, "--parameters", "--values", "full"}, flags...)...)
		if code != cli.ExitOK {
			t.Fatal(said)
		}
		var rows []string
		for line := range strings.Lines(said) {
			if f := strings.Fields(line); len(f) == 8 && (f[0] == "w" || f[0] == "still") {
				rows = append(rows, strings.Join(f, " "))
			}
		}
		want := "w 4 2.5 0.312 10 1.25 0.5 █▆▃▁\nstill 4 3.46 3.46 0 0 0 ____"
		if got := strings.Join(rows, "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s\nin\n%s", engine, got, want, said)
		}
	}
	_, said := did(t, "", "stat", file, "--parameters", "--engine", "builtin")
	if !strings.Contains(said, "--values full records it") {
		t.Errorf("without all elements:\n%s", said)
	}
	code, said := did(t, "", "stat", file, "--parameters", "--format", "json", "--engine", "builtin", "--quiet")
	var doc documents.Stat
	if err := json.Unmarshal([]byte(said), &doc); err != nil || code != cli.ExitOK {
		t.Fatal(err, said)
	}
	if len(doc.Parameters) != 2 || doc.Parameters[0].Name != "w" || len(doc.Parameters[0].Steps) != 4 {
		t.Fatalf("%+v", doc.Parameters)
	}
	if s := doc.Parameters[0].Steps[1]; string(s.Norm) != "1.25" || string(s.Gradient) != "5" || s.Update != nil {
		t.Errorf("norm %s, gradient %s, update %s: not 1.25, 5, nothing", s.Norm, s.Gradient, s.Update)
	}
}
