package ui

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/formula"
	"github.com/gradtui/gradtui/inspect/lookup"
	"github.com/gradtui/gradtui/internal/console"
)

// factWriter writes the inspector's rows about a node or a tensor.
type factWriter struct {
	s     *state
	width int
	rows  []fact
	// unfolded shows the details of what a node saved.
	unfolded bool
}

// A lead says where a row leads.
type lead func(*fact)

func toNode(id graph.NodeID) lead     { return func(f *fact) { f.node = id } }
func toTensor(id graph.TensorID) lead { return func(f *fact) { f.tensor = id } }
func toEvent(p graph.Pos) lead        { return func(f *fact) { f.at = p } }
func toDetails(f *fact)               { f.details = true }

func (w *factWriter) line(to lead, pieces ...piece) {
	f := fact{styled: pieces, at: -1}
	if to != nil {
		to(&f)
	}
	w.rows = append(w.rows, f)
}

// holding says what enter on the row that was just written shows.
func (w *factWriter) holding(h held) { w.rows[len(w.rows)-1].holds = &h }

// holdsTensor is holding for a tensor as it is at the cursor, or for its .grad.
func (w *factWriter) holdsTensor(id graph.TensorID, grads bool) {
	if h, err := w.s.heldTensor(id, grads); err == nil {
		w.holding(h)
	}
}

// holdsGrad is holding for a gradient on its way.
func (w *factWriter) holdsGrad(name string, g graph.Grad) {
	if g.Defined() {
		w.holding(held{name: name, shape: g.Shape, value: g.Value})
	}
}

// head begins a section.
func (w *factWriter) head(text string) { w.line(nil, piece{headline, text}) }

// place names the line of an event.
func (w *factWriter) place(p graph.Pos) string {
	f := w.s.line(p)
	if f.Line == 0 {
		return ""
	}
	return lineName(f)
}

// tensorText returns a tensor's name and shape, or "None".
func (w *factWriter) tensorText(id graph.TensorID) string {
	t, ok := w.s.graph().Tensor(id)
	if !ok {
		return "None"
	}
	return tensorName(t) + " " + inspect.ShapeText(t.Shape)
}

func (w *factWriter) nodeText(id graph.NodeID) string {
	n, ok := w.s.graph().Node(id)
	if !ok {
		return "a root"
	}
	if t, ok := w.s.graph().Tensor(n.Variable); ok && n.Variable != 0 {
		return fmt.Sprintf("%s (AccumulateGrad n%d)", tensorName(t), id)
	}
	return fmt.Sprintf("%s n%d", console.OneLine(n.Name), id)
}

// gradText summarizes a gradient.
func gradText(g graph.Grad) string {
	if !g.Defined() {
		return "None"
	}
	return contentText(g.Shape, g.Value)
}

// contentText summarizes a shape and its values. The values of scalars and short vectors
// show the shape already.
func contentText(shape []int, v graph.Value) string {
	text := valueText(v)
	if len(shape) == 0 && v.Known() || len(shape) == 1 && strings.HasPrefix(text, "[") {
		return text
	}
	return inspect.ShapeText(shape) + " " + text
}

// node describes a node: how far it is, what came in, what went out, what it saved.
func (w *factWriter) node(id graph.NodeID) {
	v, ok := w.s.index.lookup.NodeAt(w.s.graph(), id)
	if !ok {
		w.line(nil, piece{muted, "this node does not exist yet"})
		return
	}
	w.status(v)
	made := ""
	if v.Op != "" {
		made = "made by " + console.OneLine(v.Op)
	} else if v.Node.Variable != 0 {
		made = "adds to .grad of " + w.tensorText(v.Node.Variable)
	}
	if p := w.place(v.Node.Created); p != "" {
		made += " at " + p
	}
	if module, ok := w.s.graph().Module(v.Node.Module); ok {
		made += " in " + console.OneLine(strings.TrimSpace(module.Path+" "+module.Type))
	}
	w.line(toEvent(v.Node.Created), piece{muted, made})
	w.inner(v)
	if v.Error != "" {
		for _, l := range console.Wrap(console.OneLine(v.Error), max(w.width-5, 20)) {
			w.line(nil, piece{failed, "✗ " + l})
		}
	}
	w.formulas(v)
	w.saved(v)
	w.incoming(v)
	w.outgoing(v)
	w.accumulated(v.Parts, v.MoreParts)
	w.hooks(v)
	w.runs(v)
}

