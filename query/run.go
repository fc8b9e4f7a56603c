package query

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// Names resolves what events refer to. A [graph.Batch] does, and [OnTape].
type Names interface {
	Text(graph.StringID) string
	StackOf(graph.StackID) graph.Stack
}

// OnTape resolves names on a tape.
func OnTape(t *graph.Tape) Names { return onTape{t} }

type onTape struct{ tape *graph.Tape }

func (t onTape) Text(id graph.StringID) string        { return t.tape.String(id) }
func (t onTape) StackOf(id graph.StackID) graph.Stack { return t.tape.Stack(id) }

// A Run is what queries need to know of a program, from its events. Several matchers share it.
type Run struct {
	events  uint64
	names   map[graph.TensorID]graph.StringID // of those that have not been released
	nodes   map[graph.NodeID]graph.StringID
	tensors map[graph.TensorID]thing // alive; nil: no query asks for them
	grads   map[graph.TensorID]thing
	sharing map[graph.CounterID][]graph.TensorID // of tensors
	modules []graph.StringID
	passes  []graph.BackwardID
	over    uint64 // passes
	stepped uint64
	steps   bool // the newest event is a step
	loop    loop
}

// NewRun returns a run without events.
func NewRun() *Run {
	return &Run{names: map[graph.TensorID]graph.StringID{}, nodes: map[graph.NodeID]graph.StringID{}}
}

// Name notes a name that no event has.
func (r *Run) Name(t graph.TensorID, name graph.StringID) { r.names[t] = name }

// Passes returns how many backward passes run.
func (r *Run) Passes() int { return len(r.passes) }

// Modules returns how many forward passes of modules run, one in the other.
func (r *Run) Modules() int { return len(r.modules) }

// Names returns the names of the tensors that have not been released.
func (r *Run) Names() map[graph.TensorID]graph.StringID { return r.names }

// Remember makes the run keep what tensors look like, for as long as they live.
func (r *Run) Remember(is bool) {
	switch {
	case !is:
		r.tensors, r.grads, r.sharing = nil, nil, nil
	case r.tensors == nil:
		r.tensors, r.grads, r.sharing = map[graph.TensorID]thing{}, map[graph.TensorID]thing{}, map[graph.CounterID][]graph.TensorID{}
	}
}

// Take takes an event, before matchers are asked about it.
func (r *Run) Take(h graph.Header, e graph.Event) {
	r.events++
	r.steps = false
	r.loop.begins = false
	switch e := e.(type) {
	case *graph.NameBound:
		if e.Tensor != 0 {
			r.names[e.Tensor] = e.Name
		}
	case *graph.TensorReleased:
		delete(r.names, e.Tensor)
		r.forget(e.Tensor)
	case *graph.NodeCreated:
		r.nodes[e.Node] = e.Name
	case *graph.NodeReleased:
		delete(r.nodes, e.Node)
	case *graph.BackwardBegan:
		r.passes = append(r.passes, e.Backward)
	case *graph.BackwardEnded:
		r.ended(e.Backward)
		r.loop.take(loopPasses, h.Stack)
	case *graph.BackwardFailed:
		r.ended(e.Backward)
		r.loop.take(loopPasses, h.Stack)
	case *graph.ModuleEntered:
		r.modules = append(r.modules, e.Path)
	case *graph.ModuleLeft:
		r.modules = r.modules[:max(len(r.modules)-1, 0)]
	case *graph.Iteration:
		r.loop.given()
	case *graph.OptimizerStepped:
		if e.Done {
			r.steps = true
			r.stepped++
			r.loop.take(loopSteps, h.Stack)
		}
	}
	if r.tensors != nil {
		r.look(e)
	}
}

