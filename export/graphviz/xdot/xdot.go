// Package xdot reads the drawing operations that Graphviz attaches to a
// laid-out graph: the _draw_, _ldraw_, _hdraw_ … attributes of its xdot output
// (https://graphviz.org/docs/outputs/canon/#xdot, version 1.7).
//
// Graphviz has already decided everything by then: shapes have become polygons
// and Bézier curves, colours are RGB, labels are lines of text with a baseline
// and a width. What is left is a list of Op values, each complete in itself:
// the pen, fill and font that xdot changes by separate operations are folded
// into the shapes they apply to.
package xdot

import "image/color"

// Point is a position in points (1/72 inch).
type Point struct{ X, Y float64 }

// Op is one drawing operation: a *Shape, a *Text or an *Image.
type Op interface{ isOp() }

// Kind says how the points of a Shape are joined.
type Kind uint8

const (
	Polygon  Kind = iota // closed, straight lines
	Polyline             // open, straight lines
	Bezier               // cubic: a start point, then three points a piece
	Ellipse              // Points[0] is the centre, Points[1] the two radii
)

// Line is how a pen moves.
type Line uint8

const (
	Solid Line = iota
	Dashed
	Dotted
	Invisible
)

// Pen draws outlines.
type Pen struct {
	Color color.NRGBA
	Width float64 // points
	Line  Line
}

// Paint fills areas: with Color, or with Gradient when that is set.
type Paint struct {
	Color    color.NRGBA
	Gradient *Gradient
}

// Gradient blends colours along the line from From to To, or, when Radial,
// from the circle (From, R0) to the circle (To, R1).
type Gradient struct {
	Radial   bool
	From, To Point
	R0, R1   float64
	Stops    []Stop
}

// Stop is a colour at a fraction (0 to 1) of a Gradient.
type Stop struct {
	At    float64
	Color color.NRGBA
}

// Shape is an outline, filled first when Filled.
type Shape struct {
	Kind   Kind
	Points []Point
	Pen    Pen
	Filled bool
	Fill   Paint
}

// Align says which part of a line of text its position names.
type Align int8

const (
	Left   Align = -1
	Center Align = 0
	Right  Align = 1
)

// Style is a set of properties of a font.
type Style uint8

const (
	Bold Style = 1 << iota
	Italic
	Underline
	Superscript
	Subscript
	StrikeThrough
	Overline
)

// Font is what a line of text is set in.
type Font struct {
	Name  string  // as Graphviz knows it: Courier, Times-Roman, Helvetica-Bold
	Size  float64 // points
	Style Style   // on top of what the name says
}

// Text is one line of a label.
type Text struct {
	String string
	At     Point   // on the baseline; Align says which part of the line
	Width  float64 // points, as the layout reckoned it
	Align  Align
	Font   Font
	Color  color.NRGBA
}

// Image is a picture that the graph names. It is not loaded.
type Image struct {
	Name     string
	Min, Max Point
}

func (*Shape) isOp() {}
func (*Text) isOp()  {}
func (*Image) isOp() {}
