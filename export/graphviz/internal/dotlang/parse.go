package dotlang

import (
	"maps"
	"strings"
)

// Attrs are the attributes of one object, defaults included.
type Attrs map[string]string

// Graph is what a text says, statements folded into objects.
type Graph struct {
	Name     string
	Directed bool
	Attrs    Attrs
	Nodes    []*Node // in order of first appearance
	Edges    []*Edge // in order of appearance
	Clusters []*Cluster
}

// Node is a node of a Graph.
type Node struct {
	Name  string
	Attrs Attrs
	// Declared says that a node statement exists: a node can also come into
	// being as the end of an edge.
	Declared bool
}

// Edge is an edge between two nodes; ports are dropped.
type Edge struct {
	Tail, Head string
	Attrs      Attrs
}

// Cluster is a subgraph whose name begins with "cluster": Graphviz draws a box
// around it. Outer clusters come before inner ones.
type Cluster struct {
	Name  string
	Attrs Attrs
}

// maxDepth bounds the nesting of subgraphs, and with it the recursion.
const maxDepth = 1000

// Parse reads one graph. It is made for the text that Graphviz writes and for
// the common parts of the language: strict graphs are read like others, and an
// edge statement whose end is a subgraph is an error. Errors are *SyntaxError.
func Parse(dot []byte) (*Graph, error) {
	p := &parser{lexer: newLexer(dot), nodes: map[string]*Node{}}
	if err := p.advanceToken(); err != nil {
		return nil, err
	}
	if err := p.graph(); err != nil {
		return nil, err
	}
	return &p.g, nil
}

type parser struct {
	*lexer
	tok   token // the current one
	g     Graph
	nodes map[string]*Node
	depth int
}

// scope holds the defaults that statements of one subgraph see.
type scope struct {
	attrs      Attrs // of the (sub)graph itself
	node, edge Attrs
}

// inner returns the scope of a subgraph: it inherits the defaults.
func (s *scope) inner() *scope {
	return &scope{attrs: maps.Clone(s.attrs), node: maps.Clone(s.node), edge: maps.Clone(s.edge)}
}

func (p *parser) advanceToken() (err error) {
	p.tok, err = p.next()
	return err
}

func (p *parser) unexpected() error {
	if p.tok.kind == endOfText {
		return p.errorf(p.tok.line, "unexpected end of the text")
	}
	return p.errorf(p.tok.line, "unexpected %q", p.src[p.tok.start:p.tok.end])
}

// expect passes one token of a kind.
func (p *parser) expect(k kind) error {
	if p.tok.kind != k {
		return p.unexpected()
	}
	return p.advanceToken()
}

// word returns the current token as a keyword, "" if it is none.
func (p *parser) word() string {
	if p.tok.kind != bareID {
		return ""
	}
	switch w := strings.ToLower(p.value(p.tok)); w {
	case "strict", "graph", "digraph", "subgraph", "node", "edge":
		return w
	}
	return ""
}

// id passes an ID, glued pieces ("a" + "b") included, and returns its value.
func (p *parser) id() (string, error) {
	if !p.tok.isID() {
		return "", p.unexpected()
	}
	v := p.value(p.tok)
	for quoted := p.tok.kind == quotedID; ; {
		if err := p.advanceToken(); err != nil {
			return "", err
		}
		if !quoted || p.tok.kind != '+' {
			return v, nil
		}
		if err := p.advanceToken(); err != nil {
			return "", err
		}
		if p.tok.kind != quotedID {
			return "", p.unexpected()
		}
		v += p.value(p.tok)
	}
}

func (p *parser) graph() error {
	if p.word() == "strict" {
		if err := p.advanceToken(); err != nil {
			return err
		}
	}
	switch p.word() {
	case "graph":
	case "digraph":
		p.g.Directed = true
	default:
		return p.unexpected()
	}
	if err := p.advanceToken(); err != nil {
		return err
	}
	if p.tok.isID() {
		name, err := p.id()
		if err != nil {
			return err
		}
		p.g.Name = name
	}
	root := &scope{attrs: Attrs{}, node: Attrs{}, edge: Attrs{}}
	p.g.Attrs = root.attrs
	return p.block(root)
}

