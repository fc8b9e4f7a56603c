package compare

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/usage"
)

// A LinePair is what a line did in two runs; it is zero for a run that did not reach the line.
type LinePair struct{ A, B usage.LineStat }

// Place returns the line.
func (p LinePair) Place() graph.Frame {
	if p.A.File != "" {
		return p.A.Frame
	}
	return p.B.Frame
}

// Lines puts the lines of two runs side by side. Lines that take most memory in the second run
// come first. Files with the same name are the same, whatever their folders.
func Lines(a, b *usage.Stat) []LinePair {
	index := map[graph.Frame]int{}
	var pairs []LinePair
	pair := func(l usage.LineStat) *LinePair {
		k := graph.Frame{File: filepath.Base(l.File), Func: l.Func, Line: l.Line}
		i, ok := index[k]
		if !ok {
			i = len(pairs)
			index[k] = i
			pairs = append(pairs, LinePair{})
		}
		return &pairs[i]
	}
	for _, l := range a.Lines {
		pair(l).A = l
	}
	for _, l := range b.Lines {
		pair(l).B = l
	}
	slices.SortStableFunc(pairs, func(x, y LinePair) int {
		return cmp.Or(cmp.Compare(y.B.Peak.Bytes, x.B.Peak.Bytes), cmp.Compare(y.B.Made, x.B.Made), cmp.Compare(y.B.Nodes, x.B.Nodes))
	})
	return pairs
}
