package inspect

import (
	"maps"
	"slices"
	"sort"

	"github.com/gradtui/gradtui/graph"
)

// This file forgets. A history of a long program keeps in full
//
//   - the newest events, and at least the last few iterations;
//   - the iterations in which something new happened: a kind of event at a call stack where it
//     had not happened in two visits before. These are the first two iterations and, for
//     example, the first two evaluations between iterations;
//   - the iterations that a rule asks for;
//   - the tensors that the program still has, and what they were made of.
//
// Of the rest it keeps facts: when the program came to each call stack, when it updated
// parameters, which passes and steps there were, what leaves got. Rules can look at events
// before they are forgotten ([Settler]).

// DefaultWindow is how many of the newest events a history knows in full at least.
const DefaultWindow = 1 << 16

const (
	windows        = 4       // how many windows fill up before something is forgotten
	lastIterations = 3       // how many iterations are never forgotten, unless they are long
	longIteration  = 1 << 14 // of an iteration with more events only those near something new are kept
	nearNew        = 1 << 12 // how many events before and after it
	mostNew        = 1 << 17 // events that are kept because something new happened in their iteration
	mostAsked      = 256     // iterations that are kept because a rule asks for them
	mostAlive      = 1 << 14 // tensors that are kept because the tape does not say that they are gone
	deepest        = 16      // operations without a graph that are kept behind what the program has
	mostChanges    = 4       // changes in place that are kept of what the program has
)

// A Settler is an observer that looks at events before the history forgets them. It looks at
// each event once.
type Settler interface {
	Settle(before graph.Pos)
}

// A kindSet is a set of kinds of events.
type kindSet uint64

func kindBit(k graph.Kind) kindSet { return 1 << (k % 64) }

// An eventRange is the events from from to to, without to.
type eventRange struct{ from, to graph.Pos }

// forgetting is what was forgotten, and what must be kept.
type forgetting struct {
	window   graph.Pos
	focus    graph.TensorID // everything about this tensor is kept; 0: none
	since    graph.Pos      // the events before this one were forgotten, except what is kept
	kept     []eventRange   // iterations before since that are known in full
	room     graph.Pos      // events that may still be kept in such iterations
	ends     []graph.Pos    // of iterations, from since on
	news     []graph.Pos    // events from since on that were something new
	asked    int            // how many iterations rules asked for
	last     Update         // the newest
	passes   int            // that there were at the last update
	stripped int            // how many passes forgetPasses has looked at

	lists  [8][]graph.TensorID // of parameters, that came last
	oldest int
}

func newForgetting(window graph.Pos) forgetting {
	switch {
	case window == 0:
		window = DefaultWindow
	case window < 0:
		window = 0
	}
	return forgetting{window: window, room: max(mostNew, window), last: Update{At: -1, Step: -1}}
}

// Forgot reports whether the history has forgotten anything.
func (h *History) Forgot() bool { return h.memory.since > 0 }

// Remembers reports whether an event is known in full.
func (h *History) Remembers(p graph.Pos) bool { return h.memory.full(p) }

// remember keeps the iteration of an event from being forgotten.
func (m *forgetting) remember(p graph.Pos) {
	i, known := slices.BinarySearch(m.news, p)
	if !known && p >= m.since && m.asked < mostAsked {
		m.news = slices.Insert(m.news, i, p)
		m.asked++
	}
}

// About returns a history that has not forgotten anything about a tensor: this one, or one for
// which the tape is read once more.
func (h *History) About(id graph.TensorID) *History {
	if !h.Forgot() || h.memory.focus == id {
		return h
	}
	again := NewHistory(h.tape, h.options)
	again.memory.focus = id
	again.readTo(h.cursor.Pos())
	return again
}

// watch notes whether an event is something new at its call site.
func (h *History) watch(here *callSite, k graph.Kind) {
	bit := kindBit(k)
	if here.twice&bit != 0 || here.now&bit != 0 {
		return
	}
	here.now |= bit
	h.memory.news = append(h.memory.news, h.pos)
}

// updated notes an update, before it is added. An iteration ends when the next one begins with
// another update: the updates of one step, or between two backward passes, are one.
func (m *forgetting) updated(h *History, u *Update) {
	together := m.passes == len(h.passes)
	if m.last.Step >= 0 || u.Step >= 0 {
		together = m.last.Step == u.Step
	}
	if m.last.At >= 0 && !together {
		m.ends = append(m.ends, m.last.At+1)
	}
	m.last, m.passes = *u, len(h.passes)
}

