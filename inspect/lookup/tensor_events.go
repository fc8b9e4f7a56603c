package lookup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/internal/phrase"
)

// A TensorEvent is what one event meant for a tensor. Its text holds names and messages
// of the program.
type TensorEvent struct {
	At   graph.Pos
	Kind graph.Kind
	Text string
	Span inspect.Span // the line of the program
}

// TensorEvent says in one sentence what an event meant for a tensor, as [TensorView.Events]
// lists them. Names are as of the graph's position.
func (t *Index) TensorEvent(g *graph.Graph, id graph.TensorID, at graph.Pos) TensorEvent {
	head, e, err := t.tape.At(at)
	if err != nil {
		return TensorEvent{At: at, Text: err.Error()}
	}
	d := describer{index: t, g: g, id: id, names: func(id graph.TensorID) string {
		named, _ := g.Tensor(id)
		return named.Name
	}}
	line := TensorEvent{At: at, Kind: e.Kind(), Text: e.Kind().String(), Span: inspect.PlaceOf(t.tape, head.Stack, at, "")}
	if text, ok := descriptions[e.Kind()]; ok {
		line.Text = text(d, e)
	}
	return line
}

// A describer puts events into words.
type describer struct {
	index *Index
	g     *graph.Graph
	id    graph.TensorID // the tensor that the events are about
	names phrase.Namer
}

func (d describer) text(id graph.StringID) string { return d.index.tape.String(id) }

// device says on which device a tensor is, unless it is the CPU.
func (d describer) device(id graph.StringID) string {
	if device := d.index.tape.Device(id); device != graph.CPU {
		return " on " + device
	}
	return ""
}

// node returns a node's name and number: "MulBackward0 (n2)".
func (d describer) node(id graph.NodeID) string {
	n, _ := d.g.Node(id)
	return fmt.Sprintf("%s (n%d)", n.Name, id)
}

// describe makes an entry of the table out of a function for one type of event.
func describe[E graph.Event](text func(d describer, e E) string) func(describer, graph.Event) string {
	return func(d describer, e graph.Event) string { return text(d, e.(E)) }
}

