package graphviz

import (
	"image/color"

	"github.com/gradtui/gradtui/export/graphviz/xdot"
)

// Drawing is a graph with everything in its place. All lengths are points
// (1/72 inch). The origin is the top left corner of the bounding box and y
// grows downwards.
type Drawing struct {
	Name          string  // of the graph
	Directed      bool    // a digraph
	Width, Height float64 // of the bounding box

	Clusters []Cluster // outer ones before those inside them
	Nodes    []Node    // in the order of the DOT text
	Edges    []Edge    // in the order of the layout
	Label    []*xdot.Text

	// Background is what the picture is painted with before anything else. It
	// is transparent when the graph asks for that, and white by default.
	Background color.NRGBA
	// Pad is the empty margin around the bounding box, left and right (X),
	// above and below (Y).
	Pad xdot.Point
	// MaxSize bounds the size of a picture: a larger drawing is shrunk to it.
	// Zero means no bound. With Fill a smaller one is enlarged too.
	MaxSize xdot.Point
	Fill    bool
	// DPI is the resolution that the graph asks for, 0 if it does not.
	DPI float64

	edgesFirst bool // draw nodes over edges
	ops        []xdot.Op
}

// Cluster is a subgraph that is drawn as a box around its nodes.
type Cluster struct {
	Name          string
	Center        xdot.Point
	Width, Height float64
	Line, Fill    color.NRGBA // transparent where nothing is drawn
	Label         []*xdot.Text
	Ops           []xdot.Op // all that is drawn, the label included
}

// Node is a node of a Drawing.
type Node struct {
	Name          string
	Center        xdot.Point
	Width, Height float64
	Shape         string      // as in DOT: box, ellipse …
	Style         string      // as in DOT: filled, dashed …
	Line, Fill    color.NRGBA // transparent where nothing is drawn
	Label         []*xdot.Text
	Ops           []xdot.Op // all that is drawn, the label included
}

// Edge is an edge of a Drawing.
type Edge struct {
	Tail, Head string // names of nodes
	// Curves are the cubic Bézier curves of the edge, usually one, each a
	// start point followed by three points a piece. They end where an arrow
	// begins.
	Curves    [][]xdot.Point
	TailArrow *Arrow // nil for a plain end
	HeadArrow *Arrow
	Style     string // as in DOT: dashed, dotted …
	Line      color.NRGBA
	Label     []*xdot.Text // head and tail labels included
	Ops       []xdot.Op    // all that is drawn, labels and arrows included
}

// Arrow is the mark at one end of an edge.
type Arrow struct {
	Shape string // as in DOT: normal, dot, empty …
	Tip   xdot.Point
}
