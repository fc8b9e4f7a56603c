package pytorch_test

import (
	"fmt"

	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/graph"
)

// A mirror writes the records that the recorder of PyTorch would have sent for what is on
// a tape of the built-in engine.
type mirror struct {
	tape     *graph.Tape
	observed bool // nodes of backward passes are
	records  []any

	tensors    []mirrored // by identifier
	nodes      map[graph.NodeID]*graph.NodeCreated
	layouts    map[string]int
	signatures map[string]int
	group      []graph.Event // those that an operation made, whose own event is still to come
	runs       map[graph.BackwardID]bool
	running    int                             // backward passes
	leaves     map[graph.TensorID]graph.NodeID // their AccumulateGrad nodes
	counted    map[graph.CounterID]int         // the first tensor with a counter
}

type mirrored struct {
	created *graph.TensorCreated
	edge    graph.Edge
	dead    bool
}

type tuple = marshal.Tuple

func mirrorOf(tape *graph.Tape, observed bool) []any {
	m := &mirror{
		tape: tape, observed: observed, tensors: make([]mirrored, 1), nodes: map[graph.NodeID]*graph.NodeCreated{},
		layouts: map[string]int{}, signatures: map[string]int{}, runs: map[graph.BackwardID]bool{},
		leaves: map[graph.TensorID]graph.NodeID{}, counted: map[graph.CounterID]int{},
	}
	for p := graph.Pos(0); p < tape.Len(); p++ {
		_, e, err := tape.At(p)
		if err != nil {
			panic(err)
		}
		m.event(p, e)
	}
	m.flush()
	return m.records
}

func (m *mirror) say(parts ...any) { m.records = append(m.records, tuple(parts)) }

func (m *mirror) event(p graph.Pos, e graph.Event) {
	switch e.(type) {
	case *graph.NodeReady, *graph.GradArrived, *graph.SavedFreed: // which follow from the others
		return
	case *graph.NodeExecuted, *graph.BackwardEnded:
	default:
		m.announceRun(p)
	}
	switch e := e.(type) {
	case *graph.TensorCreated:
		if m.counted[e.Counter] == 0 {
			m.counted[e.Counter] = int(e.Tensor)
		}
		m.tensors = append(m.tensors, mirrored{created: e, edge: graph.Edge{Node: e.Node, Input: e.Output}})
		if e.Flags&graph.FlagGradient != 0 {
			m.met(e)
			return
		}
		m.group = append(m.group, e)
		return
	case *graph.NodeCreated:
		m.nodes[e.Node] = e
		if e.Variable != 0 {
			m.leaves[e.Variable] = e.Node
		}
		m.group = append(m.group, e)
		return
	case *graph.Mutated, *graph.Rebased:
		m.group = append(m.group, e)
		return
	case *graph.OpRan:
		m.op(e)
		return
	}
	m.flush()
	s := m.tape.String
	switch e := e.(type) {
	case *graph.NameBound:
		if e.Tensor != 0 {
			m.say("bind", int(e.Tensor), s(e.Name), s(e.Scope))
		}
	case *graph.TensorReleased:
		m.records = append(m.records, int(e.Tensor))
		m.tensors[e.Tensor].dead = true
	case *graph.RequiresGrad:
		m.say("requires", int(e.Tensor), e.To, 0)
	case *graph.RetainGrad:
		m.say("retain", int(e.Tensor), 0)
	case *graph.LineageCut:
		if e.Why != graph.CutDetach {
			m.say("cut", int(e.Why), 0, numbersOf(e.Inputs), int(e.Output))
		}
	case *graph.GradAssigned:
		m.say("grad", int(e.Tensor), int(e.Grad), 0)
	case *graph.GradRead:
		m.say("gradread", int(e.Tensor), 0)
	case *graph.ModeChanged:
		m.say("mode", int(e.Mode), e.To, 0)
	case *graph.ModuleEntered:
		m.say("enter", s(e.Path), s(e.Type), modes[e.Mode])
	case *graph.ModuleLeft:
		m.say("leave")
	case *graph.OptimizerStepped:
		m.say("step", s(e.Optimizer), e.Done, numbersOf(e.Params), int(e.Number), anyOf(e.Rates), 0)
	case *graph.GradsZeroed:
		m.say("zeroed", s(e.By), e.SetToNone, numbersOf(e.Params), 0)
	case *graph.Raised:
		m.say("raised", s(e.Type), s(e.Code), s(e.Op), e.Message, numbersOf(e.Tensors), 0)
	case *graph.Warned:
		m.say("warned", s(e.Category), e.Message, 0)
	case *graph.BackwardBegan:
		m.running++
		roots := tuple{}
		for _, r := range e.Roots {
			roots = append(roots, tuple{int(r.Tensor), 0, gradIn(r.Grad)})
		}
		m.say("backward", int(e.Backward), 0, int(e.Flags), roots, numbersOf(e.Inputs))
	case *graph.NodeExecuted:
		if m.observed {
			m.run(e)
			m.say("ran", int(e.Backward), m.number(e.Node), gradsIn(e.Out))
		}
		delete(m.runs, e.Backward)
	case *graph.GradAccumulated:
		m.say("accumulated", int(e.Backward), int(e.Tensor), int(e.Grad), int(e.How), valueIn(e.Value))
	case *graph.HookRan:
		m.say("hook", int(e.Backward), int(e.Hook), int(e.Tensor), m.numberOrNone(e.Node), e.Replaced, gradIn(e.Grad))
	case *graph.BackwardEnded:
		m.running--
		m.say("ended", int(e.Backward), 0)
	case *graph.BackwardFailed:
		m.running--
		m.say("failed", int(e.Backward), 0, m.tape.String(e.Type), e.Message, m.numberOrNone(e.Node))
	default:
		panic(fmt.Sprintf("a %s", e.Kind()))
	}
}

