package export

import (
	"context"

	"github.com/gradtui/gradtui/graph"
)

// A folder reduces a plan until a picture of it keeps to a number of boxes and arrows.
type folder struct {
	*plan
	weights []int32 // boxes of each node, what hangs on it included
	names   []string
	fixed   int // boxes of roots and bases, which are drawn in any case
	boxes   int // how many the picture may have
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

// reduce folds until the plan fits. Modules collapse level by level, the
// innermost first; at each level repetitions and then chains are folded too, so
// that no more modules collapse than is necessary. What does not fit then is cut
// off at the far end. The error is the context's.
func (f *folder) reduce(ctx context.Context) error {
	if f.fits() {
		return nil
	}
	calls := f.selection.calls()
	for level := calls.Depth; level >= min(1, calls.Depth); level-- {
		f.group, f.groups = nil, nil
		for _, step := range []func() bool{
			func() bool { return f.collapse(calls, level) },
			f.repeats,
			f.chains,
		} {
			if err := ctx.Err(); err != nil {
				return err
			}
			if step() {
				return nil
			}
		}
	}
	f.far()
	return ctx.Err()
}

// nodeName returns the name of the node at a position.
func (f *folder) nodeName(i int) string {
	if f.names == nil {
		f.names = make([]string, len(f.nodes))
		for i, n := range f.nodes {
			node, _ := f.g.Node(n.id)
			f.names[i] = node.Name
		}
	}
	return f.names[i]
}
