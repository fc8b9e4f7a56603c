package ui

import (
	"math"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/goldenfile"
)

// weighing is two steps of a weight with 2 × 3 × 4 elements, of which the tape has so many.
func weighing(t *testing.T, elements int) *graph.Tape {
	t.Helper()
	tape := graph.NewTape(graph.Limits{Elements: elements})
	data := make([]float64, 24)
	for i := range data {
		data[i] = float64(i-10) / 4
	}
	_, stop := autograd.Record(tape)
	defer stop()
	w := autograd.New(data).Reshape([]int{2, 3, 4}).Clone().RequiresGrad_(true).SetName("w")
	for range 2 {
		w.SetGrad(nil)
		if err := w.Mul(w).Sum().SetName("loss").Backward(); err != nil {
			t.Fatal(err)
		}
		autograd.NoGrad(func() { w.Sub_(w.Grad().MulScalar(0.25)) })
	}
	return tape
}

func TestTheElementsOfATensorAreShown(t *testing.T) {
	tape := weighing(t, graph.MostElements)
	var all strings.Builder
	for _, size := range [][2]int{{120, 30}, {80, 24}, {40, 12}} {
		d := open(t, tape, size[0], size[1])
		show := func(what string) {
			all.WriteString("--- " + what + "\n" + d.Screen())
			checkFrame(t, d.Model)
		}
		d.command("value w")
		show("w at the end")
		d.Press("]")
		show("its next leading index")
		d.Press("<", "=", "<")
		show("the value before, minus the one after the first step")
		if size[0] < 120 {
			continue
		}
		d.Press("=", "v")
		show("as marks")
		d.Press("v")
		show("two rows of elements in one, by colour")
		d.Press("v", ":", "0", ",", "space", "1", "enter")
		show("a slice, as a histogram")
		d.Press(":", "9", "enter")
		show("a slice that does not fit")
	}
	goldenfile.Check(t, "testdata/Tensor.golden", all.String(), *update)
}

func TestHalvesOfABlockAreElements(t *testing.T) {
	tape := weighing(t, graph.MostElements)
	d := open(t, tape, 80, 24)
	d.command("value w")
	v := d.Model.overlay.(*tensorView)
	v.show([]int{3, 2}, graph.Value{
		DType: graph.Float32, Count: 6, Min: -8, Max: 100, First: []float64{100, 0, -8, 0.5, 20, math.NaN()},
	})
	for _, c := range []struct {
		row, column  int
		upper, lower cells.Style
	}{
		{0, 0, halfAbove + 3, halfBelow + 1},
		{0, 1, halfZero, halfAbove + 1},
		{2, 0, halfAbove + 2, halfUnknown},
	} {
		p, there := v.halves(c.row, c.column)
		if want := halfBlocks + c.upper*halfLevels + c.lower; !there || p.text != "▀" || p.style != want {
			t.Errorf("row %d, column %d: %q in style %d, want %d", c.row, c.column, p.text, p.style, want)
		}
	}
	if p, _ := v.halves(2, 1); p.text != "?" || p.style != failed {
		t.Errorf("NaN is %q", p.text)
	}
	seen := map[string]bool{}
	for style := halfBlocks; style < halfBlocks+halfLevels*halfLevels; style++ {
		seen[palette(true)[style]] = true
	}
	if want := int(halfLevels * halfLevels); len(seen) != want {
		t.Errorf("%d pairs of colours differ, of %d", len(seen), want)
	}
}

func TestWithoutColoursThereIsNoMapOfColours(t *testing.T) {
	d := open(t, weighing(t, graph.MostElements), 80, 24)
	d.Send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
	d.command("value w")
	for range tensorWays {
		if strings.Contains(d.Screen(), "▀") {
			t.Fatalf("colours alone:\n%s", d.Screen())
		}
		d.Press("v")
	}
}

func TestATensorWithoutAllElementsSaysHowToRecordThem(t *testing.T) {
	d := open(t, weighing(t, 0), 100, 24)
	d.command("value w.grad")
	for _, want := range []string{"w.grad [2, 3, 4] float32", "the first 8 of 24 elements; --values 'w=full' records all", "norm", "-2.25"} {
		if screen := d.Screen(); !strings.Contains(screen, want) {
			t.Errorf("%q is missing:\n%s", want, screen)
		}
	}
	d.Press("esc")
	d.command("value loss.grad")
	if !strings.Contains(d.notice.text, "loss.grad is None here") {
		t.Errorf("%q", d.notice.text)
	}
}

func TestEnterShowsWhatARowHoldsAndThenGoesThere(t *testing.T) {
	d := open(t, weighing(t, graph.MostElements), 120, 40)
	d.command("tensor w")
	rows := d.panes.all[inspectorPane].(*inspectorView).rows
	for i, f := range rows {
		if f.holds == nil || !f.holds.grads {
			continue
		}
		for range i {
			d.Press("down")
		}
		d.Press("enter")
		if screen := d.Screen(); !strings.Contains(screen, "w.grad [2, 3, 4]") || !strings.Contains(screen, "value 2 of 2") {
			t.Fatalf("enter on .grad shows:\n%s", screen)
		}
		d.Press("enter")
		if grad, _ := d.graph().Tensor(d.chosen.tensor); d.overlay != nil || grad.ID != f.tensor {
			t.Errorf("enter in the view went to t%d, want t%d", grad.ID, f.tensor)
		}
		return
	}
	t.Error("no row holds a .grad")
}

func TestWhatGoesThroughANodeCanBeLookedAt(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	if err := capture.Local(tape, nil, nil, growing); err != nil {
		t.Fatal(err)
	}
	d := open(t, tape, 120, 40)
	d.command("node 2")
	names := map[string]bool{}
	for _, f := range d.panes.all[inspectorPane].(*inspectorView).rows {
		if f.holds != nil {
			name, _, _ := strings.Cut(f.holds.name, " ")
			names[name] = true
			d.settle(d.openTensor(*f.holds, f, ""))
			if !strings.Contains(d.Screen(), "element") {
				t.Errorf("%s:\n%s", f.holds.name, d.Screen())
			}
		}
	}
	if !names["w"] || !names["gradient"] {
		t.Errorf("the rows hold %v", names)
	}
}
