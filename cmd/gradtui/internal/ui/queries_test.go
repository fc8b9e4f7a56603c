package ui

import (
	"strings"
	"testing"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/graph"
)

// growing is three rounds of a tensor that triples.
func growing() error {
	w := autograd.New([]float64{1, 2}, autograd.RequiresGrad).SetName("w")
	for range 3 {
		h := w.Mul(w).SetName("h")
		if err := h.Sum().Backward(); err != nil {
			return err
		}
		autograd.NoGrad(func() { w.Mul_(3) })
	}
	return nil
}

// command carries out a command line.
func (d *driver) command(line string) {
	d.settle(d.Model.Run(line))
	d.settle(d.keepWorking())
}

// Breakpoints on a recorded tape are hits, forwards and backwards.
func TestBreakpointsHaveHitsOnATape(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	if err := capture.Local(tape, nil, nil, growing); err != nil {
		t.Fatal(err)
	}
	d := open(t, tape, 120, 40)
	d.Press("<")
	d.command(`break writes(w) and max > 4`)
	d.command(`break binds(h)`)
	var went []string
	for range 6 {
		d.Press("c")
		went = append(went, d.notice.text)
	}
	for range 5 {
		d.Press("C")
		went = append(went, d.notice.text)
	}
	want := []string{
		"hit 1 of 3: binds(h)", "hit 1 of 3: writes(w) and max > 4", "hit 2 of 3: binds(h)", "hit 2 of 3: writes(w) and max > 4",
		"hit 3 of 3: binds(h)", "hit 3 of 3: writes(w) and max > 4",
		"hit 3 of 3: binds(h)", "hit 2 of 3: writes(w) and max > 4", "hit 2 of 3: binds(h)", "hit 1 of 3: writes(w) and max > 4", "hit 1 of 3: binds(h)",
	}
	for i := range want {
		if went[i] != want[i] {
			t.Errorf("move %d: %q, want %q", i+1, went[i], want[i])
		}
	}
	d.Press("C")
	if !strings.Contains(d.notice.text, "no earlier hit") {
		t.Errorf("before the first hit: %q", d.notice.text)
	}
	d.Press("4")
	if screen := d.Screen(); !strings.Contains(screen, hitMark) || !strings.Contains(screen, "hits") {
		t.Errorf("the timeline shows no hits:\n%s", screen)
	}
}

func TestHitsAreListed(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	if err := capture.Local(tape, nil, nil, growing); err != nil {
		t.Fatal(err)
	}
	d := open(t, tape, 100, 30)
	d.Press("<")
	d.command(`hits op == "sum" and out.item > 10`)
	if screen := d.Screen(); !strings.Contains(screen, "2 hits") || strings.Count(screen, "sum made") != 2 {
		t.Errorf("the list:\n%s", screen)
	}
	d.Press("down", "enter")
	if _, e := d.event(d.at() - 1); e.Kind() != graph.KindOpRan {
		t.Errorf("enter went behind %T", e)
	}
	d.command("hits max(w")
	if !strings.Contains(d.notice.text, "the query ends too early") {
		t.Errorf("a query that cannot be read: %q", d.notice.text)
	}
}
