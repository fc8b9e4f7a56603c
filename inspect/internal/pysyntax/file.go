// Package pysyntax reads Python source code into statements and expressions that know where they stand
// in the text, so that a part of it can be replaced. It knows as much of the grammar as that needs: a
// statement that it does not understand has no expressions, and a text that has none is an error.
//
// Begin with [Read].
package pysyntax

import (
	"strings"
)

// A File is a source file.
type File struct {
	Text  string
	All   []*Stmt // in their order, headers of blocks before their blocks
	lines []int   // where each line begins
}

// A Stmt is a simple statement, or the header of a block.
type Stmt struct {
	Start, End int    // bytes of the text, with the colon of a header, without a comment
	Keyword    string // def, class, for, return, import; "" for expressions and assignments
	Indent     string // of its line
	First      bool   // it begins its line
	Last       bool   // nothing follows it on its line
	Parent     *Stmt  // the header of the block that it is in; nil: none
	// Understood says that the rest is known.
	Understood bool
	Name       string  // of a function or class
	Params     []Param // of a function
	Targets    []*Expr // of an assignment, a loop, a with statement
	Op         string  // of an assignment: "=", "+="; "": there is none
	Annotated  bool    // the assignment has a type
	Value      *Expr   // of an assignment, an expression, return; what a loop goes through
}

// A Param is a parameter of a function.
type Param struct{ Name string }

// mostText bounds the text that is read, in bytes.
const mostText = 4 << 20

