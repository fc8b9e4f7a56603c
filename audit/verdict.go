package audit

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// Reasons of cuts that are not on the tape.
const (
	Written   = "unseen write"    // past autograd, of something that depends on other leaves
	Projected = "write to itself" // past autograd, of what was there, as weights are clamped
)

// A Verdict is what an audit says about a step.
type Verdict int

// The verdicts.
const (
	Exact   Verdict = iota // backward delivered the derivative
	Cuts                   // all but what the program leaves out or changes on purpose
	Lost                   // a part of the derivative was lost
	Lies                   // backward delivered something else than the derivative
	Unknown                // the step could not be followed far enough to say
)

var verdictNames = [...]string{Exact: "exact", Cuts: "exact-but-for-cuts", Lost: "gradient-lost", Lies: "gradient-wrong", Unknown: "not-judged"}

func (v Verdict) String() string { return verdictNames[v] }

// Verdict judges a step.
func (r *Result) Verdict() Verdict {
	lost, lies := false, false
	for _, c := range r.Cuts {
		lost = lost || !c.OnPurpose()
	}
	for _, c := range r.Changes {
		lies = lies || !c.OnPurpose()
	}
	switch {
	case lies:
		return Lies
	case r.Error() > r.Tolerance || r.Within:
		return Unknown
	case lost:
		return Lost
	case len(r.Cuts) > 0 || len(r.Changes) > 0:
		return Cuts
	}
	return Exact
}

// Says is the verdict in a sentence.
func (r *Result) Says() string {
	followed := ""
	if len(r.Gaps) > 0 {
		followed = ", as far as it could be followed"
	}
	switch r.Verdict() {
	case Exact:
		return fmt.Sprintf("exact%s: backward delivers the derivative of the loss (relative error %.1g)", followed, r.Error())
	case Cuts:
		return fmt.Sprintf("exact%s, up to what is held constant or changed on purpose (relative error %.1g)", followed, r.Error())
	case Lost:
		return fmt.Sprintf("gradient-lost: backward delivers %s of the derivative of the loss", Percent(r.Part(r.Visible)))
	case Lies:
		return "gradient-wrong: backward delivers something else than the derivative of the loss"
	}
	return "not judged: " + r.Unjudged()
}

// Unjudged says why a step could not be judged; "" if it could.
func (r *Result) Unjudged() string {
	switch {
	case r.Verdict() != Unknown:
		return ""
	case r.Within:
		return "the step uses a gradient with a graph of its own (create_graph), whose operations PyTorch does not show"
	}
	return "parts of the step could not be followed"
}

// Percent writes a part of a whole.
func Percent(x float64) string { return fmt.Sprintf("%.3g %%", 100*x) }

// Error is the largest difference between what backward delivered and what it should have, with the changes that were
// found, as a part of the terms that were added up.
func (r *Result) Error() float64 {
	worst := 0.0
	for i := range r.Derivative {
		if size := max(r.Size[i], abs(r.Visible[i])); size > 0 {
			expected := r.Visible[i]
			for _, c := range r.Changes {
				if i < len(c.Share) {
					expected += c.Share[i]
				}
			}
			worst = math.Max(worst, abs(expected-r.Delivered[i])/size)
		}
	}
	return worst
}

// CutsBySize returns the cuts, the largest first.
func (r *Result) CutsBySize() []Cut {
	cuts := slices.Clone(r.Cuts)
	slices.SortStableFunc(cuts, func(a, b Cut) int { return cmp.Compare(abs(r.Part(b.Share)), abs(r.Part(a.Share))) })
	return cuts
}

// Part is how much of the derivative something is, given for each direction: the parts of a whole add up to 1.
func (r *Result) Part(of []float64) float64 {
	sum, square := 0.0, 0.0
	for i, d := range r.Derivative {
		square += d * d
		if i < len(of) {
			sum += of[i] * d
		}
	}
	if square == 0 {
		return 0
	}
	return sum / square
}

// OnPurpose reports whether programs cut the gradient that way when they mean to: with detach(), or with no_grad around
// what is then compared or multiplied with something else, such as a target. A term of the loss that was computed
// under no_grad is lost.
func (c *Cut) OnPurpose() bool {
	return c.Why == graph.CutDetach.String() || c.Why == Projected || c.Why == graph.CutNoGrad.String() && c.bent
}

// OnPurpose reports whether programs change gradients that way when they mean to.
func (c *Change) OnPurpose() bool { return c.Purpose || c.Hook }
