package story

import (
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/internal/phrase"
	"github.com/gradtui/gradtui/inspect/usage"
)

// holders are the words for what keeps a tensor alive.
var holders = [...]string{
	usage.HeldByProgram: "by the program",
	usage.HeldByGraph:   "no longer by the program, but by the graph or another tensor",
	usage.HeldAsResult:  "only its memory, by the node that saved it as its result",
	usage.HeldByNothing: "by nothing: the tensor is gone",
}

// places adds the elements and attributes that hold the tensor, or did until the program dropped it, the leaf
// whose .grad it is, and the lines that put it there. Variables and nodes are said of its names and of what has
// saved it.
func (w *writer) places() {
	now := w.h.Graph().Pos()
	at, verb := now, "kept as"
	if w.tensor.Released >= 0 && w.tensor.Released < at {
		at, verb = w.tensor.Released, "was kept as"
	}
	for _, k := range w.h.Holders(w.t.ID, at) {
		if k.Element() {
			w.place(k, verb)
		}
	}
	for _, k := range w.h.Holders(w.t.ID, now) {
		if k.Kind == inspect.HeldAsGrad {
			w.place(k, "kept as")
		}
	}
}

// place adds a place with the line that put the tensor there.
func (w *writer) place(k inspect.Holder, verb string) {
	put := inspect.Span{At: -1}
	if spans := w.h.Put(k, ""); len(spans) > 0 {
		put = spans[0]
	}
	w.add("held", put, "%s %s", verb, phrase.ScopedName(k.Scope, k.Path))
}

// holders adds what keeps the tensor and its graph alive, and how large the graph is.
func (w *writer) holders() {
	none := inspect.Span{At: -1}
	m := usage.MemoryAt(w.h.Tape(), w.h.Graph().Pos())
	holder, ok := m.Holder(w.t.ID)
	if !ok {
		return
	}
	w.add("held", none, "%s", holders[holder])
	w.places()
	for _, id := range m.LeadingTo(w.t.ID) {
		w.add("held", w.h.In(w.h.Tensor(id).Stack, w.h.Tensor(id).Created, ""), "in the graph of %s, which the program holds", w.names.Numbered(id))
	}
	if w.t.Node == 0 {
		return
	}
	if w.story.Graph = m.Reach(w.t.Node); w.story.Graph.Nodes == 0 {
		w.add("graph", none, "its graph is gone")
		return
	}
	w.add("graph", none, "its graph has %s and holds %s", phrase.Count(w.story.Graph.Nodes, "node"), inspect.Bytes(uint64(w.story.Graph.Bytes)))
}