// block reads { statements }.
func (p *parser) block(s *scope) error {
	if p.depth++; p.depth > maxDepth {
		return p.errorf(p.tok.line, "subgraphs nest deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	if err := p.expect('{'); err != nil {
		return err
	}
	for p.tok.kind != '}' {
		if err := p.statement(s); err != nil {
			return err
		}
	}
	return p.advanceToken()
}

func (p *parser) statement(s *scope) error {
	if p.tok.kind == ';' {
		return p.advanceToken()
	}
	defaults := map[string]Attrs{"graph": s.attrs, "node": s.node, "edge": s.edge}
	switch w := p.word(); w {
	case "graph", "node", "edge":
		if err := p.advanceToken(); err != nil {
			return err
		}
		return p.lists(defaults[w])
	case "subgraph":
		return p.subgraph(s)
	}
	if p.tok.kind == '{' {
		return p.block(s.inner())
	}
	name, err := p.id()
	if err != nil {
		return err
	}
	if p.tok.kind == '=' {
		return p.assign(s.attrs, name)
	}
	if err := p.ports(); err != nil {
		return err
	}
	if p.tok.kind == edgeOp {
		return p.edges(s, name)
	}
	n := p.node(s, name)
	n.Declared = true
	return p.lists(n.Attrs)
}

// assign reads = VALUE.
func (p *parser) assign(a Attrs, name string) error {
	if err := p.expect('='); err != nil {
		return err
	}
	v, err := p.id()
	if err != nil {
		return err
	}
	a[name] = v
	return nil
}

func (p *parser) subgraph(s *scope) error {
	if err := p.advanceToken(); err != nil {
		return err
	}
	in := s.inner()
	if p.tok.isID() {
		name, err := p.id()
		if err != nil {
			return err
		}
		if strings.HasPrefix(name, "cluster") {
			p.g.Clusters = append(p.g.Clusters, &Cluster{Name: name, Attrs: in.attrs})
		}
	}
	return p.block(in)
}

// ports passes :port:compass.
func (p *parser) ports() error {
	for p.tok.kind == ':' {
		if err := p.advanceToken(); err != nil {
			return err
		}
		if _, err := p.id(); err != nil {
			return err
		}
	}
	return nil
}

// edges reads -> NODE [-> NODE ...] lists.
func (p *parser) edges(s *scope, tail string) error {
	attrs := maps.Clone(s.edge)
	p.node(s, tail)
	for p.tok.kind == edgeOp {
		if err := p.advanceToken(); err != nil {
			return err
		}
		if p.word() != "" || !p.tok.isID() {
			return p.errorf(p.tok.line, "edge to a subgraph")
		}
		head, err := p.id()
		if err != nil {
			return err
		}
		if err := p.ports(); err != nil {
			return err
		}
		p.node(s, head)
		p.g.Edges = append(p.g.Edges, &Edge{Tail: tail, Head: head, Attrs: attrs})
		tail = head
	}
	return p.lists(attrs)
}

// node returns the node of a name, new with the defaults of s.
func (p *parser) node(s *scope, name string) *Node {
	n := p.nodes[name]
	if n == nil {
		n = &Node{Name: name, Attrs: maps.Clone(s.node)}
		p.nodes[name] = n
		p.g.Nodes = append(p.g.Nodes, n)
	}
	return n
}

// lists reads any number of [a=b, c=d] into a.
func (p *parser) lists(a Attrs) error {
	for p.tok.kind == '[' {
		if err := p.advanceToken(); err != nil {
			return err
		}
		for p.tok.kind != ']' {
			name, err := p.id()
			if err != nil {
				return err
			}
			if err := p.assign(a, name); err != nil {
				return err
			}
			if p.tok.kind == ',' || p.tok.kind == ';' {
				if err := p.advanceToken(); err != nil {
					return err
				}
			}
		}
		if err := p.advanceToken(); err != nil {
			return err
		}
	}
	return nil
}
