package story

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/internal/phrase"
	"github.com/gradtui/gradtui/inspect/usage"
)

// A Story holds all that is known about one tensor.
type Story struct {
	Tensor graph.Tensor
	Name   string
	Leaf   bool // as PyTorch's is_leaf
	Bytes  int64
	Graph  usage.Use // what its grad_fn leads to: nodes, and the bytes that they saved
	Facts  []Fact
}

// A Fact is one sentence of a story. What happens repeatedly at one line is one fact.
type Fact struct {
	Topic string // one of Topics
	Text  string
	Span  inspect.Span // where that was; unknown for a fact without a place
	Count int          // how often it happened at that line
	Last  string       // the text of the last time, if there were several
}

// Topics lists the topics of facts, in the order of a story.
var Topics = []string{"made", "leaf", "named", "changed", "used", "saved", "gradient", "zeroed", "path", "held", "graph"}

// maxFacts bounds the lines of one topic.
const maxFacts = 8

// Of returns the story of a tensor; ok is false if there is no tensor with that number.
func Of(h *inspect.History, id graph.TensorID) (s *Story, ok bool) {
	t, ok := h.Graph().Tensor(id)
	if !ok {
		return nil, false
	}
	h = h.About(id)
	w := &writer{h: h, names: h.Name, t: t, tensor: h.Tensor(id), facts: map[string]*facts{}, story: &Story{Tensor: t, Name: h.Name(id), Leaf: t.Leaf() || !t.RequiresGrad}}
	bytes, _ := h.Graph().Storage(t.Storage)
	w.story.Bytes = int64(bytes)
	w.made()
	w.leaf()
	w.named()
	w.changes()
	w.uses()
	w.nodes()
	w.gradient()
	w.holders()
	w.story.Facts = w.all()
	return w.story, true
}

// A writer collects the facts of a story.
type writer struct {
	h      *inspect.History
	names  phrase.Namer
	t      graph.Tensor    // as the graph has it
	tensor *inspect.Tensor // what the history knows of it
	story  *Story
	facts  map[string]*facts
}

// A line is a line of the program.
type line struct {
	file   string
	number int
}

// facts holds the facts of one topic.
type facts struct {
	list   []Fact
	byLine map[line]int // index in list
	left   int          // lines that were left out
}

func (w *writer) add(topic string, at inspect.Span, format string, args ...any) {
	f := w.facts[topic]
	if f == nil {
		f = &facts{byLine: map[line]int{}}
		w.facts[topic] = f
	}
	k := line{at.File, at.Line}
	i, again := f.byLine[k]
	switch {
	case again && at.Known() && i < 0:
	case again && at.Known():
		f.list[i].Count++
		f.list[i].Last = fmt.Sprintf(format, args...)
	case len(f.list) == maxFacts:
		f.byLine[k] = -1
		f.left++
	default:
		f.byLine[k] = len(f.list)
		f.list = append(f.list, Fact{Topic: topic, Text: fmt.Sprintf(format, args...), Span: at, Count: 1})
	}
}

// all returns the facts in the order of their topics.
func (w *writer) all() (list []Fact) {
	for _, topic := range Topics {
		f := w.facts[topic]
		if f == nil {
			continue
		}
		list = append(list, f.list...)
		if f.left > 0 {
			list = append(list, Fact{Topic: topic, Text: "and at " + phrase.Count(f.left, "more line"), Count: 1})
		}
	}
	return list
}

func (w *writer) made() {
	at := w.h.In(w.tensor.Stack, w.tensor.Created, "")
	op := w.h.Maker(w.t.ID)
	switch {
	case op != nil:
		w.add("made", at, "%s", w.names.MadeBy(op.Name, op.Inputs))
	default:
		w.add("made", at, "%s", phrase.Origin(w.t.Flags))
	}
	if w.t.Base != 0 {
		w.add("made", inspect.Span{At: -1}, "it is a view of %s", w.names.Numbered(w.t.Base))
	}
	if n, ok := w.h.Graph().Node(w.t.Node); ok {
		w.add("made", inspect.Span{At: -1}, "its grad_fn is %s (n%d)", n.Name, n.ID)
	}
}

// leaf says why the tensor is a leaf, or not.
func (w *writer) leaf() {
	none := inspect.Span{At: -1}
	switch {
	case !w.t.Leaf():
		w.add("leaf", none, "no: it is the result of an operation that gradients go back through")
	case w.cut():
		for _, c := range w.tensor.Cuts {
			w.add("leaf", w.h.In(c.Stack, c.At, ""), "yes: %s", w.names.CutFrom(c.From, c.Cut))
		}
	case w.t.RequiresGrad:
		w.add("leaf", none, "yes: the program made it, and it requires grad")
	case w.tensor.Op >= 0:
		w.leafResult(w.h.Maker(w.t.ID))
	default:
		w.add("leaf", none, "yes: no operation made it, and it does not require grad")
	}
}

// cut reports whether the tensor holds values of one that requires grad.
func (w *writer) cut() bool {
	return slices.ContainsFunc(w.tensor.Cuts, func(f inspect.Flow) bool { return w.h.Graph().RequiresGrad(f.From) })
}

// leafResult says why the result of an operation is a leaf.
func (w *writer) leafResult(op *inspect.Op) {
	at := w.h.In(op.Stack, op.At, "")
	if !op.GradMode {
		w.add("leaf", at, "yes: %s ran while gradients were switched off", op.Name)
		return
	}
	for _, in := range op.Inputs {
		if w.h.Graph().RequiresGrad(in) {
			w.add("leaf", at, "yes: gradients do not go back through %s", op.Name)
			return
		}
	}
	w.add("leaf", inspect.Span{At: -1}, "yes: nothing that %s was given requires grad", op.Name)
}

func (w *writer) named() {
	for _, n := range w.tensor.Names {
		at := w.h.At(n.At, "")
		name := phrase.ScopedName(n.Scope, n.Name)
		if n.Lost >= 0 {
			w.add("named", at, "%s, until %s", name, short(w.h.At(n.Lost, "")))
		} else {
			w.add("named", at, "%s", name)
		}
	}
}

// changes adds the changes of its memory, through any tensor.
func (w *writer) changes() {
	for _, c := range w.h.Writes().All() {
		other := w.h.Tensor(c.Tensor)
		if c.Tensor != w.t.ID && (!other.Known() || other.Counter != w.tensor.Counter) || c.At < w.tensor.Created {
			continue
		}
		by := "in place"
		if op := w.h.Op(c.Op); op.At >= 0 {
			by = "by " + op.Name
		}
		w.add("changed", w.h.In(c.Stack, c.At, ""), "%s%s, to version %d", by, w.names.Through(c.Tensor, w.t.ID), c.To)
	}
}

func (w *writer) uses() {
	for _, i := range w.h.Uses(w.t.ID) {
		op := w.h.Op(i)
		if op.Pass != 0 {
			continue
		}
		w.add("used", w.h.In(op.Stack, op.At, ""), "%s", w.names.UsedBy(op.Name, op.Outputs, w.t.ID))
	}
}

// short returns the place of a span, such as "train.py:12".
func short(s inspect.Span) string {
	if !s.Known() {
		return "?"
	}
	return fmt.Sprintf("%s:%d", shortPath(s.File), s.Line)
}
