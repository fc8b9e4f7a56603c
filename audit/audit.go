// Package audit measures whether the gradients of a training step are the derivative of what the step computed.
//
// It reads a tape that has the elements of all tensors. The operations of one step are computed again
// with the engine's operators; random directions v of the leaves are carried through every operation by
// forward mode, in double precision, also through those that autograd did not see. So the derivative D of the loss along v is known,
// whatever autograd did. Backward delivered A, the sum of ⟨gradient, v⟩ over the leaves. Where a tangent goes into a
// value that autograd takes for a constant there is a [Cut]; what came through it is kept apart, and the parts
// add up to D. What autograd could see must be A; if it is not, a node delivered something else than the derivative
// of its operation, or a hook changed a gradient: [Change].
//
// Each operation that is computed again must give what the tape says. One that does not, or that the engine does not
// know, is a [Gap]: its results are taken for constants, and the report says so.
package audit

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// A Step is what is audited: the events of one iteration, from the first one to the end of its backward passes.
type Step struct {
	Number     int // from 1
	Begin, End graph.Pos
}

// A Cut is a place where a value that depends on leaves enters what autograd takes for a constant.
type Cut struct {
	At    graph.Pos
	Stack graph.StackID
	Frame graph.Frame
	Why   string    // "detach", "data", "no_grad": as the tape calls it
	Share []float64 // its part of the derivative, for each direction
	bent  bool      // it goes into something that is not linear in it
}

// A Gap is a place behind which the audit could not follow.
type Gap struct {
	At    graph.Pos
	Stack graph.StackID
	Frame graph.Frame
	What  string // the operation
	Why   string
}

// A Change is a node, or a hook, that delivered something else than the derivative of its operation.
type Change struct {
	Name      string // of the node
	Node      graph.NodeID
	At        graph.Pos // where its operation, or the hook, ran
	Stack     graph.StackID
	Frame     graph.Frame
	Backward  graph.Frame // where the program's own backward ran; zero: it is not the program's
	Expected  float64     // ⟨u, J v⟩, for the first direction in which they differ
	Delivered float64     // ⟨Jᵀ u, v⟩
	Hook      bool
	// Purpose says that it is a custom Function that hands on its argument, or one whose derivative is zero: a
	// reversed or scaled gradient, or a straight-through estimator.
	Purpose bool
	Share   []float64 // what it adds to the visible part of the derivative, for each direction
}

// A Result is what an audit found.
type Result struct {
	Step       Step
	Leaves     int       // how many tensors got a direction
	Derivative []float64 // D, for each direction
	Visible    []float64 // the part of D that autograd could see
	Delivered  []float64 // A
	Size       []float64 // of the terms of A: the sum of their absolute values
	Cuts       []Cut
	Gaps       []Gap
	Changes    []Change
	Tolerance  float64
	// Within says that the step differentiated within itself (create_graph), by operations that are not on the tape.
	Within bool
}

// Options say what to audit.
type Options struct {
	Step       int // which iteration, from 1
	Directions int // how many, from 1
	// Along returns the direction of a leaf, given its elements when the step begins; nil: random ones.
	Along func(elements []float64) []float64
}

// DefaultOptions are what most people want: the first step, along four directions.
func DefaultOptions() Options { return Options{Step: 1, Directions: 4} }

// Check finds options that no tape can have.
func (o Options) Check() error {
	switch {
	case o.Directions < 1:
		return fmt.Errorf("%d directions measure nothing; take 1 or more", o.Directions)
	case o.Step < 1:
		return fmt.Errorf("there is no step %d: steps count from 1", o.Step)
	}
	return nil
}

// ErrNoStep is the error of a tape without a backward pass that reaches leaves.
var ErrNoStep = errors.New("no backward pass of the program reaches a leaf: there is no step to audit")

// ErrValues is the error of a step whose tensors are not on the tape with all their elements.
var ErrValues = errors.New("the tape does not have all elements of the tensors of this step; record the program with --values full, or audit the program itself")

// Run audits a step of the run that a history has read to its end.
// It is not safe for concurrent use: a process has one engine.
func Run(h *inspect.History, options Options) (*Result, error) {
	steps := steps(h)
	if err := options.Check(); err != nil {
		return nil, err
	}
	switch n := len(steps); {
	case n == 0:
		return nil, ErrNoStep
	case options.Step > n:
		return nil, fmt.Errorf("there is no step %d: the steps on the tape are 1 to %d", options.Step, n)
	}
	r := &Result{Step: steps[options.Step-1]}
	for i := range options.Directions {
		m := newMachine(h.Tape(), r.Step, uint64(i))
		m.along = options.Along
		if err := m.run(); err != nil {
			return nil, err
		}
		r.add(m, i)
	}
	return r, nil
}

// add takes over what one direction gave.
func (r *Result) add(m *machine, direction int) {
	var derivative, seen, delivered, size float64
	shares := map[column]float64{}
	r.Tolerance = m.tolerance()
	for _, p := range m.passes {
		for k, x := range p.share {
			derivative += x
			if k == visible {
				seen += x
			} else {
				shares[k] += x
			}
		}
		delivered, size = delivered+p.sum, size+p.size
		if !m.gradient {
			for _, c := range m.changes(p, r.Tolerance) {
				r.changed(c, direction)
			}
		}
	}
	r.Derivative, r.Visible = append(r.Derivative, derivative), append(r.Visible, seen)
	r.Delivered, r.Size = append(r.Delivered, delivered), append(r.Size, size)
	r.Leaves = len(m.seeds)
	r.Within = r.Within || m.gradient
	if direction == 0 {
		r.Gaps = m.gaps
	}
	for k, cut := range m.cuts {
		if cut == nil || abs(shares[column(k)]) <= 1e-12*math.Max(abs(derivative), size) {
			continue
		}
		i := r.cut(cut)
		for len(r.Cuts[i].Share) < direction {
			r.Cuts[i].Share = append(r.Cuts[i].Share, 0)
		}
		r.Cuts[i].Share = append(r.Cuts[i].Share, shares[column(k)])
	}
}

func (r *Result) changed(c Change, direction int) {
	i := slices.IndexFunc(r.Changes, func(x Change) bool { return x.Name == c.Name && x.Hook == c.Hook && x.Frame == c.Frame })
	if i < 0 {
		i = len(r.Changes)
		r.Changes = append(r.Changes, c)
	}
	for len(r.Changes[i].Share) <= direction {
		r.Changes[i].Share = append(r.Changes[i].Share, 0)
	}
	r.Changes[i].Share[direction] += c.Delivered - c.Expected
	r.Changes[i].Purpose = r.Changes[i].Purpose && c.Purpose
}

func (r *Result) cut(c *Cut) int {
	for i := range r.Cuts {
		if r.Cuts[i].At == c.At && r.Cuts[i].Why == c.Why {
			return i
		}
	}
	r.Cuts = append(r.Cuts, *c)
	return len(r.Cuts) - 1
}

// tolerance is the relative error that the precision of the program's leaves allows for gradients.
func (m *machine) tolerance() float64 {
	worst := 0.0
	for id := range m.seeds {
		if t := m.tensors[id]; t != nil {
			worst = max(worst, epsilon(t.dtype))
		}
	}
	return 1e4 * worst
}
