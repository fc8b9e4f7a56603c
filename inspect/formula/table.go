package formula

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
	"sync"
)

//go:embed derivatives.txt
var derivatives string

// A node is what the table says about nodes of a name.
type node struct {
	inputs []string // in the order of next_functions; a * ends the name of a list
	rows   []row
}

// A row is the gradient of an input under a condition.
type row struct {
	input string
	when  []fact
	text  string
}

// A fact is what must hold of a call: the value of an argument, whether it is given, or whether a tensor has
// dimensions, under the name dim(self).
type fact struct{ name, value string }

var table = sync.OnceValue(func() map[string]*node {
	nodes := map[string]*node{}
	doubtful := map[string]bool{}
	var current *node
	for line := range strings.Lines(derivatives) {
		line = strings.TrimSuffix(line, "\n")
		fields, indented := strings.CutPrefix(line, "\t")
		if !indented {
			words := strings.Fields(line)
			current = &node{inputs: words[1:]}
			doubtful[words[0]] = nodes[words[0]] != nil
			nodes[words[0]] = current
			continue
		}
		input, rest, _ := strings.Cut(fields, " [")
		when, text, ok := strings.Cut(rest, "] ")
		if !ok {
			panic(fmt.Sprintf("formula: line %q", line))
		}
		r := row{input: input, text: text}
		for _, f := range strings.Fields(when) {
			name, value, _ := strings.Cut(f, "=")
			r.when = append(r.when, fact{name, value})
		}
		current.rows = append(current.rows, r)
	}
	for name, several := range doubtful {
		if several { // operators with nodes of one name
			delete(nodes, name)
		}
	}
	return nodes
})

// Class returns which kind of number an argument is, for operators that have several formulas: of the order of a norm, or
// of an index that may be absent. It is empty for other arguments.
func Class(name string, value *Expr) string {
	x, ok := value.Number()
	switch {
	case name != "ord" && name != "p" && name != "padding_idx":
		return ""
	case !ok || name == "padding_idx" && x < 0:
		return "none"
	case name == "padding_idx":
		return "given"
	case x == 0, x == 1, x == 2, math.IsInf(x, 0):
		return Number(x).Leaf
	case x < 1:
		return "<1"
	case x < 2:
		return "1..2"
	}
	return ">2"
}

// Meant returns the value of an argument, or what None stands for if that does not depend on other arguments.
func Meant(name string, value *Expr) *Expr {
	if name == "correction" && value.Leaf == "None" {
		return Number(1)
	}
	return value
}
