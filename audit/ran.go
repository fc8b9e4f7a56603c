package audit

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd/replay"
	"github.com/gradtui/gradtui/graph"
)

// Operations that run again.

// An operation is one that autograd saw, with the visible tangents around it.
type operation struct {
	name    string
	made    origin
	nodes   []graph.NodeID
	ins     []end
	outs    []end
	rebased bool // it was in place: the tensor got another node
	// custom says that it is a custom Function; identity that the Function's result is what it was given.
	custom, identity bool
}

// operand reads a tensor for an operation. What autograd does not see in it stands behind a cut.
func (m *machine) operand(t *tensor) *operand {
	if t.seen() {
		return &operand{t.shape, t.dtype, t.read()}
	}
	return &operand{t.shape, t.dtype, m.constant(t)}
}

// constant reads a tensor that autograd takes for a constant: what it would see stands behind a cut.
func (m *machine) constant(t *tensor) content {
	c := t.read()
	if c.tangents[visible] != nil {
		if t.cut == 0 {
			t.cut = m.cut(t.made, m.why(t))
		}
		m.hide(&c, t.cut)
	}
	return c
}

// why says how autograd came to take a tensor for a constant.
func (m *machine) why(t *tensor) string {
	for p := t.made.at + 1; p < min(t.made.at+4, m.step.End); p++ {
		_, e, err := m.tape.At(p)
		if cut, ok := e.(*graph.LineageCut); err == nil && ok && cut.Output == t.id {
			return cut.Why.String()
		}
	}
	return graph.CutNoGrad.String()
}

// ran carries values and tangents through an operation.
func (m *machine) ran(o origin, e *graph.OpRan) {
	name := m.tape.String(e.Op)
	outs := make([]*tensor, 0, len(e.Outputs))
	for _, id := range e.Outputs {
		outs = append(outs, m.tensors[id])
	}
	for _, id := range e.Mutated {
		if t := m.tensors[id]; t != nil && !slices.Contains(outs, t) {
			outs = append(outs, t)
		}
	}
	ins := make([]*operand, len(e.Inputs))
	tangents, blank := false, false
	memories := map[*storage]bool{}
	for i, id := range e.Inputs {
		if t := m.input(id); t != nil {
			if t.requires && t.node == 0 && t.dtype.IsFloat() && m.seeds[id] == nil && !slices.Contains(e.Mutated, id) {
				m.sprout(t)
			}
			ins[i] = m.operand(t)
			tangents = tangents || len(ins[i].content.tangents) > 0
			memories[t.memory] = true
			blank = blank || t.dtype.IsFloat() && t.memory.blank && t.count() > 0
		}
	}
	m.missing = m.missing || blank && tangents
	op := m.operation(o, name, e, ins)
	if !m.compute(o, name, e, ins, outs, memories, tangents) {
		op = nil // nothing can be said about its nodes
	}
	inner := m.inner[o.at]
	for _, t := range outs {
		if t == nil {
			continue
		}
		t.inner = inner
		for from := range memories {
			t.memory.computedOf(from)
		}
		if !t.seen() && t.cut == 0 {
			for _, id := range e.Inputs { // a view of a constant stands behind the same cut
				if in := m.tensors[id]; in != nil && in != t && in.memory == t.memory && !in.seen() {
					t.cut = in.cut
				}
			}
		}
		if op != nil && op.custom {
			op.identity = op.identity || slices.ContainsFunc(ins, func(in *operand) bool {
				if in == nil || !slices.Equal(in.shape, t.shape) {
					return false
				}
				out := t.read()
				return slices.Equal(in.values, out.values) && slices.Equal(in.content.tangents[visible], out.tangents[visible])
			})
		}
		if op != nil && t.node != 0 {
			op.outs = append(op.outs, end{t.id, graph.Edge{Node: t.node, Input: t.output}, t.read().tangents[visible]})
		}
	}
	if op != nil {
		for _, id := range op.nodes {
			m.nodes[id].op = op
		}
	}
}

// input finds a tensor that an operation reads.
func (m *machine) input(id graph.TensorID) *tensor {
	if t := m.tensors[id]; t != nil {
		return t
	}
	return m.kept[id]
}

// operation notes the nodes of an operation and what goes into it; nil if autograd did not see it.
func (m *machine) operation(o origin, name string, e *graph.OpRan, ins []*operand) *operation {
	op := &operation{name: name, made: o, custom: m.isNode(e.Node, name+"Backward")}
	for _, id := range m.made {
		if n := m.nodes[id]; n.variable == 0 && (m.within == 0 || m.creates) {
			op.nodes = append(op.nodes, id)
		}
	}
	if len(op.nodes) == 0 {
		return nil
	}
	for i, id := range e.Inputs {
		if t := m.input(id); t != nil && ins[i] != nil {
			x := end{tensor: id, tangent: ins[i].content.tangents[visible]}
			if t.node != 0 && !slices.Contains(e.Mutated, id) {
				x.edge = graph.Edge{Node: t.node, Input: t.output}
			}
			op.ins = append(op.ins, x)
		}
		op.rebased = op.rebased || slices.Contains(e.Mutated, id)
	}
	return op
}

