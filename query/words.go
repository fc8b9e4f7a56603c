package query

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// A Word is something that a query may say.
type Word struct {
	Group   string // see [Words]
	Form    string // "writes(TENSOR)"
	Means   string
	Example string // a whole query; "": none
}

// The groups of words, in the order of [Words].
const (
	groupEvents     = "What happens"
	groupQuantities = "Quantities of a tensor"
	groupTensors    = "Tensors"
	groupPlaces     = "Where the program is"
)

// Words lists what queries may say, for documentation and completion.
func Words() (all []Word) {
	for _, f := range eventTexts {
		all = append(all, Word{groupEvents, f.name, f.means, f.example})
	}
	for _, p := range predicates {
		all = append(all, Word{groupEvents, p.name + "(" + p.takes + ")", p.means, p.example})
	}
	all = append(all, Word{groupEvents, "changes(X)", "the quantity or text X is not what it was", "changes(loss.shape)"})
	for _, t := range eventTensors {
		all = append(all, Word{groupTensors, t.name, t.means, t.example})
	}
	all = append(all,
		Word{groupTensors, "loss", "the tensor with this name, and its quantities: max(loss), loss.max", "max(fc1.weight) > 10"},
		Word{groupTensors, `tensor("NAME")`, "the same, for names that mean something else here, and for patterns", `min(tensor("layers*.bias")) < 0`},
		Word{groupTensors, "t17", "the tensor with this number", "writes(t17)"},
		Word{groupTensors, "grad(TENSOR)", "its .grad", "norm(grad(fc1.weight)) < 1e-8"},
	)
	for _, q := range quantities {
		all = append(all, Word{groupQuantities, q.name, q.means, q.example})
	}
	for _, a := range attributes {
		all = append(all, Word{groupQuantities, a.name, a.means, a.example})
	}
	for _, p := range places {
		all = append(all, Word{groupPlaces, p.name, p.means, p.example})
	}
	return append(all,
		Word{groupPlaces, "after(X), before(X)", "X has hit at an earlier event, or not yet", `op == "relu" and after(steps())`},
		Word{groupPlaces, "after line 40", "short for and after(line == 40); also after or before event, iteration, backward, step and a number", "reads(w) after line 40"},
		Word{groupPlaces, "in iteration 3", "short for and iteration == 3; also in backward, in module, in function, at line", "writes(pos) in function advance"},
	)
}

// Shorts lists the short forms of queries.
func Shorts() []Word {
	all := []Word{{Form: "FILE:LINE", Means: "the program comes to the line", Example: "train.py:12"}}
	for _, s := range shorts {
		all = append(all, Word{Form: strings.TrimSpace(s.word + " " + s.takes), Means: s.means, Example: strings.TrimSpace(s.word + " " + s.example)})
	}
	return all
}

// An eventText is a text that some events have.
type eventText struct {
	name, means, example string
	of                   func(m *moment) (text string, ok bool)
	kinds                []graph.Kind
	wants                func(n *Needs, pattern string)
}

var eventTexts = []eventText{
	{"op", "the name of the operation that ran", `op == "mm" and max(out) > 100`, func(m *moment) (string, bool) {
		e, ok := m.event.(*graph.OpRan)
		return m.text(ok, func() graph.StringID { return e.Op })
	}, []graph.Kind{graph.KindOpRan}, func(n *Needs, p string) { n.Ops = append(n.Ops, p) }},
	{"event", "the kind of event, as [tape-format.md](../internals/tape-format.md) lists them", `event == "backward-failed"`, func(m *moment) (string, bool) {
		return m.event.Kind().String(), true
	}, nil, everything},
	{"message", "what an error, a warning or the output says", `message == "*not finite*"`, func(m *moment) (string, bool) {
		switch e := m.event.(type) {
		case *graph.Raised:
			return e.Message, true
		case *graph.Warned:
			return e.Message, true
		case *graph.BackwardFailed:
			return e.Message, true
		case *graph.ProgramFailed:
			return e.Message, true
		case *graph.OutputWritten:
			return e.Text, true
		}
		return "", false
	}, []graph.Kind{graph.KindRaised, graph.KindWarned, graph.KindBackwardFailed, graph.KindProgramFailed, graph.KindOutputWritten}, everything},
}

// everything is what a text needs that any event may have.
func everything(n *Needs, _ string) { n.Everything = true }

// What the argument of a predicate names.
const (
	noArgument = ""
	aTensor    = "TENSOR"
	aNode      = "NODE"
	aName      = "NAME"
)

// A predicate is true of some events. Without an argument it is true of all of its kinds.
type predicate struct {
	name, takes, means, example string
	kinds                       []graph.Kind
	of                          func(m *moment, who *subject) bool
	wants                       func(n *Needs, who *subject)
}

