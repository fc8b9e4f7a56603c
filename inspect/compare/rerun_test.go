package compare_test

import (
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/compare"
	"github.com/gradtui/gradtui/inspect/internal/testtape"
)

func TestARerunIsComparedEventByEvent(t *testing.T) {
	text := testtape.Training(3, false)
	first := testtape.FromText(t, text)
	lines := strings.SplitAfter(text, "\n")
	events := []int{}
	for i, l := range lines {
		if strings.HasPrefix(l, "+") {
			events = append(events, i)
		}
	}
	changed := func(at int, to string) *graph.Tape {
		other := append([]string{}, lines...)
		other[events[at]] = to
		return testtape.FromText(t, strings.Join(other, ""))
	}
	half := len(events) / 2
	end := first.Len() - 1 // the last event is output
	printed := `+1ms output-written @0 stream=1 text="3.14"` + "\n"
	for _, c := range []struct {
		name        string
		second      *graph.Tape
		same        bool
		first, then graph.Pos
	}{
		{"the same", testtape.FromText(t, text), true, end + 1, end},
		{"other times", testtape.FromText(t, strings.ReplaceAll(text, "+1ms", "+7ms")), true, end + 1, end},
		{"output", changed(half, printed+lines[events[half]]), true, end + 1, end + 1},
		{"another event", changed(half, `+0s raised @0 type="ValueError" message="no"`+"\n"), false, graph.Pos(half), graph.Pos(half)},
		{"an end", testtape.FromText(t, strings.Join(lines[:events[half]], "")), true, graph.Pos(half), graph.Pos(half)},
	} {
		r := compare.NewRerun(first, c.second)
		if same := r.Advance(first.Len()); same != c.same || r.First() != c.first || r.Second() != c.then {
			t.Errorf("%s: same %v up to %d and %d, want %v up to %d and %d", c.name, same, r.First(), r.Second(), c.same, c.first, c.then)
		}
	}
}

// A program that is stopped is looked at more closely: its tape has more values.
func TestARerunLeavesOutValuesThatOneTapeLacks(t *testing.T) {
	of := func(value string) *graph.Tape {
		return testtape.FromText(t, `+0s tensor-created @0 tensor=1 storage=1 bytes=4 counter=1 dtype=float32 shape=[1]`+value+`
+0s mutated @0 tensor=1 to=1`+value+`
`)
	}
	seven, eight := ` value=(dtype=float32 count=1 whole=measured first=[7])`, ` value=(dtype=float32 count=1 whole=measured first=[8])`
	for _, c := range []struct {
		first, second string
		want          graph.Pos
	}{{"", seven, 2}, {seven, "", 2}, {seven, seven, 2}, {seven, eight, 0}} {
		r := compare.NewRerun(of(c.first), of(c.second))
		if r.Advance(2); r.First() != c.want {
			t.Errorf("%q and %q: the same up to %d, want %d", c.first, c.second, r.First(), c.want)
		}
	}
}

// What memory holds before anything is written to it is no difference, what is computed is one.
func TestARerunLeavesOutWhatWasNeverWritten(t *testing.T) {
	of := func(op, before, after string) *graph.Tape {
		return testtape.FromText(t, `+0s tensor-created @0 tensor=1 storage=1 bytes=4 counter=1 dtype=float32 shape=[1] value=(dtype=float32 count=1 whole=measured first=[`+before+`])
+0s op-ran @0 op="`+op+`" outputs=[1]
+0s tensor-created @0 tensor=2 storage=1 bytes=4 counter=1 dtype=float32 shape=[1] value=(dtype=float32 count=1 whole=measured first=[`+before+`])
+0s mutated @0 tensor=1 to=1 value=(dtype=float32 count=1 whole=measured first=[`+after+`])
+0s tensor-created @0 tensor=3 storage=1 bytes=4 counter=1 dtype=float32 shape=[1] value=(dtype=float32 count=1 whole=measured first=[`+after+`])
`)
	}
	for _, c := range []struct {
		op, before, after string
		want              graph.Pos
	}{
		{"empty", "7", "1", 5},
		{"new_empty", "7", "1", 5},
		{"empty", "7", "2", 3},
		{"ones", "7", "1", 0},
	} {
		r := compare.NewRerun(of(c.op, "3", "1"), of(c.op, c.before, c.after))
		if r.Advance(5); r.First() != c.want {
			t.Errorf("%s, %s, then %s: the same up to %d, want %d", c.op, c.before, c.after, r.First(), c.want)
		}
	}
}
