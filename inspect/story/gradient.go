package story

import (
	"fmt"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/internal/phrase"
	"github.com/gradtui/gradtui/inspect/lookup"
)

// nodes adds the nodes that saved the tensor.
func (w *writer) nodes() {
	g := w.h.Graph()
	d := w.h.Tape().NewDecoder()
	for id := graph.NodeID(1); w.h.NodeMade(id) >= 0; id++ {
		_, e, err := d.ReadUntimed(w.h.NodeMade(id))
		made, ok := e.(*graph.NodeCreated)
		if err != nil || !ok {
			continue
		}
		for _, s := range made.Saved {
			if s.Tensor != w.t.ID {
				continue
			}
			n, _ := g.Node(id)
			state := ""
			if pass := lookup.FreedBy(w.h.Tape(), n); pass != 0 {
				state = fmt.Sprintf("; freed by backward pass %d", pass)
			} else if now := g.Version(w.t.ID); now != s.Version && s.Flags&graph.SavedCopy == 0 {
				state = fmt.Sprintf("; it is at version %d now, so backward fails there", now)
			}
			w.add("saved", w.h.At(n.Created, ""), "%s%s", phrase.SavedBy(n.Name, n.ID, w.h.Tape().String(s.Name), s.Version), state)
		}
	}
}

// gradient adds what came into .grad, or why nothing did.
func (w *writer) gradient() {
	reached := map[graph.BackwardID]bool{}
	d := w.h.Tape().NewDecoder()
	for id := 1; id < len(w.h.Passes()); id++ {
		p := &w.h.Passes()[id]
		for _, c := range p.Leaves {
			if c.Tensor != w.t.ID {
				continue
			}
			reached[graph.BackwardID(id)] = true
			if _, e, err := d.ReadUntimed(c.At); err == nil {
				e := e.(*graph.GradAccumulated)
				w.add("gradient", w.h.In(p.Stack, p.At, ""), "%s", phrase.Brought(graph.BackwardID(id), e.Added.Value, e.Value))
			}
		}
	}
	for _, z := range w.h.Zeroings().All() {
		if z.Tensor == w.t.ID && !z.Called { // what zero_grad() did follows its call
			w.add("zeroed", w.h.In(z.Stack, z.At, ""), ".grad")
		}
	}
	none := inspect.Span{At: -1}
	switch {
	case w.t.Grad != 0:
		w.add("gradient", none, ".grad is t%d", w.t.Grad)
	case len(reached) > 0:
		w.add("gradient", none, ".grad is None now")
	case !w.t.RequiresGrad:
		w.add("gradient", none, ".grad is None: it does not require grad")
	case !w.t.Leaf() && !w.t.RetainsGrad:
		w.add("gradient", none, ".grad is None: it is not a leaf, and retain_grad() was not called")
	default:
		w.add("gradient", none, ".grad is None: no backward pass brought a gradient")
	}
	if n := len(w.h.Passes()) - 1; n > 0 && w.t.RequiresGrad && !reached[graph.BackwardID(n)] {
		w.path(n)
	}
}

// path adds where the path from the roots of a backward pass breaks, if the pass brought no
// gradient.
func (w *writer) path(pass int) {
	p := &w.h.Passes()[pass]
	at := w.h.In(p.Stack, p.At, "")
	for _, root := range p.Roots {
		if root.Tensor == w.t.ID {
			w.add("path", at, "%s", phrase.RootOf(graph.BackwardID(pass)))
			return
		}
	}
	for _, root := range p.Roots {
		loss := w.names.Numbered(root.Tensor)
		path := w.h.Path(w.t.ID, root.Tensor)
		if path == nil {
			w.add("path", at, "none of its values went into %s, which backward pass %d began from", loss, pass)
			continue
		}
		cuts := inspect.Cuts(path)
		for _, c := range cuts {
			w.add("path", w.h.In(c.Stack, c.At, ""), "its values went into %s, but the gradient ends here: %s of %s", loss, c.Cut, w.names.Numbered(c.From))
		}
		if len(cuts) > 0 {
			continue
		}
		switch {
		case p.Failed != nil:
			w.add("path", at, "it leads to %s, but backward pass %d failed", loss, pass)
		case !w.t.Leaf() && !w.t.RetainsGrad:
			w.add("path", at, "it leads to %s: the gradient of backward pass %d went through it and was not kept", loss, pass)
		case p.Flags&graph.GradOnly != 0:
			w.add("path", at, "it leads to %s: backward pass %d was autograd.grad(), which leaves .grad alone", loss, pass)
		case len(p.Inputs) > 0:
			w.add("path", at, "it leads to %s: backward pass %d was asked for other inputs", loss, pass)
		default:
			w.add("path", at, "its values went into %s, but backward pass %d brought it no gradient", loss, pass)
		}
	}
}