// descriptions say what an event of a kind means for a tensor that it is about.
var descriptions = map[graph.Kind]func(describer, graph.Event) string{
	graph.KindTensorCreated: describe(describer.created),
	graph.KindOpRan:         describe(describer.ran),
	graph.KindNodeCreated:   describe(describer.nodeCreated),
	graph.KindMutated: describe(func(d describer, e *graph.Mutated) string {
		return fmt.Sprintf("modified in place%s, from version %d to %d", d.names.Through(e.Tensor, d.id), e.From, e.To)
	}),
	graph.KindRebased: describe(func(d describer, e *graph.Rebased) string {
		if e.Node == 0 {
			return "it lost its grad_fn: " + rebasing[e.Why]
		}
		return fmt.Sprintf("its grad_fn became %s: %s", d.node(e.Node), rebasing[e.Why])
	}),
	graph.KindReshaped: describe(func(d describer, e *graph.Reshaped) string {
		return fmt.Sprintf("its storage or layout changed: %s of shape %s%s", e.DType, inspect.ShapeText(e.Shape), d.device(e.Device))
	}),
	graph.KindValueRead: describe(func(describer, *graph.ValueRead) string { return "its elements were read for the tape" }),
	graph.KindRequiresGrad: describe(func(d describer, e *graph.RequiresGrad) string {
		return "requires_grad was set to " + map[bool]string{true: "True", false: "False"}[e.To]
	}),
	graph.KindRetainGrad: describe(func(describer, *graph.RetainGrad) string { return "retain_grad(): it will keep its gradient" }),
	graph.KindLineageCut: describe(func(d describer, e *graph.LineageCut) string {
		switch {
		case e.Output == d.id && len(e.Inputs) > 0:
			return d.names.CutFrom(e.Inputs[0], e.Why)
		case e.Output == 0:
			return fmt.Sprintf("its values left as plain numbers (%s)", e.Why)
		}
		return fmt.Sprintf("its values went into %s without their history (%s)", d.names.Numbered(e.Output), e.Why)
	}),
	graph.KindNameBound: describe(func(d describer, e *graph.NameBound) string {
		return "named " + phrase.ScopedName(d.text(e.Scope), d.text(e.Name))
	}),
	graph.KindTensorHeld: describe(func(d describer, e *graph.TensorHeld) string {
		return "the program keeps it as " + phrase.ScopedName(d.text(e.Scope), d.text(e.Path))
	}),
	graph.KindTensorReleased: describe(func(describer, *graph.TensorReleased) string { return "the program has dropped it" }),
	graph.KindBackwardBegan: describe(func(d describer, e *graph.BackwardBegan) string {
		if slices.Contains(e.Inputs, d.id) {
			return fmt.Sprintf("backward pass %d was asked for its gradient", e.Backward)
		}
		return phrase.RootOf(e.Backward)
	}),
	graph.KindGradAccumulated: describe(func(d describer, e *graph.GradAccumulated) string {
		if e.Tensor != d.id {
			return fmt.Sprintf("it is the .grad of %s: backward pass %d added %s", d.names.Numbered(e.Tensor), e.Backward, phrase.Contents(e.Added.Value))
		}
		return phrase.Brought(e.Backward, e.Added.Value, e.Value)
	}),
	graph.KindGradAssigned: describe(func(d describer, e *graph.GradAssigned) string {
		switch {
		case e.Tensor != d.id:
			return "assigned to the .grad of " + d.names.Numbered(e.Tensor)
		case e.Grad == 0:
			return ".grad became None"
		}
		return fmt.Sprintf("the program assigned %s to its .grad", d.names.Numbered(e.Grad))
	}),
	graph.KindGradsZeroed: describe(func(d describer, e *graph.GradsZeroed) string {
		return fmt.Sprintf("zero_grad() of %s: .grad becomes %s", d.text(e.By), map[bool]string{true: "None", false: "zero"}[e.SetToNone])
	}),
	graph.KindGradRead: describe(func(describer, *graph.GradRead) string { return "the program read .grad, which was None" }),
	graph.KindHookRegistered: describe(func(d describer, e *graph.HookRegistered) string {
		return "a hook was registered: " + d.text(e.What)
	}),
	graph.KindHookRan: describe(func(d describer, e *graph.HookRan) string {
		if e.Replaced {
			return "a hook replaced its gradient with " + phrase.Contents(e.Grad.Value)
		}
		return "a hook saw its gradient"
	}),
	graph.KindOptimizerMade: describe(func(d describer, e *graph.OptimizerMade) string {
		return d.text(e.Optimizer) + " got it as a parameter"
	}),
	graph.KindOptimizerStepped: describe(func(d describer, e *graph.OptimizerStepped) string {
		return fmt.Sprintf("a step of %s %s", d.text(e.Optimizer), map[bool]string{true: "is over", false: "begins"}[e.Done])
	}),
	graph.KindCalled: describe(func(d describer, e *graph.Called) string { return "given to " + d.text(e.Function) }),
	graph.KindRaised: describe(func(d describer, e *graph.Raised) string {
		first, _, _ := strings.Cut(e.Message, "\n")
		return fmt.Sprintf("%s: %s", d.text(e.Type), first)
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

// created describes how a tensor was made. The event of an operation follows the events that
// create its results.
func (d describer) created(e *graph.TensorCreated) string {
	text := "made " + phrase.Origin(e.Flags)
	if op, _ := d.index.maker(d.index.tensorBefore(e.Tensor, d.g.Pos()), e.Tensor); op != nil {
		text = "made as the result of " + d.text(op.Op)
	} else if e.Node != 0 {
		text = "made"
	}
	text += fmt.Sprintf(": %s of shape %s%s", e.DType, inspect.ShapeText(e.Shape), d.device(e.Device))
	if e.Flags&graph.FlagRequiresGrad != 0 {
		text += ", requires_grad"
	}
	if e.Base != 0 {
		text += ", a view of " + d.names.Numbered(e.Base)
	}
	if e.Node != 0 {
		text += ", grad_fn " + d.node(e.Node)
	}
	return text
}

func (d describer) ran(e *graph.OpRan) string {
	op := d.text(e.Op)
	switch {
	case makes(e, d.id):
		return "made " + d.names.MadeBy(op, e.Inputs)
	case slices.Contains(e.Mutated, d.id):
		others := slices.DeleteFunc(slices.Clone(e.Inputs), func(id graph.TensorID) bool { return id == d.id })
		return "changed " + d.names.MadeBy(op, others)
	}
	return "used " + d.names.UsedBy(op, e.Outputs, d.id)
}

func (d describer) nodeCreated(e *graph.NodeCreated) string {
	if e.Variable == d.id {
		return fmt.Sprintf("%s (n%d) will collect its gradient", d.text(e.Name), e.Node)
	}
	var slots []string
	version := uint32(0)
	for _, s := range e.Saved {
		if s.Tensor == d.id {
			slots, version = append(slots, d.text(s.Name)), s.Version
		}
	}
	return "saved " + phrase.SavedBy(d.text(e.Name), e.Node, strings.Join(slots, ", "), version)
}
