// Package agent reads what the agent inside a Python program sends, whichever engine
// the program runs on: call stacks, the names of results ([Sites]), and facts that no
// engine sees ([Event]). python/src/gradtui/_agent is the other end.
package agent

import (
	"slices"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/sources"
	"github.com/gradtui/gradtui/graph"
)

// Sites are the places of the program that the agent has described: numbered call
// stacks, and the names that results of operations there get. T is what tensors are to
// the engine, Tuple what Python's tuples were decoded to.
type Sites[T any, Tuple ~[]any] struct {
	tape    *graph.Tape
	sources *sources.Recorder
	bind    func(t T, name, scope graph.StringID)
	alive   func(t T) bool
	stacks  []graph.Stack
	ids     []graph.StackID
	parents []int
	names   [][]resultName
	waiting []waitingName[T]
}

// A resultName is a name that a result gets.
type resultName struct {
	index       int // of the result; -1 is the result itself
	name, scope graph.StringID
	// until is the number of the stack that the program has to leave first: what
	// runs on top of it comes before the assignment. Zero: the name holds at once.
	until int
}

// A waitingName is a name that a tensor gets when the program has left a stack.
type waitingName[T any] struct {
	resultName
	number int // of the stack where the tensor was made
	tensor T
}

// maxSites bounds how many stacks a program may describe; the agent describes no more
// than that.
const maxSites = 1<<18 + 1

// NewSites returns sites of which none is described. bind is called for a name that holds
// now; alive reports whether the program still has a tensor.
func NewSites[T any, Tuple ~[]any](tape *graph.Tape, bind func(t T, name, scope graph.StringID), alive func(t T) bool) *Sites[T, Tuple] {
	return &Sites[T, Tuple]{
		tape: tape, sources: sources.NewRecorder(tape), bind: bind, alive: alive,
		stacks: make([]graph.Stack, 1), ids: make([]graph.StackID, 1), parents: make([]int, 1), names: make([][]resultName, 1),
	}
}

// Stack is the call stack with a number; the unknown one if there is none.
func (s *Sites[T, Tuple]) Stack(number int) graph.StackID {
	if number <= 0 || number >= len(s.ids) {
		return 0
	}
	return s.ids[number]
}

// Define takes the description of a stack: number, number of the caller's stack,
// frame. It locks the tape.
func (s *Sites[T, Tuple]) Define(v []any) error {
	var n [6]int
	for i, p := range []int{0, 1, 4, 5, 6, 7} {
		x, ok := marshal.At[int](v, p)
		if !ok && p < len(v) && v[p] != nil || p < 2 && !ok {
			return marshal.Damaged("call stack", nil)
		}
		n[i] = x
	}
	file, ok1 := marshal.At[string](v, 2)
	function, ok2 := marshal.At[string](v, 3)
	number, parent := n[0], n[1]
	if !ok1 || !ok2 || number <= 0 || number > maxSites || parent < 0 || parent > maxSites {
		return marshal.Damaged("call stack", nil)
	}
	if parent >= len(s.stacks) {
		parent = 0 // a signal handler raised an error when it was about to be sent
	}
	for len(s.stacks) <= number {
		s.stacks, s.ids, s.parents, s.names = append(s.stacks, nil), append(s.ids, 0), append(s.parents, 0), append(s.names, nil)
	}
	s.parents[number] = parent
	if file == "" && function == "" { // inside a function of ours
		s.stacks[number], s.ids[number] = s.stacks[parent], s.ids[parent]
		return nil
	}
	frame := graph.Frame{File: file, Func: function, Line: n[2], Col: n[3], EndLine: n[4], EndCol: n[5]}
	stack := append(graph.Stack{frame}, s.stacks[parent]...)
	if len(stack) > graph.MaxFrames {
		stack = stack[:graph.MaxFrames]
	}
	s.stacks[number], s.ids[number] = stack, s.tape.InternStack(stack)
	s.sources.File(file)
	return nil
}

// Source takes the text of what is no file: its name, as frames have it, and the text. It
// locks the tape.
func (s *Sites[T, Tuple]) Source(v []any) error {
	file, ok1 := marshal.At[string](v, 0)
	text, ok2 := marshal.At[string](v, 1)
	if !ok1 || !ok2 || file == "" {
		return marshal.Damaged("source", nil)
	}
	s.sources.Text(file, text)
	return nil
}

// Called takes the names of the results at a stack. It locks the tape.
func (s *Sites[T, Tuple]) Called(v []any) error {
	number, ok := marshal.At[int](v, 0)
	list, ok2 := marshal.At[Tuple](v, 1)
	if !ok || !ok2 || number <= 0 || number >= len(s.names) {
		return marshal.Damaged("name", nil)
	}
	for _, e := range list {
		entry, _ := e.(Tuple)
		index, ok1 := marshal.At[int](entry, 0)
		name, ok2 := marshal.At[string](entry, 1)
		scope, ok3 := marshal.At[string](entry, 2)
		until, ok4 := marshal.At[int](entry, 3)
		if !ok1 || !ok2 || !ok3 || !ok4 {
			return marshal.Damaged("name", nil)
		}
		s.names[number] = append(s.names[number], resultName{index, s.tape.InternString(name), s.tape.InternString(scope), until})
	}
	return nil
}

// Name binds the names of the results at a stack. result gives the result with an index,
// of which -1 is the result itself.
func (s *Sites[T, Tuple]) Name(number int, result func(index int) (T, bool)) {
	if number <= 0 || number >= len(s.names) {
		return
	}
	for _, n := range s.names[number] {
		switch t, ok := result(n.index); {
		case !ok:
		case n.until == 0:
			s.bind(t, n.name, n.scope)
		default:
			s.waiting = append(s.waiting, waitingName[T]{n, number, t})
		}
	}
}

// ResultNames are the names that results of an operation at a stack get.
func (s *Sites[T, Tuple]) ResultNames(number int) (names []autograd.ResultName) {
	if number <= 0 || number >= len(s.names) {
		return nil
	}
	for _, n := range s.names[number] {
		names = append(names, autograd.ResultName{Index: n.index, Name: s.tape.String(n.name)})
	}
	return names
}

// Settle binds the names that wait for the program to leave a stack, if it has:
// an operation is about to run at the stack with this number.
func (s *Sites[T, Tuple]) Settle(number int) {
	if len(s.waiting) == 0 {
		return
	}
	again := 0 // the stack that has been left and reached again, as in a loop
	for _, w := range s.waiting {
		if w.number == number {
			again = w.until
		}
	}
	s.waiting = slices.DeleteFunc(s.waiting, func(w waitingName[T]) bool {
		if w.until != again && s.above(number, w.until) {
			return false
		}
		if w.number == number && w.until == number {
			return true // the statement computes on
		}
		if s.alive(w.tensor) {
			s.bind(w.tensor, w.name, w.scope)
		}
		return true
	})
}

// Waiting reports whether names wait for the program to leave a stack.
func (s *Sites[T, Tuple]) Waiting() bool { return len(s.waiting) > 0 }

// above reports whether a stack is another one or on top of it.
func (s *Sites[T, Tuple]) above(number, other int) bool {
	for number > 0 && number < len(s.parents) && number != other {
		number = s.parents[number]
	}
	return number == other
}
