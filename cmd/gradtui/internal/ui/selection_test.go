package ui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// waiting is a program that waits forever and takes breakpoints.
type waiting struct{ points []control.Breakpoint }

func (w *waiting) Stops() <-chan control.Stop     { return nil }
func (w *waiting) Done() <-chan struct{}          { return nil }
func (w *waiting) Result() string                 { return "" }
func (w *waiting) Resume(control.Step) error      { return nil }
func (w *waiting) Repeat(control.Step, int) error { return nil }
func (w *waiting) Interrupt() error               { return nil }
func (w *waiting) Input(string) error             { return nil }
func (w *waiting) Resize(int, int)                {}
func (w *waiting) Ask(control.Ask) (control.Answer, error) {
	return control.Answer{}, control.ErrNotRunning
}
func (w *waiting) Break(points ...control.Breakpoint) error {
	w.points = slices.Clone(points)
	return nil
}

// A breakpoint is on what is chosen in the focused pane; a second b clears it.
func TestABreakpointIsOnWhatIsChosenInThePane(t *testing.T) {
	d := open(t, recorded(t, "inplace"), 120, 40)
	w := &waiting{}
	d.Program = w
	for _, step := range []struct {
		what string
		keys []string
		want string // "": there can be none
	}{
		{"a node of the graph", []string{"1", "home"}, "op AddBackward0"},
		{"another one", []string{"down", "down"}, "op PowBackward0"},
		{"a leaf of the graph", []string{"end"}, "tensor stiffness"},
		{"the cause in the findings", []string{"5", "home", "down", "down"}, "inplace.go:20"},
		{"a related line", []string{"down", "down", "down"}, "inplace.go:34"},
		{"a line of the source", []string{"1", "home", "2", "home", "down", "down"}, "inplace.go:3"},
		{"the inspector's node", []string{"1", "home", "3", "home"}, "inplace.go:35"},
		{"an edge in the inspector", []string{"1", "home", "3", "end"}, ""},
		{"the timeline", []string{"4"}, "inplace.go:38"},
		{"the output", []string{"6"}, "inplace.go:38"},
		{"the memory", []string{"7", "home"}, "inplace.go:34"},
	} {
		d.Press(step.keys...)
		if step.what == "an edge in the inspector" {
			v := d.panes.all[inspectorPane].(*inspectorView)
			v.chosen = slices.IndexFunc(v.rows, func(f fact) bool { return strings.Contains(f.text(), "[1] SumBackward0") })
			step.want = "op SumBackward0"
		}
		if step.what == "the inspector's node" {
			d.Press("down") // "made by …": an event
		}
		d.Press("b")
		got := ""
		if len(w.points) > 0 {
			got = w.points[0].String()
		}
		if len(w.points) > 1 || !strings.HasSuffix(got, step.want) || (got == "") != (step.want == "") {
			t.Errorf("%s: the breakpoints are %v, want %q", step.what, w.points, step.want)
		}
		if got != "" {
			if d.Press("b"); len(w.points) != 0 {
				t.Errorf("%s: b again leaves %v", step.what, w.points)
			}
		}
	}
}

func TestWhatIsChosenIsCopied(t *testing.T) {
	d := open(t, recorded(t, "inplace"), 120, 40)
	for _, step := range []struct {
		keys []string
		want string
	}{
		{[]string{"1", "home"}, "AddBackward0 n9"},
		{[]string{"3", "home"}, "● AddBackward0 n9 ran in backward #1"},
		{[]string{"2", "home", "down"}, "inplace.go:2"},
		{[]string{"5", "home"}, "error[inplace-saved-tensor]"},
	} {
		d.Press(step.keys...)
		if d.Press("y"); !strings.Contains(d.notice.text, step.want) {
			t.Errorf("%v y: %q, want %q", step.keys, d.notice.text, step.want)
		}
	}
	tape := graph.NewTape(graph.Limits{})
	tape.Append(graph.Header{}, &graph.OutputWritten{Stream: 1, Text: "a line\nanother\n"})
	d = open(t, tape, 120, 40)
	if d.Press("6", "y"); d.notice.text != "copied: a line another" {
		t.Errorf("the output: %q", d.notice.text)
	}
}

// chain is a program with a graph that is too large to be arranged at once.
func chain() error {
	x := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
	for range atOnce * 3 / 2 {
		x = x.Add(1)
	}
	return x.Sum().Backward()
}

// No step arranges a large graph itself, what is shown meanwhile exists at the cursor,
// and what comes in the end is what would have been made at once.
func TestLargeGraphsAreArrangedBesideEverythingElse(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	if err := capture.Local(tape, nil, nil, chain); err != nil {
		t.Fatal(err)
	}
	d := open(t, tape, 80, 24)
	exists := func() {
		t.Helper()
		if v := d.scope.view; v != nil {
			for i := range v.Len() {
				if _, ok := d.graph().Node(v.Node(i)); !ok {
					t.Fatalf("n%d is shown at event %d", v.Node(i), d.at())
				}
			}
		}
		d.Screen()
	}
	var later []tea.Cmd
	for _, key := range []string{"N", "N", "S", "S", "s", "<", ">", "S", "S", "s", "s"} {
		_, cmd := d.Update(tea.KeyPressMsg(tea.Key{Code: []rune(key)[0], Text: key}))
		later = append(later, cmd)
		exists()
	}
	for _, cmd := range later {
		d.settle(cmd)
		exists()
	}
	roots, _ := d.rootsNow(d.graph())
	if d.scope.wanted != nil || !slices.Equal(d.scope.roots, roots) {
		t.Fatalf("the graph of %v is shown, %v is wanted", d.scope.roots, d.scope.wanted)
	}
	got, want := d.scope.view, dag.NewView(dag.Collect(d.graph(), roots))
	if got.Rows() != want.Rows() || got.Len() != want.Len() || got.Len() < atOnce {
		t.Errorf("%d rows of %d nodes, want %d of %d", got.Rows(), got.Len(), want.Rows(), want.Len())
	}
	for i := range want.Len() {
		if got.Node(i) != want.Node(i) {
			t.Fatalf("node %d is n%d, want n%d", i, got.Node(i), want.Node(i))
		}
	}
}

// Folds by hand survive a step that changes the graph.
func TestFoldsSurviveSteps(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	if err := capture.Local(tape, nil, nil, func() error {
		x := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
		for range 20 { // few enough to begin unfolded
			x = x.Mul(2).Add(1)
		}
		return x.Sum().Mul(2).Add(1).Err()
	}); err != nil {
		t.Fatal(err)
	}
	d := open(t, tape, 80, 24)
	d.Press("1")
	unfolded := d.scope.view.Rows()
	d.Press("-")
	folded := d.scope.view.Rows()
	for i := range 2 {
		if d.Press("S"); d.scope.view.Rows() != folded-i-1 {
			t.Errorf("of %d rows %d are left by folding, and %d after %d steps back", unfolded, folded, d.scope.view.Rows(), i+1)
		}
	}
	if folded >= unfolded {
		t.Errorf("%d of %d rows are left by folding", folded, unfolded)
	}
}