// look notes what tensors look like.
func (r *Run) look(e graph.Event) {
	switch e := e.(type) {
	case *graph.TensorCreated:
		r.tensors[e.Tensor] = made(e).kept()
		r.sharing[e.Counter] = append(r.sharing[e.Counter], e.Tensor)
	case *graph.Mutated:
		if t, ok := r.tensors[e.Tensor]; ok {
			for _, id := range r.sharing[t.counter] {
				other := r.tensors[id]
				other.version, other.value = e.To, graph.Value{}
				if id == e.Tensor {
					other.value = e.Value.Completed()
				}
				r.tensors[id] = other.kept()
			}
		}
	case *graph.Reshaped:
		t := r.tensors[e.Tensor]
		t.value, t.shape, t.dtype, t.device, t.shaped = e.Value.Completed(), e.Shape, e.DType, e.Device, true
		r.tensors[e.Tensor] = t.kept()
	case *graph.ValueRead:
		if t, ok := r.tensors[e.Tensor]; ok && len(e.Part) == 0 {
			t.value = e.Value.Completed()
			r.tensors[e.Tensor] = t.kept()
		}
	case *graph.GradAccumulated:
		t := thing{value: e.Value.Completed()}
		if of, ok := r.tensors[e.Tensor]; ok {
			t.shape, t.dtype, t.shaped = of.shape, of.dtype, of.shaped
		}
		r.grads[e.Tensor] = t.kept()
	case *graph.GradAssigned:
		delete(r.grads, e.Tensor)
		if g, ok := r.tensors[e.Grad]; ok {
			r.grads[e.Tensor] = g
		}
	case *graph.GradsZeroed:
		for _, t := range e.Params {
			delete(r.grads, t)
		}
	}
}

// forget drops what is known of a tensor.
func (r *Run) forget(id graph.TensorID) {
	t, ok := r.tensors[id]
	if !ok {
		return
	}
	delete(r.tensors, id)
	delete(r.grads, id)
	left := slices.DeleteFunc(r.sharing[t.counter], func(other graph.TensorID) bool { return other == id })
	if r.sharing[t.counter] = left; len(left) == 0 {
		delete(r.sharing, t.counter)
	}
}

func (r *Run) ended(pass graph.BackwardID) {
	r.over++
	if i := slices.Index(r.passes, pass); i >= 0 {
		r.passes = slices.Delete(r.passes, i, i+1)
	}
}

// pass returns the innermost backward pass that runs.
func (r *Run) pass() (number float64, ok bool) {
	if len(r.passes) == 0 {
		return 0, false
	}
	return float64(r.passes[len(r.passes)-1]), true
}

// things returns what is known of tensors.
func (r *Run) things(ids []graph.TensorID) (found []thing) {
	for _, id := range ids {
		if t, ok := r.tensors[id]; ok && id != 0 {
			found = append(found, t)
		}
	}
	return found
}

// What recurs in the main loop of a program.
const (
	loopSteps = iota
	loopPasses
)

// A loop counts iterations as inspect/usage does, without looking ahead: those that the
// program gives, or else steps of the optimizer at the call stack that has most of them, or else
// backward passes.
type loop struct {
	number  uint64 // of the iteration, from 1
	begins  bool   // the newest event begins it
	isGiven bool
	counts  [2][]recurrence
}

// A recurrence says how often something happened at a call stack.
type recurrence struct {
	at    graph.StackID
	times uint64
}

func (l *loop) given() {
	if !l.isGiven {
		l.isGiven, l.number = true, 0
	}
	l.number++
	l.begins = true
}

func (l *loop) take(what int, at graph.StackID) {
	if l.isGiven {
		return
	}
	list := l.counts[what]
	i := slices.IndexFunc(list, func(r recurrence) bool { return r.at == at })
	if i < 0 {
		i = len(list)
		l.counts[what] = append(list, recurrence{at: at})
	}
	l.counts[what][i].times++
	if now := l.finished() + 1; now != l.number {
		l.number, l.begins = now, true
	}
}

// finished returns how many iterations have ended.
func (l *loop) finished() uint64 {
	for _, list := range l.counts {
		var most uint64
		for _, r := range list {
			if r.times+1 >= most && r.times > 0 {
				most = r.times
			}
		}
		if most > 0 {
			return most
		}
	}
	return 0
}

// A thing is what is known of a tensor or of a gradient.
type thing struct {
	value     graph.Value
	shape     []int
	dtype     graph.DType
	device    graph.StringID
	counter   graph.CounterID
	version   uint32
	shaped    bool
	versioned bool
}

func made(e *graph.TensorCreated) thing {
	return thing{
		value: e.Value.Completed(), shape: e.Shape, dtype: e.DType, device: e.Device,
		counter: e.Counter, version: e.Version, shaped: true, versioned: true,
	}
}

func gradient(g graph.Grad) thing {
	return thing{value: g.Value.Completed(), shape: g.Shape, dtype: g.Value.DType, shaped: g.Defined()}
}

func (t thing) known() bool { return t.shaped || t.value.Known() }

func (t thing) numel() uint64 {
	if !t.shaped {
		return t.value.Count
	}
	n := uint64(1)
	for _, size := range t.shape {
		n *= uint64(size)
	}
	return n
}

