package rules

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// This file finds layers of equal weights in models whose units are not quite equal, for symmetric-init.

// A constant is a trained matrix of equal elements.
type constant struct {
	leaf   graph.TensorID
	filled visit
	looked bool // what was looked up in it, which is data for the layers after it
}

// constant returns the matrix that an operand is, or was made of alone.
func (s *symmetry) constant(id graph.TensorID) (c constant, ok bool) {
	if c, ok = s.made[id]; ok {
		return c, true
	}
	c.leaf, c.filled, ok = s.weight(id)
	return c, ok
}

// derive notes what an operation computes from parameters, and what it makes of one matrix of
// equal elements, as quantised weights are.
func (s *symmetry) derive(op *inspect.Op) {
	from := slices.ContainsFunc(op.Inputs, func(in graph.TensorID) bool { return s.learned[in] })
	learned := op.Node != 0 || from
	var c constant
	size := 0
	equal := op.Node != 0 && len(op.Outputs) == 1 && products[op.Name] == 0
	for i, in := range op.Inputs {
		m, ok := s.constant(in)
		switch {
		case ok && c.leaf == 0:
			c, size = m, numel(s.check.Tensor(in).Shape)
		case op.Name == "embedding" && i > 0 || s.number(in):
		default:
			equal = false
		}
	}
	for _, out := range op.Outputs {
		delete(s.made, out)
		if learned {
			s.learned[out] = true
		}
		looked := op.Name == "embedding"
		if equal && c.leaf != 0 && (looked || numel(s.check.Tensor(out).Shape) == size) {
			c.looked = c.looked || looked
			s.made[out] = c
		}
	}
}

// A route is what lies between a tensor and the loss.
type route struct {
	covered bool     // every way leads through a layer of equal weights
	next    constant // the first such layer
	inputs  int      // of that layer
	shared  int      // size of the dimension of a softmax before that layer; 0: there is none
}

func (r route) and(other route) route {
	r.covered = r.covered && other.covered
	r.shared = max(r.shared, other.shared)
	return r
}

// chained finds layers of equal weights all of whose results go through another layer of equal
// weights, in a graph all of whose matrices have equal elements. What lies between may give the
// units a little of their own, as the noise of a dropout does, but no task.
func (s *symmetry) chained(ops []*inspect.Op, roots []graph.Root) {
	routes := map[graph.TensorID]route{}
	merge := func(id graph.TensorID, r route) {
		if old, again := routes[id]; again {
			r = old.and(r)
		}
		routes[id] = r
	}
	for _, r := range roots {
		routes[r.Tensor] = route{}
	}
	layers := map[graph.TensorID]*equalLayer{}
	for _, op := range slices.Backward(ops) {
		r, reached := route{}, false
		for _, out := range op.Outputs {
			o, ok := routes[out]
			if ok && reached {
				o = r.and(o)
			}
			if ok {
				r, reached = o, true
			}
		}
		for _, out := range op.Mutated {
			delete(routes, out)
		}
		if !reached || op.Node == 0 {
			continue
		}
		for i, in := range op.Inputs {
			if in == 0 {
				continue
			}
			if g, known := s.check.Graph().Tensor(in); known && g.Leaf() && g.RequiresGrad && matrix(s.check.Tensor(in).Shape) {
				if _, equal := s.constant(in); !equal {
					return
				}
			}
			if c, ok := s.column(op, i); ok {
				s.link(layers, op, c, r)
				continue
			}
			merge(in, s.route(op, i, r))
		}
	}
	for leaf, l := range layers {
		if l != nil {
			s.layers[leaf] = l
			s.order = append(s.order, leaf)
		}
	}
}

// matrix reports whether a shape has two dimensions and more than one element.
func matrix(shape []int) bool {
	return len(shape) > 1 && slices.ContainsFunc(shape, func(n int) bool { return n > 1 })
}

// column returns the matrix that an operand of a layer is, one column or row for each unit.
func (s *symmetry) column(op *inspect.Op, i int) (constant, bool) {
	c, ok := s.constant(op.Inputs[i])
	switch {
	case !ok || c.looked:
		return c, false
	case op.Name == "embedding":
		return c, i == 0
	case recurrent[op.Name]:
		return c, true
	case convolutionOps[op.Name]:
		_, leaf, _, whole := s.layer(op)
		return c, i == 1 && leaf != 0 && whole
	}
	return c, products[op.Name] == i+1
}

// route returns the way to the loss of one operand.
func (s *symmetry) route(op *inspect.Op, i int, r route) route {
	in := op.Inputs[i]
	shape := s.check.Tensor(in).Shape
	if products[op.Name] > 0 || recurrent[op.Name] {
		for j, other := range op.Inputs {
			if c, ok := s.constant(other); ok && j != i && len(shape) > 0 {
				n := shape[len(shape)-1]
				if w := s.check.Tensor(c.leaf).Shape; len(w) == 2 && !c.looked {
					n = w[1]
					if shape[len(shape)-1] == w[0] {
						n = w[0]
					}
				} else if convolutionOps[op.Name] {
					n = w[1]
				} else if c.looked {
					n = w[len(w)-1]
				}
				return route{covered: true, next: c, inputs: n}
			}
		}
	}
	switch op.Name {
	case "softmax", "_softmax", "log_softmax", "_log_softmax":
		if len(shape) > 0 {
			r.shared = shape[len(shape)-1]
		}
	}
	if _, noise := slices.BinarySearch(s.noisy, op.At); noise {
		return r
	}
	rows := !convolutionOps[op.Name] && products[op.Name] == i+1 // of the other operand; the units are columns
	for j, other := range op.Inputs {
		if j != i && !rows && !s.learned[other] && !s.units(other) {
			r.covered = false // data or frozen weights differ from unit to unit
		}
	}
	return r
}

// link notes a use of a layer: one that reaches the loss by another way makes its units different.
func (s *symmetry) link(layers map[graph.TensorID]*equalLayer, op *inspect.Op, c constant, r route) {
	units := s.width(op, c.leaf)
	switch {
	case !r.covered || units < 2 || units == r.shared || r.inputs < 2 || r.inputs%units != 0 && units%r.inputs != 0:
		layers[c.leaf] = nil
	default:
		l, again := layers[c.leaf]
		if again && l == nil || r.next.leaf == c.leaf {
			return
		}
		layers[c.leaf] = &equalLayer{
			filled: c.filled, next: r.next.filled, used: visit{op.At, op.Stack}, units: min(units, r.inputs), chained: true,
		}
	}
}