// predicates are the verbs of queries.
var predicates = []predicate{
	{
		"writes", aTensor, "the tensor, or memory that it shows, is changed in place", "writes(pos)",
		[]graph.Kind{graph.KindMutated},
		func(m *moment, who *subject) bool { return who.shares(m, m.event.(*graph.Mutated).Tensor) },
		func(n *Needs, who *subject) { n.InPlace, n.Values = true, n.Values || who != nil },
	},
	{
		"reads", aTensor, "an operation takes it as an input, or its numbers leave it, as by item()", "reads(w) after line 40",
		[]graph.Kind{graph.KindOpRan, graph.KindLineageCut},
		func(m *moment, who *subject) bool {
			switch e := m.event.(type) {
			case *graph.OpRan:
				return slices.ContainsFunc(e.Inputs, func(t graph.TensorID) bool { return who.is(m, t) })
			case *graph.LineageCut:
				return slices.ContainsFunc(e.Inputs, func(t graph.TensorID) bool { return who.is(m, t) })
			}
			return false
		}, everythingFor,
	},
	{
		"binds", aTensor, "it gets its name: a new tensor after each assignment", "binds(loss)",
		[]graph.Kind{graph.KindNameBound},
		func(m *moment, who *subject) bool {
			e := m.event.(*graph.NameBound)
			return e.Tensor != 0 && who.is(m, e.Tensor)
		}, named,
	},
	{
		"touches", aTensor, "it is bound, changed in place, or gets a gradient", "touches(w)",
		[]graph.Kind{graph.KindNameBound, graph.KindMutated, graph.KindGradAccumulated},
		func(m *moment, who *subject) bool {
			switch e := m.event.(type) {
			case *graph.NameBound:
				return e.Tensor != 0 && who.is(m, e.Tensor)
			case *graph.Mutated:
				return who.is(m, e.Tensor)
			case *graph.GradAccumulated:
				return who.is(m, e.Tensor)
			}
			return false
		}, named,
	},
	{
		"cuts", aTensor, "its values go on without a path for gradients: detach(), item(), no_grad", "cuts(h)",
		[]graph.Kind{graph.KindLineageCut},
		func(m *moment, who *subject) bool {
			return slices.ContainsFunc(m.event.(*graph.LineageCut).Inputs, func(t graph.TensorID) bool { return who.is(m, t) })
		}, everythingFor,
	},
	{
		"runs", aNode, "the node of a backward pass is about to run: runs(n12), runs(MulBackward0), runs(\"Add*\")", "runs(n12)",
		[]graph.Kind{graph.KindNodeExecuted, graph.KindBackwardFailed},
		func(m *moment, who *subject) bool { return m.starts != 0 && who.isNode(m, m.starts) },
		func(n *Needs, who *subject) {
			if p := who.patterns(); len(p) > 0 {
				n.Ops = append(n.Ops, p...)
			} else {
				n.Nodes = true
			}
		},
	},
	{
		"frees", aNode, "its saved tensors are freed", "frees(n12)",
		[]graph.Kind{graph.KindSavedFreed},
		func(m *moment, who *subject) bool { return who.isNode(m, m.event.(*graph.SavedFreed).Node) },
		func(n *Needs, who *subject) {
			p := who.patterns()
			if len(p) == 0 {
				p = []string{"*"}
			}
			n.Freed = append(n.Freed, p...)
		},
	},
	{
		"steps", aName, "an optimizer has stepped: steps(), steps(\"Adam\")", `steps("SGD") and iteration > 10`,
		[]graph.Kind{graph.KindOptimizerStepped},
		func(m *moment, who *subject) bool {
			e := m.event.(*graph.OptimizerStepped)
			return e.Done && who.isText(m, e.Optimizer)
		}, everythingFor,
	},
	{
		"zeroes", aTensor, "zero_grad() clears its gradient", "zeroes(fc1.weight)",
		[]graph.Kind{graph.KindGradsZeroed},
		func(m *moment, who *subject) bool {
			return who == nil || slices.ContainsFunc(m.event.(*graph.GradsZeroed).Params, func(t graph.TensorID) bool { return who.is(m, t) })
		}, everythingFor,
	},
	{
		"enters", aName, "a module begins its forward pass: its path or its class", `enters("encoder*")`,
		[]graph.Kind{graph.KindModuleEntered},
		func(m *moment, who *subject) bool {
			e := m.event.(*graph.ModuleEntered)
			return who.isText(m, e.Path) || who.isText(m, e.Type)
		}, everythingFor,
	},
	{
		"raises", aName, "an error of this type is raised to the program", `raises("RuntimeError")`,
		[]graph.Kind{graph.KindRaised},
		func(m *moment, who *subject) bool { return who.isText(m, m.event.(*graph.Raised).Type) },
		func(n *Needs, _ *subject) { n.Errors = true },
	},
	{
		"warns", aName, "a warning of this category is issued", "warns()",
		[]graph.Kind{graph.KindWarned},
		func(m *moment, who *subject) bool { return who.isText(m, m.event.(*graph.Warned).Category) },
		func(n *Needs, _ *subject) { n.Errors = true },
	},
	{
		"nonfinite", noArgument, "a NaN or an infinity appears in a tensor or a gradient", "nonfinite()",
		bringing,
		func(m *moment, _ *subject) bool {
			return slices.ContainsFunc(brought(m.event), func(t thing) bool { return !t.value.Finite() })
		},
		func(n *Needs, _ *subject) { n.NotFinite = true },
	},
}

