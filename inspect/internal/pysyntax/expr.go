package pysyntax

import "slices"

// A Form says what an expression is.
type Form uint8

// The forms.
const (
	Other         Form = iota // lambda, slice, await, yield, a set, a dict
	Name                      // Text
	Number                    // Text
	String                    // Text, with its prefix and quotes; several in a row are one
	Call                      // X(Args...)
	Attribute                 // X.Text
	Subscript                 // X[Args...]
	Unary                     // Text X
	Binary                    // X Text Y; also comparisons, and, or
	Paren                     // (X)
	List                      // [Args...]
	Tuple                     // Args..., without the parentheses around it
	Choice                    // X if Y else …
	Comprehension             // … for …, without brackets; in a list with them
)

// An Expr is an expression and where it stands.
type Expr struct {
	Form       Form
	Start, End int // bytes of the text
	Text       string
	X, Y       *Expr
	Args       []Arg
	children   []*Expr // of Other and Comprehension, and the last part of Choice
}

// An Arg is an argument of a call, an index, or an element of a list.
type Arg struct {
	Name  string // of a keyword; * and ** for what is unpacked
	Start int    // of the name
	Value *Expr
}

// Each visits an expression and its parts, outermost first.
func (e *Expr) Each(visit func(*Expr)) {
	if e == nil {
		return
	}
	visit(e)
	e.X.Each(visit)
	e.Y.Each(visit)
	for _, a := range e.Args {
		a.Value.Each(visit)
	}
	for _, c := range e.children {
		c.Each(visit)
	}
}

// Bare is the expression without parentheses around it.
func (e *Expr) Bare() *Expr {
	for e != nil && e.Form == Paren {
		e = e.X
	}
	return e
}

// Method returns what a call calls a method of, and the method's name; nil if it is not such a call.
func (e *Expr) Method() (of *Expr, method string) {
	if e != nil && e.Form == Call && e.X.Form == Attribute {
		return e.X.X, e.X.Text
	}
	return nil, ""
}

// Arg returns the argument with a keyword.
func (e *Expr) Arg(keyword string) (Arg, bool) {
	for _, a := range e.Args {
		if a.Name == keyword {
			return a, true
		}
	}
	return Arg{}, false
}

// Dotted returns an expression of names and dots, such as self.h; "" for any other.
func (e *Expr) Dotted() string {
	switch {
	case e == nil:
	case e.Form == Name:
		return e.Text
	case e.Form == Attribute:
		if of := e.X.Dotted(); of != "" {
			return of + "." + e.Text
		}
	}
	return ""
}

// A parser reads expressions from tokens. After an error it stays where it is.
type parser struct {
	src   string
	all   []token // of one statement
	at    int
	wrong bool
}

func (p *parser) peek() token {
	if p.at < len(p.all) {
		return p.all[p.at]
	}
	return token{kind: endOfLine}
}

func (p *parser) is(words ...string) bool {
	t := p.peek()
	return (t.kind == name || t.kind == operator) && slices.Contains(words, t.is)
}

