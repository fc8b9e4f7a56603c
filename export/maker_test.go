package export_test

import (
	"slices"
	"testing"

	"github.com/gradtui/gradtui/graph"
)

// A maker writes tapes as an engine does, without computing anything.
type maker struct {
	tape     *graph.Tape
	header   graph.Header
	tensors  graph.TensorID
	storages graph.CounterID
	nodes    graph.NodeID
	passes   graph.BackwardID
	sequence uint64
	made     map[graph.NodeID]*graph.NodeCreated
	leaves   map[graph.TensorID]graph.NodeID
	requires map[graph.TensorID]bool
	counters map[graph.TensorID]graph.CounterID
	versions map[graph.CounterID]uint32
	lines    int
}

// A value is a tensor while the program runs.
type value struct {
	id     graph.TensorID
	node   graph.NodeID
	output uint32
	shape  []int
}

func newMaker() *maker {
	return &maker{
		tape: graph.NewTape(graph.Limits{}), made: map[graph.NodeID]*graph.NodeCreated{},
		leaves: map[graph.TensorID]graph.NodeID{}, requires: map[graph.TensorID]bool{},
		counters: map[graph.TensorID]graph.CounterID{}, versions: map[graph.CounterID]uint32{},
	}
}

// graph is the graph at the end of the tape.
func (m *maker) graph(t testing.TB) *graph.Graph { return folded(t, m.tape) }

func (m *maker) append(e graph.Event) { m.tape.Append(m.header, e) }

func (m *maker) str(s string) graph.StringID { return m.tape.InternString(s) }

// line moves on to the next line of the program.
func (m *maker) line(function string) {
	m.lines++
	m.header.Stack = m.tape.InternStack(graph.Stack{{File: "train.py", Line: m.lines, Col: 5, EndLine: m.lines, EndCol: 20, Func: function}})
}

func (m *maker) tensor(e graph.TensorCreated) value {
	m.tensors++
	e.Tensor = m.tensors
	if e.Base == 0 {
		m.storages++
		e.Counter = m.storages
	} else {
		e.Counter = m.counters[e.Base]
	}
	e.Storage = graph.StorageID(e.Counter) // each storage has a counter
	e.DType = graph.Float32
	n := 1
	for _, d := range e.Shape {
		n *= d
	}
	e.Bytes = uint64(4 * n)
	m.requires[e.Tensor] = e.Flags&graph.FlagRequiresGrad != 0
	m.counters[e.Tensor] = e.Counter
	m.append(&e)
	return value{e.Tensor, e.Node, e.Output, e.Shape}
}

// leaf makes a parameter.
func (m *maker) leaf(name string, shape ...int) value {
	v := m.tensor(graph.TensorCreated{Shape: shape, Flags: graph.FlagRequiresGrad})
	m.name(name, v)
	return v
}

// data makes a tensor that needs no gradient.
func (m *maker) data(name string, shape ...int) value {
	v := m.tensor(graph.TensorCreated{Shape: shape})
	m.name(name, v)
	return v
}

func (m *maker) name(name string, v value) {
	if name != "" {
		m.append(&graph.NameBound{Name: m.str(name), Tensor: v.id})
	}
}

// view makes a view of a base of which it has the counter and the storage.
func (m *maker) view(class string, base value, shape ...int) value {
	n := m.node(class, 1, []value{base}, nil)
	return m.tensor(graph.TensorCreated{
		Shape: shape, Node: n, Base: base.id, View: graph.PlainView, Version: m.versions[m.counters[base.id]],
	})
}

// keep is a slot of an op: the value that it saves, or result number -id.
type keep struct {
	name   string
	v      value
	result bool
}

// node makes a node with an edge for each input.
func (m *maker) node(class string, outputs int, in []value, saved []keep, attrs ...graph.Attr) graph.NodeID {
	e := &graph.NodeCreated{Name: m.str(class), Sequence: m.sequence, Outputs: uint32(outputs), Attrs: attrs}
	for _, v := range in {
		e.Edges = append(e.Edges, m.edge(v))
	}
	for _, k := range saved {
		s := graph.Saved{Name: m.str(k.name), Tensor: k.v.id}
		if k.result {
			s.Tensor, s.Flags = m.tensors+1, graph.SavedOutput
		} else if k.v.id != 0 {
			s.Version = m.versions[m.counters[k.v.id]]
		}
		e.Saved = append(e.Saved, s)
	}
	m.sequence++
	m.nodes++
	e.Node = m.nodes
	m.append(e)
	m.made[e.Node] = e
	return e.Node
}