func everythingFor(n *Needs, _ *subject) { n.Everything = true }

// named is the need of predicates that are about tensors with a name.
func named(n *Needs, who *subject) {
	if p := who.patterns(); len(p) > 0 {
		n.Tensors = append(n.Tensors, p...)
	} else {
		n.Everything = true
	}
}

// A quantity is a number that a tensor has.
type quantity struct {
	name, means, example string
	of                   func(t thing) (x float64, ok bool)
}

var quantities = []quantity{
	{"min", "the smallest finite element: min(out), or out.min", "min(probs) < 0", valued(func(v graph.Value) float64 { return v.Min })},
	{"max", "the largest finite element", "max(out) > 100", valued(func(v graph.Value) float64 { return v.Max })},
	{"mean", "the mean of the finite elements", "mean(loss) < 0.1", valued(func(v graph.Value) float64 { return v.Mean })},
	{"nan", "how many elements are NaN", "nan(out) > 0", valued(func(v graph.Value) float64 { return float64(v.NaN) })},
	{"inf", "how many elements are infinite", "inf(grad(w)) > 0", valued(func(v graph.Value) float64 { return float64(v.Inf) })},
	{"norm", "the Euclidean norm of the finite elements", "norm(grad(fc1.weight)) < 1e-8", measured(func(v graph.Value) float64 { return v.Norm })},
	{"zeros", "how many elements are zero", "zeros(out) == numel(out)", measured(func(v graph.Value) float64 { return float64(v.Zeros) })},
	{"item", "the element of a tensor with one element", "item(loss) > 2", func(t thing) (float64, bool) {
		if !t.value.Whole() || t.value.Count != 1 {
			return 0, false
		}
		return t.value.First[0], true
	}},
	{"numel", "the number of elements", "numel(out) > 1e6", func(t thing) (float64, bool) { return float64(t.numel()), t.known() }},
	{"dim", "the number of dimensions", "dim(out) == 4", func(t thing) (float64, bool) { return float64(len(t.shape)), t.shaped }},
	{"version", "the version counter", "version(w) > 3", func(t thing) (float64, bool) { return float64(t.version), t.versioned }},
}

// valued is a quantity of the values of a tensor.
func valued(of func(v graph.Value) float64) func(t thing) (float64, bool) {
	return func(t thing) (float64, bool) { return of(t.value), t.value.Known() }
}

// measured is a quantity that tapes of older formats do not have for all values.
func measured(of func(v graph.Value) float64) func(t thing) (float64, bool) {
	return func(t thing) (float64, bool) { return of(t.value), t.value.Measured }
}

// An attribute is a text that a tensor has.
type attribute struct {
	name, means, example string
	of                   func(m *moment, t thing) (text string, ok bool)
}

var attributes = []attribute{
	{"shape", "the sizes, as a list; shape[0] is the first one", "loss.shape == [32, 32]", func(_ *moment, t thing) (string, bool) { return fmt.Sprint(commas(t.shape)), t.shaped }},
	{"dtype", "the type of the elements", `out.dtype == "float16"`, func(_ *moment, t thing) (string, bool) { return t.dtype.String(), t.dtype != graph.NoDType }},
	{"device", "where it is", `out.device == "cuda*"`, func(m *moment, t thing) (string, bool) {
		device := m.names.Text(t.device)
		if device == "" {
			device = graph.CPU
		}
		return device, t.shaped
	}},
}

// A place is where the program is.
type place struct {
	name, means, example string
	number               func(m *moment) (x float64, ok bool)
	text                 func(m *moment) (text string, ok bool)
	// news reports whether the program has just come there.
	news  func(m *moment) bool
	wants func(n *Needs)
}

