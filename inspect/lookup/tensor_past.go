package lookup

import "github.com/gradtui/gradtui/graph"

// A past tensor is what a tensor was before the position of the graph.
type past struct {
	dtype graph.DType
	shape []int
	fn    graph.Edge // grad_fn and output_nr; node zero for a leaf
	value graph.Value
	stale bool // its memory was changed since, and the tape does not say to what
}

// past looks up what a tensor was after the events before end.
func (t *Index) past(g *graph.Graph, id graph.TensorID, end graph.Pos) (p past, ok bool) {
	now, ok := g.Tensor(id)
	if !ok || now.Created >= end {
		return past{}, false
	}
	made, ok := eventAt[*graph.TensorCreated](t, now.Created)
	if !ok {
		return past{}, false
	}
	p = past{dtype: made.DType, shape: made.Shape, fn: graph.Edge{Node: made.Node, Input: made.Output}, value: made.Value}
	t.form(&p, id, end)
	told := now.Created
	if at := t.values.newest(uint32(id), end); at > told {
		if _, e, err := t.tape.At(at); err == nil {
			p.value, _ = graph.NewValue(e)
			told = at
		}
	}
	p.stale = t.writes.newest(uint32(now.Counter), end) > told
	return p, true
}

// form finds the newest history and the newest shape before end.
func (t *Index) form(p *past, id graph.TensorID, end graph.Pos) {
	rebased, reshaped := false, false
	for at := range t.forms.before(uint32(id), end) {
		switch _, e, _ := t.dec.ReadUntimed(at); e := e.(type) {
		case *graph.Rebased:
			if !rebased {
				p.fn, rebased = graph.Edge{Node: e.Node, Input: e.Output}, true
			}
		case *graph.Reshaped:
			if !reshaped {
				p.dtype, p.shape, reshaped = e.DType, append([]int(nil), e.Shape...), true
			}
		}
		if rebased && reshaped {
			return
		}
	}
}

// eventAt decodes an event that must be of a certain type, to keep.
func eventAt[E graph.Event](t *Index, p graph.Pos) (e E, ok bool) {
	_, any, err := t.tape.At(p)
	if err != nil {
		return e, false
	}
	e, ok = any.(E)
	return e, ok
}
