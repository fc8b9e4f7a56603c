package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// The kinds of objects. Their attributes are documented in docs/use/check-scripts.md,
// which is generated from these tables.

var (
	tensorKind  *kind[graph.Tensor]
	valueKind   *kind[graph.Value]
	nodeKind    *kind[graph.Node]
	savedKind   *kind[savedSlot]
	passKind    *kind[graph.BackwardID]
	gradKind    *kind[arrival]
	findingKind *kind[numbered]
)

func init() {
	tensorKind, valueKind, nodeKind, savedKind, passKind, gradKind, findingKind = kinds()
}

// A saved tensor with the node that saved it.
type savedSlot struct {
	node graph.NodeID
	i    int
	graph.SavedTensor
}

// An arrived gradient.
type arrival struct {
	pass graph.BackwardID
	inspect.Contribution
}

// A finding with its place in the report.
type numbered struct {
	i int
	inspect.Finding
}

func kinds() (
	tensors *kind[graph.Tensor], values *kind[graph.Value], nodes *kind[graph.Node], saved *kind[savedSlot],
	passes *kind[graph.BackwardID], grads *kind[arrival], findings *kind[numbered],
) {
	tensors = &kind[graph.Tensor]{name: "tensor", label: func(t graph.Tensor) string {
		if t.Name != "" {
			return t.Name + ", t" + fmt.Sprint(t.ID)
		}
		return "t" + fmt.Sprint(t.ID)
	}}
	values = &kind[graph.Value]{name: "value", label: func(v graph.Value) string {
		return fmt.Sprintf("%d elements, min %g, max %g, mean %g", v.Count, v.Min, v.Max, v.Mean)
	}}
	nodes = &kind[graph.Node]{name: "node", label: func(n graph.Node) string { return fmt.Sprintf("%s, n%d", n.Name, n.ID) }}
	saved = &kind[savedSlot]{name: "saved", label: func(s savedSlot) string { return fmt.Sprintf("%s of n%d", s.Name, s.node) }}
	passes = &kind[graph.BackwardID]{name: "backward", label: func(id graph.BackwardID) string { return fmt.Sprint(id) }}
	grads = &kind[arrival]{name: "gradient", label: func(a arrival) string { return fmt.Sprintf("of t%d in pass %d", a.Tensor, a.pass) }}
	findings = &kind[numbered]{name: "finding", label: func(f numbered) string { return fmt.Sprintf("%s at %s", f.Code, f.Primary.Frame) }}

	tensors.attributes = []attribute[graph.Tensor]{
		{"name", "what the program calls it, or None", func(_ *session, t graph.Tensor) starlark.Value { return optionalText(t.Name) }},
		{"id", "its number on the tape", func(_ *session, t graph.Tensor) starlark.Value { return starlark.MakeInt(int(t.ID)) }},
		{"dtype", `"float32"`, func(_ *session, t graph.Tensor) starlark.Value { return starlark.String(t.DType.String()) }},
		{"device", `"cpu", "cuda:0"`, func(_ *session, t graph.Tensor) starlark.Value { return starlark.String(t.Device) }},
		{"shape", "a tuple of sizes", func(_ *session, t graph.Tensor) starlark.Value { return sizes(t.Shape) }},
		{"leaf", "whether it is a leaf", func(_ *session, t graph.Tensor) starlark.Value { return starlark.Bool(t.Leaf()) }},
		{"requires_grad", "whether it requires grad", func(_ *session, t graph.Tensor) starlark.Value { return starlark.Bool(t.RequiresGrad) }},
		{"retains_grad", "whether retain_grad() was called", func(_ *session, t graph.Tensor) starlark.Value { return starlark.Bool(t.RetainsGrad) }},
		{"parameter", "whether it is an nn.Parameter", func(_ *session, t graph.Tensor) starlark.Value {
			return starlark.Bool(t.Flags&graph.FlagParameter != 0)
		}},
		{"version", "its version counter", func(_ *session, t graph.Tensor) starlark.Value { return starlark.MakeUint64(uint64(t.Version)) }},
		{"grad_fn", "the node that made it, None for a leaf", func(s *session, t graph.Tensor) starlark.Value { return s.node(t.Node) }},
		{"grad", "its .grad, a tensor or None", func(s *session, t graph.Tensor) starlark.Value { return s.tensor(t.Grad) }},
		{"base", "the tensor that it is a view of, or None", func(s *session, t graph.Tensor) starlark.Value { return s.tensor(t.Base) }},
		{"value", "what is known of its content", func(s *session, t graph.Tensor) starlark.Value { return s.value(t.Value) }},
		{"held_as", `the places where the program was found to keep it: ["self.losses[3]"]`, func(s *session, t graph.Tensor) starlark.Value {
			var places []starlark.Value
			for _, k := range s.found.History.Holders(t.ID, s.graph().Pos()) {
				if k.Element() || k.Kind == inspect.HeldAsGrad {
					places = append(places, starlark.String(k.Path))
				}
			}
			return list(places)
		}},
		{"released", "whether the program has dropped its last reference", func(_ *session, t graph.Tensor) starlark.Value { return starlark.Bool(t.Released) }},
		{"line", "where it was made", func(s *session, t graph.Tensor) starlark.Value { return optionalLine(s.place(t.Created).Line) }},
		{"file", "the file of that line", func(s *session, t graph.Tensor) starlark.Value { return optionalText(s.place(t.Created).File) }},
		{"changed_line", "where it was changed in place last, or None", func(s *session, t graph.Tensor) starlark.Value { return optionalLine(s.place(t.Mutated).Line) }},
	}
	values.attributes = []attribute[graph.Value]{
		{"count", "number of elements", func(_ *session, v graph.Value) starlark.Value { return starlark.MakeUint64(v.Count) }},
		{"min", "of the finite elements", func(_ *session, v graph.Value) starlark.Value { return starlark.Float(v.Min) }},
		{"max", "of the finite elements", func(_ *session, v graph.Value) starlark.Value { return starlark.Float(v.Max) }},
		{"mean", "of the finite elements", func(_ *session, v graph.Value) starlark.Value { return starlark.Float(v.Mean) }},
		{"nan", "how many elements are NaN", func(_ *session, v graph.Value) starlark.Value { return starlark.MakeUint64(v.NaN) }},
		{"inf", "how many elements are infinite", func(_ *session, v graph.Value) starlark.Value { return starlark.MakeUint64(v.Inf) }},
		{"norm", "of the finite elements; None if the tape does not have it", func(_ *session, v graph.Value) starlark.Value {
			if !v.Measured {
				return starlark.None
			}
			return starlark.Float(v.Norm)
		}},
		{"zeros", "how many elements are zero; None if the tape does not have it", func(_ *session, v graph.Value) starlark.Value {
			if !v.Measured {
				return starlark.None
			}
			return starlark.MakeUint64(v.Zeros)
		}},
		{"first", "the leading elements, row by row", func(_ *session, v graph.Value) starlark.Value {
			elements := make([]starlark.Value, len(v.First))
			for i, x := range v.First {
				elements[i] = starlark.Float(x)
			}
			return list(elements)
		}},
		{"whole", "whether first holds all elements", func(_ *session, v graph.Value) starlark.Value { return starlark.Bool(v.Whole()) }},
	}
	nodes.attributes = []attribute[graph.Node]{
		{"name", `"MulBackward0"`, func(_ *session, n graph.Node) starlark.Value { return starlark.String(n.Name) }},
		{"id", "its number on the tape", func(_ *session, n graph.Node) starlark.Value { return starlark.MakeInt(int(n.ID)) }},
		{"next_functions", "the nodes that get its gradients, with None for inputs that need none", func(s *session, n graph.Node) starlark.Value {
			next := make([]starlark.Value, len(n.Edges))
			for i, e := range n.Edges {
				next[i] = s.node(e.Node)
			}
			return list(next)
		}},
		{"saved", "the tensors that it saved", func(s *session, n graph.Node) starlark.Value {
			slots := make([]starlark.Value, 0, len(n.Saved))
			for i, slot := range n.Saved {
				if slot.Tensor != 0 {
					slots = append(slots, &object[savedSlot]{savedKind, s, savedSlot{n.ID, i, slot}})
				}
			}
			return list(slots)
		}},
		{"variable", "the leaf of an AccumulateGrad node, or None", func(s *session, n graph.Node) starlark.Value { return s.tensor(n.Variable) }},
		{"status", `"idle", "waiting", "ready", "done" or "failed", in the backward pass that touched it last`, func(_ *session, n graph.Node) starlark.Value {
			return starlark.String(n.Status.String())
		}},
		{"runs", "how often it ran", func(_ *session, n graph.Node) starlark.Value { return starlark.MakeInt(n.Runs) }},
		{"freed", "whether its saved tensors were freed", func(_ *session, n graph.Node) starlark.Value { return starlark.Bool(n.Freed) }},
		{"line", "where its operation ran", func(s *session, n graph.Node) starlark.Value { return optionalLine(s.place(n.Created).Line) }},
		{"file", "the file of that line", func(s *session, n graph.Node) starlark.Value { return optionalText(s.place(n.Created).File) }},
	}
	saved.attributes = []attribute[savedSlot]{
		{"name", `what the formula calls it: "self", "result"`, func(_ *session, v savedSlot) starlark.Value { return starlark.String(v.Name) }},
		{"tensor", "the tensor", func(s *session, v savedSlot) starlark.Value { return s.tensor(v.Tensor) }},
		{"version", "its version when it was saved", func(_ *session, v savedSlot) starlark.Value { return starlark.MakeUint64(uint64(v.Version)) }},
		{"current", "its version now", func(_ *session, v savedSlot) starlark.Value { return starlark.MakeUint64(uint64(v.Current)) }},
		{"modified", "whether it was changed in place since, so that backward fails", func(_ *session, v savedSlot) starlark.Value {
			return starlark.Bool(v.Modified())
		}},
		{"freed", "whether a backward pass freed it", func(_ *session, v savedSlot) starlark.Value { return starlark.Bool(v.Freed) }},
	}
	passes.attributes = []attribute[graph.BackwardID]{
		{"number", "1 for the first pass of the program", func(_ *session, id graph.BackwardID) starlark.Value { return starlark.MakeInt(int(id)) }},
		{"line", "where it was called", func(s *session, id graph.BackwardID) starlark.Value { return optionalLine(s.place(s.pass(id).At).Line) }},
		{"roots", "the tensors that it starts from", func(s *session, id graph.BackwardID) starlark.Value {
			roots := make([]starlark.Value, 0)
			for _, r := range s.pass(id).Roots {
				roots = append(roots, s.tensor(r.Tensor))
			}
			return list(roots)
		}},
		{"retain_graph", "whether it keeps what was saved", func(s *session, id graph.BackwardID) starlark.Value {
			return starlark.Bool(s.pass(id).Flags&graph.RetainGraph != 0)
		}},
		{"create_graph", "whether it records itself", func(s *session, id graph.BackwardID) starlark.Value {
			return starlark.Bool(s.pass(id).Flags&graph.CreateGraph != 0)
		}},
		{"failed", "whether it ended with an error", func(s *session, id graph.BackwardID) starlark.Value { return starlark.Bool(s.pass(id).Failed != nil) }},
		{"error", "what the error says, or None", func(s *session, id graph.BackwardID) starlark.Value {
			if f := s.pass(id).Failed; f != nil {
				return starlark.String(f.Message)
			}
			return starlark.None
		}},
		{"executed", "the nodes that ran, in order", func(s *session, id graph.BackwardID) starlark.Value {
			return s.nodesOf(id, graph.KindNodeExecuted)
		}},
		{"freed", "the nodes whose saved tensors it freed", func(s *session, id graph.BackwardID) starlark.Value {
			return s.nodesOf(id, graph.KindSavedFreed)
		}},
		{"grads", "the gradients that it added to .grad", func(s *session, id graph.BackwardID) starlark.Value {
			list := make([]starlark.Value, 0)
			for _, c := range s.found.History.Gradients(id) {
				list = append(list, &object[arrival]{gradKind, s, arrival{id, c}})
			}
			return starlark.NewList(list)
		}},
	}
	grads.attributes = []attribute[arrival]{
		{"tensor", "whose gradient", func(s *session, a arrival) starlark.Value { return s.tensor(a.Tensor) }},
		{"added", "what was added", func(s *session, a arrival) starlark.Value { return s.value(s.accumulated(a).Added.Value) }},
		{"total", ".grad afterwards", func(s *session, a arrival) starlark.Value { return s.value(s.accumulated(a).Value) }},
	}
	findings.attributes = []attribute[numbered]{
		{"code", "of the rule", func(_ *session, f numbered) starlark.Value { return starlark.String(f.Code) }},
		{"severity", `"error", "warning" or "hint"`, func(_ *session, f numbered) starlark.Value { return starlark.String(f.Severity.String()) }},
		{"message", "one sentence", func(_ *session, f numbered) starlark.Value { return starlark.String(f.Message) }},
		{"line", "the line to change", func(_ *session, f numbered) starlark.Value { return optionalLine(f.Primary.Line) }},
		{"file", "the file of that line", func(_ *session, f numbered) starlark.Value { return optionalText(f.Primary.File) }},
		{"lines", "all lines that it names, the one to change first", func(_ *session, f numbered) starlark.Value {
			lines := []starlark.Value{starlark.MakeInt(f.Primary.Line)}
			for _, r := range f.Related {
				lines = append(lines, starlark.MakeInt(r.Line))
			}
			return list(lines)
		}},
		{"help", "what to do", func(_ *session, f numbered) starlark.Value { return starlark.String(f.Help) }},
	}
	return
}