var places = []place{
	{name: "line", means: "the line that runs, in any file", example: "line == 40", number: func(m *moment) (float64, bool) {
		f := m.frame()
		return float64(f.Line), f.Line > 0
	}, news: (*moment).arrives, wants: anywhere},
	{name: "file", means: "the file of that line, without its folders", example: `file == "model.py"`, text: func(m *moment) (string, bool) {
		f := m.frame()
		return filepath.Base(f.File), f.File != ""
	}, news: (*moment).arrives, wants: anywhere},
	{name: "function", means: "the function of that line", example: `function == "forward"`, text: func(m *moment) (string, bool) {
		f := m.frame()
		return f.Func, f.Func != ""
	}, news: (*moment).arrives, wants: anywhere},
	{name: "module", means: "the path of the innermost module whose forward pass runs", example: `module == "fc1" and op == "relu"`, text: func(m *moment) (string, bool) {
		if n := len(m.run.modules); n > 0 {
			return m.names.Text(m.run.modules[n-1]), true
		}
		return "", false
	}, news: func(m *moment) bool { return m.event.Kind() == graph.KindModuleEntered }, wants: anywhere},
	{name: "iteration", means: "the number of the iteration, from 1, as the timeline counts", example: "iteration == 3", number: func(m *moment) (float64, bool) {
		return float64(m.run.loop.number), true
	}, news: func(m *moment) bool { return m.run.loop.begins }, wants: anywhere},
	{name: "backward", means: "the number of the backward pass that runs", example: `backward == 2 and runs("Mul*")`, number: func(m *moment) (float64, bool) {
		return m.run.pass()
	}, news: func(m *moment) bool { return m.event.Kind() == graph.KindBackwardBegan }, wants: anywhere},
	{name: "passes", means: "how many backward passes are over", example: "reads(w) and passes == 1", number: func(m *moment) (float64, bool) {
		return float64(m.run.over), true
	}, news: func(m *moment) bool {
		return m.event.Kind() == graph.KindBackwardEnded || m.event.Kind() == graph.KindBackwardFailed
	}, wants: anywhere},
	{name: "step", means: "how many steps of optimizers are done", example: "step == 100", number: func(m *moment) (float64, bool) {
		return float64(m.run.stepped), true
	}, news: func(m *moment) bool { return m.run.steps }, wants: anywhere},
	{name: "position", means: "how many events there are, with this one", example: "nonfinite() and position > 10000", number: func(m *moment) (float64, bool) {
		return float64(m.run.events), true
	}, news: func(*moment) bool { return true }, wants: anywhere},
}

func anywhere(n *Needs) { n.Everything = true }

// An eventTensor is a word for the tensors that an event is about.
type eventTensor struct {
	name, means, example string
	of                   func(m *moment) []thing
	kinds                []graph.Kind
	wants                func(n *Needs)
}

var eventTensors = []eventTensor{
	{"out", "a result of the operation that ran", `op == "softmax" and out.shape == [8, 8]`, func(m *moment) []thing {
		e, ok := m.event.(*graph.OpRan)
		if !ok {
			return nil
		}
		return m.run.things(e.Outputs)
	}, []graph.Kind{graph.KindOpRan}, func(n *Needs) { n.Ops = append(n.Ops, "*") }},
	{"input", "an input of the operation that ran", `op == "log" and min(input) <= 0`, func(m *moment) []thing {
		e, ok := m.event.(*graph.OpRan)
		if !ok {
			return nil
		}
		return m.run.things(e.Inputs)
	}, []graph.Kind{graph.KindOpRan}, func(n *Needs) { n.Ops = append(n.Ops, "*") }},
	{"it", "what the event brings: a tensor that was made, changed or bound, a gradient that arrived. max > 10 is short for max(it) > 10", "writes(pos) and max(it) > 10", func(m *moment) []thing {
		switch e := m.event.(type) {
		case *graph.OpRan:
			return m.run.things(e.Outputs)
		case *graph.NameBound:
			return m.run.things([]graph.TensorID{e.Tensor})
		}
		return brought(m.event)
	}, append([]graph.Kind{graph.KindOpRan, graph.KindNameBound}, bringing...), func(n *Needs) { n.Everything = true }},
}

// bringing are the kinds of events that bring values.
var bringing = []graph.Kind{graph.KindTensorCreated, graph.KindMutated, graph.KindGradAccumulated, graph.KindGradArrived, graph.KindNodeExecuted}

// brought returns the tensors and gradients in an event.
func brought(e graph.Event) []thing {
	switch e := e.(type) {
	case *graph.TensorCreated:
		return []thing{made(e)}
	case *graph.Mutated:
		return []thing{{value: e.Value.Completed(), version: e.To, versioned: true}}
	case *graph.GradAccumulated:
		return []thing{{value: e.Value.Completed()}}
	case *graph.GradArrived:
		return []thing{gradient(e.Grad)}
	case *graph.NodeExecuted:
		things := make([]thing, len(e.Out))
		for i, out := range e.Out {
			things[i] = gradient(out)
		}
		return things
	}
	return nil
}
