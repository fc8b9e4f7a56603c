package inspect

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gradtui/gradtui/graph"
)

// name is what the program calls a tensor, or its identifier.
func name(g *graph.Graph, id graph.TensorID) string {
	if t, ok := g.Tensor(id); ok && t.Name != "" {
		return t.Name
	}
	return fmt.Sprintf("tensor t%d", id)
}

// described is the name of a tensor and, for a view, that of its base: the
// transposed weight of a layer has no name of its own.
func described(g *graph.Graph, id graph.TensorID) string {
	t, ok := g.Tensor(id)
	if !ok || t.Base == 0 || t.Base == id {
		return name(g, id)
	}
	return name(g, id) + " (a view of " + name(g, t.Base) + ")"
}

// related is the name of a tensor with what it has to do with another one, whose
// memory it shares.
func related(g *graph.Graph, id, to graph.TensorID) string {
	t, _ := g.Tensor(id)
	other, _ := g.Tensor(to)
	switch {
	case id == to || other.Base == id:
		return name(g, id)
	case t.Base == to || t.Base != 0 && t.Base == other.Base:
		return described(g, id)
	}
	return name(g, id) + ", which shares its memory,"
}

// module is " in module 4 (Conv2d)" for what ran in the forward pass of a module, or "".
func module(g *graph.Graph, id graph.ModuleID) string {
	m, ok := g.Module(id)
	switch {
	case !ok:
		return ""
	case m.Path == "":
		return " in module " + m.Type
	}
	return " in module " + m.Path + " (" + m.Type + ")"
}

// mutator is the operator that changed a tensor with the event at p, or "". The
// event of an operator comes after what it did: its nodes, the names that its
// operands got.
func mutator(tape *graph.Tape, p graph.Pos, changed graph.TensorID) string {
	const near = 16 // events
	for q := p + 1; q < min(p+near, tape.Len()); q++ {
		_, e, err := tape.At(q)
		if err != nil {
			return ""
		}
		if op, ok := e.(*graph.OpRan); ok {
			if slices.Contains(op.Mutated, changed) {
				return tape.String(op.Op)
			}
			return ""
		}
	}
	return ""
}

// excerpt is the first line of a message, and not all of a long one.
func excerpt(message string) string {
	const long = 200
	text, _, more := strings.Cut(message, "\n")
	if runes := []rune(text); len(runes) > long {
		text, more = string(runes[:long]), true
	}
	if more {
		text += " …"
	}
	return text
}

// place is where in the program an event came from, "train/main.go:12 in run", or
// "" if that was not recorded.
func place(tape *graph.Tape, p graph.Pos) string {
	if p < 0 {
		return ""
	}
	h, _, err := tape.At(p)
	if err != nil {
		return ""
	}
	stack := tape.Stack(h.Stack)
	if len(stack) == 0 {
		return ""
	}
	f := stack[0]
	file := shortPath(f.File)
	if f.Func != "" {
		return fmt.Sprintf("%s:%d in %s", file, f.Line, f.Func)
	}
	return fmt.Sprintf("%s:%d", file, f.Line)
}

// shortPath is a file as seen from the working directory, if it is below that, or
// else with its directory, which tells the many main.go apart.
func shortPath(path string) string {
	if here := workingDirectory(); here != "" {
		if below, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(below) {
			return below
		}
	}
	dir, file := filepath.Split(path)
	return filepath.Join(filepath.Base(dir), file)
}

var workingDirectory = sync.OnceValue(func() string {
	dir, _ := os.Getwd()
	return dir
})

// line adds a fact and its place, if that is known.
func line(b *strings.Builder, fact string, tape *graph.Tape, p graph.Pos) {
	if at := place(tape, p); at != "" {
		fmt.Fprintf(b, "\n  %s %s", fact, at)
	}
}
