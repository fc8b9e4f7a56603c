package export

import (
	"cmp"
	"slices"
)

// chains gives nodes in a row one box, the longest rows first. It reports whether
// the plan fits then.
//
// A row is a list of nodes with one input and one consumer each, each the input of the
// next one.
func (f *folder) chains() bool {
	rows := f.rows()
	slices.SortStableFunc(rows, func(a, b []int32) int { return cmp.Compare(len(b), len(a)) })
	// Contracting all rows is cheap, and which of them could stay hardly
	// matters in a picture of that size.
	for _, row := range rows {
		f.merge(row, group{kind: FoldChains})
	}
	f.settle()
	return f.fits()
}

// rows finds the rows of nodes that have a box of their own.
func (f *folder) rows() [][]int32 {
	const none, several = -1, -2
	user := make([]int32, len(f.nodes)) // the only consumer
	for i := range user {
		user[i] = none
	}
	use := func(i int, by int32) {
		switch user[i] {
		case none, by:
			user[i] = by
		default:
			user[i] = several
		}
	}
	for i := range f.nodes {
		for _, e := range f.next(i) {
			if to := f.at(e.Node); to >= 0 {
				use(to, int32(i))
			}
		}
	}
	for _, r := range f.roots {
		if i := f.at(r.node); i >= 0 {
			user[i] = several
		}
	}
	inner := func(i int) bool {
		return f.unitOf(i) >= 0 && f.nodes[i].leaf == 0 && user[i] >= 0 && f.inputs(i) == 1
	}
	var rows [][]int32
	in := make([]bool, len(f.nodes))
	for i := range f.nodes {
		if in[i] || !inner(i) {
			continue
		}
		row := []int32{int32(i)}
		for at := user[i]; inner(int(at)); at = user[at] {
			row = append(row, at)
			in[at] = true
		}
		if len(row) > 1 {
			rows = append(rows, row)
		}
	}
	return rows
}

// inputs returns the number of different nodes that a node gets its inputs from; 2 stands
// for more.
func (f *folder) inputs(i int) int {
	first := -1
	for _, e := range f.next(i) {
		to := f.at(e.Node)
		switch {
		case to < 0 || to == first:
		case first >= 0:
			return 2
		default:
			first = to
		}
	}
	if first < 0 {
		return 0
	}
	return 1
}
