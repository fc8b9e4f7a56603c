package autograd

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/gradtui/gradtui/graph"
)

// A Warning is a warning that PyTorch would issue.
type Warning struct {
	Category string // for example "UserWarning"
	Text     string
	Origin   string // file and line of PyTorch's C++ code that warns; empty for Python code
	Inside   bool   // Python shows a line of PyTorch's own code, not of the caller
}

// OnWarning receives warnings; nil drops them. By default each text is printed
// once to standard error, as Python does.
var OnWarning = printWarning

var printed, warned sync.Map // warnings that have been issued

func printWarning(w Warning) {
	if _, again := printed.LoadOrStore(w, true); !again {
		fmt.Fprintf(os.Stderr, "%s: %s\n", w.Category, w.Text)
	}
}

func warn(category, text string) { Warning{Category: category, Text: text}.issue() }

// warnFrom warns like PyTorch's C++ code at a source location.
func warnFrom(origin, text string) {
	Warning{Category: "UserWarning", Text: text, Origin: origin, Inside: calledInside[origin]}.issue()
}

// calledInside holds the places in C++ that PyTorch's own Python functions
// call. For them, Python shows a line of PyTorch's code.
var calledInside = map[string]bool{
	"./torch/csrc/autograd/engine.cpp:1260":              true, // Tensor.backward
	anomalyOrigin + "100":                                true,
	anomalyOrigin + "122":                                true,
	anomalyOrigin + "129":                                true,
	"./aten/src/ATen/native/BatchLinearAlgebra.cpp:2053": true, // torch.lu
	"./aten/src/ATen/native/LinearAlgebra.cpp:1107":      true, // torch.chain_matmul
	"./aten/src/ATen/native/TensorShape.cpp:3637":        true, // torch.meshgrid
}

const anomalyOrigin = "./torch/csrc/autograd/python_anomaly_mode.cpp:"

// warnInside warns like PyTorch's Python code, on a line of its own.
func warnInside(text string) {
	Warning{Category: "UserWarning", Text: text, Inside: true}.issue()
}

func (w Warning) issue() {
	if r := recorder; r != nil {
		r.single(func() graph.Event {
			return &graph.Warned{Category: r.batch.String(w.Category), Message: w.Text}
		})
		defer r.outside()()
	}
	if OnWarning != nil {
		OnWarning(w)
	}
}

var warnAlways bool

// SetWarnAlways sets whether warnings that are normally issued once are issued
// every time, as torch.set_warn_always does.
func SetWarnAlways(on bool) { warnAlways = on }

// warnOnce is warnFrom for the first time in this process.
func warnOnce(origin, text string) { warnOnceOf(text, origin, text) }

// warnOnceOf is warnOnce for a group of warnings of which only the first is
// issued.
func warnOnceOf(group, origin, text string) {
	if _, again := warned.LoadOrStore(group, true); !again || warnAlways {
		warnFrom(origin, text)
	}
}

// warnForward shows, in anomaly mode, where the op of a failing node was
// called. If that was in a backward pass, it also shows what led there.
func warnForward(n *Node) {
	from := n.origin()
	if from == nil {
		warnFrom(anomalyOrigin+"100", "Error detected in "+n.Name()+". No forward pass information available. Enable detect anomaly during forward pass for more information.")
		return
	}
	warnFrom(anomalyOrigin+"122", "Error detected in "+n.Name()+". Traceback of forward call that caused the error:\n"+traceback(from.stack))
	for n = from.parent; n != nil; n = n.origin().parent {
		if from = n.origin(); from == nil {
			return
		}
		warnFrom(anomalyOrigin+"129", "\n\nPrevious calculation was induced by "+n.Name()+". Traceback of forward call that induced the previous calculation:\n"+traceback(from.stack))
	}
}

func (n *Node) origin() *origin {
	if n.ext == nil {
		return nil
	}
	return n.ext.origin
}

// traceback formats a call stack as Python does, outermost call first.
func traceback(s graph.Stack) string {
	var b strings.Builder
	for i := len(s) - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "  File \"%s\", line %d, in %s\n", s[i].File, s[i].Line, s[i].Func)
	}
	return b.String()
}
