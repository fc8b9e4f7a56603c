package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var frozenByMistake = inspect.Rule{
	Code:     "frozen-by-mistake",
	Severity: inspect.SeverityWarning,
	Title:    "The last layer is frozen at its random initial values, although an optimizer holds it.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &frozenLast{
			check: check, frozen: map[graph.TensorID]visit{}, given: map[graph.TensorID]bool{}, looked: map[graph.StackID]int{},
		}
	},
}

// frozenLast looks for losses one of whose last layers does not require grad. Layers before them are
// frozen on purpose all the time; the last one of a model that is trained is where its
// answer is made.
type frozenLast struct {
	check  *inspect.Checker
	frozen map[graph.TensorID]visit // parameters that do not require grad any more
	given  map[graph.TensorID]bool  // parameters that got values from elsewhere, such as a file, or that a package froze
	looked map[graph.StackID]int    // passes, by their line
	found  []frozenPass
}

// A frozenPass is a backward pass from a loss whose last parameters are frozen.
type frozenPass struct {
	at     graph.Pos
	params []graph.TensorID
	bias   graph.TensorID // the only parameter of the layer that is trained; 0: none is
}

// Event follows parameters, and looks at backward passes.
func (w *frozenLast) Event(p graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.RequiresGrad:
		if e.To {
			delete(w.frozen, e.Tensor)
		} else {
			if _, frozen := w.frozen[e.Tensor]; !frozen {
				w.frozen[e.Tensor] = visit{p, head.Stack}
			}
			w.given[e.Tensor] = w.given[e.Tensor] || w.byPackage(head.Stack)
		}
	case *graph.OpRan:
		if len(e.Mutated) > 0 && w.check.Tape().String(e.Op) == "copy_" {
			for _, t := range e.Mutated {
				w.given[t] = true
			}
		}
	case *graph.BackwardBegan:
		const most = 3 // passes of a line: all are alike
		if w.looked[head.Stack]++; w.looked[head.Stack] > most || len(w.frozen) == 0 {
			return
		}
		for _, r := range e.Roots {
			layers := w.last(r.Tensor)
			trained := slices.ContainsFunc(layers, w.trained)
			for _, layer := range layers {
				if !w.trained(layer) && (!trained || slices.ContainsFunc(layer, w.matrix)) {
					w.found = append(w.found, frozenPass{at: p, params: layer})
				} else if frozen, bias, ok := w.onlyBias(layer); ok {
					w.found = append(w.found, frozenPass{at: p, params: frozen, bias: bias})
				}
			}
		}
	}
}

