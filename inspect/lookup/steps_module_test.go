package lookup

import (
	"testing"

	"github.com/gradtui/gradtui/graph"
)

// outer( a() b() ) c()
func TestStepsOverModules(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	enter := func(path string) {
		tape.Append(graph.Header{}, &graph.ModuleEntered{Path: tape.InternString(path)})
	}
	leave := func() { tape.Append(graph.Header{}, &graph.ModuleLeft{}) }
	op := func() { tape.Append(graph.Header{}, &graph.OpRan{}) }
	op()           // 0
	enter("outer") // 1
	enter("a")     // 2
	op()           // 3
	leave()        // 4
	op()           // 5
	enter("b")     // 6
	leave()        // 7
	leave()        // 8
	op()           // 9
	enter("c")     // 10
	leave()        // 11
	s := NewSteps(tape)
	for _, test := range []struct{ from, after, before graph.Pos }{
		{0, 2, -1}, // outside: outer is entered
		{2, 9, 1},  // in outer: it has returned
		{3, 5, 2},  // in a
		{6, 9, 1},  // in outer, between a and b
		{9, 11, 1}, // outside: c is entered; back: before outer
		{11, 12, 10},
		{12, -1, 10},
	} {
		after, ok := s.AfterModule(test.from)
		if ok != (test.after >= 0) || ok && after != test.after {
			t.Errorf("after the module at %d: %d, %v; want %d", test.from, after, ok, test.after)
		}
		before, ok := s.BeforeModule(test.from)
		if ok != (test.before >= 0) || ok && before != test.before {
			t.Errorf("before the module at %d: %d, %v; want %d", test.from, before, ok, test.before)
		}
	}
}
