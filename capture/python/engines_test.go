package python_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/capture/python/eager"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/internal/pythontest"
)

// An engineDifference is a program whose tape on PyTorch is known to differ from that on
// the built-in engine.
type engineDifference struct {
	Program  string
	Releases []string // of PyTorch; empty for all
	In       []string // "graph", "gradients", "findings"
	Why      string
}

// haveTheSameTape compares what was recorded of programs on PyTorch with what the built-in
// engine does. The same nodes with the same edges and saved tensors run in the same order in
// each backward pass, the leaves get the same gradients, and the findings are the same. The
// oldest release is left out.
func haveTheSameTape(t *testing.T, release string, compared []comparison, onEngine map[string]func(*testing.T) recorded) {
	var known []engineDifference
	readJSON(t, filepath.Join("testdata", "differences-engines.json"), &known)
	for _, c := range compared {
		builtin, name := onEngine[c.Program], nameOf(c.Program)
		if builtin == nil || release == oldest || filepath.Base(filepath.Dir(filepath.Dir(c.Program))) != rulePrograms {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			torch, builtin := aspectsOf(keptTape(t, c.Kept)), builtin(t)
			var why string
			var expected []string
			for _, d := range known {
				if d.Program == name && (len(d.Releases) == 0 || slices.Contains(d.Releases, release)) {
					why, expected = d.Why, d.In
				}
			}
			for aspect, of := range builtin {
				diff := cmp.Diff(of, torch[aspect], cmp.Comparer(nearly))
				switch listed := slices.Contains(expected, aspect); {
				case diff != "" && !listed:
					t.Errorf("the %s differ (-built-in +PyTorch):\n%s", aspect, cut(diff))
				case diff == "" && listed:
					t.Errorf("the %s are the same now, but listed: %s", aspect, why)
				}
			}
		})
	}
}

// recordedOnEngine records programs on the built-in engine, each when it is asked for first.
func recordedOnEngine(run []string) map[string]func(*testing.T) recorded {
	all := map[string]func(*testing.T) recorded{}
	for _, path := range run {
		if filepath.Base(filepath.Dir(path)) == hard {
			continue // they ask for what only PyTorch has
		}
		var once sync.Once
		var found recorded
		all[path] = func(t *testing.T) recorded {
			once.Do(func() { found = aspectsOf(pythontest.Record(t, path)) })
			return found
		}
	}
	return all
}

// keptTape is what the records of a program in a file say.
func keptTape(t *testing.T, file string) *graph.Tape {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tape := graph.NewTape(graph.Limits{})
	translator := eager.New(tape)
	const greeting = 1
	for n := 0; len(data) >= 4; n++ {
		size := int(binary.LittleEndian.Uint32(data))
		if n >= greeting {
			if _, err := translator.Frame(data[4 : 4+size]); err != nil {
				t.Fatal(err)
			}
		}
		data = data[4+size:]
	}
	capture.RecordSources(tape)
	return tape
}

// nearly compares the elements of gradients.
func nearly(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-4*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

func cut(text string) string {
	if len(text) > 3000 {
		return text[:3000] + "…"
	}
	return text
}

// recorded is what is compared of a tape.
type recorded map[string]any

func aspectsOf(tape *graph.Tape) recorded {
	return recorded{"graph": passesOf(tape), "gradients": gradientsOf(tape), "findings": findingsOf(tape)}
}

// findingsOf are the findings that fail a check, with their lines.
func findingsOf(tape *graph.Tape) (found []string) {
	for _, f := range inspect.Check(tape, rules.All(), inspect.Options{ReadFile: os.ReadFile}).Findings {
		if f.Severity >= inspect.SeverityWarning {
			found = append(found, fmt.Sprintf("%s in line %d", f.Code, f.Primary.Line))
		}
	}
	slices.Sort(found)
	return found
}

// eachEvent visits the events of a tape.
func eachEvent(tape *graph.Tape, visit func(graph.Event)) {
	for p := range graph.Pos(tape.Len()) {
		if _, e, err := tape.At(p); err == nil {
			visit(e)
		}
	}
}

// passesOf are the nodes that ran in the backward passes, in order: names, where their
// edges lead, and what they had saved in which version.
func passesOf(tape *graph.Tape) (lines []string) {
	type made struct {
		name, looks string
	}
	nodes := map[graph.NodeID]made{}
	eachEvent(tape, func(e graph.Event) {
		switch e := e.(type) {
		case *graph.NodeCreated:
			name := tape.String(e.Name)
			var b strings.Builder
			fmt.Fprint(&b, name)
			for _, to := range e.Edges {
				fmt.Fprintf(&b, " →%s", strings.TrimSpace(fmt.Sprintf("%s:%d", nodes[to.Node].name, to.Input)))
			}
			var saved []string
			for _, s := range e.Saved {
				if s.Tensor == 0 {
					saved = append(saved, tape.String(s.Name)+" -")
				} else {
					saved = append(saved, fmt.Sprintf("%s v%d", tape.String(s.Name), s.Version))
				}
			}
			slices.Sort(saved)
			fmt.Fprint(&b, " ", saved)
			nodes[e.Node] = made{name, b.String()}
		case *graph.BackwardBegan:
			lines = append(lines, fmt.Sprintf("backward %d, %d roots", e.Backward, len(e.Roots)))
		case *graph.NodeExecuted:
			lines = append(lines, nodes[e.Node].looks)
		case *graph.BackwardFailed:
			lines = append(lines, "failed: "+nodes[e.Node].name)
		}
	})
	return lines
}

// A leafGradient is what a tensor has got into .grad.
type leafGradient struct {
	Value []float64
}

// gradientsOf are the gradients that small tensors kept, in order of size and time.
func gradientsOf(tape *graph.Tape) (found []leafGradient) {
	eachEvent(tape, func(e graph.Event) {
		if a, ok := e.(*graph.GradAccumulated); ok && a.Value.Whole() && a.Value.Count <= 8 {
			found = append(found, leafGradient{slices.Clone(a.Value.First)})
		}
	})
	return found
}
