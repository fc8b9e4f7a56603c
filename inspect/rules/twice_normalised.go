package rules

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// This file has the two rules about a loss that applies an activation itself and is given the
// result of that very activation.

var softmaxBeforeCrossEntropy = inspect.Rule{
	Code:     "softmax-before-cross-entropy",
	Severity: inspect.SeverityWarning,
	Title:    "A loss that applies log-softmax itself is given probabilities.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &twiceNormalised{
			noted:       noted{check: check},
			losses:      map[string]bool{"cross_entropy_loss": true, "log_softmax": true, "_log_softmax": true},
			activations: map[string]bool{"softmax": true, "_softmax": true},
			reported:    map[graph.StackID]bool{},
			says:        "%s holds probabilities already: a softmax is applied to them again",
			help:        "give the loss the result of the last layer, without a softmax; use the softmax where probabilities are shown",
		}
	},
}

var sigmoidBeforeBCEWithLogits = inspect.Rule{
	Code:     "sigmoid-before-bce-with-logits",
	Severity: inspect.SeverityWarning,
	Title:    "A loss that applies the sigmoid itself is given probabilities.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &twiceNormalised{
			noted:       noted{check: check},
			losses:      map[string]bool{"binary_cross_entropy_with_logits": true},
			activations: map[string]bool{"sigmoid": true},
			reported:    map[graph.StackID]bool{},
			says:        "%s holds probabilities already: the sigmoid is applied to them again",
			help:        "give the loss the result of the last layer, without a sigmoid, or use binary_cross_entropy",
		}
	},
}

// twiceNormalised looks at what losses are given.
type twiceNormalised struct {
	noted
	losses, activations map[string]bool
	reported            map[graph.StackID]bool // the losses that were reported
	says, help          string
	classes             []string // for each finding, the class of the module that makes probabilities; "": none does
}

// Event looks at a loss.
func (w *twiceNormalised) Event(p graph.Pos, head graph.Header, e graph.Event) {
	ran, ok := e.(*graph.OpRan)
	if !ok || w.reported[head.Stack] || len(ran.Inputs) == 0 {
		return
	}
	// A log-softmax without a gradient need not be a part of a loss: the loss after it says so.
	name, in := w.check.Tape().String(ran.Op), ran.Inputs[0]
	if op := w.check.Maker(in); ran.Node == 0 && strings.HasPrefix(name, "nll_loss") && op != nil && op.Stack == head.Stack && len(op.Inputs) > 0 {
		name, in = op.Name, op.Inputs[0]
	} else if ran.Node == 0 && !strings.Contains(name, "cross_entropy") {
		return
	}
	if !w.losses[name] {
		return
	}
	by := w.made(in)
	if by == nil || by.Stack == head.Stack { // one function of a library has done both
		return
	}
	w.reported[head.Stack] = true
	node, _ := w.check.Graph().Node(by.Node)
	module, _ := w.check.Graph().Module(node.Module)
	w.classes = append(w.classes, module.Type)
	w.found = append(w.found, inspect.Finding{
		Message: fmt.Sprintf(w.says, w.check.Called(in)),
		Primary: w.check.In(by.Stack, by.At, "makes probabilities"),
		Related: []inspect.Span{w.check.In(head.Stack, p, "takes what is not normalised yet")},
		Tensors: names(w.check.History, in),
		Help:    w.help,
		Evidence: facts(
			w.check.In(by.Stack, by.At, fmt.Sprintf("%s computes them", by.Name)),
			w.check.In(head.Stack, p, fmt.Sprintf("%s normalises what it is given, and nothing but the shape changed between", name)),
		),
		At:      p,
		Symptom: -1,
	})
}

// End reports what was found. A module that is made as a part of another one is called by a library: the line
// to change is where it is made.
func (w *twiceNormalised) End() {
	for i, f := range w.found {
		if made, ok := w.part(w.classes[i]); ok {
			f.Primary, f.Related = made, append([]inspect.Span{f.Primary}, f.Related...)
		}
		w.check.Report(f)
	}
}

// part returns the only line that makes an activation of a class, if the line does not name it.
func (w *twiceNormalised) part(class string) (inspect.Span, bool) {
	if class != "Softmax" && class != "Sigmoid" {
		return inspect.Span{}, false
	}
	lines := constructions(w.check.History, regexp.MustCompile(`\b`+class+`\(`), "this module makes probabilities")
	if len(lines) != 1 {
		return inspect.Span{}, false
	}
	named := regexp.MustCompile(`^\s*[\w.]+\s*(?::[^=]*)?=\s*[\w.]*\b` + class + `\(|^\s*class\b`)
	return lines[0], !named.MatchString(w.check.LineText(lines[0].File, lines[0].Line))
}

// made returns the activation that a tensor is the result of, perhaps in another shape; nil:
// it is not.
func (w *twiceNormalised) made(id graph.TensorID) *inspect.Op {
	normalised, ok := shown(w.check.History, id, 4, func(t graph.TensorID) bool {
		op := w.check.Maker(t)
		return op != nil && w.activations[op.Name]
	})
	if !ok {
		return nil
	}
	return w.check.Maker(normalised)
}
