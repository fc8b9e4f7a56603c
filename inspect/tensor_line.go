package inspect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// A HistoryLine is what one event meant for a tensor. Its text holds names and messages
// of the program.
type HistoryLine struct {
	At   graph.Pos
	Kind graph.Kind
	Text string
	Span Span // the line of the program
}

// Tell says in one sentence what an event meant for a tensor, as [TensorView.History]
// lists them. Names are those of the graph's position.
func (t *Trace) Tell(g *graph.Graph, id graph.TensorID, at graph.Pos) HistoryLine {
	head, e, err := t.tape.At(at)
	if err != nil {
		return HistoryLine{At: at, Text: err.Error()}
	}
	l := liner{t: t, g: g, id: id, names: func(id graph.TensorID) string {
		named, _ := g.Tensor(id)
		return named.Name
	}}
	line := HistoryLine{At: at, Kind: e.Kind(), Text: e.Kind().String(), Span: placeOf(t.tape, head.Stack, at, "")}
	if tell, ok := sentences[e.Kind()]; ok {
		line.Text = tell(l, e)
	}
	return line
}

// A liner puts events into words.
type liner struct {
	t     *Trace
	g     *graph.Graph
	id    graph.TensorID // the tensor that the history is about
	names namer
}

func (l liner) text(id graph.StringID) string { return l.t.tape.String(id) }

// device says on which device a tensor is, unless it is the CPU.
func (l liner) device(id graph.StringID) string {
	if device := l.t.tape.Device(id); device != graph.CPU {
		return " on " + device
	}
	return ""
}

// node is a node's name and number: "MulBackward0 (n2)".
func (l liner) node(id graph.NodeID) string {
	n, _ := l.g.Node(id)
	return fmt.Sprintf("%s (n%d)", n.Name, id)
}

// sentence makes an entry of the table out of a function for one type of event.
func sentence[E graph.Event](tell func(l liner, e E) string) func(liner, graph.Event) string {
	return func(l liner, e graph.Event) string { return tell(l, e.(E)) }
}

// sentences say what an event of a kind means for a tensor that it is about.
var sentences = map[graph.Kind]func(liner, graph.Event) string{
	graph.KindTensorCreated: sentence(liner.created),
	graph.KindOpRan:         sentence(liner.ran),
	graph.KindNodeCreated:   sentence(liner.nodeCreated),
	graph.KindMutated: sentence(func(l liner, e *graph.Mutated) string {
		return fmt.Sprintf("modified in place%s, from version %d to %d", l.names.through(e.Tensor, l.id), e.From, e.To)
	}),
	graph.KindRebased: sentence(func(l liner, e *graph.Rebased) string {
		if e.Node == 0 {
			return "it has no grad_fn any more: " + rebasing[e.Why]
		}
		return fmt.Sprintf("its grad_fn is %s now: %s", l.node(e.Node), rebasing[e.Why])
	}),
	graph.KindReshaped: sentence(func(l liner, e *graph.Reshaped) string {
		return fmt.Sprintf("it shows other memory, or its memory in another way: %s of shape %s%s", e.DType, ShapeText(e.Shape), l.device(e.Device))
	}),
	graph.KindRequiresGrad: sentence(func(l liner, e *graph.RequiresGrad) string {
		return "requires_grad was set to " + map[bool]string{true: "True", false: "False"}[e.To]
	}),
	graph.KindRetainGrad: sentence(func(liner, *graph.RetainGrad) string { return "retain_grad(): it will keep its gradient" }),
	graph.KindLineageCut: sentence(func(l liner, e *graph.LineageCut) string {
		switch {
		case e.Output == l.id && len(e.Inputs) > 0:
			return l.names.cutFrom(e.Inputs[0], e.Why)
		case e.Output == 0:
			return fmt.Sprintf("its values left as plain numbers (%s)", e.Why)
		}
		return fmt.Sprintf("its values went into %s without their history (%s)", l.names.numbered(e.Output), e.Why)
	}),
	graph.KindNameBound: sentence(func(l liner, e *graph.NameBound) string {
		return "named " + scopedName(l.text(e.Scope), l.text(e.Name))
	}),
	graph.KindTensorReleased: sentence(func(liner, *graph.TensorReleased) string { return "the program has dropped it" }),
	graph.KindBackwardBegan: sentence(func(l liner, e *graph.BackwardBegan) string {
		if slices.Contains(e.Inputs, l.id) {
			return fmt.Sprintf("backward pass %d was asked for its gradient", e.Backward)
		}
		return rootOf(e.Backward)
	}),
	graph.KindGradAccumulated: sentence(func(l liner, e *graph.GradAccumulated) string {
		if e.Tensor != l.id {
			return fmt.Sprintf("it is the .grad of %s: backward pass %d added %s", l.names.numbered(e.Tensor), e.Backward, contents(e.Added.Value))
		}
		return brought(e.Backward, e.Added.Value, e.Value)
	}),
	graph.KindGradAssigned: sentence(func(l liner, e *graph.GradAssigned) string {
		switch {
		case e.Tensor != l.id:
			return "assigned to the .grad of " + l.names.numbered(e.Tensor)
		case e.Grad == 0:
			return ".grad became None"
		}
		return fmt.Sprintf("the program assigned %s to its .grad", l.names.numbered(e.Grad))
	}),
	graph.KindGradsZeroed: sentence(func(l liner, e *graph.GradsZeroed) string {
		return fmt.Sprintf("zero_grad() of %s: .grad becomes %s", l.text(e.By), map[bool]string{true: "None", false: "zero"}[e.SetToNone])
	}),
	graph.KindGradRead: sentence(func(liner, *graph.GradRead) string { return "the program read .grad, which was None" }),
	graph.KindHookRegistered: sentence(func(l liner, e *graph.HookRegistered) string {
		return "a hook was registered: " + l.text(e.What)
	}),
	graph.KindHookRan: sentence(func(l liner, e *graph.HookRan) string {
		if e.Replaced {
			return "a hook replaced its gradient by " + contents(e.Grad.Value)
		}
		return "a hook saw its gradient"
	}),
	graph.KindOptimizerMade: sentence(func(l liner, e *graph.OptimizerMade) string { return l.text(e.Optimizer) + " got it as a parameter" }),
	graph.KindOptimizerStepped: sentence(func(l liner, e *graph.OptimizerStepped) string {
		return fmt.Sprintf("a step of %s %s", l.text(e.Optimizer), map[bool]string{true: "is over", false: "begins"}[e.Done])
	}),
	graph.KindCalled: sentence(func(l liner, e *graph.Called) string { return "given to " + l.text(e.Function) }),
	graph.KindRaised: sentence(func(l liner, e *graph.Raised) string {
		first, _, _ := strings.Cut(e.Message, "\n")
		return fmt.Sprintf("%s: %s", l.text(e.Type), first)
	}),
}