// byPackage reports whether a package other than PyTorch runs at a call stack, such as one that adds
// adapters to a model and freezes the rest.
func (w *frozenLast) byPackage(s graph.StackID) bool {
	for _, f := range w.check.Tape().Stack(s) {
		if !strings.Contains(strings.ReplaceAll(f.File, `\`, "/"), "-packages/torch/") {
			return inspect.IsLibrary(f.File)
		}
	}
	return false
}

// trained reports whether a layer can be trained.
func (w *frozenLast) trained(layer []graph.TensorID) bool {
	return slices.ContainsFunc(layer, w.trains)
}

// matrix reports whether a parameter is more than a gate, a temperature or a scale.
func (w *frozenLast) matrix(t graph.TensorID) bool { return len(w.check.Tensor(t).Shape) > 1 }

// onlyBias returns the frozen matrices of a layer, and its bias, if nothing but the bias can be trained.
func (w *frozenLast) onlyBias(layer []graph.TensorID) (frozen []graph.TensorID, bias graph.TensorID, ok bool) {
	for _, t := range layer {
		_, off := w.frozen[t]
		switch {
		case !w.trains(t):
			frozen = append(frozen, t)
		case off || w.matrix(t) || bias != 0:
			return nil, 0, false
		default:
			bias = t
		}
	}
	return frozen, bias, bias != 0 && slices.ContainsFunc(frozen, w.matrix)
}

// byPosition reports whether the line that froze a parameter picks parameters by their place in a list, so
// that the program leaves the wrong end out, and not a layer by its name.
func (w *frozenLast) byPosition(call visit) bool {
	at := w.check.In(call.stack, call.at, "").Frame
	if slicing.MatchString(w.check.LineText(at.File, at.Line)) {
		return true
	}
	loop, ok := w.check.LoopAround(at.File, at.Line)
	return ok && slicing.MatchString(w.check.LineText(at.File, loop))
}

// beside returns the first optimizer of other parameters in a module of a parameter; -1: there is none.
func (w *frozenLast) beside(t graph.TensorID) int {
	return slices.IndexFunc(w.check.Optimizers(), func(o inspect.Params) bool {
		return slices.ContainsFunc(w.check.Modules(), func(m inspect.Params) bool {
			return slices.Contains(m.Tensors, t) && slices.ContainsFunc(o.Tensors, func(other graph.TensorID) bool { return slices.Contains(m.Tensors, other) })
		})
	})
}

// alone reports whether a bias is the only parameter that any optimizer of it trains, and the line that
// froze a matrix beside it froze other matrices as well. Programs that train all biases, or a bias of a
// layer whose weight is fixed by name, mean what they do.
func (w *frozenLast) alone(bias, beside graph.TensorID) (optimizer int, ok bool) {
	optimizer = -1
	gains := w.check.Gains()
	for i, o := range w.check.Optimizers() {
		if !slices.Contains(o.Tensors, bias) {
			continue
		}
		optimizer = i
		if slices.ContainsFunc(o.Tensors, func(t graph.TensorID) bool { _, got := gains[t]; return got && t != bias }) {
			return -1, false
		}
	}
	matrices := 0
	for t, call := range w.frozen {
		if call.stack == w.frozen[beside].stack && w.matrix(t) {
			matrices++
		}
	}
	_, got := gains[bias]
	return optimizer, optimizer >= 0 && got && matrices > 1
}

// trains reports whether a parameter can be trained, or has values that are worth keeping.
func (w *frozenLast) trains(t graph.TensorID) bool {
	copied := func(f inspect.Flow) bool { return f.Cut != graph.CutParameter }
	_, frozen := w.frozen[t]
	return !frozen || w.given[t] || slices.ContainsFunc(w.check.Tensor(t).Cuts, copied)
}

// last returns the parameters of each operation that the values of a tensor went through last. Before a scale or a
// temperature, it looks on for a layer.
func (w *frozenLast) last(root graph.TensorID) (layers [][]graph.TensorID) {
	const most = 512 // tensors that are looked at
	queue, seen := []graph.TensorID{root}, map[graph.TensorID]bool{root: true}
	for len(queue) > 0 && len(seen) < most {
		op := w.check.Maker(queue[0])
		queue = queue[1:]
		if op == nil {
			continue
		}
		var layer []graph.TensorID
		for _, in := range op.Inputs {
			if p, ok := w.parameter(in); ok {
				layer = append(layer, p)
			}
		}
		if len(layer) > 0 {
			layers = append(layers, layer)
			if slices.ContainsFunc(layer, func(t graph.TensorID) bool {
				return len(w.check.Tensor(t).Shape) > 0 && numel(w.check.Tensor(t).Shape) > 1
			}) {
				continue
			}
		}
		for _, in := range op.Inputs {
			if in != 0 && !seen[in] {
				seen[in] = true
				queue = append(queue, in)
			}
		}
	}
	return layers
}

// parameter returns the parameter that a tensor is, or shows in another shape.
func (w *frozenLast) parameter(id graph.TensorID) (graph.TensorID, bool) {
	return shown(w.check.History, id, 3, func(t graph.TensorID) bool { return w.check.Tensor(t).Flags&graph.FlagParameter != 0 })
}

// asked reports an autograd.grad() that failed because it was asked for the gradient of a parameter that the
// program has frozen.
func (w *frozenLast) asked() {
	for _, r := range w.check.Raised() {
		if r.CodeName != "no-grad" {
			continue
		}
		var off []graph.TensorID
		for _, t := range r.Tensors {
			if call, frozen := w.frozen[t]; frozen && call.at < r.At && w.check.Tensor(t).Flags&graph.FlagParameter != 0 {
				off = append(off, t)
			}
		}
		if len(off) == 0 {
			continue
		}
		primary, related := switchedOff(w.check.History, w.frozen[off[0]])
		w.check.Report(inspect.Finding{
			Message:  fmt.Sprintf("%s is frozen, and the program asks for its gradient", w.check.Called(off[0])),
			Primary:  primary,
			Related:  append(related, w.check.At(r.At, "its gradient is requested here")),
			Tensors:  names(w.check.History, off...),
			Help:     "leave requires_grad on for what you want to train, or ask only for the gradients of what requires grad",
			Evidence: facts(primary, w.check.At(r.At, "the error says that one of the tensors does not require grad")),
			Severity: severity(w.check.History, r.At),
			At:       r.At,
			Symptom:  r.At,
		})
	}
}

// End reports the passes whose parameters nothing has trained.
func (w *frozenLast) End() {
	w.asked()
	if len(w.check.Steps()) < 2 {
		return
	}
	for _, f := range w.found {
		if slices.ContainsFunc(f.params, func(t graph.TensorID) bool { _, got := w.check.Gains()[t]; return got }) {
			continue
		}
		call, frozen := w.frozen[f.params[0]]
		i := holding(w.check.History, f.params[0])
		says, holds := "%s belongs to the last layer, which keeps its random initial values", "the optimizer holds it"
		if f.bias != 0 {
			var alone bool
			if i, alone = w.alone(f.bias, f.params[0]); !alone {
				continue
			}
			says, holds = "%s of the last layer keeps its random initial values: only the bias is trained", "the optimizer trains only the bias"
		}
		if i < 0 && frozen && w.byPosition(call) {
			i, holds = w.beside(f.params[0]), "the optimizer trains what comes before it"
		}
		if !frozen || i < 0 {
			continue
		}
		made := w.check.Optimizers()[i]
		w.check.Report(inspect.Finding{
			Message: fmt.Sprintf(says, w.check.Called(f.params[0])),
			Primary: w.check.In(call.stack, call.at, "does not require grad from here on"),
			Related: []inspect.Span{
				w.check.In(made.Stack, made.At, holds),
				w.check.At(f.at, "no gradient of this loss reaches it"),
			},
			Tensors: names(w.check.History, f.params...),
			Help:    "freeze what was trained before, by name, and leave the new layers out",
			Evidence: facts(
				w.check.In(call.stack, call.at, "requires_grad is set to False here"),
				w.check.In(made.Stack, made.At, holds),
				fact("it got no gradient, and no values from a file or another tensor"),
			),
			Instead: []inspect.Alternative{not("unused-parameter", "the loss is computed from it")},
			At:      f.at,
			Symptom: -1,
		})
	}
}
