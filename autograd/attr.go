package autograd

import (
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/schema"
	"github.com/gradtui/gradtui/graph"
)

// facts describe a tensor that a node does not keep.
type facts struct {
	sizes, strides []int
	dtype          DType
	grad           bool // it required grad
}

// fact returns the facts about a tensor parameter that attributes show.
func (a *Args) fact(param int) *facts {
	f, kept, ok := a.describe(param)
	if ok && kept == nil {
		kept = &f
	}
	return kept
}

// describe returns the facts about a tensor parameter: kept, if they were noted
// before; otherwise f, if the parameter is a tensor.
func (a *Args) describe(param int) (f facts, kept *facts, ok bool) {
	if param == 0 && a.before != nil {
		return *a.before, a.before, true
	}
	switch x := a.values[param].x.(type) {
	case *facts:
		if x != nil {
			return *x, x, true
		}
	case *Tensor:
		if x != nil {
			return facts{x.sizes, x.strides, x.dtype, x.requiresGrad()}, nil, true
		}
	}
	return facts{}, nil, false
}

// attrMemory holds the numbers of attributes. A recorder reuses its own.
type attrMemory struct {
	ints   []int64
	floats []float64
}

func (m *attrMemory) reset() { m.ints, m.floats = m.ints[:0], m.floats[:0] }

func (m *attrMemory) int(x int64) []int64 {
	m.ints = append(m.ints, x)
	return m.ints[len(m.ints)-1 : len(m.ints) : len(m.ints)]
}

func (m *attrMemory) intsOf(list []int) []int64 {
	start := len(m.ints)
	for _, x := range list {
		m.ints = append(m.ints, int64(x))
	}
	return m.ints[start:len(m.ints):len(m.ints)]
}

func (m *attrMemory) float(x float64) []float64 {
	m.floats = append(m.floats, x)
	return m.floats[len(m.floats)-1 : len(m.floats) : len(m.floats)]
}

// attr returns the value of an attribute.
func (a *Args) attr(at *attr, m *attrMemory) graph.AttrValue {
	if at.fact == "" {
		return attrOf(&a.op.schema.Params[at.param], &a.values[at.param], true, m)
	}
	f, _, known := a.describe(at.param)
	if !known && at.fact == "_sym_sizes_opt" {
		return graph.AttrValue{Type: graph.AttrInts, Ints: m.int(0)} // as PyTorch shows None
	}
	if !known {
		return graph.AttrValue{}
	}
	switch at.fact {
	case "_dim":
		return graph.AttrValue{Type: graph.AttrInt, Ints: m.int(int64(len(f.sizes)))}
	case "_sym_numel":
		return graph.AttrValue{Type: graph.AttrInt, Ints: m.int(int64(numel(f.sizes)))}
	case "_scalar_type":
		return graph.AttrValue{Type: graph.AttrText, Text: "torch." + f.dtype.String()}
	case "_sym_strides":
		if !f.grad {
			return graph.AttrValue{Type: graph.AttrInts}
		}
		return graph.AttrValue{Type: graph.AttrInts, Ints: m.intsOf(f.strides)}
	}
	if dim, ok := strings.CutPrefix(at.fact, "_sym_argsize_"); ok {
		last, fromEnd := strings.CutPrefix(dim, "minus_")
		d := int(last[0] - '0')
		if fromEnd {
			d = len(f.sizes) - d
		}
		if d >= 0 && d < len(f.sizes) {
			return graph.AttrValue{Type: graph.AttrInt, Ints: m.int(int64(f.sizes[d]))}
		}
		return graph.AttrValue{}
	}
	return graph.AttrValue{Type: graph.AttrInts, Ints: m.intsOf(f.sizes)}
}

// Attrs returns the names and values that the node shows besides its saved
// tensors, as PyTorch's _saved_ attributes do, in the order of the op table.
func (n *Node) Attrs() (names []string, values []graph.AttrValue) {
	if n == nil || n.apply != nil || n.args == nil {
		return nil, nil
	}
	for i := range n.op.attrs {
		names = append(names, n.op.attrs[i].name)
		values = append(values, n.args.attr(&n.op.attrs[i], new(attrMemory)))
	}
	return names, values
}

// attrOf converts an argument that is not a tensor, in memory of m. PyTorch
// shows the integers of a node as unsigned 64-bit numbers.
func attrOf(p *schema.Param, v *value, unsigned bool, m *attrMemory) graph.AttrValue {
	if !v.set {
		return graph.AttrValue{}
	}
	switch x := v.x.(type) {
	case []int:
		t := graph.AttrInts
		if unsigned {
			t = graph.AttrUints
		}
		return graph.AttrValue{Type: t, Ints: m.intsOf(x)}
	case []float64:
		return graph.AttrValue{Type: graph.AttrFloats, Floats: x}
	case string:
		return graph.AttrValue{Type: graph.AttrText, Text: x}
	case DType:
		return graph.AttrValue{Type: graph.AttrText, Text: "torch." + x.String()}
	}
	switch p.Type {
	case schema.Bool:
		return graph.AttrValue{Type: graph.AttrBool, Ints: m.int(int64(v.n))}
	case schema.Int:
		t := graph.AttrInt
		if unsigned {
			t = graph.AttrUint
		}
		return graph.AttrValue{Type: t, Ints: m.int(int64(v.n))}
	case schema.Scalar, schema.Float:
		s := v.scalar()
		switch {
		case s.IsFloat() || p.Type == schema.Float:
			return graph.AttrValue{Type: graph.AttrFloat, Floats: m.float(s.Float())}
		case s.IsBool():
			return graph.AttrValue{Type: graph.AttrBool, Ints: m.int(s.Int())}
		default:
			return graph.AttrValue{Type: graph.AttrInt, Ints: m.int(s.Int())}
		}
	}
	return graph.AttrValue{}
}