// announceRun tells that a node is about to run, if the event is one of what it does.
func (m *mirror) announceRun(p graph.Pos) {
	if !m.observed || m.running == 0 {
		return
	}
	depth := 0 // of passes that begin meanwhile
	for ; p < m.tape.Len(); p++ {
		_, e, _ := m.tape.At(p)
		switch e := e.(type) {
		case *graph.BackwardBegan:
			depth++
		case *graph.BackwardEnded, *graph.BackwardFailed:
			if depth--; depth < 0 {
				return
			}
		case *graph.NodeExecuted:
			if depth == 0 {
				m.run(e)
				return
			}
		}
	}
}

func (m *mirror) run(e *graph.NodeExecuted) {
	if !m.runs[e.Backward] {
		m.runs[e.Backward] = true
		m.say("runs", int(e.Backward), m.number(e.Node), gradsIn(e.In))
	}
}

// number is what the program calls a node.
func (m *mirror) number(n graph.NodeID) int {
	if e := m.nodes[n]; e.Variable == 0 {
		return int(e.Sequence)
	} else {
		return -int(e.Variable)
	}
}

func (m *mirror) numberOrNone(n graph.NodeID) any {
	if n == 0 {
		return nil
	}
	return m.number(n)
}

// flush tells what was announced without an operation.
func (m *mirror) flush() {
	for _, e := range m.group {
		switch e := e.(type) {
		case *graph.TensorCreated:
			m.met(e)
		case *graph.Mutated:
			m.say("changed", int(e.Tensor), int(e.To), 0, valueIn(e.Value))
		case *graph.Rebased:
			m.say("rebase", int(e.Tensor), m.edgeIn(graph.Edge{Node: e.Node, Input: e.Output}), int(e.Why), 0)
			m.tensors[e.Tensor].edge = graph.Edge{Node: e.Node, Input: e.Output}
		case *graph.NodeCreated:
			if e.Variable == 0 {
				m.found(e)
			}
		}
	}
	m.group = m.group[:0]
}

func (m *mirror) edgeIn(e graph.Edge) any {
	if e.Node == 0 {
		return nil
	}
	return tuple{m.number(e.Node), int(e.Input)}
}