// passEnded notes the end of a backward pass, which ends an iteration in a program that updates
// nothing.
func (m *forgetting) passEnded(p graph.Pos) {
	if m.last.At < 0 {
		m.ends = append(m.ends, p+1)
	}
}

// cut returns the event before which things may be forgotten now; ok is false if it is not
// worth it yet.
func (m *forgetting) cut(pos graph.Pos) (p graph.Pos, ok bool) {
	if pos-m.since < windows*m.window {
		return 0, false
	}
	for i := len(m.ends) - 1 - lastIterations; i >= 0; i-- {
		if m.ends[i] <= pos-m.window {
			return m.ends[i], true
		}
	}
	return pos - m.window, m.window > 0
}

// settle forgets, if it is time to, and calls look before.
func (h *History) settle(look func(before graph.Pos)) {
	before, ok := h.memory.cut(h.pos)
	if !ok {
		return
	}
	look(before)
	h.link(before)
	h.memory.keepIterations(before)
	h.forget(before)
}

// keepIterations chooses the iterations before an event that stay known in full.
func (m *forgetting) keepIterations(before graph.Pos) {
	ended := sort.Search(len(m.ends), func(i int) bool { return m.ends[i] >= before })
	from, next := m.since, 0
	for i := 0; i <= ended; i++ {
		to := before
		if i < ended {
			to = m.ends[i]
		}
		for ; next < len(m.news) && m.news[next] < to; next++ {
			s := eventRange{from, to}
			if to-from > longIteration {
				s = eventRange{max(from, m.news[next]-nearNew), min(to, m.news[next]+nearNew)}
			}
			m.keep(s)
		}
		from = to
	}
	m.ends = slices.Delete(m.ends, 0, sort.Search(len(m.ends), func(i int) bool { return m.ends[i] > before }))
	m.news = slices.Delete(m.news, 0, next)
	m.since = before
}

// keep adds events, which begins no earlier than the last one.
func (m *forgetting) keep(s eventRange) {
	last := len(m.kept) - 1
	if last >= 0 {
		s.from = max(s.from, m.kept[last].to)
	}
	size := s.to - s.from
	if size <= 0 || size > m.room {
		return
	}
	m.room -= size
	if last >= 0 && m.kept[last].to == s.from {
		m.kept[last].to = s.to
	} else {
		m.kept = append(m.kept, s)
	}
}

// full reports whether an event is known in full.
func (m *forgetting) full(p graph.Pos) bool {
	if p >= m.since {
		return true
	}
	i := sort.Search(len(m.kept), func(i int) bool { return m.kept[i].to > p })
	return i < len(m.kept) && m.kept[i].from <= p
}

// forget forgets everything before an event, except what is to be kept.
func (h *History) forget(before graph.Pos) {
	m := &h.memory
	marked := h.mark()
	counter := h.Tensor(m.focus).Counter
	h.writes.forget(before, func(_ int, w *Write) bool {
		return m.full(w.At) || marked.ops[w.Op] || m.focus != 0 && h.Tensor(w.Tensor).Counter == counter
	})
	h.ops.forget(before, func(i int, op *Op) bool {
		if marked.ops[i] || m.full(op.At) {
			return true
		}
		h.leaveReadings(op)
		return false
	})
	h.tensors.forget(before, func(i int, t *Tensor) bool {
		return i == 0 || m.full(t.Created) || marked.tensors[graph.TensorID(i)]
	})
	h.updates.forget(before, func(_ int, u *Update) bool { return m.full(u.At) })
	h.zeroings.forget(before, func(_ int, z *Zeroing) bool { return m.full(z.At) || m.focus != 0 && z.Tensor == m.focus })
	h.exits.forget(before, func(_ int, e *Exit) bool { return m.full(e.At) })
	h.forgetPasses(before)
	h.forgetIndices()
}

// leaveReadings notes who read a tensor, before the operation is forgotten.
func (h *History) leaveReadings(op *Op) {
	reading := ReadAtAll
	if op.Step < 0 && !Copies(op.Name) {
		reading |= ReadInUse
	}
	for _, in := range op.Inputs {
		if t := h.tensor(in); t != nil && !slices.Contains(op.Mutated, in) {
			t.Read |= reading
		}
	}
}