// inner describes results that the program has no tensor for.
func (w *factWriter) inner(v *lookup.NodeView) {
	for i, in := range v.Inputs {
		switch {
		case in.Result != 0:
		case in.Looks.Known():
			w.line(nil, piece{plain, fmt.Sprintf("  [%d] ", i)}, piece{muted, looksText(in.Looks.DType, in.Looks.Shape)})
		case v.Node.Outputs == 1:
			w.line(nil, piece{muted, "  its result was not recorded; the first gradient will show its shape"})
		}
	}
}

// looksText returns the shape and dtype of a result that the program has no tensor for.
func looksText(dtype graph.DType, shape []int) string {
	return fmt.Sprintf("%s %s, for which the program has no tensor", inspect.ShapeText(shape), dtype)
}

// ranBefore describes the node that ran right before the one that is about to run: what
// it sent, and what it freed.
func (w *factWriter) ranBefore() {
	for p := w.s.at() - 1; p >= 0 && p >= w.s.at()-lookBack; p-- {
		_, e := w.s.event(p)
		executed, ok := e.(*graph.NodeExecuted)
		if !ok {
			continue
		}
		id := executed.Node // the event is valid until the next one is read
		v, ok := w.s.index.lookup.NodeAt(w.s.graph(), id)
		if !ok {
			return
		}
		w.line(toNode(id), piece{done, "● "}, piece{strong, w.nodeText(id)}, piece{plain, "  just ran"})
		for i, edge := range v.Edges {
			if edge.Target.ID != 0 && edge.Sent >= 0 {
				w.line(toNode(edge.Target.ID), piece{plain, fmt.Sprintf("  [%d] sent ", i)}, piece{gradient, gradText(edge.Back)},
					piece{muted, " to " + w.nodeText(edge.Target.ID)})
			}
		}
		w.equations("    ", v, formula.Of(w.s.tape, w.s.graph(), v))
		var gone []string
		for _, s := range v.Saved {
			if s.Freed && v.Run != nil && s.FreedBy == v.Run.Pass.ID {
				gone = append(gone, console.OneLine(s.Name))
			}
		}
		if len(gone) > 0 {
			w.line(nil, piece{freed, "  ∅ freed " + strings.Join(gone, ", ")})
		}
		w.line(nil)
		return
	}
}

// status describes how far a node is in the pass.
func (w *factWriter) status(v *lookup.NodeView) {
	mark := w.s.markOf(v.Node)
	text := "not reached by a backward pass"
	if v.Run != nil {
		pass := passName(v.Run.Pass)
		switch {
		case v.Run.Failed >= 0:
			text = "failed in " + pass
		case v.Run.Captured:
			text = "does not run in " + pass + ": its gradient was requested"
		case v.Run.Executed >= 0:
			text = "ran in " + pass
		case v.Run.Status == graph.Ready:
			text = "ready in " + pass
		case v.Run.Status == graph.Waiting:
			text = fmt.Sprintf("waiting for %s in %s", plural(v.Node.Waiting, "gradient"), pass)
		}
	}
	if b, ok := w.s.graph().Backward(w.s.scope.pass); ok && b.Running() && v.Node.Backward != b.ID {
		if v.Run == nil {
			text = "not reached by " + passName(b) + " yet"
		} else {
			text = "not reached by " + passName(b) + " yet; " + text
		}
	}
	if w.s.aboutToRun() == v.Node.ID {
		text = "about to run"
		if v.Run != nil {
			text += " in " + passName(v.Run.Pass)
		}
	}
	w.line(nil, piece{mark.style, mark.mark + " "}, piece{strong, w.nodeText(v.Node.ID)}, piece{plain, "  " + text})
}

// passName returns the name of a backward pass.
func passName(b graph.Backward) string {
	name := "backward"
	if b.Flags&graph.GradOnly != 0 {
		name = "autograd.grad"
	}
	return fmt.Sprintf("%s #%d", name, b.ID)
}

// incoming lists the gradients that arrived, one by one and summed.
func (w *factWriter) incoming(v *lookup.NodeView) {
	if v.Run == nil && v.Node.Status == graph.Idle {
		return
	}
	w.head("← gradient in")
	for i, in := range v.Inputs {
		label := fmt.Sprintf("  [%d] ", i)
		if t, ok := w.s.graph().Tensor(in.Result); ok {
			label += "of " + tensorName(t) + " "
		}
		switch len(in.Arrivals) {
		case 0:
			w.line(nil, piece{plain, label}, piece{muted, "no gradient has arrived"})
		case 1:
			w.arrival(label, in.Arrivals[0])
		default:
			w.line(nil, piece{plain, label}, piece{gradient, gradText(in.Sum())}, piece{muted, fmt.Sprintf(" the sum of %d contributions:", len(in.Arrivals))})
			w.holdsGrad(fmt.Sprintf("gradient %d into %s", i, w.nodeText(v.Node.ID)), in.Sum())
			for _, a := range in.Arrivals {
				w.arrival("      + ", a)
			}
		}
	}
	if v.Node.Waiting > 0 && v.Node.Status == graph.Waiting {
		w.line(nil, piece{warned, fmt.Sprintf("  ◔ waiting for %d more", v.Node.Waiting)})
	}
}