// rebasing says why a tensor got another grad_fn.
var rebasing = map[graph.RebaseReason]string{
	graph.RebasedInPlace:   "an operation changed it in place",
	graph.RebasedBase:      "an operation changed a view of it in place",
	graph.RebasedStaleView: "its base, or another view of it, was modified in place",
	graph.RebasedDetach:    "detach_()",
	graph.RebasedFunction:  "a custom Function marked it as dirty",
	graph.RebasedExisting:  "it had that before the recording began",
}

// created tells of a tensor that is a result, which the event of the operation follows,
// or that came from elsewhere.
func (l liner) created(e *graph.TensorCreated) string {
	text := "made " + origin(e.Flags)
	if op, _ := l.t.maker(l.t.tensorBefore(e.Tensor, l.g.Pos()), e.Tensor); op != nil {
		text = "made as the result of " + l.text(op.Op)
	} else if e.Node != 0 {
		text = "made"
	}
	text += fmt.Sprintf(": %s of shape %s%s", e.DType, ShapeText(e.Shape), l.device(e.Device))
	if e.Flags&graph.FlagRequiresGrad != 0 {
		text += ", requires_grad"
	}
	if e.Base != 0 {
		text += ", a view of " + l.names.numbered(e.Base)
	}
	if e.Node != 0 {
		text += ", grad_fn " + l.node(e.Node)
	}
	return text
}

func (l liner) ran(e *graph.OpRan) string {
	op := l.text(e.Op)
	switch {
	case makes(e, l.id):
		return "made " + l.names.madeBy(op, e.Inputs)
	case slices.Contains(e.Mutated, l.id):
		others := slices.DeleteFunc(slices.Clone(e.Inputs), func(id graph.TensorID) bool { return id == l.id })
		return "changed " + l.names.madeBy(op, others)
	}
	return "used " + l.names.usedBy(op, e.Outputs, l.id)
}

func (l liner) nodeCreated(e *graph.NodeCreated) string {
	if e.Variable == l.id {
		return fmt.Sprintf("%s (n%d) will collect its gradient", l.text(e.Name), e.Node)
	}
	var slots []string
	version := uint32(0)
	for _, s := range e.Saved {
		if s.Tensor == l.id {
			slots, version = append(slots, l.text(s.Name)), s.Version
		}
	}
	return "saved " + savedBy(l.text(e.Name), e.Node, strings.Join(slots, ", "), version)
}
