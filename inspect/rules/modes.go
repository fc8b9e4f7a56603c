package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// modes follow which modules are in evaluation mode, by their parameters. A copy of a module is in
// the mode of the module.
type modes struct {
	turn
	h      *inspect.History
	asleep map[graph.TensorID]visit // parameters of modules in evaluation mode, by the last call of eval()
	since  map[graph.TensorID]visit // the same, by the call that switched
}

// modesOf returns what all rules together follow.
func modesOf(h *inspect.History) *modes {
	return h.Shared("modes", func() any { return &modes{h: h, asleep: map[graph.TensorID]visit{}, since: map[graph.TensorID]visit{}} }).(*modes)
}

// Event follows modes. Each rule that asks shows it all events.
func (m *modes) Event(p graph.Pos, head graph.Header, e graph.Event) {
	if !m.first(p) {
		return
	}
	switch e := e.(type) {
	case *graph.Called:
		switch m.h.Tape().String(e.Function) {
		case "Module.eval":
			for _, t := range e.Tensors {
				if _, ok := m.asleep[t]; !ok {
					m.since[t] = visit{p, head.Stack}
				}
				m.asleep[t] = visit{p, head.Stack}
			}
		case "Module.train":
			for _, t := range e.Tensors {
				delete(m.asleep, t)
				delete(m.since, t)
			}
		}
	case *graph.TensorReleased:
		delete(m.asleep, e.Tensor)
		delete(m.since, e.Tensor)
	case *graph.LineageCut:
		if e.Why != graph.CutParameter || !deepCopies(m.h, head.Stack) {
			return
		}
		if call, ok := m.asleep[copyOf(m.h, e.Output)]; ok {
			m.asleep[e.Output], m.since[e.Output] = call, call
		}
	}
}

// deepCopies reports whether a call stack is in copy.deepcopy.
func deepCopies(h *inspect.History, stack graph.StackID) bool {
	return slices.ContainsFunc(h.Tape().Stack(stack), func(f graph.Frame) bool { return f.Func == "deepcopy" })
}

// copyOf returns the parameter whose values a parameter was made of, in the same shape; 0: none.
func copyOf(h *inspect.History, id graph.TensorID) graph.TensorID {
	const most = 6 // copies on the way
	shape := h.Tensor(id).Shape
	from := id
	for range most {
		t := h.Tensor(from)
		if from != id && t.Flags&graph.FlagParameter != 0 {
			return from
		}
		op := h.Op(t.Op)
		switch {
		case len(t.Cuts) == 1:
			from = t.Cuts[0].From
		case len(t.Cuts) == 0 && t.Op >= 0 && len(op.Inputs) > 0 && sameValues[op.Name] && op.Name != "expand":
			from = op.Inputs[0]
		case t.Base != 0:
			from = t.Base
		default:
			return 0
		}
		if !slices.Equal(h.Tensor(from).Shape, shape) {
			return 0
		}
	}
	return 0
}

// A modal knows which functions of the program ask for the mode of their module.
type modal struct {
	h        *inspect.History
	asks     map[graph.StackID]bool // by call stack
	forwards map[graph.StackID]bool // of these, forward methods
}

// modalOf returns what all rules together know.
func modalOf(h *inspect.History) *modal {
	return h.Shared("modal", func() any { return &modal{h: h, asks: map[graph.StackID]bool{}, forwards: map[graph.StackID]bool{}} }).(*modal)
}

// asksForMode matches code that depends on the mode of its module.
var asksForMode = regexp.MustCompile(`\bself\.training\b`)

// writes reports whether an operation changes what was there before, such as a running average, in a function
// that asks for the mode of its module.
func (m *modal) writes(stack graph.StackID, e *graph.OpRan, before graph.Pos) bool {
	if len(e.Mutated) == 0 || !slices.ContainsFunc(e.Mutated, func(t graph.TensorID) bool {
		x := m.h.Tensor(t)
		if x.Base != 0 {
			x = m.h.Tensor(x.Base)
		}
		return x.Known() && x.Created < before
	}) {
		return false
	}
	asks, known := m.asks[stack]
	if !known {
		asks = slices.ContainsFunc(m.h.Tape().Stack(stack), m.in)
		m.asks[stack] = asks
	}
	return asks
}

// inForward reports whether a forward method that runs at a call stack asks for the mode.
func (m *modal) inForward(stack graph.StackID) bool {
	asks, known := m.forwards[stack]
	if !known {
		asks = slices.ContainsFunc(m.h.Tape().Stack(stack), func(f graph.Frame) bool { return strings.HasSuffix(f.Func, ".forward") && m.in(f) })
		m.forwards[stack] = asks
	}
	return asks
}

// in reports whether the method of a frame asks for the mode.
func (m *modal) in(f graph.Frame) bool {
	if inspect.IsLibrary(f.File) || !strings.Contains(f.Func, ".") {
		return false
	}
	first, last := m.h.Function(f.File, f.Line)
	_, found := m.h.Find(f.File, first, last, asksForMode)
	return first > 0 && found
}