func (p *parser) take(word string) bool {
	if p.is(word) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(word string) {
	if !p.take(word) {
		p.wrong = true
	}
}

// end is where the last token that was taken ends.
func (p *parser) end() int {
	if p.at == 0 {
		return 0
	}
	return p.all[p.at-1].end
}

func (p *parser) fail(at int) *Expr {
	p.wrong = true
	return &Expr{Start: at, End: at}
}

// keywords cannot be names of variables.
var keywords = map[string]bool{
	"and": true, "as": true, "assert": true, "async": true, "await": true, "break": true, "class": true, "continue": true, "def": true,
	"del": true, "elif": true, "else": true, "except": true, "finally": true, "for": true, "from": true, "global": true, "if": true,
	"import": true, "in": true, "is": true, "lambda": true, "nonlocal": true, "not": true, "or": true, "pass": true, "raise": true,
	"return": true, "try": true, "while": true, "with": true, "yield": true,
}

// closing are what ends a list of expressions.
var closing = []string{")", "]", "}", "=", ":", "+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**=", "in"}

// list reads expressions with commas between them: one alone, or a tuple.
func (p *parser) list() *Expr {
	first := p.element()
	if !p.is(",") {
		return first
	}
	t := &Expr{Form: Tuple, Start: first.Start, Args: []Arg{{Start: first.Start, Value: first}}}
	for p.take(",") && !p.wrong {
		if p.peek().kind == endOfLine || p.is(closing...) {
			break
		}
		e := p.element()
		t.Args = append(t.Args, Arg{Start: e.Start, Value: e})
	}
	t.End = p.end()
	return t
}

// element reads an expression that may be unpacked.
func (p *parser) element() *Expr {
	if p.is("*", "**") {
		start := p.peek().start
		p.at++
		e := p.binary(1)
		return &Expr{Start: start, End: p.end(), children: []*Expr{e}}
	}
	return p.expression()
}

func (p *parser) expression() *Expr {
	start := p.peek().start
	switch {
	case p.is("lambda"):
		p.at++
		for depth := 0; !p.wrong && (depth > 0 || !p.is(":")); p.at++ {
			switch {
			case p.peek().kind == endOfLine:
				return p.fail(start)
			case p.is("(", "[", "{"):
				depth++
			case p.is(")", "]", "}"):
				depth--
			}
		}
		p.expect(":")
		body := p.expression()
		return &Expr{Start: start, End: p.end(), children: []*Expr{body}}
	case p.is("yield"):
		p.at++
		p.take("from")
		e := &Expr{Start: start}
		if p.peek().kind != endOfLine && !p.is(")") {
			e.children = []*Expr{p.list()}
		}
		e.End = p.end()
		return e
	}
	e := p.binary(0)
	if p.is(":=") {
		p.at++
		value := p.expression()
		return &Expr{Start: start, End: p.end(), children: []*Expr{e, value}}
	}
	if p.is("if") && !p.wrong {
		p.at++
		condition := p.binary(0)
		if !p.is("else") { // of a comprehension
			return p.fail(start)
		}
		p.at++
		other := p.expression()
		return &Expr{Form: Choice, Start: start, End: p.end(), X: e, Y: condition, children: []*Expr{other}}
	}
	return e
}

// levels are binary operators, those that bind least first.
var levels = [][]string{
	{"or"}, {"and"}, {"not"}, {"in", "not", "is", "<", ">", "==", ">=", "<=", "!="}, {"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"},
	{"*", "/", "//", "%", "@"},
}

const negation = 2 // the level of not

func (p *parser) binary(level int) *Expr {
	if level == len(levels) {
		return p.unary()
	}
	start := p.peek().start
	if level == negation {
		if p.take("not") {
			x := p.binary(level)
			return &Expr{Form: Unary, Text: "not", Start: start, End: p.end(), X: x}
		}
		return p.binary(level + 1)
	}
	e := p.binary(level + 1)
	for p.is(levels[level]...) && !p.wrong {
		op := p.peek().is
		if op == "not" && (p.at+1 >= len(p.all) || p.all[p.at+1].is != "in") {
			break
		}
		p.at++
		if op == "not" || op == "is" && p.is("not") {
			op += " " + p.peek().is
			p.at++
		}
		y := p.binary(level + 1)
		e = &Expr{Form: Binary, Text: op, Start: start, End: p.end(), X: e, Y: y}
	}
	return e
}

func (p *parser) unary() *Expr {
	start := p.peek().start
	if p.is("-", "+", "~") {
		op := p.peek().is
		p.at++
		x := p.unary()
		return &Expr{Form: Unary, Text: op, Start: start, End: p.end(), X: x}
	}
	awaits := p.take("await")
	e := p.primary()
	if awaits {
		e = &Expr{Start: start, End: p.end(), children: []*Expr{e}}
	}
	if p.take("**") {
		y := p.unary()
		e = &Expr{Form: Binary, Text: "**", Start: start, End: p.end(), X: e, Y: y}
	}
	return e
}

// Binds returns how tightly an expression holds together: what is below needs parentheses to be the
// operand of an operator, or to have an attribute.
func (e *Expr) Binds() int {
	switch e.Form {
	case Unary:
		if e.Text == "not" {
			return negation
		}
		return len(levels)
	case Binary:
		if e.Text == "**" {
			return len(levels) + 1
		}
		return levelOf(e.Text)
	case Other, Tuple, Choice, Comprehension:
		return -1
	case Number:
		return len(levels) + 1 // 1.add is not a call
	}
	return Tightest
}

// Tightest is how names and calls hold together.
const Tightest = 100

func levelOf(op string) int {
	return slices.IndexFunc(levels, func(ops []string) bool {
		return slices.Contains(ops, op) || len(op) > 2 && slices.Contains(ops, op[:2])
	})
}

func (p *parser) primary() *Expr {
	e := p.atom()
	for !p.wrong {
		switch {
		case p.take("."):
			t := p.peek()
			if t.kind != name {
				return p.fail(e.Start)
			}
			p.at++
			e = &Expr{Form: Attribute, Start: e.Start, End: t.end, X: e, Text: t.is}
		case p.take("("):
			e = &Expr{Form: Call, Start: e.Start, X: e, Args: p.arguments(")")}
			e.End = p.end()
		case p.take("["):
			e = &Expr{Form: Subscript, Start: e.Start, X: e, Args: p.arguments("]")}
			e.End = p.end()
		default:
			return e
		}
	}
	return e
}

// arguments reads what is in brackets, and the closing one.
func (p *parser) arguments(end string) (args []Arg) {
	for !p.is(end) && !p.wrong {
		a := Arg{Start: p.peek().start}
		switch {
		case p.is("*", "**"):
			a.Name = p.peek().is
			p.at++
			a.Value = p.expression()
		case p.peek().kind == name && p.at+1 < len(p.all) && p.all[p.at+1].is == "=" && p.all[p.at+1].kind == operator:
			a.Name = p.peek().is
			p.at += 2
			a.Value = p.expression()
		default:
			a.Value = p.slice()
			if p.is("for", "async") {
				a.Value = p.comprehension(a.Value)
			}
		}
		args = append(args, a)
		if !p.take(",") && !p.is(end) {
			p.wrong = true
		}
	}
	p.expect(end)
	return args
}

// slice reads an index, which may be a slice.
func (p *parser) slice() *Expr {
	start := p.peek().start
	var parts []*Expr
	if !p.is(":") {
		parts = append(parts, p.expression())
	}
	if !p.is(":") {
		return parts[0]
	}
	for p.take(":") {
		if !p.is(":", ",", "]") {
			parts = append(parts, p.expression())
		}
	}
	return &Expr{Start: start, End: p.end(), children: parts}
}

// comprehension reads on behind the element of a comprehension.
func (p *parser) comprehension(element *Expr) *Expr {
	e := &Expr{Form: Comprehension, Start: element.Start, children: []*Expr{element}}
	for p.is("for", "async", "if") && !p.wrong {
		p.take("async")
		if p.take("if") {
			e.children = append(e.children, p.binary(0))
			continue
		}
		p.expect("for")
		p.targets()
		p.expect("in")
		e.children = append(e.children, p.binary(0))
	}
	e.End = p.end()
	return e
}

// targets skips the variables of a loop.
func (p *parser) targets() {
	for !p.is("in") && !p.wrong {
		if p.take("*") || p.take(",") {
			continue
		}
		p.primary()
	}
}

func (p *parser) atom() *Expr {
	t := p.peek()
	p.at++
	switch {
	case t.kind == endOfLine:
		p.at--
		return p.fail(t.start)
	case t.kind == text:
		for p.peek().kind == text {
			p.at++
		}
		return &Expr{Form: String, Start: t.start, End: p.end(), Text: p.src[t.start:p.end()]}
	case t.kind == number:
		return &Expr{Form: Number, Start: t.start, End: t.end, Text: p.src[t.start:t.end]}
	case t.kind == name && !keywords[t.is]:
		return &Expr{Form: Name, Start: t.start, End: t.end, Text: t.is}
	case t.is == "...":
		return &Expr{Start: t.start, End: t.end}
	case t.is == "(":
		if p.take(")") {
			return &Expr{Form: Paren, Start: t.start, End: p.end(), X: &Expr{Form: Tuple, Start: t.end, End: t.end}}
		}
		x := p.list()
		if p.is("for", "async") {
			x = p.comprehension(x)
		}
		p.expect(")")
		return &Expr{Form: Paren, Start: t.start, End: p.end(), X: x}
	case t.is == "[":
		args := p.arguments("]")
		if len(args) == 1 && args[0].Value.Form == Comprehension {
			return &Expr{Form: Comprehension, Start: t.start, End: p.end(), children: args[0].Value.children}
		}
		return &Expr{Form: List, Start: t.start, End: p.end(), Args: args}
	case t.is == "{":
		return p.braces(t.start)
	}
	p.at--
	return p.fail(t.start)
}

// braces reads a set or a dict.
func (p *parser) braces(start int) *Expr {
	e := &Expr{Start: start}
	for !p.is("}") && !p.wrong {
		x := p.element()
		if p.take(":") {
			e.children = append(e.children, x)
			x = p.expression()
		}
		if p.is("for", "async") {
			x = p.comprehension(x)
		}
		e.children = append(e.children, x)
		if !p.take(",") && !p.is("}") {
			p.wrong = true
		}
	}
	p.expect("}")
	e.End = p.end()
	return e
}
