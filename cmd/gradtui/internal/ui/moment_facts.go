package ui

import (
	"fmt"
	"math"
	"strconv"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/compare"
)

// pinKey is what the rows about moment A depend on.
type pinKey struct {
	of    *pin
	at    graph.Pos
	read  bool
	known bool
	match *compare.Match
}

func (s *state) pinKey() pinKey {
	if s.pin == nil {
		return pinKey{}
	}
	return pinKey{s.pin, s.pin.at(), s.pin.index.lookup.Pos() >= s.pin.at(), s.pin.known(), s.pin.match}
}

// moments compares the selection at the two moments.
func (w *factWriter) moments(what selection) {
	p := w.s.pin
	if p == nil || what == (selection{}) {
		return
	}
	defer w.line(nil)
	if !p.known() || p.index.lookup.Pos() < p.at() {
		w.line(nil, piece{headline, "A ↔ B"}, piece{muted, "  comparing…"})
		return
	}
	begin := len(w.rows)
	w.line(nil, piece{headline, fmt.Sprintf("%-9s %10s %10s", "A ↔ B", fmt.Sprintf("A %d", p.at()), fmt.Sprintf("B %d", w.s.at()))}, piece{muted, "  B-A"})
	if what.node != 0 && what.tensor == 0 {
		w.nodeMoments(what.node)
	}
	if id := w.s.chosenTensor(); id != 0 {
		w.tensorMoments(id)
	}
	if len(w.rows) == begin+1 {
		w.line(nil, piece{muted, "  nothing differs"})
	}
}

// differs writes a row about something that is not a number, if it differs.
func (w *factWriter) differs(what, a, b string) {
	if a != b {
		w.line(nil, piece{warned, "~ "}, piece{plain, fmt.Sprintf("%-8s", what)}, piece{muted, a}, piece{plain, " → " + b})
	}
}

// onlyB says that something is not at moment A.
func (w *factWriter) onlyB(what string) {
	w.line(nil, piece{done, "+ "}, piece{plain, what + " is not there at A"})
}

// nodeMoments compares a node.
func (w *factWriter) nodeMoments(id graph.NodeID) {
	s, p := w.s, w.s.pin
	n, ok := s.graph().Node(id)
	if !ok {
		return
	}
	a, ok := p.node(id)
	if !ok {
		w.onlyB("this node")
		return
	}
	w.differs("status", p.markOf(a).word, s.markOf(n).word)
	w.differs("saved", savedWord(a), savedWord(n))
	w.differs("runs", strconv.Itoa(a.Runs), strconv.Itoa(n.Runs))
	w.number("grad in", p.flowOf(a.ID).gradient, s.flowOf(id).gradient)
}

func savedWord(n graph.Node) string {
	switch {
	case n.Freed:
		return "freed"
	case len(n.Saved) == 0:
		return "nothing"
	}
	return "kept"
}

// tensorMoments compares a tensor and its .grad.
func (w *factWriter) tensorMoments(id graph.TensorID) {
	s, p := w.s, w.s.pin
	b, ok := s.graph().Tensor(id)
	if !ok {
		return
	}
	a, ok := p.tensor(s, id)
	if !ok {
		w.onlyB(tensorName(b))
		return
	}
	w.differs("tensor", formText(a), formText(b))
	w.differs("requires_grad", fmt.Sprint(p.graph().RequiresGrad(a.ID)), fmt.Sprint(s.graph().RequiresGrad(id)))
	w.differs("version", strconv.Itoa(int(p.graph().Version(a.ID))), strconv.Itoa(int(s.graph().Version(id))))
	w.values("value", a.Value, b.Value)
	g, hadGrad := p.graph().Tensor(a.Grad)
	h, hasGrad := s.graph().Tensor(b.Grad)
	switch {
	case hadGrad && hasGrad:
		w.values(".grad", g.Value, h.Value)
	case hadGrad:
		w.differs(".grad", briefly(g.Value), "None")
	case hasGrad:
		w.differs(".grad", "None", briefly(h.Value))
	}
}

func formText(t graph.Tensor) string { return inspect.ShapeText(t.Shape) + " " + t.DType.String() }

// values compares two values number by number.
func (w *factWriter) values(what string, a, b graph.Value) {
	if !a.Known() || !b.Known() {
		w.differs(what, briefly(a), briefly(b))
		return
	}
	a, b = a.Completed(), b.Completed()
	if compare.SameValue(a, b) {
		return
	}
	if a.Count == 1 && b.Count == 1 {
		w.number(what, a.Mean, b.Mean)
		return
	}
	w.line(nil, piece{warned, "~ "}, piece{plain, what})
	if a.Measured && b.Measured {
		w.number("norm", a.Norm, b.Norm)
	}
	w.number("min", a.Min, b.Min)
	w.number("max", a.Max, b.Max)
	w.number("mean", a.Mean, b.Mean)
	if a.Measured && b.Measured {
		w.number("zeros", float64(a.Zeros), float64(b.Zeros))
	}
	w.number("NaN", float64(a.NaN), float64(b.NaN))
	w.number("infinite", float64(a.Inf), float64(b.Inf))
	if d, ok := compare.Between(a, b); ok {
		w.line(nil, piece{plain, "  |a-b|/|a|  "}, piece{strong, d.String()}, piece{muted, fmt.Sprintf("  |a-b| %.4g", d.Absolute)})
	}
}

// briefly is the norm of a value that is too long to be written.
func briefly(v graph.Value) string {
	if v.Measured && (!v.Whole() || len(v.First) > 4) {
		return "norm " + numberText(v.Norm)
	}
	return valueText(v)
}

// number writes a row about a number, if it differs: both, the difference, the relative one.
func (w *factWriter) number(what string, a, b float64) {
	if a == b || math.IsNaN(a) && math.IsNaN(b) {
		return
	}
	change := ""
	if d := b - a; !math.IsNaN(d) && !math.IsInf(d, 0) {
		change = fmt.Sprintf("  %+.4g", d)
		if a != 0 {
			change += fmt.Sprintf(" (%+.3g%%)", 100*d/math.Abs(a))
		}
	}
	w.line(nil, piece{warned, "~ "}, piece{plain, fmt.Sprintf("%-8s%10s %10s", what, numberText(a), numberText(b))}, piece{muted, change})
}

// numberText writes a number in four digits; what is not known is a dot.
func numberText(x float64) string {
	if math.IsNaN(x) {
		return "·"
	}
	return fmt.Sprintf("%.4g", x)
}
