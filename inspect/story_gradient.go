package inspect

import (
	"fmt"

	"github.com/gradtui/gradtui/graph"
)

// nodes tells which nodes saved the tensor.
func (w *storyteller) nodes() {
	g := w.h.Graph()
	d := w.h.tape.NewDecoder()
	for id := 1; id < len(w.h.made); id++ {
		_, e, err := d.ReadUntimed(graph.Pos(w.h.made[id]))
		made, ok := e.(*graph.NodeCreated)
		if err != nil || !ok {
			continue
		}
		for _, s := range made.Saved {
			if s.Tensor != w.t.ID {
				continue
			}
			n, _ := g.Node(graph.NodeID(id))
			state := ""
			if pass := FreedBy(w.h.tape, n); pass != 0 {
				state = fmt.Sprintf("; freed by backward pass %d", pass)
			} else if now := g.Version(w.t.ID); now != s.Version && s.Flags&graph.SavedCopy == 0 {
				state = fmt.Sprintf("; it is at version %d now, so backward fails there", now)
			}
			w.tell("saved", w.h.At(n.Created, ""), "%s%s", savedBy(n.Name, n.ID, w.h.tape.String(s.Name), s.Version), state)
		}
	}
}

// gradient tells what came into .grad, or why nothing did.
func (w *storyteller) gradient() {
	reached := map[graph.BackwardID]bool{}
	d := w.h.tape.NewDecoder()
	for id := 1; id < len(w.h.passes); id++ {
		p := &w.h.passes[id]
		for _, c := range p.Leaves {
			if c.Tensor != w.t.ID {
				continue
			}
			reached[graph.BackwardID(id)] = true
			if _, e, err := d.ReadUntimed(c.At); err == nil {
				e := e.(*graph.GradAccumulated)
				w.tell("gradient", w.h.In(p.Stack, p.At, ""), "%s", brought(graph.BackwardID(id), e.Added.Value, e.Value))
			}
		}
	}
	for _, z := range w.h.zeroings.All() {
		if z.Tensor == w.t.ID && !z.Called { // what zero_grad() did follows its call
			w.tell("zeroed", w.h.In(z.Stack, z.At, ""), ".grad")
		}
	}
	none := Span{At: -1}
	switch {
	case w.t.Grad != 0:
		w.tell("gradient", none, ".grad is t%d", w.t.Grad)
	case len(reached) > 0:
		w.tell("gradient", none, ".grad is None now")
	case !w.t.RequiresGrad:
		w.tell("gradient", none, ".grad is None: it does not require grad")
	case !w.t.Leaf() && !w.t.RetainsGrad:
		w.tell("gradient", none, ".grad is None: it is no leaf, and retain_grad() was not called")
	default:
		w.tell("gradient", none, ".grad is None: no backward pass brought anything")
	}
	if n := len(w.h.passes) - 1; n > 0 && w.t.RequiresGrad && !reached[graph.BackwardID(n)] {
		w.path(n)
	}
}

// path tells where the way to the roots of a backward pass breaks off that brought no
// gradient.
func (w *storyteller) path(pass int) {
	p := &w.h.passes[pass]
	at := w.h.In(p.Stack, p.At, "")
	for _, root := range p.Roots {
		if root.Tensor == w.t.ID {
			w.tell("path", at, "%s", rootOf(graph.BackwardID(pass)))
			return
		}
	}
	for _, root := range p.Roots {
		loss := w.names.numbered(root.Tensor)
		path := w.h.Path(w.t.ID, root.Tensor)
		if path == nil {
			w.tell("path", at, "nothing of it went into %s, which backward pass %d began from", loss, pass)
			continue
		}
		cuts := Cuts(path)
		for _, c := range cuts {
			w.tell("path", w.h.In(c.Stack, c.At, ""), "its values went into %s, but no gradient comes back past here: %s of %s", loss, c.Cut, w.names.numbered(c.From))
		}
		if len(cuts) > 0 {
			continue
		}
		switch {
		case p.Failed != nil:
			w.tell("path", at, "it leads to %s, but backward pass %d failed", loss, pass)
		case !w.t.Leaf() && !w.t.RetainsGrad:
			w.tell("path", at, "it leads to %s: the gradient of backward pass %d went through it and was not kept", loss, pass)
		case p.Flags&graph.GradOnly != 0:
			w.tell("path", at, "it leads to %s: backward pass %d was autograd.grad(), which leaves .grad alone", loss, pass)
		case len(p.Inputs) > 0:
			w.tell("path", at, "it leads to %s: backward pass %d was asked for other inputs", loss, pass)
		default:
			w.tell("path", at, "its values went into %s, but backward pass %d brought it no gradient", loss, pass)
		}
	}
}
