package export

import (
	"context"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// A folder reduces a plan until a picture of it keeps to a number of boxes and arrows.
type folder struct {
	*plan
	weights []int32 // boxes of each node, what hangs on it included
	fixed   int     // boxes of roots and bases, which are drawn in any case
	boxes   int     // how many the picture may have
	arrows  int
	passing int // how large its spread may be; 0: any
}

// arrowsPerBox bounds the arrows of a picture by its boxes: networks have fewer
// than two, and layout takes longer with each.
const arrowsPerBox = 3

// newFolder makes a folder for an unreduced plan. weigh gives the number of boxes
// that a node brings along.
func newFolder(s *selection, boxes int, weigh func(*selected) int) *folder {
	f := &folder{plan: &plan{selection: s}, weights: make([]int32, len(s.nodes)), fixed: len(s.roots), boxes: boxes, arrows: arrowsPerBox * boxes}
	for i := range s.nodes {
		f.weights[i] = int32(weigh(&s.nodes[i]))
	}
	s.bases(func(graph.Tensor) { f.fixed++ })
	return f
}

// fits reports whether the plan is small enough.
func (f *folder) fits() bool {
	boxes, arrows := f.fixed+len(f.groups), 0
	for i := range f.nodes {
		if f.group == nil || f.group[i] == 0 {
			boxes += int(f.weights[i])
			arrows += len(f.next(i))
		}
	}
	if boxes > f.boxes {
		return false
	}
	for _, g := range f.groups {
		arrows += len(g.links)
	}
	return arrows <= f.arrows && (f.passing == 0 || f.spread() <= f.passing)
}

// reduce folds until the plan fits. Calls of modules are folded level by level, the
// innermost first; at each level repetitions and then chains are folded too, so
// that no more calls are folded than is necessary. What does not fit then is cut
// off at the far end. The error is the context's.
func (f *folder) reduce(ctx context.Context) error {
	if f.fits() {
		return nil
	}
	tree := f.foldable()
	levels, rounds := 1, 0
	for i := range tree.Groups {
		switch g := &tree.Groups[i]; g.Kind {
		case arrange.ModuleCall:
			levels = max(levels, g.Level+1)
		case arrange.Repetition:
			rounds = max(rounds, int(g.Round)+1)
		}
	}
	for level := levels - 1; level >= 0; level-- {
		for stage := range rounds + 2 { // the calls, each round of repetitions, the chains
			if err := ctx.Err(); err != nil {
				return err
			}
			f.fold(tree, func(g *arrange.Group) bool {
				switch g.Kind {
				case arrange.ModuleCall:
					return g.Level >= level
				case arrange.Repetition:
					return int(g.Round) < stage
				}
				return stage > rounds
			})
			if f.fits() {
				return nil
			}
		}
	}
	f.far()
	return ctx.Err()
}

// repetitions folds equal layers in a row, however few there are: a reader of the style
// layers needs to see the first and the last of them.
func (f *folder) repetitions() {
	f.fold(f.foldable(), func(g *arrange.Group) bool { return g.Kind == arrange.Repetition })
}

// foldable finds what can be folded.
func (f *folder) foldable() *arrange.Tree {
	opts := arrange.Options{Together: true, Between: true, Chains: true}
	for _, r := range f.roots {
		if i := f.at(r.node); i >= 0 {
			opts.Roots = append(opts.Roots, int32(i))
		}
	}
	return arrange.Build(&source{selection: f.selection}, opts)
}

// fold gives each of some groups of a tree one box, unless it lies in another one of them.
func (f *folder) fold(tree *arrange.Tree, folded func(*arrange.Group) bool) {
	of := make([]int32, len(f.nodes))
	var groups []group
	for at := 0; at < len(tree.Groups); {
		g := &tree.Groups[at]
		if !folded(g) {
			at++
			continue
		}
		groups = append(groups, group{Group: g})
		for _, i := range tree.Order[g.First:g.Last] {
			of[i] = int32(len(groups))
		}
		at = int(g.After)
	}
	f.share(of, groups)
}
