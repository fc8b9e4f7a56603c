package ui

import (
	"fmt"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/lookup"
	"github.com/gradtui/gradtui/internal/console"
)

// tensor describes a tensor.
func (w *factWriter) tensor(id graph.TensorID) {
	g := w.s.graph()
	v, ok := w.s.index.lookup.TensorAt(g, id)
	if !ok {
		w.line(nil, piece{muted, "this tensor does not exist yet"})
		return
	}
	t := v.Tensor
	kind, style := "not a leaf", plain
	if t.Leaf() {
		kind, style = "leaf", leaf
	}
	facts := fmt.Sprintf("t%d %s %s%s · %s", t.ID, inspect.ShapeText(t.Shape), t.DType, graph.DeviceText(t.Device), kind)
	w.line(nil, piece{style, tensorName(t)}, piece{plain, "  " + console.OneLine(facts)})
	w.flags(t)
	w.line(nil, piece{plain, "value    "}, w.content(t, saved), staleness(t))
	w.holdsTensor(t.ID, false)
	if t.Node != 0 {
		w.line(toNode(t.Node), piece{plain, "grad_fn  "}, piece{strong, w.nodeText(t.Node)})
	} else {
		w.line(nil, piece{plain, "grad_fn  "}, piece{muted, "None"})
	}
	if grad, ok := g.Tensor(t.Grad); ok {
		w.line(toTensor(t.Grad), piece{plain, ".grad    "}, w.content(grad, gradient))
		w.holdsTensor(t.ID, true)
	} else {
		w.line(nil, piece{plain, ".grad    "}, piece{muted, "None"})
	}
	if t.Base != 0 {
		w.line(toTensor(t.Base), piece{plain, "view of  "}, piece{strong, w.tensorText(t.Base)})
	}
	bytes, live := g.Storage(t.Storage)
	share := ""
	if live > 1 {
		share = fmt.Sprintf(", shared by %s", plural(live, "tensor"))
	}
	w.line(nil, piece{plain, "storage  "}, piece{muted, inspect.Bytes(bytes) + share})
	w.accumulated(v.Parts, v.MoreParts)
	w.savers(v)
	w.history(v)
}

// content returns the value of a tensor, or why it is not known.
func (w *factWriter) content(t graph.Tensor, style cells.Style) piece {
	if !t.Value.Known() {
		return piece{muted, console.OneLine(lookup.NoValue(w.s.tape, t))}
	}
	return piece{style, valueText(t.Value)}
}

func staleness(t graph.Tensor) piece {
	if t.ValueStale {
		return piece{warned, "  changed since through another tensor"}
	}
	return piece{}
}

// flags describes requires_grad and the version.
func (w *factWriter) flags(t graph.Tensor) {
	text := "requires_grad=False"
	if w.s.graph().RequiresGrad(t.ID) {
		text = "requires_grad=True"
	}
	if t.RetainsGrad {
		text += " · retains grad"
	}
	text += fmt.Sprintf(" · version %d", t.Version)
	if t.Released {
		text += " · released by the program"
	}
	w.line(nil, piece{plain, text})
}

// savers lists the nodes that saved a tensor.
func (w *factWriter) savers(v *lookup.TensorView) {
	if len(v.Savers) == 0 {
		return
	}
	w.head("saved by")
	for _, s := range v.Savers {
		style, text := saved, fmt.Sprintf("as %s at v%d", console.OneLine(s.Saved.Name), s.Saved.Version)
		if s.Saved.Freed {
			style, text = freed, text+" · freed"
		} else if s.Saved.Modified() {
			style, text = failed, text+fmt.Sprintf(", now v%d: modified ✗", s.Saved.Current)
		}
		w.line(toNode(s.Node), piece{style, fmt.Sprintf("  %s n%d ", console.OneLine(s.Name), s.Node)}, piece{plain, text})
	}
}

// shownHistory is how many events of a tensor's history are listed.
const shownHistory = 200

// history lists what happened to a tensor, newest first.
func (w *factWriter) history(v *lookup.TensorView) {
	w.head("history, newest first")
	for i := len(v.Events) - 1; i >= 0 && i >= len(v.Events)-shownHistory; i-- {
		l := w.s.index.lookup.TensorEvent(w.s.graph(), v.Tensor.ID, v.Events[i])
		style := plain
		if l.Kind == graph.KindMutated {
			style = warned
		}
		w.line(toEvent(l.At), piece{muted, fmt.Sprintf("  %6d ", l.At)}, piece{style, console.OneLine(l.Text)}, piece{muted, "  " + w.place(l.At)})
	}
	if n := len(v.Events) - shownHistory; n > 0 {
		w.line(nil, piece{muted, fmt.Sprintf("  … and %d earlier events", n)})
	}
}
