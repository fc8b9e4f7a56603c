package rules

import (
	"math"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// A swelling is an operation of the program whose results grew by a steady factor from run to run,
// until something behind them overflowed.
type swelling struct {
	pass        inspect.Pass
	stack       graph.StackID
	name        string
	at          graph.Pos // its first run
	runs        int
	larger      int // runs that gave more than the one before
	first, last float64
}

// factor returns by how much a run multiplies the values, on average.
func (s *swelling) factor() float64 { return math.Pow(s.last/s.first, 1/float64(s.runs-1)) }

// swellings hold what grew in the passes of a program, for the rules that report its consequences.
type swellings struct {
	h        *inspect.History
	searches int
	first    *swelling // values that grew until something overflowed; nil: none did
	passes   int       // until a loss or a gradient overflowed
	grown    int       // passes among them whose gradients grew by a steady factor
}

// explain reports whether steady growth explains that something overflows.
func (w *swellings) explain() bool {
	return w.first != nil || w.grown > 0 && 2*w.grown >= w.passes && !limitsGradients(w.h)
}

func swellingsOf(h *inspect.History) *swellings {
	return h.Shared("swellings", func() any { return &swellings{h: h} }).(*swellings)
}

// ended counts a pass. If its loss or gradients overflow, it looks for what has grown instead.
func (w *swellings) ended(s *scales) (overflows bool) {
	const most = 4 // passes that are searched
	_, largest := s.extremes()
	var roots []graph.TensorID
	for _, r := range w.h.Pass(s.pass).Roots {
		if t, ok := w.h.Graph().Tensor(r.Tensor); ok && t.Value.Count > 0 {
			largest = max(largest, magnitude(t.Value))
		}
		roots = append(roots, r.Tensor)
	}
	if largest < overflow {
		w.passes++
		return false
	}
	if w.first == nil && w.searches < most {
		w.searches++
		w.first = swellingBefore(w.h, *w.h.Pass(s.pass), roots)
	}
	return true
}

// swellingBefore returns what grew most in the forward pass of a backward pass; nil if nothing
// did, or if the tape has no values.
func swellingBefore(h *inspect.History, pass inspect.Pass, roots []graph.TensorID) *swelling {
	const before = 1 << 16 // events that are searched
	type operation struct {
		stack graph.StackID
		name  string
	}
	found := map[operation]*swelling{}
	var most *swelling
	ancestry := h.Ancestry(roots, nil)
	for _, op := range h.Ops().From(max(0, pass.At-before)) {
		if op.At > pass.At {
			break
		}
		if op.Pass != 0 || len(op.Outputs) != 1 {
			continue
		}
		if _, ok := ancestry[op.Outputs[0]]; !ok {
			continue
		}
		t, ok := h.Graph().Tensor(op.Outputs[0])
		if !ok || t.Value.Count == 0 || !t.Value.Finite() {
			continue
		}
		k, now := operation{op.Stack, op.Name}, magnitude(t.Value)
		s := found[k]
		switch {
		case now == 0:
			continue
		case s == nil:
			found[k] = &swelling{pass: pass, stack: op.Stack, name: op.Name, at: op.At, runs: 1, first: now, last: now}
			continue
		case now > s.last:
			s.larger++
		}
		s.runs, s.last = s.runs+1, now
		steady := s.runs >= enoughRepeats && 10*s.larger >= 8*(s.runs-1) && s.last >= enoughGrowth*s.first
		if steady && (most == nil || s.last/s.first > most.last/most.first) {
			most = s
		}
	}
	return most
}
