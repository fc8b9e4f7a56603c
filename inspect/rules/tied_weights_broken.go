package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var tiedWeightsBroken = inspect.Rule{
	Code:     "tied-weights-broken",
	Severity: inspect.SeverityWarning,
	Title:    "Two layers that should share a weight have a copy each, and training makes them differ.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &brokenTies{
			check: check, starts: unsteppedOf(check.History), ever: map[graph.TensorID]role{}, now: map[graph.TensorID]role{},
			watched: map[graph.TensorID][]*weightCopy{}, gained: map[graph.TensorID]graph.BackwardID{},
			stepped: map[graph.TensorID]bool{}, ties: map[graph.TensorID]*tie{},
		}
	},
}

// brokenTies looks for weights of a module that are trained apart although they are one: the
// output layer's is a copy of an embedding's that was just initialised, or both were one parameter
// before. Weights that begin as copies of others in the same role may be meant.
type brokenTies struct {
	check   *inspect.Checker
	starts  *unstepped
	copies  []*weightCopy
	watched map[graph.TensorID][]*weightCopy
	gained  map[graph.TensorID]graph.BackwardID // the last pass of a watched parameter
	stepped map[graph.TensorID]bool
	ever    map[graph.TensorID]role // what parameters are used for
	now     map[graph.TensorID]role // since the last step
	ties    map[graph.TensorID]*tie
	running runningSteps
}

// A weightCopy is a parameter that was made of the values of another one.
type weightCopy struct {
	visit
	of, copy graph.TensorID
	fresh    bool // the other one had its initial values
	together int  // passes that reached both
}

// A tie is a parameter that a forward pass used in both roles.
type tie struct {
	last   graph.Pos // when it did
	broken int       // iterations in which another parameter has one of the roles
	parts  [2]graph.TensorID
}

// A role is what a weight is used for.
type role uint8

// The roles.
const (
	lookedUp role = 1 << iota // rows of it are taken
	multiplied
)

var roles = map[string]role{
	"embedding": lookedUp, "embedding_bag": lookedUp, "_embedding_bag": lookedUp, "index_select": lookedUp,
	"linear": multiplied, "t": multiplied, "mm": multiplied, "addmm": multiplied, "matmul": multiplied, "transpose": multiplied,
}

// Event follows parameters, what they are used for, and what is trained.
func (w *brokenTies) Event(p graph.Pos, head graph.Header, e graph.Event) {
	w.starts.Event(p, head, e)
	switch e := e.(type) {
	case *graph.LineageCut:
		if e.Why == graph.CutParameter && e.Output != 0 && w.running == 0 {
			w.made(visit{p, head.Stack}, e.Output)
		}
	case *graph.OpRan:
		if w.running == 0 && w.check.Running() == 0 && w.check.Graph().ModeOn(head.Thread, graph.GradMode) {
			w.use(p, e)
		}
	case *graph.GradAccumulated:
		for _, c := range w.watched[e.Tensor] {
			if w.gained[c.of] == e.Backward || w.gained[c.copy] == e.Backward {
				c.together++
			}
		}
		if len(w.watched[e.Tensor]) > 0 {
			w.gained[e.Tensor] = e.Backward
		}
	case *graph.OptimizerStepped:
		if w.running.ended(e) {
			w.step(e.Params)
		}
	}
}

// made notes a parameter that is a copy of another one, unless a whole module was copied.
func (w *brokenTies) made(at visit, id graph.TensorID) {
	const most = 1024 // copies
	of := copyOf(w.check.History, id)
	if of == 0 || len(w.copies) == most || w.check.Tensor(of).Storage == w.check.Tensor(id).Storage {
		return
	}
	if deepCopies(w.check.History, at.stack) {
		return
	}
	from, _ := w.starts.origin(of, of)
	if moved, ok := w.starts.moved[of]; ok {
		from = moved
	}
	c := &weightCopy{visit: at, of: of, copy: id, fresh: from == initial && !w.stepped[of]}
	w.copies = append(w.copies, c)
	w.watched[of], w.watched[id] = append(w.watched[of], c), append(w.watched[id], c)
}

func (w *brokenTies) use(p graph.Pos, e *graph.OpRan) {
	r := roles[w.check.Tape().String(e.Op)]
	if r == 0 {
		return
	}
	for _, t := range e.Inputs {
		if t == 0 || w.check.Tensor(t).Flags&graph.FlagParameter == 0 {
			continue
		}
		w.ever[t] |= r
		if w.now[t] |= r; w.now[t] == lookedUp|multiplied {
			if w.ties[t] == nil {
				w.ties[t] = &tie{}
			}
			w.ties[t].last = p
		}
	}
}

