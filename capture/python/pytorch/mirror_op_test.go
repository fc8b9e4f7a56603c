package pytorch_test

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// An op is an operation of a tape that becomes a record and, if there was none like it, a
// signature.
type op struct {
	m       *mirror
	e       *graph.OpRan
	ins     []graph.TensorID
	news    map[graph.TensorID]*graph.TensorCreated
	nodes   []*graph.NodeCreated
	changed []*graph.Mutated
	rebased []*graph.Rebased
	before  map[graph.TensorID]graph.Edge // gradient edges
	extra   tuple
}

func (m *mirror) op(e *graph.OpRan) {
	o := &op{m: m, e: e, ins: slices.Clone(e.Inputs), news: map[graph.TensorID]*graph.TensorCreated{}, before: map[graph.TensorID]graph.Edge{}, extra: tuple{}}
	var others []graph.Event
	for _, g := range m.group {
		switch g := g.(type) {
		case *graph.TensorCreated:
			if slices.Contains(e.Outputs, g.Tensor) {
				o.news[g.Tensor] = g
				continue
			}
			others = append(others, g)
		case *graph.NodeCreated:
			if g.Variable == 0 {
				o.nodes = append(o.nodes, g)
			}
		case *graph.Mutated:
			if slices.Contains(e.Inputs, g.Tensor) {
				o.changed = append(o.changed, g)
				continue
			}
			others = append(others, g)
		case *graph.Rebased:
			o.rebased = append(o.rebased, g)
			o.before[g.Tensor] = graph.Edge{Node: g.OldNode, Input: g.OldOutput}
		}
	}
	m.group = others
	m.flush()
	// What forward of a custom Function made is there already.
	for _, id := range e.Outputs {
		if o.news[id] == nil && !slices.Contains(o.ins, id) {
			o.ins = append(o.ins, id)
		}
	}
	m.record(o)
	for _, r := range o.rebased {
		m.tensors[r.Tensor].edge = graph.Edge{Node: r.Node, Input: r.Output}
	}
}

func (m *mirror) record(o *op) {
	newest := -1
	for _, n := range o.nodes {
		newest = max(newest, int(n.Sequence))
	}
	args := tuple{}
	for i := range o.e.Inputs {
		args = append(args, tuple{"", tuple{"t", i}})
	}
	args = append(args, m.attrs(o.e.Attrs)...)
	outs, nodes, rebases, changed, values := tuple{}, tuple{}, tuple{}, tuple{}, tuple{}
	for _, id := range o.e.Outputs {
		outs = append(outs, o.out(id))
		if e := o.news[id]; e != nil {
			values = append(values, valueIn(e.Value))
		} else {
			values = append(values, nil)
		}
	}
	for _, n := range o.nodes {
		nodes = append(nodes, o.node(n, newest))
	}
	for _, r := range o.rebased {
		rebases = append(rebases, o.rebase(r))
	}
	for _, c := range o.changed {
		changed = append(changed, tuple{slices.Index(o.ins, c.Tensor), int(c.To)})
		values = append(values, valueIn(c.Value))
	}
	signature := tuple{m.tape.String(o.e.Op), args, outs, nodes, rebases, 0}
	key := string(encode(signature))
	number, ok := m.signatures[key]
	if !ok {
		number = len(m.signatures)
		m.signatures[key] = number
		m.records = append(m.records, append(tuple{"signature", number}, signature...))
	}
	m.say(number, 0, newest, numbersOf(o.ins), numbersOf(o.e.Outputs), changed, o.extra, values)
}

func (o *op) out(id graph.TensorID) tuple {
	e := o.news[id]
	if e == nil {
		return tuple{"in", slices.Index(o.ins, id)}
	}
	share := -1
	for i, in := range o.ins {
		if in == 0 || share != -1 {
			continue
		}
		switch c := o.m.tensors[in].created; {
		case c.Counter == e.Counter:
			share = i
		case c.Storage == e.Storage:
			share = -2 - i
		}
	}
	node := slices.IndexFunc(o.nodes, func(n *graph.NodeCreated) bool { return e.Node == n.Node })
	return tuple{"new", o.m.layout(e), share, node, int(e.Output), int(e.Flags), int(e.View), int(e.Offset)}
}

func (o *op) node(n *graph.NodeCreated, newest int) tuple {
	edges, saved := tuple{}, tuple{}
	for _, e := range n.Edges {
		edges = append(edges, o.edge(e))
	}
	for _, s := range n.Saved {
		name := o.m.tape.String(s.Name)
		k, out := slices.Index(o.ins, s.Tensor), slices.Index(o.e.Outputs, s.Tensor)
		switch {
		case s.Tensor == 0:
			saved = append(saved, tuple{name, 3, 0})
		case s.Flags&graph.SavedOutput != 0:
			saved = append(saved, tuple{name, 1, out})
		case k >= 0:
			saved = append(saved, tuple{name, 0, k})
		default:
			saved = append(saved, tuple{name, 5, len(o.extra)})
			o.extra = append(o.extra, tuple{int(s.Tensor), int(s.Version)})
		}
	}
	return tuple{o.m.tape.String(n.Name), newest - int(n.Sequence), int(n.Outputs), edges, saved, o.m.attrs(n.Attrs)}
}

func (o *op) edge(e graph.Edge) tuple {
	if e.Node == 0 {
		return tuple{2, 0, 0}
	}
	if j := slices.IndexFunc(o.nodes, func(n *graph.NodeCreated) bool { return n.Node == e.Node }); j >= 0 {
		return tuple{1, j, int(e.Input)}
	}
	for k, in := range o.ins {
		if in != 0 && o.gradEdge(in) == e {
			return tuple{0, k, 0}
		}
	}
	o.extra = append(o.extra, tuple{o.m.number(e.Node), int(e.Input)})
	return tuple{3, len(o.extra) - 1, 0}
}

// gradEdge is where the gradient of an operand went before the operation.
func (o *op) gradEdge(t graph.TensorID) graph.Edge {
	e, changed := o.before[t]
	if !changed {
		e = o.m.tensors[t].edge
	}
	if e.Node == 0 {
		e.Node = o.m.leaves[t]
	}
	return e
}

func (o *op) rebase(r *graph.Rebased) tuple {
	node := slices.IndexFunc(o.nodes, func(n *graph.NodeCreated) bool { return n.Node == r.Node })
	if k := slices.Index(o.ins, r.Tensor); k >= 0 {
		return tuple{0, k, node, int(r.Output), int(r.Why)}
	}
	k := slices.IndexFunc(o.ins, func(t graph.TensorID) bool { return t != 0 && o.m.tensors[t].created.Base == r.Tensor })
	return tuple{1, k, node, int(r.Output), int(r.Why)}
}
