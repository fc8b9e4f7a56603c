package find

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// A Prefix of a query selects the kind of thing to search for.
type Prefix struct {
	Text  string
	About string
	kinds []Kind
}

// Prefixes lists the prefixes. A prefix alone finds everything of its kind.
var Prefixes = []Prefix{
	{"t:", "tensors, by name or number", []Kind{Tensor}},
	{"n:", "nodes, by name or number", []Kind{Node}},
	{"f:", "files, lines (train.py:12) and functions", []Kind{File, Function}},
	{"!", "findings", []Kind{Finding}},
	{"@", "events, by number", []Kind{Position}},
}

// A query is a search text, taken apart.
type query struct {
	pattern string // without spaces
	kinds   [kindLimit]bool
	all     bool // without a pattern everything of these kinds is found

	number int // the number of a tensor, node or event; -1: none
	what   Kind
	line   string // the number of a line, or its beginning
	file   string // pattern for the file of the line; "": no line
}

var (
	numbered = regexp.MustCompile(`^([tn]?)([0-9]{1,9})$`)
	lined    = regexp.MustCompile(`^(.+):([0-9]{0,9})$`)
)

// numberKinds are the kinds that the letter before a number stands for.
var numberKinds = map[string]Kind{"t": Tensor, "n": Node}

func parse(text string) query {
	text = printable(text)
	q := query{number: -1}
	prefixed := false
	for _, p := range Prefixes {
		if rest, ok := strings.CutPrefix(text, p.Text); ok {
			text, prefixed = rest, true
			for _, k := range p.kinds {
				q.kinds[k] = true
			}
			break
		}
	}
	if !prefixed {
		for k := range q.kinds {
			q.kinds[k] = true
		}
	}
	q.pattern = strings.ReplaceAll(text, " ", "")
	q.all = prefixed && q.pattern == ""
	q.readNumber(prefixed)
	if m := lined.FindStringSubmatch(q.pattern); m != nil && q.kinds[File] {
		q.file, q.line = m[1], m[2]
	}
	return q
}

// readNumber finds the number of a tensor, a node or an event. A bare number needs a
// prefix that says what it counts.
func (q *query) readNumber(prefixed bool) {
	m := numbered.FindStringSubmatch(q.pattern)
	if m == nil {
		return
	}
	kind, ok := numberKinds[m[1]]
	if m[1] == "" {
		for _, k := range []Kind{Tensor, Node, Position} {
			if prefixed && q.kinds[k] {
				kind, ok = k, true
			}
		}
	}
	if !ok || !q.kinds[kind] {
		return
	}
	q.what = kind
	q.number, _ = strconv.Atoi(m[2])
}

// made returns the event that made the tensor or node with a number, or the event itself;
// ok is false if it does not exist.
func (x *Index) made(kind Kind, number int) (at graph.Pos, ok bool) {
	list := &x.tensors
	switch kind {
	case Position:
		return graph.Pos(number), graph.Pos(number) < x.pos
	case Node:
		list = &x.nodes
	}
	if number <= 0 || number >= list.Len() {
		return 0, false
	}
	x.pages.Lock()
	defer x.pages.Unlock()
	return graph.Pos(*list.At(number)) - 1, true
}
