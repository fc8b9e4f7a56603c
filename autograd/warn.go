package autograd

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/gradtui/gradtui/graph"
)

// A Warning is what PyTorch would warn about.
type Warning struct {
	Category string // "UserWarning"
	Text     string
}

// OnWarning receives the warnings. The default prints each text once to standard
// error, as Python does.
var OnWarning = printWarning

var warned sync.Map

func printWarning(w Warning) {
	if _, again := warned.LoadOrStore(w, true); !again {
		fmt.Fprintf(os.Stderr, "%s: %s\n", w.Category, w.Text)
	}
}

func warn(category, text string) {
	if r := recorder; r != nil {
		r.single(func() graph.Event {
			return &graph.Warned{Category: r.batch.String(category), Message: text}
		})
	}
	if OnWarning != nil {
		OnWarning(Warning{category, text})
	}
}

var warnedOnce sync.Map

// warnOnce warns the first time in this process.
func warnOnce(category, text string) {
	if _, again := warnedOnce.LoadOrStore(text, true); !again {
		warn(category, text)
	}
}

// warnForward shows where the op of a node that fails was called, in anomaly
// mode.
func warnForward(n *Node) {
	if n.ext == nil || n.ext.stack == nil {
		warn("UserWarning", "Error detected in "+n.Name()+". No forward pass information available. Enable detect anomaly during forward pass for more information.")
		return
	}
	var b strings.Builder
	for i := len(n.ext.stack) - 1; i >= 0; i-- {
		f := n.ext.stack[i]
		fmt.Fprintf(&b, "  File %q, line %d, in %s\n", f.File, f.Line, f.Func)
	}
	warn("UserWarning", "Error detected in "+n.Name()+". Traceback of forward call that caused the error:\n"+b.String())
}
