package dag

// A Tree lists what a row of a view leads to, or what leads to it, as a tree. A row
// that is reached on several ways has its place where it comes first, and the others
// refer to it. Only what is expanded is listed and costs time.
type Tree struct {
	view     *View
	root     int
	back     bool
	expanded map[int]bool // by row of the view
	lines    []TreeLine
	place    map[int]int // by row of the view: its line
}

// A TreeLine is a line of a tree.
type TreeLine struct {
	Row       int // of the view
	Depth     int // how many branches lie between it and the root
	Reference int // the line where the row has its place; -1: this one
	Inner     int // how many rows hang on it
	Expanded  bool

	branch bool   // it is one of several that hang on the same row
	last   bool   // no other one of them follows
	guides uint64 // the branches around it that others follow
}

// maxGuides is the depth to which the lines of a tree are drawn.
const maxGuides = 64

// NewTree returns the tree of a row, with the row and the rows that it sends gradients to
// or, if back is set, that send it gradients: the tree of a leaf then shows where its
// gradient comes from. Changes of the view make the tree invalid.
func NewTree(v *View, row int, back bool) *Tree {
	t := &Tree{view: v, back: back, root: row, expanded: map[int]bool{row: true}}
	t.list()
	return t
}

// Lines returns the number of lines.
func (t *Tree) Lines() int { return len(t.lines) }

// Line returns a line, from 0 to Lines()-1. The first one is the root.
func (t *Tree) Line(i int) TreeLine { return t.lines[i] }

// LineOf returns the line where a row of the view has its place; ok is false if it is not
// listed.
func (t *Tree) LineOf(row int) (line int, ok bool) {
	line, ok = t.place[row]
	return line, ok
}

// Expand lists what hangs on a line, or hides it. A reference expands where its row has its
// place. Expand reports whether that changed anything.
func (t *Tree) Expand(line int, expanded bool) bool {
	if line < 0 || line >= len(t.lines) {
		return false
	}
	l := t.lines[line]
	if l.Inner == 0 || t.expanded[l.Row] == expanded {
		return false
	}
	if expanded {
		t.expanded[l.Row] = true
	} else {
		delete(t.expanded, l.Row)
	}
	t.list()
	return true
}

// Open expands what is nearest to the root, until there are most lines or nothing is
// hidden.
func (t *Tree) Open(most int) {
	near := []int{t.root}
	seen := map[int]bool{t.root: true}
	for lines := 1; len(near) > 0; near = near[1:] {
		inner := t.hanging(near[0])
		if lines += len(inner); lines > most {
			break
		}
		t.expanded[near[0]] = true
		for _, row := range inner {
			if !seen[int(row)] {
				seen[int(row)] = true
				near = append(near, int(row))
			}
		}
	}
	t.list()
}

// hanging returns the rows that hang on one, each once, in order.
func (t *Tree) hanging(row int) []int32 {
	if t.back {
		return t.view.backsOf(row)
	}
	return t.view.linksOf(row)
}

// list makes the lines.
func (t *Tree) list() {
	t.lines, t.place = t.lines[:0], map[int]int{}
	stack := []TreeLine{{Row: t.root}}
	for len(stack) > 0 {
		l := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		inner := t.hanging(l.Row)
		l.Reference, l.Inner = -1, len(inner)
		if place, listed := t.place[l.Row]; listed {
			l.Reference = place
		} else {
			t.place[l.Row] = len(t.lines)
			l.Expanded = t.expanded[l.Row]
		}
		t.lines = append(t.lines, l)
		if !l.Expanded {
			continue
		}
		guides := l.guides
		if l.branch && !l.last && l.Depth <= maxGuides {
			guides |= 1 << (l.Depth - 1)
		}
		for i := len(inner) - 1; i >= 0; i-- {
			hung := TreeLine{Row: int(inner[i]), Depth: l.Depth, guides: guides}
			if len(inner) > 1 { // a single one goes on in the same column
				hung.Depth, hung.branch, hung.last = l.Depth+1, true, i == len(inner)-1
			}
			stack = append(stack, hung)
		}
	}
}

// Cells appends what is in front of the text of a line: two cells for each branch
// around it, and one for its mark.
func (l *TreeLine) Cells(dst []Cell) []Cell {
	for column := range l.Depth {
		var c, gap Cell
		c.Lane, gap.Lane = column, column
		switch {
		case l.branch && column == l.Depth-1:
			c.Dir, gap.Dir = North|East, East|West
			if !l.last {
				c.Dir |= South
			}
		case column < maxGuides && l.guides&(1<<column) != 0:
			c.Dir = North | South
		}
		dst = append(dst, c, gap)
	}
	return append(dst, Cell{Mark: true, Lane: l.Depth})
}
