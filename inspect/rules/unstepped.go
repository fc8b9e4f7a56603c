package rules

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// An unstepped follows the leaves that backward passes give gradients to and that the steps
// after these passes leave out.
type unstepped struct {
	turn
	h       *inspect.History
	held    map[graph.TensorID]bool // given to an optimizer
	modes   *modes
	asked   map[graph.TensorID]bool           // given to autograd.grad()
	moved   map[graph.TensorID]origin         // parameters that other values were copied into, or whose .data was assigned
	foreign map[graph.TensorID]bool           // tensors that show memory of others
	changed map[graph.TensorID]bool           // leaves that the program or a step has changed after their first gradient
	updates int                               // how many updates were looked at
	alone   map[graph.TensorID]graph.TensorID // the parameter from whose values alone a tensor was computed
	passes  []passLeaves                      // since the last step that used them
	running runningSteps
	leftOut map[graph.TensorID]*leaving
}

// passLeaves are the leaves that a pass gave gradients to which are not known to be zero.
type passLeaves struct {
	pass   graph.BackwardID
	leaves []graph.TensorID
}

// A leaving says how a leaf was left out of steps.
type leaving struct {
	origin origin
	times  int    // how many steps left it out
	last   int    // how many of them updated mostly what the gradient reached later
	number uint32 // the optimizer that made the last of these steps; 0: unknown
	asleep bool   // its module was in evaluation mode then
}

// oftenLeftOut is how many steps have to leave a leaf out.
const oftenLeftOut = 2

// fewBefore is of how many updated leaves the gradient may have reached one before a leaf that is nearer to the
// loss than most, such as a temperature or a weight of the loss.
const fewBefore = 6

// An origin says where the values of a leaf came from.
type origin uint8

// The origins.
const (
	initial origin = iota // operations that initialise
	copied                // another parameter
	given                 // outside the program's operations, such as a file
)

// reads are the operations that show memory which is not of the program's operations.
var reads = map[string]bool{"set_": true, "from_numpy": true, "from_file": true, "frombuffer": true}

// unsteppedOf returns what all rules together follow.
func unsteppedOf(h *inspect.History) *unstepped {
	return h.Shared("unstepped", func() any {
		return &unstepped{
			h: h, modes: modesOf(h), held: map[graph.TensorID]bool{}, asked: map[graph.TensorID]bool{},
			moved: map[graph.TensorID]origin{}, foreign: map[graph.TensorID]bool{}, changed: map[graph.TensorID]bool{}, alone: map[graph.TensorID]graph.TensorID{}, leftOut: map[graph.TensorID]*leaving{},
		}
	}).(*unstepped)
}

// of returns how a leaf was left out of steps.
func (u *unstepped) of(leaf graph.TensorID) leaving {
	if l := u.leftOut[leaf]; l != nil {
		return *l
	}
	return leaving{}
}

// Event follows gradients and steps. Each rule that asks shows it all events.
func (u *unstepped) Event(p graph.Pos, head graph.Header, e graph.Event) {
	u.modes.Event(p, head, e)
	if !u.first(p) {
		return
	}
	switch e := e.(type) {
	case *graph.OptimizerMade:
		for _, t := range e.Params {
			u.held[t] = true
			delete(u.leftOut, t)
		}
	case *graph.OpRan:
		u.ran(e)
		u.changes(e)
		u.derives(e)
	case *graph.LineageCut:
		if len(e.Inputs) == 1 && e.Output != 0 {
			u.mark(e.Output, u.only(e.Inputs[0]))
		}
	case *graph.TensorReleased:
		u.released(e.Tensor)
	case *graph.Reshaped:
		u.reshaped(p, e.Tensor)
		u.changes(nil)
	case *graph.BackwardBegan:
		for _, t := range e.Inputs {
			u.asked[t] = true
		}
	case *graph.GradAccumulated:
		if e.How != graph.AccumulateRetain && !e.Added.Value.Zero() {
			u.gains(e.Backward, e.Tensor)
		}
	case *graph.OptimizerStepped:
		if u.running.ended(e) {
			u.steps(e)
		}
	}
}

// released forgets a tensor, unless it was left out again and again.
func (u *unstepped) released(t graph.TensorID) {
	delete(u.foreign, t)
	delete(u.alone, t)
	if l := u.leftOut[t]; l == nil || l.times < oftenLeftOut {
		delete(u.leftOut, t)
		delete(u.asked, t)
	}
}

func (u *unstepped) ran(e *graph.OpRan) {
	name := u.h.Tape().String(e.Op)
	if reads[name] {
		for _, t := range e.Outputs {
			u.foreign[t] = true
		}
	}
	if name != "copy_" || len(e.Inputs) != 2 || u.h.Tensor(e.Inputs[0]).Flags&graph.FlagParameter == 0 {
		return
	}
	if from, own := u.origin(e.Inputs[1], e.Inputs[0]); !own {
		u.moved[e.Inputs[0]] = from
	}
}

// changes looks at the updates that an operation made, or nil: an assignment of .data. What only gives a leaf
// earlier values of its own, or keeps it within bounds, does not train it.
func (u *unstepped) changes(by *graph.OpRan) {
	updates := u.h.Updates()
	for ; u.updates < updates.Len(); u.updates++ {
		c := updates.At(u.updates)
		if got, ok := u.h.Gains()[c.Tensor]; !ok || got.First > c.At || u.changed[c.Tensor] {
			continue
		}
		u.changed[c.Tensor] = c.Step >= 0 || !u.keeps(c, by)
	}
}

