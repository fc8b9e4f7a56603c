package inspect

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// A Story is what there is to say about one tensor.
type Story struct {
	Tensor graph.Tensor
	Name   string
	Leaf   bool // as PyTorch's is_leaf
	Bytes  int64
	Graph  Use // what its grad_fn leads to: nodes and the bytes that those saved
	Facts  []Fact
}

// A Fact is one sentence of a story. What happened again and again at one line is one
// fact.
type Fact struct {
	Topic string // one of Topics
	Text  string
	Span  Span   // where that was; unknown for what has no place
	Count int    // how often it happened at that line
	Last  string // the text of the last time, if there were several
}

// Topics are the topics of facts, in the order in which they are told.
var Topics = []string{"made", "leaf", "named", "changed", "used", "saved", "gradient", "zeroed", "path", "held", "graph"}

// maxTold bounds the lines of one topic.
const maxTold = 8

// ReadHistory is the history of the first events of a tape.
func ReadHistory(tape *graph.Tape, events graph.Pos, options Options) *History {
	h := NewHistory(tape, options)
	h.readTo(events)
	return h
}

func (h *History) readTo(events graph.Pos) {
	for h.cursor.Pos() < events && h.next() {
		h.settle(func(graph.Pos) {})
	}
	h.finish()
}

// Story tells about a tensor; ok is false if there is none with that number. If the history
// has forgotten anything, the tape is read once more.
func (h *History) Story(id graph.TensorID) (s *Story, ok bool) {
	t, ok := h.Graph().Tensor(id)
	if !ok {
		return nil, false
	}
	if h.Forgot() && h.memory.focus != id {
		again := NewHistory(h.tape, h.options)
		again.memory.focus = id
		again.readTo(h.cursor.Pos())
		return again.Story(id)
	}
	w := &storyteller{h: h, names: h.Name, t: t, told: h.Tensor(id), facts: map[string]*facts{}, story: &Story{Tensor: t, Name: h.Name(id), Leaf: t.Leaf() || !t.RequiresGrad}}
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

// A storyteller finds the facts of a story.
type storyteller struct {
	h     *History
	names namer
	t     graph.Tensor
	told  *TensorStory
	story *Story
	facts map[string]*facts
}

// facts are those of one topic.
type facts struct {
	list   []Fact
	byLine map[key]int // index in list
	left   int         // lines that were left out
}

func (w *storyteller) tell(topic string, at Span, format string, args ...any) {
	f := w.facts[topic]
	if f == nil {
		f = &facts{byLine: map[key]int{}}
		w.facts[topic] = f
	}
	k := key{at.File, at.Line}
	i, again := f.byLine[k]
	switch {
	case again && at.Known() && i < 0:
	case again && at.Known():
		f.list[i].Count++
		f.list[i].Last = fmt.Sprintf(format, args...)
	case len(f.list) == maxTold:
		f.byLine[k] = -1
		f.left++
	default:
		f.byLine[k] = len(f.list)
		f.list = append(f.list, Fact{Topic: topic, Text: fmt.Sprintf(format, args...), Span: at, Count: 1})
	}
}

// all are the facts in the order of their topics.
func (w *storyteller) all() (list []Fact) {
	for _, topic := range Topics {
		f := w.facts[topic]
		if f == nil {
			continue
		}
		list = append(list, f.list...)
		if f.left > 0 {
			list = append(list, Fact{Topic: topic, Text: "and at " + count(f.left, "more line"), Count: 1})
		}
	}
	return list
}

func (w *storyteller) made() {
	at := w.h.In(w.told.Stack, w.told.Created, "")
	op := w.h.Maker(w.t.ID)
	switch {
	case op != nil:
		w.tell("made", at, "%s", w.names.madeBy(op.Name, op.Inputs))
	default:
		w.tell("made", at, "%s", origin(w.t.Flags))
	}
	if w.t.Base != 0 {
		w.tell("made", Span{At: -1}, "it is a view of %s", w.names.numbered(w.t.Base))
	}
	if n, ok := w.h.Graph().Node(w.t.Node); ok {
		w.tell("made", Span{At: -1}, "its grad_fn is %s (n%d)", n.Name, n.ID)
	}
}

// leaf says why the tensor is a leaf, or not.
func (w *storyteller) leaf() {
	none := Span{At: -1}
	switch {
	case !w.t.Leaf():
		w.tell("leaf", none, "no: it is the result of an operation that gradients go back through")
	case w.cut():
		for _, c := range w.told.Cuts {
			w.tell("leaf", w.h.In(c.Stack, c.At, ""), "yes: %s", w.names.cutFrom(c.From, c.Cut))
		}
	case w.t.RequiresGrad:
		w.tell("leaf", none, "yes: the program made it and asked for its gradient")
	case w.told.Op >= 0:
		w.leafResult(w.h.Maker(w.t.ID))
	default:
		w.tell("leaf", none, "yes: no operation made it, and it does not require grad")
	}
}

// cut reports whether the tensor holds values of one that requires grad.
func (w *storyteller) cut() bool {
	return slices.ContainsFunc(w.told.Cuts, func(f Flow) bool { return w.h.Graph().RequiresGrad(f.From) })
}

// leafResult says why the result of an operation is a leaf.
func (w *storyteller) leafResult(op *Op) {
	at := w.h.In(op.Stack, op.At, "")
	if !op.GradMode {
		w.tell("leaf", at, "yes: %s ran while gradients were switched off", op.Name)
		return
	}
	for _, in := range op.Inputs {
		if w.h.Graph().RequiresGrad(in) {
			w.tell("leaf", at, "yes: the result of %s has no gradient", op.Name)
			return
		}
	}
	w.tell("leaf", Span{At: -1}, "yes: nothing that %s was given requires grad", op.Name)
}

func (w *storyteller) named() {
	for _, n := range w.told.Names {
		at := w.h.At(n.At, "")
		name := scopedName(n.Scope, n.Name)
		if n.Lost >= 0 {
			w.tell("named", at, "%s, until %s", name, short(w.h.At(n.Lost, "")))
		} else {
			w.tell("named", at, "%s", name)
		}
	}
}

// changes are those of its memory, through whatever tensor.
func (w *storyteller) changes() {
	for _, c := range w.h.writes.All() {
		other := w.h.Tensor(c.Tensor)
		if c.Tensor != w.t.ID && (!other.Known() || other.Counter != w.told.Counter) || c.At < w.told.Created {
			continue
		}
		by := "in place"
		if op := w.h.ops.find(c.Op); op != nil {
			by = "by " + op.Name
		}
		w.tell("changed", w.h.In(c.Stack, c.At, ""), "%s%s, to version %d", by, w.names.through(c.Tensor, w.t.ID), c.To)
	}
}

func (w *storyteller) uses() {
	for _, i := range w.h.Uses(w.t.ID) {
		op := w.h.ops.At(i)
		if op.Pass != 0 {
			continue
		}
		w.tell("used", w.h.In(op.Stack, op.At, ""), "%s", w.names.usedBy(op.Name, op.Outputs, w.t.ID))
	}
}

// short is a span's place as in "train.py:12".
func short(s Span) string {
	if !s.Known() {
		return "?"
	}
	return fmt.Sprintf("%s:%d", shortPath(s.File), s.Line)
}
