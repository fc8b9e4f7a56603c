package builtin

import (
	"fmt"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/agent"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/graph"
)

// This file does what the agent's records say.

// sites are the places of the program, where results are the engine's tensors.
type sites = agent.Sites[*autograd.Tensor, autograd.Tuple]

func newSites(tape *graph.Tape, r *autograd.Recorder) *sites {
	return agent.NewSites[*autograd.Tensor, autograd.Tuple](tape, r.Bind, func(t *autograd.Tensor) bool { return t.Handle() != 0 })
}

// nameResult binds the names of the result of an operation at a stack.
func (s *session) nameResult(number int, result any) {
	if s.silent {
		return
	}
	s.sites.Name(number, func(index int) (*autograd.Tensor, bool) {
		v := result
		if index >= 0 {
			switch list := result.(type) {
			case autograd.Tuple:
				v, _ = marshal.At[any](list, index)
			case autograd.NamedTuple:
				v, _ = marshal.At[any](list.Tuple, index)
			case []any:
				v, _ = marshal.At[any](list, index)
			}
		}
		t, ok := v.(*autograd.Tensor)
		return t, ok
	})
}

// maxFunctions bounds the numbers of functions.
const maxFunctions = 1 << 20

// extra does what the agent's records say; they come with messages.
func (s *session) extra(v any) error {
	list, ok := v.([]any)
	if !ok {
		return marshal.Damaged("record", nil)
	}
	for _, e := range list {
		record, _ := e.(autograd.Tuple)
		kind, ok := marshal.At[string](record, 0)
		if !ok {
			return marshal.Damaged("record", nil)
		}
		if s.silent && aboutTheRun[kind] {
			continue
		}
		take := s.records[kind]
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
var records = map[string]func(s *session, v []any) error{
	// function: number, name
	"function": func(s *session, v []any) error {
		number, ok1 := marshal.At[int](v, 0)
		name, ok2 := marshal.At[string](v, 1)
		if !ok1 || !ok2 || number < 0 || number > maxFunctions {
			return marshal.Damaged("function", nil)
		}
		for len(s.functions) <= number {
			s.functions = append(s.functions, function{})
		}
		s.functions[number] = s.functionOf(name)
		return nil
	},
	"stack":  func(s *session, v []any) error { return s.sites.Define(v) },
	"named":  func(s *session, v []any) error { return s.sites.Called(v) },
	"source": func(s *session, v []any) error { return s.sites.Source(v) },
	// bind: tensor, name, scope
	"bind": func(s *session, v []any) error {
		t, ok1 := marshal.At[*autograd.Tensor](v, 0)
		name, ok2 := marshal.At[string](v, 1)
		scope, ok3 := marshal.At[string](v, 2)
		if !ok1 || !ok2 || !ok3 {
			return marshal.Damaged("name", nil)
		}
		s.recorder.Bind(t, s.tape.InternString(name), s.tape.InternString(scope))
		return nil
	},
	// later: function, stack, arguments
	"later": func(s *session, v []any) error {
		function, ok1 := marshal.At[int](v, 0)
		stack, ok2 := marshal.At[int](v, 1)
		args, ok3 := marshal.At[autograd.Tuple](v, 2)
		if !ok1 || !ok2 || !ok3 {
			return marshal.Damaged("call", nil)
		}
		s.goTo(s.sites.Stack(stack))
		_, err := s.call(&message{function: function, args: args})
		return err
	},
	// thread: the one that runs from now on
	"thread": func(s *session, v []any) error {
		id, ok := marshal.At[int](v, 0)
		if !ok || id < 0 {
			return marshal.Damaged("thread", nil)
		}
		autograd.SwitchThread(s.thread(id))
		return nil
	},
	// enter: path, class and mode of a module
	"enter": func(s *session, v []any) error {
		path, ok1 := marshal.At[string](v, 0)
		class, ok2 := marshal.At[string](v, 1)
		if !ok1 || !ok2 {
			return marshal.Damaged("module", nil)
		}
		s.modules = append(s.modules, autograd.EnterModule(path, class, agent.Mode(v, 2)))
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