// step looks at the ties after an iteration.
func (w *brokenTies) step(params []graph.TensorID) {
	for _, t := range params {
		w.stepped[t] = true
	}
	for t, tie := range w.ties {
		if w.now[t] == lookedUp|multiplied {
			continue
		}
		rows, factor := w.playing(lookedUp, t, tie.last), w.playing(multiplied, t, tie.last)
		if rows != 0 && factor != 0 && rows != factor && w.stepped[rows] && w.stepped[factor] {
			tie.broken++
			tie.parts = [2]graph.TensorID{rows, factor}
		}
	}
	clear(w.now)
}

// playing returns what has a role of a tied parameter now: the parameter itself, or a new one of
// its width.
func (w *brokenTies) playing(r role, tied graph.TensorID, since graph.Pos) (found graph.TensorID) {
	if w.now[tied]&r != 0 {
		return tied
	}
	shape := w.check.Tensor(tied).Shape
	for t, has := range w.now {
		other := w.check.Tensor(t)
		if has&r != 0 && other.Created > since && len(other.Shape) == 2 && len(shape) == 2 && other.Shape[1] == shape[1] {
			found = max(found, t)
		}
	}
	return found
}

// End reports the weights that are trained apart.
func (w *brokenTies) End() {
	const often = 2
	reported := map[graph.TensorID]bool{}
	for _, t := range slices.Sorted(maps.Keys(w.ties)) {
		if tie := w.ties[t]; tie.broken >= often {
			newer := max(tie.parts[0], tie.parts[1])
			made := w.check.Tensor(newer)
			reported[newer] = true
			w.report(tie.parts[0], tie.parts[1], visit{made.Created, made.Stack}, "were one parameter before", 0, facts(
				w.check.At(tie.last, "one parameter has both roles in a forward pass"),
				w.check.In(made.Stack, made.Created, fmt.Sprintf("another one has one of the roles in %d iterations after that", tie.broken)),
			)...)
		}
	}
	for _, c := range w.copies {
		if c.together < often || reported[c.copy] || !w.stepped[c.of] || !w.stepped[c.copy] || !w.together(c) {
			continue
		}
		severity := inspect.SeverityHint
		if c.fresh && w.ever[c.of] != 0 && w.ever[c.copy] != 0 && w.ever[c.of]&w.ever[c.copy] == 0 {
			severity = inspect.SeverityWarning
		}
		seen := facts(
			w.check.In(c.stack, c.at, fmt.Sprintf("%s is made of the values of %s", w.check.Called(c.copy), w.check.Called(c.of))),
			fact("one module has both, and %d passes gave gradients to both", c.together),
		)
		if severity == inspect.SeverityWarning {
			seen = append(seen, facts(fact("one is looked up, as in an embedding, the other one is multiplied, and both began with initial values"))...)
		} else {
			seen = append(seen, doubts(fact("they have one role, or began with trained values: they may be meant to begin alike only"))...)
		}
		w.report(c.of, c.copy, c.visit, "begin as copies", severity, seen...)
	}
}

// together reports whether a module has a copy and what it was copied from.
func (w *brokenTies) together(c *weightCopy) bool {
	return slices.ContainsFunc(w.check.Modules(), func(m inspect.Params) bool {
		return slices.Contains(m.Tensors, c.of) && slices.Contains(m.Tensors, c.copy)
	})
}

func (w *brokenTies) report(first, second graph.TensorID, made visit, why string, severity inspect.Severity, seen ...inspect.Evidence) {
	other := w.check.Tensor(min(first, second))
	w.check.Report(inspect.Finding{
		Severity: severity,
		Message:  fmt.Sprintf("%s and %s %s, and training makes them differ", w.check.Called(first), w.check.Called(second), why),
		Primary:  w.check.In(made.stack, made.at, "makes a parameter of its own"),
		Related:  []inspect.Span{w.check.In(other.Stack, other.Created, "the other one")},
		Tensors:  names(w.check.History, first, second),
		Help:     "assign the parameter itself, as in `head.weight = embedding.weight`, after anything that replaces one of the two",
		Evidence: seen,
		At:       made.at,
		Symptom:  -1,
	})
}