// Copies reports whether an operation only looks at a tensor, or copies it.
func Copies(op string) bool { return op == "detach" || op == "clone" || op == "copy_" }

// forgetPasses drops the large parts of the passes before an event.
func (h *History) forgetPasses(before graph.Pos) {
	m := &h.memory
	for i := m.stripped + 1; i < len(h.passes) && h.passes[i].At < before; i++ {
		m.stripped = i
		if p := &h.passes[i]; p.End >= 0 && !m.full(p.At) {
			p.Inputs = nil
			if p.Leaves = slices.DeleteFunc(p.Leaves, func(c Contribution) bool { return c.Tensor != m.focus }); len(p.Leaves) == 0 {
				p.Leaves = nil
			}
		}
	}
}

// forgetIndices removes forgotten entries from the lists and tables that lead to them.
func (h *History) forgetIndices() {
	m := &h.memory
	for s, ids := range h.storages {
		ids = slices.DeleteFunc(ids, func(id graph.TensorID) bool { return h.tensor(id) == nil })
		if h.storages[s] = ids; len(ids) == 0 {
			delete(h.storages, s)
		}
	}
	maps.DeleteFunc(h.gradOf, func(s graph.StorageID, _ graph.TensorID) bool { return h.storages[s] == nil })
	maps.DeleteFunc(h.gains, func(id graph.TensorID, _ Gain) bool { return h.tensor(id) == nil })
	maps.DeleteFunc(h.assignedGrads, func(id graph.TensorID, _ graph.Pos) bool { return h.tensor(id) == nil })
	for c, ops := range h.changed {
		ops = slices.DeleteFunc(ops, func(i int) bool { return !h.ops.Knows(i) })
		if h.changed[c] = ops; len(ops) == 0 {
			delete(h.changed, c)
		}
	}
	for v, exits := range h.numbers {
		exits = slices.DeleteFunc(exits, func(i int) bool { return !h.exits.Knows(i) })
		if h.numbers[v] = exits; len(exits) == 0 {
			delete(h.numbers, v)
		}
	}
	h.missingGrads = slices.DeleteFunc(h.missingGrads, func(r MissingGrad) bool { return !m.full(r.At) })
	h.raised = slices.DeleteFunc(h.raised, func(r Raise) bool { return !m.full(r.At) })
	h.hooks = slices.DeleteFunc(h.hooks, func(k Hook) bool { return !m.full(k.At) && h.tensor(k.Tensor) == nil })
	h.forgetHolders()
	newest := map[graph.TensorID]graph.Pos{}
	for _, f := range h.flags {
		newest[f.Tensor] = f.At
	}
	h.flags = slices.DeleteFunc(h.flags, func(f Flagging) bool {
		return !m.full(f.At) && (f.At < newest[f.Tensor] || h.tensor(f.Tensor) == nil)
	})
}

// marks hold what is kept although its iteration is not.
type marks struct {
	h       *History
	tensors map[graph.TensorID]bool
	ops     map[int]bool
	queue   []marking
}

type marking struct {
	id    graph.TensorID
	depth int // operations without a graph between it and what the program has
}

// mark finds what is kept: what is named by events that are known in full, what the
// program has, and what that was made of.
func (h *History) mark() *marks {
	m := &marks{h: h, tensors: map[graph.TensorID]bool{}, ops: map[int]bool{}}
	m.add(0, h.memory.focus)
	m.focused()
	m.named()
	m.alive()
	for len(m.queue) > 0 {
		next := m.queue[len(m.queue)-1]
		m.queue = m.queue[:len(m.queue)-1]
		m.behind(next)
	}
	return m
}

func (m *marks) add(depth int, ids ...graph.TensorID) {
	for _, id := range ids {
		t := m.h.tensor(id)
		if t == nil || m.tensors[id] || m.h.memory.full(t.Created) {
			continue
		}
		m.tensors[id] = true
		m.queue = append(m.queue, marking{id, depth})
	}
}