func (w *factWriter) arrival(label string, a lookup.Arrival) {
	from := "passed to backward()"
	to := toEvent(a.At)
	if a.From != 0 {
		from, to = "from "+w.nodeText(a.From), toNode(a.From)
	}
	w.line(to, piece{plain, label}, piece{gradient, gradText(a.Grad)}, piece{muted, " " + from})
	w.holdsGrad("gradient "+from, a.Grad)
	if len(a.Raw) > 0 {
		w.line(nil, piece{muted, "        summed over broadcast dimensions, from " + inspect.ShapeText(a.Raw)})
	}
}

// outgoing lists for each edge the value that went forward and the gradient that went back.
func (w *factWriter) outgoing(v *lookup.NodeView) {
	if len(v.Edges) == 0 {
		return
	}
	w.head("→ inputs: value forward, gradient back")
	for i, e := range v.Edges {
		if e.Target.ID == 0 {
			w.line(nil, piece{muted, fmt.Sprintf("  [%d] needs no gradient", i)})
			continue
		}
		w.line(toNode(e.Target.ID), piece{plain, fmt.Sprintf("  [%d] ", i)}, piece{strong, w.nodeText(e.Target.ID)})
		mark, signal := "·", "not recorded: the program has no tensor for it"
		if e.Forward.DType != graph.NoDType {
			signal = looksText(e.Forward.DType, e.Forward.Shape)
		}
		if e.Forward.Known {
			mark = "✓"
			name := e.Forward.Name
			if name == "" {
				name = fmt.Sprintf("t%d", e.Forward.Tensor)
			}
			signal = console.OneLine(name) + " " + contentText(e.Forward.Shape, e.Forward.Value)
		}
		w.line(toTensor(e.Forward.Tensor), piece{plain, "      forward " + mark + " "}, piece{saved, signal})
		if e.Forward.Known && e.Forward.Tensor != 0 {
			w.holdsTensor(e.Forward.Tensor, false)
			if h := w.rows[len(w.rows)-1].holds; h != nil { // as it was when the operation read it
				h.shape, h.value = e.Forward.Shape, e.Forward.Value
			}
		}
		switch {
		case e.Sent < 0:
			w.line(nil, piece{plain, "      back    ○ "}, piece{muted, "not sent yet"})
		case e.Unseen:
			w.line(toEvent(e.Sent), piece{plain, "      back    ✓ "}, piece{muted, "sent; its values were not recorded"})
		default:
			w.line(toEvent(e.Sent), piece{plain, "      back    ✓ "}, piece{gradient, gradText(e.Back)})
			w.holdsGrad("gradient to "+w.nodeText(e.Target.ID), e.Back)
			if e.Target.Status == graph.Waiting {
				w.line(nil, piece{warned, fmt.Sprintf("              it is waiting for %d more", e.Target.Waiting)})
			}
		}
	}
}

// saved lists the saved tensors and their state, then what else the node keeps. What seldom matters is
// folded into one row.
func (w *factWriter) saved(v *lookup.NodeView) {
	if len(v.Saved) == 0 && len(v.Node.Attrs) == 0 {
		return
	}
	w.head("saved")
	var details []string
	for i := range v.Saved {
		if slot := &v.Saved[i]; slot.Tensor == 0 {
			details = append(details, console.OneLine(slot.Name)+": None")
		} else {
			w.slot(slot)
		}
	}
	for _, a := range v.Node.Attrs {
		name := w.s.tape.String(a.Name)
		text := console.OneLine(name + " = " + signed(a.AttrValue).String())
		if isDetail(name, a.AttrValue) {
			details = append(details, text)
		} else {
			w.line(nil, piece{muted, "    " + text})
		}
	}
	switch {
	case len(details) > 1 && !w.unfolded:
		w.line(toDetails, piece{muted, "  + " + plural(len(details), "detail") + ": enter shows them"})
		return
	case len(details) > 1:
		w.line(toDetails, piece{muted, "  - details"})
	}
	for _, text := range details {
		w.line(nil, piece{muted, "    " + text})
	}
}

