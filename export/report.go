package export

import (
	"strings"

	"github.com/gradtui/gradtui/export/graphviz"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// A Report says what an export holds.
type Report struct {
	Format Format
	Roots  []graph.TensorID // the tensors that it starts from
	Nodes  int              // nodes that lead to them, leaves included
	Leaves int              // those that accumulate the gradient of a leaf
	Edges  int              // between them

	// Drawn and DrawnEdges are the numbers of boxes and arrows of a picture. For
	// the text format, Drawn is the number of entries; for JSON, both are 0.
	Drawn, DrawnEdges int
	Folds             []Fold // what was left out, empty if nothing was
	// Columns is how many columns a picture in the full style is in, else 0.
	Columns int

	// Picture is the size of a PNG. Picture.Reduced says that it is coarser
	// than it should be, because it would have had too many pixels.
	Picture graphviz.PNGSize
	// Frames is how many frames an animation has. One means that there was no pass to show.
	Frames int

	layers int // boxes of a picture in the style layers before it was reduced; else 0
}

// A Fold is one way in which a picture was reduced.
type Fold struct {
	Kind  FoldKind
	Boxes int // boxes that stand for several nodes
	Nodes int // nodes that they stand for
}

// FoldKind is a way to reduce a picture.
type FoldKind uint8

// The ways to reduce a picture, in the order in which they are tried.
const (
	// FoldModules draws the call of a module as one box.
	FoldModules FoldKind = iota + 1
	// FoldRepeats draws the first and the last of a series of equal blocks, and
	// one box for those between.
	FoldRepeats
	// FoldChains draws nodes in a row, each the only input of the next one, as
	// one box.
	FoldChains
	// FoldFar draws what is farthest from the roots as one box.
	FoldFar
	// FoldDepth leaves out what is deeper than the text format goes.
	FoldDepth
)

var foldNames = [...]string{
	FoldModules: "module call", FoldRepeats: "repetition", FoldChains: "chain", FoldFar: "rest", FoldDepth: "deep branch",
}

// foldKinds says how the groups of a tree reduce a picture.
var foldKinds = [...]FoldKind{arrange.ModuleCall: FoldModules, arrange.Repetition: FoldRepeats, arrange.Chain: FoldChains}

// String is the name of the kind in the singular.
func (k FoldKind) String() string {
	if int(k) < len(foldNames) && foldNames[k] != "" {
		return foldNames[k]
	}
	return "unknown"
}

// Reduced reports whether something was left out.
func (r *Report) Reduced() bool { return len(r.Folds) > 0 }

// note is the line in a reduced picture that says so, or "".
func (r *Report) note() string {
	if len(r.Folds) == 0 {
		return ""
	}
	parts := make([]string, len(r.Folds))
	all, what := r.Nodes, "node"
	if r.layers > 0 {
		all, what = r.layers, "layer"
	}
	for i, f := range r.Folds {
		switch f.Kind {
		case FoldFar:
			parts[i] = counted(f.Nodes, what) + " farthest from the outputs in 1 box"
		case FoldDepth:
			parts[i] = counted(f.Boxes, "deeper branch") + " left out"
		default:
			parts[i] = counted(f.Nodes, what) + " in " + counted(f.Boxes, f.Kind.String())
		}
	}
	if len(parts) == 1 && r.Folds[0].Kind == FoldDepth {
		return parts[0] // the text form, whose nodes are not counted again
	}
	return "reduced from " + counted(all, what) + ": " + strings.Join(parts, ", ")
}

// String is a line about the export: "204 nodes, 4 of them leaves; …".
func (r *Report) String() string {
	s := counted(r.Nodes, "node") + " (" + counted(r.Leaves, "leaf node") + "), " + counted(r.Edges, "edge")
	if note := r.note(); note != "" {
		s += "; " + note
	}
	return s
}

// describe fills in what the selection alone determines.
func (r *Report) describe(s *selection) {
	for _, x := range s.roots {
		if x.tensor != 0 {
			r.Roots = append(r.Roots, x.tensor)
		}
	}
	r.Nodes = len(s.nodes)
	for i, n := range s.nodes {
		if n.leaf != 0 {
			r.Leaves++
		}
		for _, e := range s.next(i) {
			if s.at(e.Node) >= 0 {
				r.Edges++
			}
		}
	}
}

// folded counts what the groups of a plan stand for.
func (r *Report) folded(p *plan) {
	var folds [len(foldNames)]Fold
	for _, g := range p.groups {
		folds[g.kind()].Boxes++
		folds[g.kind()].Nodes += len(g.members)
	}
	for k, f := range folds {
		if f.Boxes > 0 {
			f.Kind = FoldKind(k)
			r.Folds = append(r.Folds, f)
		}
	}
}