func (m *mirror) met(e *graph.TensorCreated) {
	base := 0
	if e.Base != 0 {
		base = int(e.Base)
	} else if first := m.counted[e.Counter]; first != int(e.Tensor) { // a detached one
		base = first
	}
	m.say("tensor", int(e.Tensor), m.layout(e), 0, int(e.Flags), int(e.Storage), int(e.Offset), int(e.Version),
		m.edgeIn(graph.Edge{Node: e.Node, Input: e.Output}), base, int(e.View), valueIn(e.Value))
}

func (m *mirror) found(e *graph.NodeCreated) {
	edges, saved := tuple{}, tuple{}
	for _, to := range e.Edges {
		switch n := m.nodes[to.Node]; {
		case n == nil:
			edges = append(edges, tuple{2, 0, 0})
		case n.Variable != 0:
			edges = append(edges, tuple{4, int(n.Variable), 0})
		default:
			edges = append(edges, tuple{3, int(n.Sequence), int(to.Input)})
		}
	}
	for _, s := range e.Saved {
		saved = append(saved, tuple{m.tape.String(s.Name), 5, tuple{int(s.Tensor), int(s.Version)}})
	}
	m.say("nodes", tuple{tuple{m.tape.String(e.Name), int(e.Sequence), int(e.Outputs), edges, saved, m.attrs(e.Attrs), 0}})
}

// layout is the number of a tensor's layout, which is described when it is new.
func (m *mirror) layout(e *graph.TensorCreated) int {
	var strides any
	if len(e.Strides) > 0 {
		strides = intsOf(e.Strides)
	}
	device := m.tape.Device(e.Device)
	key := fmt.Sprint(e.DType, e.Shape, e.Strides, device)
	n, ok := m.layouts[key]
	if !ok {
		n = len(m.layouts)
		m.layouts[key] = n
		m.say("meta", n, e.DType.String(), intsOf(e.Shape), strides, device, e.DType.Size())
	}
	return n
}

func intsOf[T ~int | ~int64](list []T) tuple {
	out := tuple{}
	for _, n := range list {
		out = append(out, int(n))
	}
	return out
}

func numbersOf(list []graph.TensorID) tuple {
	out := tuple{}
	for _, t := range list {
		out = append(out, int(t))
	}
	return out
}

func valueIn(v graph.Value) any {
	if !v.Known() {
		return nil
	}
	first := []any{}
	for _, x := range v.First {
		first = append(first, x)
	}
	if v.Whole() {
		return first
	}
	return tuple{int(v.Count), first, v.Min, v.Max, v.Mean, int(v.NaN), int(v.Inf), v.Norm, int(v.Zeros)}
}

func gradIn(g graph.Grad) any {
	if !g.Defined() {
		return nil
	}
	return tuple{g.Value.DType.String(), intsOf(g.Shape), valueIn(g.Value)}
}

func gradsIn(list []graph.Grad) tuple {
	out := tuple{}
	for _, g := range list {
		out = append(out, gradIn(g))
	}
	return out
}

func (m *mirror) attrs(list []graph.Attr) tuple {
	out := tuple{}
	for _, a := range list {
		out = append(out, tuple{m.tape.String(a.Name), specOf(a.AttrValue)})
	}
	return out
}

func specOf(a graph.AttrValue) tuple {
	var v any
	switch a.Type {
	case graph.AttrBool:
		v = a.Ints[0] != 0
	case graph.AttrInt, graph.AttrUint:
		v = int(a.Ints[0])
	case graph.AttrFloat:
		v = a.Floats[0]
	case graph.AttrText:
		v = a.Text
	case graph.AttrInts, graph.AttrUints:
		v = intsOf(a.Ints)
	case graph.AttrFloats:
		floats := tuple{}
		for _, x := range a.Floats {
			floats = append(floats, x)
		}
		v = floats
	}
	return tuple{"v", v}
}

// modes are what a record says of the mode of a module.
var modes = map[graph.ModuleMode]any{graph.ModeUnknown: nil, graph.ModeTraining: true, graph.ModeEvaluation: false}

func anyOf(values []float64) []any {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = v
	}
	return list
}