// signed returns an attribute as its operator was given it: PyTorch keeps a dim of -1 as 2^64 - 1.
func signed(a graph.AttrValue) graph.AttrValue {
	switch a.Type {
	case graph.AttrUint:
		a.Type = graph.AttrInt
	case graph.AttrUints:
		a.Type = graph.AttrInts
	}
	return a
}

// isDetail reports whether an attribute seldom matters: a shape that the tensors have anyway, or a factor of 1.
func isDetail(name string, a graph.AttrValue) bool {
	switch {
	case strings.HasSuffix(name, "_sym_sizes"), strings.HasSuffix(name, "_sym_strides"), strings.HasSuffix(name, "_sizes"),
		strings.HasSuffix(name, "_options"), strings.HasSuffix(name, "_scalar_type"):
		return true
	case name == "alpha" || name == "beta":
		return a.String() == "1" || a.String() == "1.0"
	}
	return false
}

// slot describes a saved tensor.
func (w *factWriter) slot(s *lookup.SavedSlot) {
	name := console.OneLine(s.Name) + ": "
	style, mark := saved, "▪"
	text := "" // while nothing has changed it
	if s.Version != s.Current {
		text = fmt.Sprintf("  saved at v%d, now v%d", s.Version, s.Current)
	}
	switch {
	case s.Freed:
		style, mark = freed, "∅"
		text = fmt.Sprintf("  v%d · freed", s.Version)
		if b, ok := w.s.graph().Backward(s.FreedBy); ok {
			text += " by " + passName(b)
		}
	case s.Modified():
		style, mark = failed, "✗"
	}
	if s.Read {
		text += " · read"
	}
	w.line(toTensor(s.Tensor), piece{style, "  " + mark + " "}, piece{plain, name},
		piece{strong, w.tensorText(s.Tensor)}, piece{style, text})
	w.holdsTensor(s.Tensor, false)
	if s.Changed >= 0 && s.Modified() {
		at := w.place(s.Changed)
		if at != "" {
			at = " at " + at
		}
		w.line(toEvent(s.Changed), piece{failed, "      modified in place since then" + at})
	}
}

// accumulations describe how a gradient got into .grad.
var accumulations = map[graph.AccumulateMode]string{
	graph.AccumulateSteal:   "became .grad",
	graph.AccumulateCopy:    "copied into .grad",
	graph.AccumulateInPlace: "added in place",
	graph.AccumulateNew:     "added: .grad is a new tensor",
	graph.AccumulateRetain:  "kept by retain_grad()",
}

// accumulated lists the parts of a .grad.
func (w *factWriter) accumulated(parts []lookup.GradPart, more bool) {
	if len(parts) == 0 {
		return
	}
	w.head(".grad, part by part")
	if more {
		w.line(nil, piece{muted, "  … earlier parts are left out"})
	}
	for _, p := range parts {
		what := "modified in place"
		value := valueText(p.After)
		switch p.Kind {
		case graph.KindGradAccumulated:
			what = fmt.Sprintf("backward #%d, %s", p.Pass, accumulations[p.How])
			value = gradText(p.Added)
		case graph.KindGradAssigned:
			what = "assigned by the program"
		}
		if place := w.place(p.At); place != "" {
			what += " at " + place
		}
		w.line(toEvent(p.At), piece{plain, "  + "}, piece{gradient, value}, piece{muted, "  " + what})
	}
	w.line(nil, piece{plain, "  = "}, piece{gradient, valueText(parts[len(parts)-1].After)})
}

// hooks lists the hooks that ran.
func (w *factWriter) hooks(v *lookup.NodeView) {
	if len(v.Hooks) == 0 {
		return
	}
	w.head("hooks that ran")
	for _, h := range v.Hooks {
		text := "did not change the gradient"
		if h.Replaced {
			text = "replaced " + gradText(h.Before) + " by " + gradText(h.After)
		}
		w.line(toEvent(h.At), piece{plain, fmt.Sprintf("  %s: %s", h.Hook, text)})
	}
}

// runs lists the passes that reached the node, if several did.
func (w *factWriter) runs(v *lookup.NodeView) {
	if len(v.Runs) < 2 {
		return
	}
	w.head("backward passes that reached it")
	for _, r := range v.Runs {
		at := r.Executed
		if at < 0 {
			at = r.Pass.Began
		}
		w.line(toEvent(at), piece{plain, "  " + describePass(w.s.graph(), r.Pass)})
	}
}
