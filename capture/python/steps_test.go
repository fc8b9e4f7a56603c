package python_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/pythontest"
)

// Three of five parameters get gradients.
const stepped = `
import torch
used, unused = torch.nn.Linear(2, 3), torch.nn.Linear(3, 1, bias=False)
scale = torch.nn.Parameter(torch.ones(3))
optimizer = torch.optim.SGD([*used.parameters(), *unused.parameters(), scale, torch.nn.Parameter(torch.ones(2))], lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    (used(torch.ones(1, 2)) * scale).sum().backward()
    optimizer.step()
`

// TestAStepNamesTheParametersWithGradients compares the steps of all engines.
func TestAStepNamesTheParametersWithGradients(t *testing.T) {
	want := []string{"begins: 3", "done: 3", "begins: 3", "done: 3"}
	check := func(t *testing.T, tape *graph.Tape) {
		t.Helper()
		var got []string
		eachEvent(tape, func(e graph.Event) {
			if s, ok := e.(*graph.OptimizerStepped); ok {
				got = append(got, fmt.Sprintf("%s: %d", map[bool]string{false: "begins", true: "done"}[s.Done], len(s.Params)))
			}
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +recorded:\n%s", diff)
		}
	}
	t.Run("built-in", func(t *testing.T) {
		needPython(t)
		program := filepath.Join(t.TempDir(), "prog.py")
		if err := os.WriteFile(program, []byte(stepped), 0o600); err != nil {
			t.Fatal(err)
		}
		check(t, pythontest.Record(t, program))
	})
	eachRelease(t, func(t *testing.T, r *release) {
		tape, _ := r.recordSource(t, stepped)
		check(t, tape)
	})
}
