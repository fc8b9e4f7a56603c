package export

// A tall picture goes in columns: the nodes in order of creation are cut where
// few arrows cross and few module calls are open, and the pieces stand side by
// side. A call that is cut is drawn in each column that has a part of it.

const (
	// tallPicture is from which height on, in points, a picture goes in columns:
	// about two screens.
	tallPicture = 1600
	// tallShape is how many times as high as wide it is then, at least, and
	// pageShape the most that it is meant to be in columns.
	tallShape, pageShape = 2, 1.5
	// maxCrossing is how many arrows may lead from one column into others.
	maxCrossing = 8
	// What a cut costs: an arrow that crosses it, and a call that is cut.
	crossingCost, callCost = 2, 3
)

// columns are the units of each column of a picture: about n columns, or with 0 as
// many as give it the shape of a page.
func (d *diagram) columns(n int) [][]unit {
	l := d.layers
	all := [][]unit{l.order}
	if n == 1 || n < 0 || len(l.order) == 0 {
		return all
	}
	s := d.survey()
	if n == 0 {
		if s.height < max(tallPicture, tallShape*s.width) {
			return all
		}
		for n = 2; s.height/float64(n) > pageShape*float64(n)*s.width; n++ {
		}
	}
	var columns [][]unit
	begin := 0
	for _, cut := range append(s.cuts(l.cost(d.plan), s.height/float64(n)), len(l.order)) {
		columns = append(columns, l.order[begin:cut])
		begin = cut
	}
	return columns
}

// noCut is the cost of a cut that is out of the question.
const noCut = 1 << 30

// cost is what a cut before each place costs.
func (l *layering) cost(p *plan) []int {
	crossing := make([]int, len(l.order)+1)
	calls := make([]int, len(l.order)+1)
	span := func(count []int, first, last int) { // cuts between two places
		if first < last {
			count[first+1]++
			count[last+1]--
		}
	}
	ends := make([][2]int, len(l.calls.List))
	for i, u := range l.order {
		for _, link := range p.linksOf(u) {
			from := int(*l.at(link.to))
			span(crossing, min(from, i), max(from, i))
		}
		for call := l.call[i]; call >= 0; call = l.calls.List[call].Outer {
			if ends[call][1] == 0 {
				ends[call][0] = i + 1
			}
			ends[call][1] = i + 1
		}
	}
	for _, e := range ends {
		span(calls, e[0]-1, e[1]-1)
	}
	cost := make([]int, len(l.order))
	for i := range cost {
		if i > 0 {
			crossing[i] += crossing[i-1]
			calls[i] += calls[i-1]
		}
		cost[i] = crossingCost*crossing[i] + callCost*calls[i]
		if crossing[i] > maxCrossing {
			cost[i] = noCut
		}
	}
	return cost
}

// A survey is about how large a picture in one column is, in points.
type survey struct {
	height, width float64
	top, bottom   []float64 // of each unit, by place
}

// Sizes of the full style: characters and lines of normal and of small text, the
// room between boxes, and what a module call adds above its boxes.
const (
	charWidth, smallCharWidth   = 6.0, 4.8
	lineHeight, smallLineHeight = 18.0, 16.0
	boxGap, rowGap              = 22.0, 25.0
	callHeight                  = 30.0
)

func (d *diagram) survey() *survey {
	l := d.layers
	rows := 0
	for _, row := range l.row {
		rows = max(rows, row+1)
	}
	heights, widths := make([]float64, rows), make([]float64, rows)
	boxes := make([]float64, len(l.order))
	for i, u := range l.order {
		box := d.unitBox(u)
		w, h := box.size()
		boxes[i] = h
		heights[l.row[i]] = max(heights[l.row[i]], h)
		widths[l.row[i]] += w + boxGap
	}
	s := &survey{top: make([]float64, len(l.order)), bottom: make([]float64, len(l.order))}
	opened := make([]int, len(l.calls.List)) // calls that begin in one row, one inside the other
	opens := make([]int, rows)
	for call, c := range l.calls.List {
		opened[call] = 1
		if c.Outer >= 0 && l.top[c.Outer] == l.top[call] {
			opened[call] += opened[c.Outer]
		}
		if row := l.top[call]; row < rows {
			opens[row] = max(opens[row], opened[call])
		}
	}
	at := make([]float64, rows)
	for row := range rows {
		at[row] = s.height + callHeight*float64(opens[row])
		s.height = at[row] + heights[row] + rowGap
		s.width = max(s.width, widths[row])
	}
	for i, row := range l.row {
		s.top[i], s.bottom[i] = at[row], at[row]+boxes[i]
	}
	return s
}

// size is about how large a box is, in points.
func (b *box) size() (width, height float64) {
	width = charWidth*float64(len(b.title)) + smallCharWidth*float64(len(b.about))
	height = lineHeight
	if b.detail != "" {
		height += smallLineHeight
	}
	if n := len(b.inputs); n > 1 && n <= maxPorts {
		height += smallLineHeight
	}
	if b.outputs > 1 && b.outputs <= maxPorts {
		height += smallLineHeight
	}
	for _, r := range b.rows {
		char, line := charWidth, lineHeight
		if r.kind == smallRow || r.kind == sourceRow || r.kind == attrRow {
			char, line = smallCharWidth, smallLineHeight
		}
		width = max(width, char*float64(len(r.line()))+smallCharWidth*float64(len(r.note)))
		height += line
	}
	return width, height
}

// cuts finds the places that columns begin at, each as cheap as it can be where a
// column has about a height.
func (s *survey) cuts(cost []int, height float64) []int {
	var cuts []int
	best := -1
	top, bottom := s.top[0], s.bottom[0]
	for i := 1; i < len(cost); i++ {
		switch {
		case bottom-top > 1.15*height && best >= 0:
			cuts = append(cuts, best)
			top, bottom = s.extent(best, i)
			best = -1
		case bottom-top > 0.7*height && cost[i] != noCut && (best < 0 || cost[i] <= cost[best]):
			best = i
		}
		top, bottom = min(top, s.top[i]), max(bottom, s.bottom[i])
	}
	return cuts
}

// extent is the top and the bottom of the units at some places.
func (s *survey) extent(from, to int) (top, bottom float64) {
	top, bottom = s.top[from], s.bottom[from]
	for i := from; i < to; i++ {
		top, bottom = min(top, s.top[i]), max(bottom, s.bottom[i])
	}
	return top, bottom
}