// mostElements is how many elements of a tensor are kept.
const mostElements = 64

// kept is a copy that does not use the memory of an event.
func (t thing) kept() thing {
	t.shape = slices.Clone(t.shape)
	if len(t.value.First) > mostElements {
		t.value.First = nil
	} else {
		t.value.First = slices.Clone(t.value.First)
	}
	return t
}

// A subject is the tensors, nodes or names that a query means.
type subject struct {
	pattern string // "" if it is a number
	tensor  graph.TensorID
	node    graph.NodeID
	exact   bool // the pattern stands for itself only, not for the end of a path
	match   map[graph.StringID]bool
	// now are the tensors that have a name that fits, the newest of each name.
	now map[graph.StringID]graph.TensorID
}

// follow keeps account of the tensors that are meant.
func (s *subject) follow(m *moment, e graph.Event) {
	switch e := e.(type) {
	case *graph.NameBound:
		s.bound(m, e.Tensor, e.Name)
	case *graph.TensorReleased:
		for name, t := range s.now {
			if t == e.Tensor {
				delete(s.now, name)
			}
		}
	}
}

func (s *subject) bound(m *moment, t graph.TensorID, name graph.StringID) {
	if t == 0 || s.pattern == "" || !s.isText(m, name) {
		return
	}
	if s.now == nil {
		s.now = map[graph.StringID]graph.TensorID{}
	}
	s.now[name] = t
}

// among returns what is known of the tensors that are meant.
func (s *subject) among(all map[graph.TensorID]thing) (found []thing) {
	if t, ok := all[s.tensor]; ok && s.tensor != 0 {
		return []thing{t}
	}
	for _, id := range s.now {
		if t, ok := all[id]; ok {
			found = append(found, t)
		}
	}
	return found
}

// is reports whether a tensor is meant.
func (s *subject) is(m *moment, t graph.TensorID) bool {
	switch {
	case s == nil:
		return true
	case t == 0:
		return false
	case s.tensor != 0:
		return t == s.tensor
	}
	return s.isText(m, m.run.names[t])
}

// shares reports whether a tensor is meant, or one that shows the same memory.
func (s *subject) shares(m *moment, t graph.TensorID) bool {
	if s == nil || s.is(m, t) {
		return true
	}
	written, ok := m.run.tensors[t]
	if !ok {
		return false
	}
	return slices.ContainsFunc(m.run.sharing[written.counter], func(id graph.TensorID) bool { return s.is(m, id) })
}

// isNode reports whether a node is meant.
func (s *subject) isNode(m *moment, n graph.NodeID) bool {
	switch {
	case s == nil:
		return true
	case s.node != 0:
		return n == s.node
	}
	return s.isText(m, m.run.nodes[n])
}

// isText reports whether a text matches the pattern.
func (s *subject) isText(m *moment, id graph.StringID) bool {
	if s == nil {
		return true
	}
	if id == 0 || s.pattern == "" {
		return false
	}
	ok, known := s.match[id]
	if !known {
		if s.match == nil {
			s.match = map[graph.StringID]bool{}
		}
		text := m.names.Text(id)
		ok = Matches(s.pattern, text)
		if i := len(text) - len(s.pattern); !ok && !s.exact && i > 0 && strings.Contains(s.pattern, ".") {
			ok = strings.HasSuffix(text, "."+s.pattern) // fc1.weight means model.fc1.weight
		}
		s.match[id] = ok
	}
	return ok
}

// patterns are the patterns of names that a live program looks out for; none for a number.
func (s *subject) patterns() []string {
	switch {
	case s == nil:
		return []string{"*"}
	case s.pattern == "":
		return nil
	case !s.exact && strings.Contains(s.pattern, "."):
		return []string{s.pattern, "*." + s.pattern}
	}
	return []string{s.pattern}
}

// Matches reports whether a text is the pattern, or what the pattern (*, ?, [abc]) stands for.
func Matches(pattern, text string) bool {
	const slash = "\x00" // path.Match lets no * stand for a slash
	ok, _ := path.Match(strings.ReplaceAll(pattern, "/", slash), strings.ReplaceAll(text, "/", slash))
	return ok || text == pattern // layers[0]
}

// commas prints sizes as Python does.
type commas []int

func (c commas) String() string {
	texts := make([]string, len(c))
	for i, size := range c {
		texts[i] = strconv.Itoa(size)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
