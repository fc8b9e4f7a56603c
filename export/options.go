package export

import (
	"math"

	"github.com/gradtui/gradtui/export/graphviz"
	"github.com/gradtui/gradtui/graph"
)

// Options say what is exported and how. The zero value is ready to use.
type Options struct {
	// Roots are the tensors whose graph is exported. If Roots, RootNodes and
	// RootNames are empty, they are the roots of the newest backward pass, or
	// else the newest tensor with a grad_fn that no node consumes, together
	// with the other results of its op.
	Roots []graph.TensorID
	// RootNodes are nodes whose graph is exported. With a node goes the newest
	// tensor of each output whose grad_fn it is.
	RootNodes []graph.NodeID
	// RootNames are names of more things whose graph is exported: a name that
	// the program bound ("loss", "train.loss"), one in Names, or an identifier
	// that exports show: a tensor ("t12") or a node ("n7").
	RootNames []string
	// Names are the names of tensors: what torchviz calls params. Nil means
	// those that the program bound.
	Names map[graph.TensorID]string
	// Result says what a result of a node looks like if no tensor of the graph is that
	// result and the node does not describe it: lookup.Index finds it among all that is
	// on the tape. Nil means that this is not known.
	Result func(*graph.Graph, graph.Edge) graph.Result
	// Style is how DOT, SVG and PNG pictures look. The text, Mermaid and JSON
	// formats have one style.
	Style Style
	// Saved adds boxes for the tensors that built-in nodes saved to pictures in
	// torchviz's style (its show_saved). The full style always shows them, as
	// lines of the box of their node.
	Saved bool
	// Attrs adds the saved values that are not tensors to the labels of nodes
	// (torchviz's show_attrs, together with MaxAttrChars).
	Attrs bool
	// MaxAttrChars is how many characters of such a value are shown, at least
	// 3. 0 means 50.
	MaxAttrChars int
	// MaxNodes is how many boxes a picture may have. A larger graph is reduced:
	// see the package comment. Roots are drawn in any case. 0 means the default
	// of the format ([FormatInfo.MaxNodes]), a negative number that nothing is
	// reduced. JSON is never reduced.
	MaxNodes int
	// Columns is about how many columns a picture in the full style goes in. 0
	// means one for DOT, and for SVG and PNG as many as give a tall picture the
	// shape of a page. The other formats and torchviz's style have one.
	Columns int
	// Legend adds an explanation of the colours and marks.
	Legend bool
	// Color gives the text form colours, as escape sequences of terminals.
	Color bool
	// Depth is how many nodes deep the text format goes. 0 means DefaultDepth, a
	// negative number means no bound.
	Depth int
	// Width is the number of columns that lines of the text format are cut to,
	// at least 40. 0 means that they are as long as they need to be.
	Width int
	// Graphviz bounds the work on SVG and PNG pictures.
	Graphviz graphviz.Options
}

// DefaultDepth shows a network of some dozen layers as a whole.
const DefaultDepth = 100

const (
	minWidth         = 40
	defaultAttrChars = 50
)

// Style is how pictures look.
type Style uint8

const (
	// Full shows what the tape knows: statuses, versions, freed and modified
	// saved tensors, gradients, views, modules.
	Full Style = iota
	// Torchviz is the style of torchviz 0.0.2: the same DOT text apart from the
	// identifiers.
	Torchviz
)

var styleNames = [...]string{Full: "full", Torchviz: "torchviz"}

// String is the name of the style.
func (s Style) String() string {
	if int(s) < len(styleNames) {
		return styleNames[s]
	}
	return "unknown"
}

// Styles lists the styles, the default first.
func Styles() []Style { return []Style{Full, Torchviz} }

// ParseStyle finds a style by its name. The error is a *StyleError.
func ParseStyle(name string) (Style, error) {
	for s, n := range styleNames {
		if n == name {
			return Style(s), nil
		}
	}
	return 0, &StyleError{name}
}

// depth is how many nodes deep the text format goes.
func (o *Options) depth() int {
	switch {
	case o.Depth < 0:
		return math.MaxInt
	case o.Depth == 0:
		return DefaultDepth
	}
	return o.Depth
}

func (o *Options) attrChars() int {
	if o.MaxAttrChars == 0 {
		return defaultAttrChars
	}
	return max(o.MaxAttrChars, 3)
}