// compute gives the results of an operation their values and tangents.
func (m *machine) compute(o origin, name string, e *graph.OpRan, ins []*operand, outs []*tensor, memories map[*storage]bool, tangents bool) (followed bool) {
	followed = true
	views := len(e.Mutated) == 0
	wanted := make([]*operand, len(outs))
	floats := false
	for i, t := range outs {
		if t == nil {
			continue
		}
		wanted[i] = &operand{t.shape, t.dtype, content{values: t.known()}}
		floats = floats || t.dtype.IsFloat()
		views = views && memories[t.memory]
	}
	views = views || slices.Contains(reviewed, name)
	if views || m.isNode(e.Node, name+"Backward") {
		return true // the memory holds it already
	}
	var given results
	if tangents && floats {
		if e.Node != 0 || len(m.made) > 0 { // what happens to a constant alone does not matter
			m.bend(name, ins)
		}
		c := call{name: name, operands: ins, args: m.args(e.Attrs)}
		var err error
		if given, err = c.evaluate(wanted); err != nil && c.leaveOut(e) {
			given, err = c.evaluate(wanted)
		}
		if err != nil {
			given, followed = nil, false
			m.gap(o, name, err.Error())
		}
	}
	for i, t := range outs {
		if t == nil {
			continue
		}
		now := content{tangents: map[column][]float64{}}
		if given != nil && given[i].values != nil && t.dtype.IsFloat() {
			now = given[i]
		}
		if values := t.known(); values != nil { // so that later operations stand where the program stood: at the same side of a kink
			now.values = values
		}
		if slices.Contains(e.Mutated, t.id) && t.dtype.IsFloat() && !m.inner[o.at] && m.past(t, e) {
			if leaf := m.leafIn(t); leaf != nil && len(m.passes) > 0 && e.Node == 0 {
				m.updated(leaf, t, &now)
			} else if leaf != nil || t.seen() || m.seenElsewhere(t) {
				m.unseenWrite(o, &now, t.read().tangents[visible], m.writes(t, e, ins), t)
			} else if now.tangents[visible] != nil {
				m.filled(t, m.cut(o, graph.CutNoGrad.String()))
			}
		}
		t.write(now)
		if slices.Contains(e.Mutated, t.id) && t.node != 0 && now.tangents[visible] != nil {
			m.behind(t, o)
		}
	}
	return followed
}

// leaveOut drops the last tensor of a call if the operation only writes to it: out=.
func (c *call) leaveOut(e *graph.OpRan) bool {
	n := len(c.operands) - 1
	if n < 1 || !slices.Contains(e.Mutated, e.Inputs[n]) {
		return false
	}
	c.operands = c.operands[:n]
	return true
}

// bend notes the cuts whose values go into something that is not linear in them.
func (m *machine) bend(name string, ins []*operand) {
	name = strings.TrimSuffix(name, "_")
	varying := 0
	for _, in := range ins {
		if in != nil && len(in.content.tangents) > 0 {
			varying++
		}
	}
	if slices.Contains(sums, name) || varying == 1 && slices.Contains(products, name) {
		return
	}
	for _, in := range ins {
		if in != nil {
			for k := range in.content.tangents {
				if k != visible {
					m.cuts[k].bent = true
				}
			}
		}
	}
}

// sums are linear in all their tensors, products in each of them.
var (
	sums     = []string{"add", "sub", "rsub", "neg", "sum", "mean", "stack", "cat"}
	products = []string{"mul", "div"}
)

// reviewed are the operators that change in place how a tensor shows its memory, not what is in it.
var reviewed = []string{"transpose_", "t_", "squeeze_", "unsqueeze_", "swapaxes_", "swapdims_", "as_strided_", "resize_", "detach_", "requires_grad_"}

func (m *machine) isNode(id graph.NodeID, name string) bool {
	n := m.nodes[id]
	return n != nil && n.name == name
}

// args are the arguments that are not tensors, as the engine takes them.
func (m *machine) args(list []graph.Attr) []replay.Arg {
	var out []replay.Arg
	for _, a := range list {
		out = append(out, replay.Arg{Name: m.tape.String(a.Name), Value: argument(a.AttrValue)})
	}
	return out
}

func argument(v graph.AttrValue) any {
	ints := make([]int, len(v.Ints))
	for i, n := range v.Ints {
		ints[i] = int(n)
	}
	switch v.Type {
	case graph.AttrBool:
		return v.Ints[0] != 0
	case graph.AttrInt, graph.AttrUint:
		return ints[0]
	case graph.AttrInts, graph.AttrUints:
		return ints
	case graph.AttrFloat:
		return v.Floats[0]
	case graph.AttrFloats:
		return v.Floats
	case graph.AttrText:
		return v.Text
	}
	return nil
}
