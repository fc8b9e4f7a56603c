// Package phrase holds the sentences that stories, lists of events and comparisons share.
package phrase

import (
	"fmt"
	"math"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// A Namer returns the program's name for a tensor, "" if it has none.
type Namer func(graph.TensorID) string

// Numbered returns a tensor's name and number: "loss (t16)".
func (n Namer) Numbered(id graph.TensorID) string {
	if name := n(id); name != "" {
		return fmt.Sprintf("%s (t%d)", name, id)
	}
	return fmt.Sprintf("t%d", id)
}

func (n Namer) list(ids []graph.TensorID) string {
	var names []string
	for _, id := range ids {
		if id != 0 {
			names = append(names, n.Numbered(id))
		}
	}
	const many = 4
	if len(names) > many {
		names = append(names[:many], "…")
	}
	return strings.Join(names, ", ")
}

// MadeBy says which operation made a tensor.
func (n Namer) MadeBy(op string, inputs []graph.TensorID) string {
	if list := n.list(inputs); list != "" {
		return fmt.Sprintf("by %s of %s", op, list)
	}
	return "by " + op
}

// Origin says where a tensor came from if no operation made it.
func Origin(f graph.TensorFlags) string {
	switch {
	case f&graph.FlagGradient != 0:
		return "by a backward pass, as a gradient"
	case f&graph.FlagExisting != 0:
		return "before the recording began"
	case f&graph.FlagParameter != 0:
		return "as a Parameter"
	}
	return "by the program"
}

// UsedBy says which operation read a tensor.
func (n Namer) UsedBy(op string, outputs []graph.TensorID, read graph.TensorID) string {
	if len(outputs) > 0 && outputs[0] != read {
		return fmt.Sprintf("by %s, which made %s", op, n.Numbered(outputs[0]))
	}
	return "by " + op
}

// Through says through which tensor another one's memory was changed.
func (n Namer) Through(changed, id graph.TensorID) string {
	if changed == id {
		return ""
	}
	return " through " + n.Numbered(changed)
}

// CutFrom says where values without a history come from.
func (n Namer) CutFrom(from graph.TensorID, why graph.CutReason) string {
	return fmt.Sprintf("its values come from %s without their history (%s)", n.Numbered(from), why)
}

// SavedBy says which node saved a tensor.
func SavedBy(name string, node graph.NodeID, slot string, version uint32) string {
	return fmt.Sprintf("by %s (n%d) as %s, at version %d", name, node, slot, version)
}

// Brought says what a backward pass added to a .grad.
func Brought(pass graph.BackwardID, added, after graph.Value) string {
	return fmt.Sprintf("backward pass %d brought %s; .grad became %s", pass, Contents(added), Contents(after))
}

// RootOf says that a backward pass began at a tensor.
func RootOf(pass graph.BackwardID) string { return fmt.Sprintf("backward pass %d began here", pass) }

// ScopedName returns a name with the function, class or module that it belongs to.
func ScopedName(scope, name string) string {
	if scope == "" {
		return name
	}
	return scope + "." + name
}

// Contents describes a value: its norm if it is known.
func Contents(v graph.Value) string {
	switch {
	case !v.Known():
		return "unknown values"
	case !v.Finite():
		return fmt.Sprintf("%d NaN and %d infinite values", v.NaN, v.Inf)
	case v.Min == 0 && v.Max == 0:
		return "all zero"
	case v.Count == 1 && v.Mean == math.Trunc(v.Mean) && math.Abs(v.Mean) < 1e15:
		return fmt.Sprintf("%.0f", v.Mean)
	case v.Count == 1:
		return fmt.Sprintf("%.4g", v.Mean)
	case v.Whole():
		return fmt.Sprintf("norm %.4g", v.Norm)
	case v.Measured:
		return fmt.Sprintf("norm %.4g, mean %.4g in [%.4g, %.4g]", v.Norm, v.Mean, v.Min, v.Max)
	}
	return fmt.Sprintf("mean %.4g in [%.4g, %.4g]", v.Mean, v.Min, v.Max)
}

// Count writes a number and the word for it. Without a second word the plural ends in s.
func Count(n int, words ...string) string {
	word := words[0]
	if n != 1 {
		if len(words) > 1 {
			word = words[1]
		} else {
			word += "s"
		}
	}
	return fmt.Sprintf("%d %s", n, word)
}