// named marks the tensors that events name which are known in full, without what these
// were made of, and what parameters, hooks and variables are now.
func (m *marks) named() {
	h, full := m.h, m.h.memory.full
	for _, op := range h.ops.All() {
		if full(op.At) {
			m.add(deepest, op.Inputs...)
			m.add(deepest, op.Outputs...)
			m.add(deepest, op.Mutated...)
		}
	}
	for _, w := range h.writes.All() {
		if full(w.At) {
			m.add(deepest, w.Tensor)
		}
	}
	for _, u := range h.updates.All() {
		m.add(deepest, u.Tensor, u.Via)
	}
	for _, e := range h.exits.All() {
		m.add(deepest, e.Tensor)
	}
	for i, t := range h.tensors.All() {
		if i > 0 && full(t.Created) {
			m.add(deepest, t.Base)
			for _, f := range t.Cuts {
				m.add(deepest, f.From)
			}
		}
	}
	for i := 1; i < len(h.passes); i++ {
		if p := &h.passes[i]; full(p.At) || p.End < 0 {
			for _, r := range p.Roots {
				m.add(deepest, r.Tensor)
			}
			m.add(deepest, p.Inputs...)
			for _, c := range p.Leaves {
				m.add(deepest, c.Tensor, c.Grad)
			}
		}
	}
	for _, k := range h.hooks {
		m.add(deepest, k.Tensor)
	}
	for _, r := range h.raised {
		m.add(deepest, r.Tensors...)
	}
	for _, r := range h.missingGrads {
		m.add(deepest, r.Tensor)
	}
	for _, p := range h.optimizers {
		m.add(0, p.Tensors...)
	}
	for _, p := range h.modules {
		m.add(0, p.Tensors...)
	}
	for _, id := range h.names {
		if t := h.tensor(id); t != nil && t.Released < 0 {
			m.add(0, id)
		}
	}
}

// focused marks what read the tensor of which everything is kept, and what changed its
// memory.
func (m *marks) focused() {
	h := m.h
	if h.memory.focus == 0 {
		return
	}
	for i, op := range h.ops.All() {
		if slices.Contains(op.Inputs, h.memory.focus) {
			m.ops[i] = true
			m.add(deepest, op.Outputs...)
		}
	}
	counter := h.Tensor(h.memory.focus).Counter
	for _, w := range h.writes.All() {
		if h.Tensor(w.Tensor).Counter == counter {
			m.add(deepest, w.Tensor)
			if w.Op >= 0 {
				m.ops[w.Op] = true
			}
		}
	}
}

// alive marks what the program has. A tape may not say what is gone: of more than mostAlive
// tensors only leaves and tensors with a graph are kept then.
func (m *marks) alive() {
	h := m.h
	var alive []graph.TensorID
	for i, t := range h.tensors.All() {
		if i > 0 && t.Released < 0 && t.Flags&graph.FlagNumber == 0 {
			alive = append(alive, graph.TensorID(i))
		}
	}
	if len(alive) > mostAlive {
		alive = slices.DeleteFunc(alive, func(id graph.TensorID) bool {
			t, ok := h.Graph().Tensor(id)
			return !ok || !t.RequiresGrad || !t.Leaf() && !h.growing(t.Node)
		})
	}
	m.add(0, alive...)
}

// growing reports whether a node is alive that no backward pass has freed.
func (h *History) growing(id graph.NodeID) bool {
	n, ok := h.Graph().Node(id)
	return ok && !n.Released && !n.Freed
}

// behind marks what a tensor that is kept was made of.
func (m *marks) behind(t marking) {
	h := m.h
	story := h.Tensor(t.id)
	m.add(t.depth, story.Base)
	for _, f := range story.Cuts {
		m.add(t.depth+1, f.From)
	}
	m.op(story.Op, t.depth)
	if changes := h.changed[story.Counter]; t.depth == 0 {
		for _, i := range changes[max(0, len(changes)-mostChanges):] {
			m.op(i, t.depth)
		}
	}
}

func (m *marks) op(i, depth int) {
	op := m.h.ops.find(i)
	if op == nil || m.ops[i] || i < 0 {
		return
	}
	m.ops[i] = true
	m.add(deepest, op.Outputs...)
	switch {
	case op.Node != 0 && m.h.growing(op.Node):
		m.add(depth, op.Inputs...)
	case depth < deepest:
		m.add(depth+1, op.Inputs...)
	}
}
