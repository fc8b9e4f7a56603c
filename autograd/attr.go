package autograd

import (
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/schema"
	"github.com/gradtui/gradtui/graph"
)

// facts are what a node remembers of a tensor that it does not keep.
type facts struct {
	sizes, strides []int
	dtype          DType
	grad           bool // it required grad
}

// fact takes what an attribute shows of a tensor parameter.
func (a *Args) fact(param int) *facts {
	if param == 0 && a.before != nil {
		return a.before
	}
	switch x := a.values[param].x.(type) {
	case *facts:
		return x
	case *Tensor:
		if x != nil {
			return &facts{x.sizes, x.strides, x.dtype, x.requiresGrad()}
		}
	}
	return nil
}

// attr is the value of an attribute.
func (a *Args) attr(at *attr) graph.AttrValue {
	if at.fact == "" {
		return attrOf(&a.op.schema.Params[at.param], &a.values[at.param], true)
	}
	f := a.fact(at.param)
	if f == nil && at.fact == "_sym_sizes_opt" {
		return graph.AttrValue{Type: graph.AttrInts, Ints: []int64{0}} // as PyTorch shows None
	}
	if f == nil {
		return graph.AttrValue{}
	}
	switch at.fact {
	case "_dim":
		return graph.AttrValue{Type: graph.AttrInt, Ints: []int64{int64(len(f.sizes))}}
	case "_sym_numel":
		return graph.AttrValue{Type: graph.AttrInt, Ints: []int64{int64(numel(f.sizes))}}
	case "_scalar_type":
		return graph.AttrValue{Type: graph.AttrText, Text: "torch." + f.dtype.String()}
	case "_sym_strides":
		if !f.grad {
			return graph.AttrValue{Type: graph.AttrInts}
		}
		return graph.AttrValue{Type: graph.AttrInts, Ints: int64s(f.strides)}
	}
	if dim, ok := strings.CutPrefix(at.fact, "_sym_argsize_"); ok {
		last, fromEnd := strings.CutPrefix(dim, "minus_")
		d := int(last[0] - '0')
		if fromEnd {
			d = len(f.sizes) - d
		}
		if d >= 0 && d < len(f.sizes) {
			return graph.AttrValue{Type: graph.AttrInt, Ints: []int64{int64(f.sizes[d])}}
		}
		return graph.AttrValue{}
	}
	return graph.AttrValue{Type: graph.AttrInts, Ints: int64s(f.sizes)}
}

// Attrs are the values that the node shows beside its saved tensors, as PyTorch's
// _saved_ attributes: name and value, in the order of the op table.
func (n *Node) Attrs() (names []string, values []graph.AttrValue) {
	if n == nil || n.apply != nil || n.args == nil {
		return nil, nil
	}
	for i := range n.op.attrs {
		names = append(names, n.op.attrs[i].name)
		values = append(values, n.args.attr(&n.op.attrs[i]))
	}
	return names, values
}

func int64s(list []int) []int64 {
	out := make([]int64, len(list))
	for i, x := range list {
		out[i] = int64(x)
	}
	return out
}

// attrOf converts an argument that is no tensor. PyTorch shows the integers of a
// node as unsigned 64-bit numbers.
func attrOf(p *schema.Param, v *value, unsigned bool) graph.AttrValue {
	if !v.set {
		return graph.AttrValue{}
	}
	switch x := v.x.(type) {
	case []int:
		t := graph.AttrInts
		if unsigned {
			t = graph.AttrUints
		}
		return graph.AttrValue{Type: t, Ints: int64s(x)}
	case []float64:
		return graph.AttrValue{Type: graph.AttrFloats, Floats: x}
	case string:
		return graph.AttrValue{Type: graph.AttrText, Text: x}
	case DType:
		return graph.AttrValue{Type: graph.AttrText, Text: "torch." + x.String()}
	}
	switch p.Type {
	case schema.Bool:
		return graph.AttrValue{Type: graph.AttrBool, Ints: []int64{int64(v.n)}}
	case schema.Int:
		t := graph.AttrInt
		if unsigned {
			t = graph.AttrUint
		}
		return graph.AttrValue{Type: t, Ints: []int64{int64(v.n)}}
	case schema.Scalar, schema.Float:
		s := v.scalar()
		switch {
		case s.IsFloat() || p.Type == schema.Float:
			return graph.AttrValue{Type: graph.AttrFloat, Floats: []float64{s.Float()}}
		case s.IsBool():
			return graph.AttrValue{Type: graph.AttrBool, Ints: []int64{s.Int()}}
		default:
			return graph.AttrValue{Type: graph.AttrInt, Ints: []int64{s.Int()}}
		}
	}
	return graph.AttrValue{}
}
