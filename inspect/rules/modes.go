package rules

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// modes follow which modules are in evaluation mode, by their parameters. A copy of a module is in
// the mode of the module.
type modes struct {
	turn
	h      *inspect.History
	asleep map[graph.TensorID]visit // parameters of modules in evaluation mode, by the call of eval()
}

// modesOf returns what all rules together follow.
func modesOf(h *inspect.History) *modes {
	return h.Shared("modes", func() any { return &modes{h: h, asleep: map[graph.TensorID]visit{}} }).(*modes)
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
				m.asleep[t] = visit{p, head.Stack}
			}
		case "Module.train":
			for _, t := range e.Tensors {
				delete(m.asleep, t)
			}
		}
	case *graph.TensorReleased:
		delete(m.asleep, e.Tensor)
	case *graph.LineageCut:
		if e.Why != graph.CutParameter || !deepCopies(m.h, head.Stack) {
			return
		}
		if call, ok := m.asleep[copyOf(m.h, e.Output)]; ok {
			m.asleep[e.Output] = call
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
