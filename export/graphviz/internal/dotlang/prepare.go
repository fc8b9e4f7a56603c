package dotlang

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// EmptyLabel stands in a prepared text for a node label that is the empty
// string. go-graphviz gives nodes without a label their name as soon as it has
// parsed a text, the explicitly empty ones included; whoever runs it turns
// EmptyLabel back into "" afterwards.
const EmptyLabel = "\uFFFDempty\uFFFD"

const quotedEmpty = `"` + EmptyLabel + `"`

// generic maps the generic font families, in lower case, to fonts whose
// metrics are built into Graphviz. It would measure the generic names with
// Times, which makes the boxes of monospaced text a fifth too narrow.
var generic = map[string]string{
	"monospace":  "Courier",
	"serif":      "Times-Roman",
	"sans-serif": "Helvetica",
	"sans":       "Helvetica",
}

// Prepared is a text that is ready for the embedded Graphviz.
type Prepared struct {
	Text []byte
	// EmptyLabels says that Text contains EmptyLabel.
	EmptyLabels bool
}

// Prepare checks what Graphviz does not check by itself (NUL bytes end its
// input early, text behind the graph is ignored) and makes the repairs that
// the embedded Graphviz needs: generic font families become fonts that it can
// measure, empty node labels become EmptyLabel, and bytes that are not UTF-8
// become U+FFFD. Everything else, comments included, stays byte for byte, so
// line numbers in Graphviz's messages hold for the original.
//
// The error is a *SyntaxError. Most syntax errors are left for Graphviz to
// find.
func Prepare(dot []byte) (Prepared, error) {
	if i := bytes.IndexByte(dot, 0); i >= 0 {
		line := 1 + bytes.Count(dot[:i], []byte("\n"))
		return Prepared{}, &SyntaxError{line, "DOT text contains a NUL byte"}
	}
	if !utf8.Valid(dot) {
		dot = bytes.ToValidUTF8(dot, []byte("\uFFFD"))
	}
	p := preparer{lexer: newLexer(dot)}
	if err := p.run(); err != nil {
		return Prepared{}, err
	}
	return Prepared{
		Text:        p.text(),
		EmptyLabels: slices.ContainsFunc(p.edits, func(e edit) bool { return e.with == quotedEmpty }),
	}, nil
}

// edit replaces src[start:end].
type edit struct {
	start, end int
	with       string
}

// preparer walks over the statements of a text and collects edits. It knows
// just enough grammar to say whom an attribute belongs to.
type preparer struct {
	*lexer
	edits []edit

	depth  int  // open braces
	inList bool // between [ and ]
	owner  byte // of the statement: 'g'raph, 'n'ode or 'e'dge
}

func (p *preparer) run() error {
	var before [2]token // the last two, for NAME = VALUE
	for {
		t, err := p.next()
		if err != nil {
			return err
		}
		if t.kind == endOfText {
			break
		}
		if before[1].kind == '}' && p.depth == 0 {
			return p.errorf(t.line, "text after the end of the graph")
		}
		if err := p.step(before[1], t); err != nil {
			return err
		}
		if t.isID() && before[1].kind == '=' && before[0].isID() {
			p.attribute(before[0], t)
		}
		before[0], before[1] = before[1], t
	}
	switch {
	case before[1].kind == endOfText:
		return p.errorf(1, "DOT text contains no graph")
	case p.depth > 0:
		return p.errorf(p.line, "graph is not closed: %d more %q expected", p.depth, '}')
	}
	return nil
}

// step follows the nesting and finds the owner of the attributes to come. A
// statement needs no semicolon, so prev, the token before t, has a say.
func (p *preparer) step(prev, t token) error {
	if !p.inList && (prev.kind == ']' && t.kind != '[' || prev.isID() && t.isID()) {
		p.owner = 'n'
	}
	switch t.kind {
	case '{', ';':
		p.owner = 'n'
		if t.kind == '{' {
			p.depth++
		}
	case '}':
		p.owner = 'n'
		if p.depth--; p.depth < 0 {
			return p.errorf(t.line, "%q without %q", '}', '{')
		}
	case '[':
		p.inList = true
	case ']':
		p.inList = false
	case edgeOp:
		p.owner = 'e'
	case '+':
		// "" + "x" is not the empty string.
		if n := len(p.edits); n > 0 && p.edits[n-1].end == prev.end {
			p.edits = p.edits[:n-1]
		}
	case bareID:
		if !p.inList {
			p.keyword(p.value(t))
		}
	}
	return nil
}

func (p *preparer) keyword(word string) {
	switch strings.ToLower(word) {
	case "graph", "digraph", "subgraph":
		p.owner = 'g'
	case "node":
		p.owner = 'n'
	case "edge":
		p.owner = 'e'
	}
}

func (p *preparer) attribute(name, value token) {
	switch key := p.value(name); {
	case key == "fontname" && value.kind != htmlID:
		if font, ok := generic[strings.ToLower(p.value(value))]; ok {
			p.edits = append(p.edits, edit{value.start, value.end, `"` + font + `"`})
		}
	case key == "label" && value.kind == quotedID && value.end-value.start == 2:
		if p.owner == 'n' && p.inList {
			p.edits = append(p.edits, edit{value.start, value.end, quotedEmpty})
		}
	}
}

func (p *preparer) text() []byte {
	if len(p.edits) == 0 {
		return p.src
	}
	out := slices.Grow([]byte(nil), len(p.src)+16*len(p.edits))
	at := 0
	for _, e := range p.edits {
		out = append(out, p.src[at:e.start]...)
		out = append(out, e.with...)
		at = e.end
	}
	return append(out, p.src[at:]...)
}