// edge is the edge to where the gradient of a value goes.
func (m *maker) edge(v value) graph.Edge {
	if v.node != 0 || v.id == 0 {
		return graph.Edge{Node: v.node, Input: v.output}
	}
	if m.leaves[v.id] == 0 {
		if !m.requires[v.id] {
			return graph.Edge{}
		}
		m.nodes++
		n := &graph.NodeCreated{Node: m.nodes, Name: m.str("AccumulateGrad"), Sequence: graph.MaxSequence, Outputs: 1, Variable: v.id}
		m.append(n)
		m.leaves[v.id], m.made[m.nodes] = m.nodes, n
	}
	return graph.Edge{Node: m.leaves[v.id]}
}

// op runs an op with one result.
func (m *maker) op(class string, shape []int, in []value, saved ...keep) value {
	return m.tensor(graph.TensorCreated{Shape: shape, Node: m.node(class, 1, in, saved)})
}

// mutate moves the version of a tensor.
func (m *maker) mutate(v value) {
	c := m.counters[v.id]
	m.append(&graph.Mutated{Tensor: v.id, From: m.versions[c], To: m.versions[c] + 1})
	m.versions[c]++
}

// in runs f as the forward pass of a module.
func (m *maker) in(path, class string, f func()) {
	m.append(&graph.ModuleEntered{Path: m.str(path), Type: m.str(class)})
	f()
	m.append(&graph.ModuleLeft{})
}

// backward runs the nodes that lead to a root; steps bounds how many, and the pass
// is left running then. A negative number runs all.
func (m *maker) backward(root value, retain bool, steps int) {
	m.passes++
	pass := m.passes
	began := &graph.BackwardBegan{Backward: pass, Roots: []graph.Root{{Tensor: root.id, Node: root.node, Output: root.output}}}
	if retain {
		began.Flags = graph.RetainGraph
	}
	m.append(began)
	waiting := map[graph.NodeID]int{}
	todo := []graph.NodeID{root.node}
	seen := map[graph.NodeID]bool{root.node: true}
	for len(todo) > 0 {
		n := m.made[todo[0]]
		todo = todo[1:]
		for _, e := range n.Edges {
			if e.Node == 0 {
				continue
			}
			if waiting[e.Node]++; !seen[e.Node] {
				seen[e.Node] = true
				todo = append(todo, e.Node)
			}
		}
	}
	ready := []graph.NodeID{root.node}
	m.append(&graph.NodeReady{Backward: pass, Node: root.node})
	for len(ready) > 0 {
		if steps == 0 {
			return
		}
		steps--
		slices.SortFunc(ready, func(a, b graph.NodeID) int { return int(b) - int(a) })
		id := ready[0]
		ready = ready[1:]
		n := m.made[id]
		if n.Variable != 0 {
			g := m.tensor(graph.TensorCreated{Flags: graph.FlagGradient})
			m.append(&graph.GradAccumulated{Backward: pass, Tensor: n.Variable, Grad: g.id, How: graph.AccumulateSteal})
		}
		m.append(&graph.NodeExecuted{Backward: pass, Node: id})
		if len(n.Saved) > 0 && !retain {
			m.append(&graph.SavedFreed{Backward: pass, Node: id})
		}
		for i, e := range n.Edges {
			if e.Node == 0 {
				continue
			}
			waiting[e.Node]--
			m.append(&graph.GradArrived{Backward: pass, Node: e.Node, Input: e.Input, From: id, Index: uint32(i), Waiting: uint32(waiting[e.Node])})
			if waiting[e.Node] == 0 {
				ready = append(ready, e.Node)
				m.append(&graph.NodeReady{Backward: pass, Node: e.Node})
			}
		}
	}
	m.append(&graph.BackwardEnded{Backward: pass})
}

// linear is a linear layer.
func (m *maker) linear(path string, x value, w, b value) value {
	var y value
	m.in(path, "Linear", func() {
		m.line("Linear.forward")
		wt := m.view("TBackward0", w, w.shape[1], w.shape[0])
		y = m.op("AddmmBackward0", []int{x.shape[0], w.shape[0]}, []value{b, x, wt}, keep{name: "mat1", v: x}, keep{name: "mat2", v: wt})
	})
	return y
}

