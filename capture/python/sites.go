package python

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/graph"
)

// sites are the places of the program that the agent has described: numbered call
// stacks, and the names that results of operations there get.
type sites struct {
	tape    *graph.Tape
	stacks  []graph.Stack
	ids     []graph.StackID
	parents []int
	names   [][]resultName
	waiting []waitingName
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
type waitingName struct {
	resultName
	number int // of the stack where the tensor was made
	tensor *autograd.Tensor
}

// maxFunctions bounds the numbers of functions.
const maxFunctions = 1 << 20

// maxSites bounds how many stacks a program may describe.
const maxSites = 1 << 22

func (s *sites) init(tape *graph.Tape) {
	s.tape = tape
	s.stacks, s.ids, s.parents, s.names = make([]graph.Stack, 1), make([]graph.StackID, 1), make([]int, 1), make([][]resultName, 1)
}

// stack is the call stack with a number; the unknown one if there is none.
func (s *sites) stack(number int) graph.StackID {
	if number <= 0 || number >= len(s.ids) {
		return 0
	}
	return s.ids[number]
}

// define takes the description of a stack: number, number of the caller's stack,
// frame.
func (s *sites) define(v []any) error {
	var n [6]int
	for i, p := range []int{0, 1, 4, 5, 6, 7} {
		x, ok := at[int](v, p)
		if !ok && p < len(v) && v[p] != nil || p < 2 && !ok {
			return damaged("call stack", nil)
		}
		n[i] = x
	}
	file, ok1 := at[string](v, 2)
	function, ok2 := at[string](v, 3)
	number, parent := n[0], n[1]
	if !ok1 || !ok2 || number <= 0 || number > maxSites || parent < 0 || parent > maxSites {
		return damaged("call stack", nil)
	}
	if parent >= len(s.stacks) {
		parent = 0 // a signal handler raised an error when it was about to be sent
	}
	for len(s.stacks) <= number {
		s.stacks, s.ids, s.parents, s.names = append(s.stacks, nil), append(s.ids, 0), append(s.parents, 0), append(s.names, nil)
	}
	s.parents[number] = parent
	if file == "" && function == "" { // inside of a function of ours
		s.stacks[number], s.ids[number] = s.stacks[parent], s.ids[parent]
		return nil
	}
	frame := graph.Frame{File: file, Func: function, Line: n[2], Col: n[3], EndLine: n[4], EndCol: n[5]}
	stack := append(graph.Stack{frame}, s.stacks[parent]...)
	if len(stack) > graph.MaxFrames {
		stack = stack[:graph.MaxFrames]
	}
	s.stacks[number], s.ids[number] = stack, s.tape.InternStack(stack)
	return nil
}

// called takes the names of the results at a stack.
func (s *sites) called(v []any) error {
	number, ok := at[int](v, 0)
	list, ok2 := at[autograd.Tuple](v, 1)
	if !ok || !ok2 || number <= 0 || number >= len(s.names) {
		return damaged("name", nil)
	}
	for _, e := range list {
		entry, _ := e.(autograd.Tuple)
		index, ok1 := at[int](entry, 0)
		name, ok2 := at[string](entry, 1)
		scope, ok3 := at[string](entry, 2)
		until, ok4 := at[int](entry, 3)
		if !ok1 || !ok2 || !ok3 || !ok4 {
			return damaged("name", nil)
		}
		s.names[number] = append(s.names[number], resultName{index, s.tape.InternString(name), s.tape.InternString(scope), until})
	}
	return nil
}

// name binds the names of the results at a stack.
func (s *sites) name(r *autograd.Recorder, number int, result any) {
	if number <= 0 || number >= len(s.names) {
		return
	}
	for _, n := range s.names[number] {
		v := result
		if n.index >= 0 {
			switch list := result.(type) {
			case autograd.Tuple:
				v, _ = at[any](list, n.index)
			case autograd.NamedTuple:
				v, _ = at[any](list.Tuple, n.index)
			case []any:
				v, _ = at[any](list, n.index)
			}
		}
		switch t, ok := v.(*autograd.Tensor); {
		case !ok:
		case n.until == 0:
			r.Bind(t, n.name, n.scope)
		default:
			s.waiting = append(s.waiting, waitingName{n, number, t})
		}
	}
}

// settle binds the names that wait for the program to leave a stack, if it has:
// an operation is about to run at the stack with this number.
func (s *sites) settle(r *autograd.Recorder, number int) {
	if len(s.waiting) == 0 {
		return
	}
	again := 0 // the stack that has been left and reached again, as in a loop
	for _, w := range s.waiting {
		if w.number == number {
			again = w.until
		}
	}
	s.waiting = slices.DeleteFunc(s.waiting, func(w waitingName) bool {
		if w.until != again && s.above(number, w.until) {
			return false
		}
		if w.number == number && w.until == number {
			return true // the statement computes on
		}
		if w.tensor.Handle() != 0 { // else it is gone already
			r.Bind(w.tensor, w.name, w.scope)
		}
		return true
	})
}

// above reports whether a stack is another one or on top of it.
func (s *sites) above(number, other int) bool {
	for number > 0 && number < len(s.parents) && number != other {
		number = s.parents[number]
	}
	return number == other
}

// extra does what the agent's records say; they come with messages.
func (s *session) extra(v any) error {
	list, ok := v.([]any)
	if !ok {
		return damaged("record", nil)
	}
	for _, e := range list {
		record, _ := e.(autograd.Tuple)
		kind, ok := at[string](record, 0)
		if !ok {
			return damaged("record", nil)
		}
		take := records[kind]
		if take == nil {
			return fmt.Errorf("the program sent a record of the unknown kind %q", kind)
		}
		if err := take(s, record[1:]); err != nil {
			return err
		}
	}
	return nil
}

// records are the kinds of records.
var records map[string]func(s *session, v []any) error

func init() {
	records = map[string]func(s *session, v []any) error{
		// function: number, name
		"function": func(s *session, v []any) error {
			number, ok1 := at[int](v, 0)
			name, ok2 := at[string](v, 1)
			if !ok1 || !ok2 || number < 0 || number > maxFunctions {
				return damaged("function", nil)
			}
			for len(s.functions) <= number {
				s.functions = append(s.functions, function{})
			}
			s.functions[number] = functionOf(name)
			return nil
		},
		"stack": func(s *session, v []any) error { return s.sites.define(v) },
		"named": func(s *session, v []any) error { return s.sites.called(v) },
		// bind: tensor, name, scope
		"bind": func(s *session, v []any) error {
			t, ok1 := at[*autograd.Tensor](v, 0)
			name, ok2 := at[string](v, 1)
			scope, ok3 := at[string](v, 2)
			if !ok1 || !ok2 || !ok3 {
				return damaged("name", nil)
			}
			s.recorder.Bind(t, s.tape.InternString(name), s.tape.InternString(scope))
			return nil
		},
		// later: function, stack, arguments
		"later": func(s *session, v []any) error {
			function, ok1 := at[int](v, 0)
			stack, ok2 := at[int](v, 1)
			args, ok3 := at[autograd.Tuple](v, 2)
			if !ok1 || !ok2 || !ok3 {
				return damaged("call", nil)
			}
			s.goTo(s.sites.stack(stack))
			_, err := s.call(&message{function: function, args: args})
			return err
		},
		// thread: the one that runs from now on
		"thread": func(s *session, v []any) error {
			id, ok := at[int](v, 0)
			if !ok || id < 0 {
				return damaged("thread", nil)
			}
			autograd.SwitchThread(s.thread(id))
			return nil
		},
		// enter: path, class of a module
		"enter": func(s *session, v []any) error {
			path, ok1 := at[string](v, 0)
			class, ok2 := at[string](v, 1)
			if !ok1 || !ok2 {
				return damaged("module", nil)
			}
			s.modules = append(s.modules, autograd.EnterModule(path, class))
			return nil
		},
		// note: kind, stack, values
		"note": (*session).note,
		"leave": func(s *session, _ []any) error {
			if n := len(s.modules); n > 0 {
				s.modules[n-1]()
				s.modules = s.modules[:n-1]
			}
			return nil
		},
	}
}
