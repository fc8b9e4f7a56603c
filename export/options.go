package export

import (
	"math"
	"time"

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
	// Theme is the colours of DOT, SVG and PNG pictures.
	Theme Theme
	// Direction is where their arrows point to.
	Direction Direction
	// Gradients says whether the arrows of the styles full and layers show the norm of the
	// gradients that came along them.
	Gradients Gradients
	// Saved shows the tensors that nodes saved: in torchviz's style boxes of their own (its
	// show_saved), in the full style lines in the box of the node. Those that were modified
	// are shown in any case. The text and Mermaid formats always show them.
	Saved bool
	// Attrs adds the saved values that are not tensors to the labels of nodes
	// (torchviz's show_attrs, together with MaxAttrChars). In the full style it shows all
	// else that is known as well: identifiers, versions, inputs by number.
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
	// Delay is the time between the frames of an animation. 0 means what lets it take about
	// twelve seconds, between 40 and 400 milliseconds.
	Delay time.Duration
	// Graphviz bounds the work on SVG, PNG and GIF pictures.
	Graphviz graphviz.Options
}

// DefaultDepth shows a network of some dozen layers as a whole.
const DefaultDepth = 100

const (
	minWidth         = 40
	defaultAttrChars = 50
)

// Gradients says whether arrows show the norm of gradients.
type Gradients uint8

const (
	// GradientsByStyle means that arrows of the style layers show it.
	GradientsByStyle Gradients = iota
	GradientsOn
	GradientsOff
)

// Style is how pictures look.
type Style uint8

const (
	// Full has a box for each node, with what the tape knows of it: names, shapes, lines,
	// statuses, modified saved tensors, modules.
	Full Style = iota
	// Layers has a box for each layer and operation, with its parameters inside, and
	// shapes at the arrows.
	Layers
	// Torchviz is the style of torchviz 0.0.2: the same DOT text apart from the
	// identifiers.
	Torchviz
)

// styles is the table of styles.
var styles = [...]struct{ name, description string }{
	Full:     {"full", "a box for each node of the backward graph, with its line, status and hazards"},
	Layers:   {"layers", "a box for each layer and operation, with parameters inside and shapes at the arrows"},
	Torchviz: {"torchviz", "what torchviz 0.0.2 draws, byte for byte"},
}

// String is the name of the style.
func (s Style) String() string {
	if int(s) < len(styles) {
		return styles[s].name
	}
	return "unknown"
}

// Description says in a phrase what a picture in the style shows.
func (s Style) Description() string {
	if int(s) < len(styles) {
		return styles[s].description
	}
	return ""
}

// Styles lists the styles, the default first.
func Styles() []Style {
	list := make([]Style, len(styles))
	for i := range list {
		list[i] = Style(i)
	}
	return list
}

// ParseStyle finds a style by its name. The error is a *StyleError.
func ParseStyle(name string) (Style, error) {
	for s, info := range styles {
		if info.name == name {
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