// keeps reports whether an update only gives a leaf earlier values of its own, or scales or clips them.
func (u *unstepped) keeps(c *inspect.Update, by *graph.OpRan) bool {
	if by == nil {
		return u.only(c.Via) == c.Tensor
	}
	if !slices.Contains(by.Mutated, c.Via) || len(by.Inputs) == 0 {
		return false
	}
	name := u.h.Tape().String(by.Op)
	if name == "copy_" && len(by.Inputs) == 2 {
		return u.only(by.Inputs[1]) == c.Tensor
	}
	return clipping[name] && !slices.ContainsFunc(by.Inputs[1:], func(in graph.TensorID) bool {
		return in != 0 && u.h.Tensor(in).Flags&graph.FlagNumber == 0
	})
}

// only returns the parameter from whose values alone a tensor was computed, or which it is; 0: there is none.
func (u *unstepped) only(t graph.TensorID) graph.TensorID {
	if u.h.Tensor(t).Flags&graph.FlagParameter != 0 {
		return t
	}
	return u.alone[t]
}

// derives notes which results of an operation come from one parameter and numbers.
func (u *unstepped) derives(e *graph.OpRan) {
	from, ok := graph.TensorID(0), !random[u.h.Tape().String(e.Op)]
	for _, in := range e.Inputs {
		if in == 0 || u.h.Tensor(in).Flags&graph.FlagNumber != 0 {
			continue
		}
		source := u.only(in)
		ok = ok && source != 0 && (from == 0 || from == source)
		from = source
	}
	if !ok {
		from = 0
	}
	for _, out := range slices.Concat(e.Outputs, e.Mutated) {
		u.mark(out, from)
	}
}

func (u *unstepped) mark(t, from graph.TensorID) {
	const most = 1 << 16
	switch {
	case from == 0:
		delete(u.alone, t)
	case t != from && len(u.alone) < most:
		u.alone[t] = from
	}
}

func (u *unstepped) gains(pass graph.BackwardID, leaf graph.TensorID) {
	const most = 64 // passes of one step
	if n := len(u.passes); n == 0 || u.passes[n-1].pass != pass {
		if n == most {
			u.passes = slices.Delete(u.passes, 0, 1)
		}
		u.passes = append(u.passes, passLeaves{pass: pass})
	}
	last := &u.passes[len(u.passes)-1]
	last.leaves = append(last.leaves, leaf)
}

// steps notes which leaves a step leaves out that got gradients together with what it updates.
func (u *unstepped) steps(e *graph.OptimizerStepped) {
	updated := map[graph.TensorID]bool{}
	for _, t := range e.Params {
		updated[t] = true
	}
	u.passes = slices.DeleteFunc(u.passes, func(pass passLeaves) bool {
		all := 0 // of the leaves that the step updates
		for _, t := range pass.leaves {
			if updated[t] {
				all++
			}
		}
		before := 0
		for _, t := range pass.leaves {
			switch {
			case updated[t]:
				before++
			case !u.held[t] && all > 0:
				u.leaves(t, e.Number, before*fewBefore <= all)
			}
		}
		return all > 0
	})
}

func (u *unstepped) leaves(t graph.TensorID, number uint32, last bool) {
	l := u.leftOut[t]
	if l == nil {
		from, ok := u.moved[t]
		if !ok {
			from, _ = u.origin(t, t)
		}
		l = &leaving{origin: from}
		u.leftOut[t] = l
	}
	l.times++
	if last {
		l.last++
	}
	l.number = number
	_, l.asleep = u.modes.asleep[t]
}

// reshaped notes where a leaf whose .data was assigned has its values from. A leaf that moves to
// another device or dtype keeps its own.
func (u *unstepped) reshaped(p graph.Pos, t graph.TensorID) {
	updates := u.h.Updates()
	if updates.Len() == 0 {
		return
	}
	last := updates.At(updates.Len() - 1)
	if last.At != p || last.Via == 0 {
		return
	}
	if from, own := u.origin(last.Via, t); !own {
		u.moved[t] = from
	}
}

// origin returns where the values of a tensor came from. own: they are of a certain leaf.
func (u *unstepped) origin(id, leaf graph.TensorID) (from origin, own bool) {
	const most = 256 // tensors that are looked at
	queue, seen := []graph.TensorID{id}, map[graph.TensorID]bool{id: true}
	for len(queue) > 0 && len(seen) < most {
		next := queue[0]
		queue = queue[1:]
		t := u.h.Tensor(next)
		if next == leaf && next != id {
			return from, true
		}
		if t.Flags&graph.FlagParameter != 0 && next != leaf {
			from = max(from, copied)
			continue
		}
		flows := u.h.Flows(next)
		if u.foreign[next] || len(flows) == 0 && t.Op < 0 && t.Flags&graph.FlagNumber == 0 {
			from = given
		}
		for _, f := range flows {
			if !seen[f.From] {
				seen[f.From] = true
				queue = append(queue, f.From)
			}
		}
	}
	return from, false
}
