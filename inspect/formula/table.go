package formula

import (
	_ "embed"
	"fmt"
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