// Read reads a source file whose lines end with \n or \r\n.
func Read(src string) (*File, error) {
	if len(src) > mostText {
		return nil, errTokens
	}
	all, err := tokens(src)
	if err != nil {
		return nil, err
	}
	f := &File{Text: src, lines: []int{0}}
	for i := range len(src) {
		if src[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	r := reader{file: f}
	for len(all) > 0 {
		n := 0
		for all[n].kind != endOfLine {
			n++
		}
		r.line(all[:n])
		all = all[n+1:]
	}
	return f, nil
}

// Offset returns where a line and a column, both from 1, are in the text; -1 if there is no such place.
func (f *File) Offset(line, col int) int {
	if line < 1 || line > len(f.lines) || col < 1 {
		return -1
	}
	if at := f.lines[line-1] + col - 1; at <= len(f.Text) && (line == len(f.lines) || at < f.lines[line]) {
		return at
	}
	return -1
}

// Place returns the line and the column of a byte of the text, both from 1.
func (f *File) Place(at int) (line, col int) {
	lo, hi := 0, len(f.lines)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; f.lines[mid] <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + 1, at - f.lines[lo] + 1
}

// On returns the statements that have a part on a line.
func (f *File) On(line int) (on []*Stmt) {
	for _, s := range f.All {
		first, _ := f.Place(s.Start)
		last, _ := f.Place(s.End)
		if first <= line && line <= last {
			on = append(on, s)
		}
	}
	return on
}

// Around returns the header with one of some keywords that a statement is in; nil if there is none.
func (s *Stmt) Around(words ...string) *Stmt {
	for p := s.Parent; p != nil; p = p.Parent {
		for _, w := range words {
			if p.Keyword == w {
				return p
			}
		}
	}
	return nil
}

// In reports whether a statement is in the block of a header, at any depth.
func (s *Stmt) In(header *Stmt) bool {
	for p := s.Parent; p != nil; p = p.Parent {
		if p == header {
			return true
		}
	}
	return false
}

// Each visits the expressions of a statement.
func (s *Stmt) Each(visit func(*Expr)) {
	for _, t := range s.Targets {
		t.Each(visit)
	}
	s.Value.Each(visit)
}

// A reader makes statements of logical lines.
type reader struct {
	file   *File
	blocks []*Stmt // that are open
	widths []int   // of their indentations
}

// width is the width of an indentation as Python counts it.
func width(indent string) (n int) {
	for _, c := range indent {
		switch c {
		case '\t':
			n = (n/8 + 1) * 8
		case '\f':
			n = 0
		default:
			n++
		}
	}
	return n
}

// headers begin statements that end with a colon.
var headers = map[string]bool{
	"def": true, "class": true, "for": true, "while": true, "if": true, "elif": true, "else": true, "try": true, "except": true,
	"finally": true, "with": true, "async": true,
}

// simple begin statements that are no expressions.
var simple = map[string]bool{
	"return": true, "import": true, "from": true, "pass": true, "break": true, "continue": true, "del": true, "raise": true,
	"assert": true, "global": true, "nonlocal": true,
}

// line reads a logical line.
func (r *reader) line(all []token) {
	start := all[0].start
	_, col := r.file.Place(start)
	indent := r.file.Text[start-col+1 : start]
	own := width(indent)
	for n := len(r.blocks); n > 0 && r.widths[n-1] >= own; n-- {
		r.blocks, r.widths = r.blocks[:n-1], r.widths[:n-1]
	}
	var parent *Stmt
	if n := len(r.blocks); n > 0 {
		parent = r.blocks[n-1]
	}
	first := true
	if headers[all[0].is] && all[0].kind == name || softHeader(all) {
		n := colon(all)
		if n < 0 {
			n = len(all) - 1
		}
		header := r.statement(all[:n+1], parent, indent, true)
		header.Last = n+1 == len(all)
		r.blocks, r.widths = append(r.blocks, header), append(r.widths, own)
		all, parent, first = all[n+1:], header, false
	}
	for len(all) > 0 {
		n, depth := 0, 0
		for n < len(all) && (depth > 0 || all[n].is != ";") {
			switch all[n].is {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
			n++
		}
		if n > 0 {
			s := r.statement(all[:n], parent, indent, first)
			s.Last = n == len(all)
		}
		first = false
		all = all[min(n+1, len(all)):]
	}
}

// softHeader reports whether a line is the header of a match or a case.
func softHeader(all []token) bool {
	word := all[0].is
	return (word == "match" || word == "case") && len(all) > 2 && all[len(all)-1].is == ":" && (all[1].kind != operator || all[1].is != "=")
}

// colon finds the colon that ends a header.
func colon(all []token) int {
	depth, lambdas := 0, 0
	for i, t := range all {
		switch {
		case t.kind == text || t.kind == number:
		case t.is == "(" || t.is == "[" || t.is == "{":
			depth++
		case t.is == ")" || t.is == "]" || t.is == "}":
			depth--
		case t.is == "lambda" && depth == 0:
			lambdas++
		case t.is == ":" && depth == 0 && lambdas > 0:
			lambdas--
		case t.is == ":" && depth == 0:
			return i
		}
	}
	return -1
}

// statement reads one statement.
func (r *reader) statement(all []token, parent *Stmt, indent string, first bool) *Stmt {
	s := &Stmt{Start: all[0].start, End: all[len(all)-1].end, Indent: indent, First: first, Parent: parent}
	r.file.All = append(r.file.All, s)
	if all[0].is == "async" && all[0].kind == name && len(all) > 1 {
		all = all[1:]
	}
	p := &parser{src: r.file.Text, all: all}
	if word := all[0].is; all[0].kind == name && (headers[word] || simple[word]) || softHeader(all) {
		s.Keyword = word
		p.at++
		p.keyword(s)
	} else {
		p.assignment(s)
	}
	s.Understood = !p.wrong && p.at == len(p.all)
	if !s.Understood {
		s.Targets, s.Op, s.Value, s.Params = nil, "", nil, nil
	}
	return s
}

// keyword reads what follows the keyword of a statement, as far as it is of use.
func (p *parser) keyword(s *Stmt) {
	switch s.Keyword {
	case "return":
		if p.peek().kind != endOfLine {
			s.Value = p.list()
		}
	case "if", "elif", "while":
		s.Value = p.expression()
		p.expect(":")
	case "for":
		start := p.peek().start
		p.targets()
		s.Targets = []*Expr{{Start: start, End: p.end()}}
		if target := (&parser{src: p.src, all: p.all[1:p.at]}); true {
			t := target.list()
			if !target.wrong && target.at == len(target.all) {
				s.Targets[0] = t
			}
		}
		p.expect("in")
		s.Value = p.list()
		p.expect(":")
	case "with":
		for first := true; first || p.take(","); first = false {
			e := p.expression()
			s.Targets = append(s.Targets, e)
			if p.take("as") {
				p.primary()
			}
		}
		p.expect(":")
	case "def":
		p.function(s)
	case "class":
		s.Name = p.peek().is
		p.at = len(p.all)
	default:
		p.at = len(p.all)
	}
}

func (p *parser) function(s *Stmt) {
	s.Name = p.peek().is
	p.at++
	for p.peek().kind != endOfLine && !p.is("(") {
		p.at++ // parameters of types
	}
	p.expect("(")
	depth := 0
	expected := true // a name of a parameter may come
	for ; p.peek().kind != endOfLine; p.at++ {
		t := p.peek()
		switch {
		case t.kind == name && depth == 0 && expected:
			s.Params = append(s.Params, Param{t.is})
			expected = false
		case t.is == "(" || t.is == "[" || t.is == "{":
			depth++
		case (t.is == ")" || t.is == "]" || t.is == "}") && depth == 0:
			p.at = len(p.all)
			return
		case t.is == ")" || t.is == "]" || t.is == "}":
			depth--
		case t.is == "," && depth == 0:
			expected = true
		}
	}
	p.wrong = true
}

// assignments are operators of statements.
var assignments = []string{"=", "+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**="}

func (p *parser) assignment(s *Stmt) {
	e := p.list()
	if p.take(":") { // an annotation
		s.Annotated = true
		p.expression()
		if p.peek().kind == endOfLine {
			s.Targets = []*Expr{e}
			return
		}
	}
	if !p.is(assignments...) {
		s.Value = e
		return
	}
	s.Op = p.peek().is
	for p.is(assignments...) && !p.wrong {
		p.at++
		s.Targets = append(s.Targets, e)
		e = p.list()
	}
	s.Value = e
}

// String describes the statement for messages of tests.
func (s *Stmt) String() string { return strings.TrimSpace(s.Keyword + " " + s.Op) }