// mlp runs a network of two layers.
func mlp() (m *maker, loss value) {
	m = newMaker()
	w0, b0 := m.leaf("model.0.weight", 16, 8), m.leaf("model.0.bias", 16)
	w2, b2 := m.leaf("model.2.weight", 1, 16), m.leaf("model.2.bias", 1)
	x := m.data("x", 4, 8)
	var h value
	m.in("model", "Sequential", func() {
		h = m.linear("model.0", x, w0, b0)
		m.in("model.1", "Tanh", func() {
			m.line("Tanh.forward")
			h = m.op("TanhBackward0", h.shape, []value{h}, keep{name: "result", result: true})
		})
		m.name("h", h)
		h = m.linear("model.2", h, w2, b2)
	})
	m.line("main")
	sizes := graph.Attr{Name: m.str("self_sym_sizes"), AttrValue: graph.AttrValue{Type: graph.AttrInts, Ints: []int64{4, 1}}}
	loss = m.tensor(graph.TensorCreated{Shape: []int{}, Node: m.node("MeanBackward0", 1, []value{h}, nil, sizes)})
	m.name("loss", loss)
	return m, loss
}

// lstm unrolls an LSTM cell by hand, without modules.
func lstm(steps int) (m *maker, loss value) {
	m = newMaker()
	wx, wh, b := m.leaf("wx", 4, 12), m.leaf("wh", 3, 12), m.leaf("b", 12)
	h, c := m.data("h0", 2, 3), m.data("c0", 2, 3)
	gates, state := []int{2, 12}, []int{2, 3}
	for range steps {
		m.line("step")
		x := m.data("", 2, 4)
		a := m.op("MmBackward0", gates, []value{{}, wx}, keep{name: "self", v: x})
		r := m.op("MmBackward0", gates, []value{h, wh}, keep{name: "self", v: h}, keep{name: "mat2", v: wh})
		z := m.op("AddBackward0", gates, []value{a, r})
		z = m.op("AddBackward0", gates, []value{z, b})
		split := m.node("SplitBackward0", 4, []value{z}, nil)
		var gate [4]value
		for i := range gate {
			gate[i] = m.tensor(graph.TensorCreated{Shape: state, Node: split, Output: uint32(i)})
		}
		result := keep{name: "result", result: true}
		f := m.op("SigmoidBackward0", state, gate[1:2], result)
		kept := m.op("MulBackward0", state, []value{f, c}, keep{name: "self", v: f}, keep{name: "other", v: c})
		i := m.op("SigmoidBackward0", state, gate[0:1], result)
		g := m.op("TanhBackward0", state, gate[2:3], result)
		added := m.op("MulBackward0", state, []value{i, g}, keep{name: "self", v: i}, keep{name: "other", v: g})
		c = m.op("AddBackward0", state, []value{kept, added})
		o := m.op("SigmoidBackward0", state, gate[3:4], result)
		t := m.op("TanhBackward0", state, []value{c}, result)
		h = m.op("MulBackward0", state, []value{o, t}, keep{name: "self", v: o}, keep{name: "other", v: t})
	}
	loss = m.op("SumBackward0", []int{}, []value{h})
	m.name("loss", loss)
	return m, loss
}

// chain multiplies a tensor by itself again and again.
func chain(n int) (m *maker, last value) {
	m = newMaker()
	last = m.leaf("a", 1)
	for range n {
		last = m.op("MulBackward0", []int{1}, []value{last, {}}, keep{name: "other", v: value{}})
	}
	return m, last
}

// layers is a deep network: linear layers, each with a connection around it.
func layers(n int) (m *maker, last value) {
	m = newMaker()
	x := m.leaf("input", 4, 8)
	for range n {
		w, b := m.leaf("w", 8, 8), m.leaf("b", 8)
		wt := m.view("TBackward0", w, 8, 8)
		y := m.op("AddmmBackward0", []int{4, 8}, []value{b, x, wt}, keep{name: "mat1", v: x}, keep{name: "mat2", v: wt})
		y = m.op("ReluBackward0", []int{4, 8}, []value{y}, keep{name: "result", result: true})
		x = m.op("AddBackward0", []int{4, 8}, []value{x, y})
	}
	return m, x
}

// tangle is a random graph: each node has two inputs among the 30 before it.
func tangle(n int) (m *maker, last value) {
	m = newMaker()
	values := []value{m.leaf("a", 1)}
	seed := uint32(1)
	random := func(below int) int {
		seed = seed*1664525 + 1013904223
		return int(seed>>8) % below
	}
	for i := 1; i < n; i++ {
		a, b := values[max(0, i-1-random(30))], values[max(0, i-1-random(30))]
		values = append(values, m.op("MulBackward0", []int{1}, []value{a, b}))
	}
	return m, values[n-1]
}
