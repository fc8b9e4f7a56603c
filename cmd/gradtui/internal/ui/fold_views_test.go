package ui

import (
	"strings"
	"testing"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/graph"
)

// viewed is a tape of a product of a matrix and another one transposed.
func viewed(t *testing.T) *graph.Tape {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	_, stop := autograd.Record(tape)
	defer stop()
	w := autograd.Ones([]int{2, 3}).RequiresGrad_(true).SetName("w")
	x := autograd.Ones([]int{2, 3})
	y := x.Mm(w.T()).View([]int{4}).Sum()
	if err := y.Backward(); err != nil {
		t.Fatal(err)
	}
	return tape
}

func TestViewsAreFoldedIntoTheirNeighbours(t *testing.T) {
	f := sessionFile(t)
	o := optionsFor(viewed(t))
	o.SessionFile = f
	d := openWith(t, o, 100, 30)
	d.Press(":")
	d.Type("fold views")
	d.Press("enter")
	screen := d.Screen()
	for _, want := range []string{"MmBackward0 [2, 2] freed ⇢ (View)", "w [2, 3] leaf has .grad ⇢ (T)", "5 nodes, 2 views"} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is not in\n%s", want, screen)
		}
	}
	for _, gone := range []string{"TBackward0", "ViewBackward0"} {
		if strings.Contains(screen, gone) {
			t.Errorf("%s is in\n%s", gone, screen)
		}
	}
	if text := strings.Join(d.panes.graph.words(&d.state), "\n"); !strings.Contains(text, "read through View") {
		t.Error(text)
	}
	if err := d.Keep(); err != nil {
		t.Fatal(err)
	}
	d.Press("/")
	d.Type("TBackward0")
	d.Press("enter")
	if screen := d.Screen(); !strings.Contains(screen, "TBackward0") || strings.Contains(screen, "ViewBackward0") {
		t.Errorf("a view that was searched:\n%s", screen)
	}
	var err error
	if o.Earlier, err = f.Load(); err != nil {
		t.Fatal(err)
	}
	again := openWith(t, o, 100, 30)
	if !strings.Contains(again.Screen(), "⇢ (T)") {
		t.Errorf("the next time:\n%s", again.Screen())
	}
	again.Press(":")
	again.Type("fold views off")
	again.Press("enter")
	if !strings.Contains(again.Screen(), "TBackward0") {
		t.Error(again.Screen())
	}
}
