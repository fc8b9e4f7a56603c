package examples_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/graph"
)

// run is what an example prints, with its error as the last line, and the tape of
// it.
func run(t *testing.T, e examples.Example) (string, *graph.Tape) {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	_, stop := autograd.Record(tape)
	defer stop()
	var out strings.Builder
	err := e.Run(&out)
	if (err != nil) != e.Fails {
		t.Errorf("Fails is %v, but the error is %v", e.Fails, err)
	}
	if err != nil {
		fmt.Fprintln(&out, err)
	}
	return out.String(), tape
}

func find(t *testing.T, name string) examples.Example {
	t.Helper()
	e, ok := examples.Find(name)
	if !ok {
		t.Fatalf("there is no example %s", name)
	}
	return e
}

func TestExamplesPrintWhatPyTorchPrints(t *testing.T) {
	recordings, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(recordings) == 0 {
		t.Fatal("no recordings:", err)
	}
	for _, file := range recordings {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := run(t, find(t, name))
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-PyTorch +here):\n%s", diff)
			}
		})
	}
}

func TestTheCustomFunctionHasTheGradientsOfItsFormula(t *testing.T) {
	got, _ := run(t, find(t, "custom"))
	for _, line := range []string{
		"x.grad = tensor([ 6., 12., 18.])", // 2ax
		"a.grad = tensor(17.) (the sum)",   // 1+4+9, and 1 for each element
		"  from AddBackward0: tensor(3.), the sum over tensor([1., 1., 1.])",
		"  from AXXBackward: tensor(14.), the sum over tensor([1., 4., 9.])",
		"forward mode, da = 1: tensor([ 3., 12., 27.]) changes by tensor([1., 4., 9.])",
	} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("the output lacks %q:\n%s", line, got)
		}
	}
}

func TestTheLocalRuleAgreesWithAutogradAndLearns(t *testing.T) {
	got, _ := run(t, find(t, "local-rule"))
	before := 1.0
	for i, line := range strings.Split(strings.TrimSpace(got), "\n") {
		var step, edges int
		var loss, worst float64
		if _, err := fmt.Sscanf(line, "step %d  loss %f  %d edges, largest difference to autograd %g", &step, &loss, &edges, &worst); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if step != i || edges != 20 || worst > 1e-15 || loss >= before {
			t.Errorf("%q; the loss was %g", line, before)
		}
		before = loss
	}
	if before > 1e-3 {
		t.Errorf("the last loss is %g", before)
	}
}

func TestTheTapesOfExamplesAreInOrderAndShowTheFailure(t *testing.T) {
	for _, e := range examples.All {
		t.Run(e.Name, func(t *testing.T) {
			first, tape := run(t, e)
			for _, problem := range graph.Validate(tape, 5) {
				t.Error(problem)
			}
			raised := ""
			for pos := range tape.Len() {
				_, event, err := tape.At(pos)
				if err != nil {
					t.Fatal(err)
				}
				if r, ok := event.(*graph.Raised); ok {
					raised = tape.String(r.Code)
				}
			}
			if want := map[string]string{"inplace": "version", "second-backward": "freed"}[e.Name]; raised != want {
				t.Errorf("the tape has the error %q, want %q", raised, want)
			}
			if second, _ := run(t, e); first != second {
				t.Errorf("a second run prints something else:\n%s", cmp.Diff(first, second))
			}
		})
	}
}

func TestSourcesOfExamplesAreAtHand(t *testing.T) {
	for _, e := range examples.All {
		_, tape := run(t, e)
		found := false
		for pos := range tape.Len() {
			h, _, err := tape.At(pos)
			if err != nil {
				t.Fatal(err)
			}
			if stack := tape.Stack(h.Stack); len(stack) > 0 {
				text, err := examples.Source(stack[0].File)
				if err != nil {
					t.Fatalf("%s: %v", e.Name, err)
				}
				if lines := strings.Count(string(text), "\n"); stack[0].Line > lines {
					t.Fatalf("%s: line %d of %s, which has %d", e.Name, stack[0].Line, stack[0].File, lines)
				}
				found = true
			}
		}
		if !found {
			t.Errorf("no event of %s has a place in the source", e.Name)
		}
	}
}
