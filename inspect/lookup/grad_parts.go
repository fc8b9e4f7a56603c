package lookup

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// A GradPart is one of the things that made a tensor's .grad what it is: a gradient
// that a backward pass added, a tensor that the program assigned, or a change in place,
// such as the clipping of gradients.
type GradPart struct {
	At     graph.Pos
	Kind   graph.Kind           // KindGradAccumulated, KindGradAssigned or KindMutated
	Pass   graph.BackwardID     // of KindGradAccumulated
	How    graph.AccumulateMode // of KindGradAccumulated
	Grad   graph.TensorID       // .grad afterwards
	None   bool                 // .grad was None before
	Before graph.Value          // of .grad, if it was not None; unknown for what was not recorded
	Added  graph.Grad           // of KindGradAccumulated
	After  graph.Value          // of .grad: the sum of the parts so far
}

// gradParts returns the parts of a tensor's .grad, in order, since it was last None or zero before
// end. Of more than most parts it returns the newest, and more is true.
func (t *Index) gradParts(id graph.TensorID, end graph.Pos, most int) (parts []GradPart, more bool) {
	var base graph.Value // what the first part found
	none := true
	upper := end
search:
	for at := range t.grads.before(uint32(id), end) {
		part, ok := t.gradPart(at)
		if !ok {
			break
		}
		changes, zero := t.gradChanges(part.Grad, at, upper)
		parts = append(parts, changes...)
		switch {
		case zero.Known():
			base, none = zero, false
			break search
		case part.Grad == 0:
			none = true
			break search
		}
		parts = append(parts, part)
		switch {
		case part.None, part.Kind == graph.KindGradAssigned:
			none = part.None
			break search
		case len(parts) >= most:
			more, none = true, false
			break search
		}
		none = part.How == graph.AccumulateRetain // if nothing came before it
		upper = at
	}
	if more = more || len(parts) > most; more {
		parts, none = parts[:most], false
	}
	slices.Reverse(parts)
	for i := range parts {
		parts[i].Before, parts[i].None = base, i == 0 && none
		base = parts[i].After
	}
	return parts, more
}

// gradPart reads an event that gave a tensor another .grad.
func (t *Index) gradPart(at graph.Pos) (p GradPart, ok bool) {
	switch _, e, _ := t.tape.At(at); e := e.(type) {
	case *graph.GradAccumulated:
		return GradPart{
			At: at, Kind: e.Kind(), Pass: e.Backward, How: e.How, Grad: e.Grad, Added: e.Added, After: e.Value,
			None: e.How == graph.AccumulateSteal || e.How == graph.AccumulateCopy,
		}, true
	case *graph.GradAssigned:
		return GradPart{At: at, Kind: e.Kind(), Grad: e.Grad, After: t.content(e.Grad, at)}, true
	}
	return GradPart{}, false
}

// gradChanges returns the changes in place of a tensor that is a .grad from one event until
// another, newest first, back to one that made it zero.
func (t *Index) gradChanges(grad graph.TensorID, from, to graph.Pos) (parts []GradPart, zero graph.Value) {
	if grad == 0 {
		return nil, zero
	}
	k, _ := t.dec.Kind(to)
	for at := range t.writes.before(uint32(t.counter(grad)), to) {
		if at < from {
			break
		}
		if at == to-1 && k == graph.KindGradAccumulated {
			continue // the version that the addition moved
		}
		e, ok := eventAt[*graph.Mutated](t, at)
		if !ok {
			continue
		}
		p := GradPart{At: at, Kind: e.Kind(), Grad: grad}
		if e.Tensor == grad {
			p.After = e.Value
		}
		if p.After.Zero() {
			return parts, p.After
		}
		parts = append(parts, p)
	}
	return parts, zero
}

// content returns what a tensor held after the events before end, as far as the tape alone says.
func (t *Index) content(id graph.TensorID, end graph.Pos) (v graph.Value) {
	at := t.values.newest(uint32(id), end)
	if at < 0 {
		for p := range t.tensors.before(uint32(id), end) {
			at = p // the oldest one is its creation
		}
	}
	switch _, e, _ := t.tape.At(at); e := e.(type) {
	case *graph.TensorCreated:
		return e.Value
	case nil:
		return v
	default:
		v, _ = graph.NewValue(e)
		return v
	}
}
