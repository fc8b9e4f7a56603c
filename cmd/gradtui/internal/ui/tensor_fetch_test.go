package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// holding is a program that waits at the end of a tape and puts on it what is asked of a tensor, whose elements
// are their places.
func holding(t *testing.T, tape *graph.Tape, shape ...int) (*driver, *answering) {
	return stoppedAt(t, tape, func(a control.Ask) (control.Answer, error) {
		t, ok := tape.CursorAt(tape.Len()).Graph().Tensor(a.Tensor)
		if !ok || t.Version != a.Version {
			return control.Answer{}, errors.New(control.Changed)
		}
		var all []float64
		part := a.Part
		if len(part) == 0 {
			for range shape {
				part = append(part, 0, 1, 0)
			}
			for d, size := range shape {
				part[3*d+2] = size
			}
		}
		var visit func(d, at int)
		visit = func(d, at int) {
			if d == len(shape) {
				all = append(all, float64(at))
				return
			}
			for i := range part[3*d+2] {
				visit(d+1, at*shape[d]+part[3*d]+i*part[3*d+1])
			}
		}
		visit(0, 0)
		tape.Append(graph.Header{}, &graph.ValueRead{
			Tensor: a.Tensor, Version: a.Version, Part: a.Part, Value: graph.Summarize(graph.Float32, all, graph.MostElements),
		})
		return control.Answer{}, nil
	})
}

// withoutValues is a tape with a tensor x that was changed once, and of which nothing is known.
func withoutValues(shape ...int) *graph.Tape {
	tape := graph.NewTape(graph.Limits{})
	tape.SetInfo(graph.Info{Engine: "torch 2.6.0"})
	tape.Append(graph.Header{}, &graph.TensorCreated{Tensor: 1, Storage: 1, Counter: 1, DType: graph.Float32, Shape: shape})
	tape.Append(graph.Header{}, &graph.NameBound{Name: tape.InternString("x"), Tensor: 1})
	tape.Append(graph.Header{}, &graph.Mutated{Tensor: 1, To: 1})
	tape.Append(graph.Header{}, &graph.RequiresGrad{Tensor: 1, To: true})
	return tape
}

func TestElementsThatTheTapeLacksAreFetched(t *testing.T) {
	tape := withoutValues(5, 6)
	d, w := holding(t, tape, 5, 6)
	before := tape.Len()
	d.command("value x")
	if screen := d.Screen(); !strings.Contains(screen, "+29") || strings.Contains(screen, "not recorded") || !strings.Contains(screen, "max 29") {
		t.Errorf("the elements are missing:\n%s", screen)
	}
	if len(w.asked) != 1 || w.asked[0].Kind != control.AskElements || w.asked[0].Version != 1 || tape.Len() != before+1 {
		t.Errorf("asked %+v; %d events have come", w.asked, tape.Len()-before)
	}
	if !d.atStop() {
		t.Errorf("the cursor is at %d of %d", d.at(), tape.Len())
	}
	d.Press("esc", "S")
	d.goTo(before-1, look) // before it was read, and after it was changed
	d.command("value x")
	if screen := d.Screen(); !strings.Contains(screen, "+29") {
		t.Errorf("back in time they are gone:\n%s", screen)
	}
	d.Press("esc")
	d.goTo(2, look) // before it was changed
	d.command("value x")
	if screen := d.Screen(); strings.Contains(screen, "+29") || !strings.Contains(screen, "but "+control.Changed) || !strings.Contains(screen, "--values 'x=full'") {
		t.Errorf("an older value:\n%s", screen)
	}
	if n := len(w.asked); n != 2 {
		t.Errorf("%d questions", n)
	}
}

func TestThePartThatIsShownIsFetchedOfALargeTensor(t *testing.T) {
	tape := withoutValues(3, 2000, 1000)
	d, w := holding(t, tape, 3, 2000, 1000)
	d.command("value x")
	if screen := d.Screen(); !strings.Contains(screen, "+999") && !strings.Contains(screen, "+1000") || !strings.Contains(screen, "262144 at once") {
		t.Errorf("its beginning:\n%s", screen)
	}
	d.Press("down")
	if want := []int{0, 1, 1, 0, 1, 262, 0, 1, 1000}; len(w.asked) != 1 || !slices.Equal(w.asked[0].Part, want) {
		t.Fatalf("asked %+v, want %v", w.asked, want)
	}
	d.Press("end")
	if screen := d.Screen(); len(w.asked) != 2 || !strings.Contains(screen, "1.999e+06") {
		t.Errorf("its end, after %d questions:\n%s", len(w.asked), screen)
	}
	d.Press(":", "2", ",", "1", ":", "2", "enter")
	if screen := d.Screen(); len(w.asked) != 3 || !slices.Equal(w.asked[2].Part, []int{2, 1, 1, 1, 1, 1, 0, 1, 1000}) || !strings.Contains(screen, "4.001e+06") {
		t.Errorf("a slice, asked %+v:\n%s", w.asked[len(w.asked)-1], screen)
	}
	d.Press("right", "left", "v", "v")
	if len(w.asked) != 3 {
		t.Errorf("%d questions about what is known", len(w.asked))
	}
}

func TestAProgramThatCannotGiveElementsIsNotAskedAgain(t *testing.T) {
	d, w := stoppedAt(t, withoutValues(5, 6), func(control.Ask) (control.Answer, error) { return control.Answer{}, errors.New(notPython) })
	d.command("value x")
	d.Press("down", "up", "v", "v")
	if screen := d.Screen(); len(w.asked) != 1 || !strings.Contains(screen, "only Python programs can be") {
		t.Errorf("%d questions:\n%s", len(w.asked), screen)
	}
	d.Press("esc")
	d.program.running = true
	d.command("value x")
	if screen := d.Screen(); !strings.Contains(screen, "press i to interrupt it") {
		t.Errorf("while it runs:\n%s", screen)
	}
}
