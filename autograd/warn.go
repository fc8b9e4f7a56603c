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

// OnWarning receives the warnings; nil drops them. The default prints each text
// once to standard error, as Python does.
var OnWarning = printWarning

var printed, warned sync.Map // warnings that have been issued

func printWarning(w Warning) {
	if _, again := printed.LoadOrStore(w, true); !again {
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

var warnAlways bool

// SetWarnAlways makes warnings that normally come once come every time, as
// torch.set_warn_always.
func SetWarnAlways(on bool) { warnAlways = on }

// warnOnce warns the first time in this process.
func warnOnce(category, text string) {
	if _, again := warned.LoadOrStore(text, true); !again || warnAlways {
		warn(category, text)
	}
}

// warnForward shows where the op of a node that fails was called, in anomaly
// mode, and if that was in a backward pass, what led there.
func warnForward(n *Node) {
	from := n.origin()
	if from == nil {
		warn("UserWarning", "Error detected in "+n.Name()+". No forward pass information available. Enable detect anomaly during forward pass for more information.")
		return
	}
	warn("UserWarning", "Error detected in "+n.Name()+". Traceback of forward call that caused the error:\n"+traceback(from.stack))
	for n = from.parent; n != nil; n = n.origin().parent {
		if from = n.origin(); from == nil {
			return
		}
		warn("UserWarning", "\n\nPrevious calculation was induced by "+n.Name()+". Traceback of forward call that induced the previous calculation:\n"+traceback(from.stack))
	}
}

func (n *Node) origin() *origin {
	if n.ext == nil {
		return nil
	}
	return n.ext.origin
}

// traceback prints a call stack as Python does, outermost call first.
func traceback(s graph.Stack) string {
	var b strings.Builder
	for i := len(s) - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "  File \"%s\", line %d, in %s\n", s[i].File, s[i].Line, s[i].Func)
		if line := strings.TrimSpace(sourceLine(s[i].File, s[i].Line)); line != "" {
			b.WriteString("    " + line + "\n")
		}
	}
	return b.String()
}

// sourceLine is a line of a source file, or nothing.
func sourceLine(file string, line int) string {
	lines, ok := sources.Load(file)
	if !ok {
		text, _ := os.ReadFile(file)
		lines, _ = sources.LoadOrStore(file, strings.Split(string(text), "\n"))
	}
	if list := lines.([]string); line >= 1 && line <= len(list) {
		return list[line-1]
	}
	return ""
}

var sources sync.Map // file name -> its lines
