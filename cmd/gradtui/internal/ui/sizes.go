package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/session"
	"github.com/gradtui/gradtui/internal/suggest"
)

// sizes are what the user has set of the layout, in thousandths; 0 is what is usual.
type sizes struct {
	heights [paneCount]int // of the rows of the pane's column; of the timeline, of all rows
	two     [1]int         // where the rule between two columns is
	three   [2]int         // where the rules between three columns are
}

// whole is all of a size.
const whole = 1000

// The least size of a pane that the user resizes.
const (
	leastHeight = 2
	leastWidth  = 12
)

func thousandths(n, of int) int { return min(max((n*whole+of/2)/max(of, 1), 1), whole-1) }

func partOf(n, of int) int { return (n*of + whole/2) / whole }

// fit changes the heights of a column, which keep their sum, so that none is too small.
func fit(heights []int) {
	sum := 0
	for _, h := range heights {
		sum += h
	}
	least := min(leastHeight, sum/len(heights))
	for i := range heights {
		for heights[i] < least {
			most := slices.Index(heights, slices.Max(heights))
			heights[most]--
			heights[i]++
		}
	}
}

// columnsAt returns where the rules stand: at usual places, or where the user has put them.
func columnsAt(width int, set, usual []int) []int {
	at := slices.Clone(usual)
	for i := range at {
		if set[i] > 0 {
			at[i] = partOf(set[i], width)
		}
	}
	for i := range at {
		from := leastWidth
		if i > 0 {
			from = at[i-1] + 1 + leastWidth
		}
		at[i] = max(min(at[i], width-(len(at)-i)*(leastWidth+1)), from)
	}
	return at
}

// column returns the panes that stand above and below a pane, and itself, from above.
func (l *layout) column(id paneID) (ids []paneID, height int) {
	for other, r := range l.panes {
		if r.H > 0 && r.X == l.panes[id].X && (paneID(other) == timelinePane) == (id == timelinePane) {
			ids = append(ids, paneID(other))
			height += r.H
		}
	}
	slices.SortFunc(ids, func(a, b paneID) int { return l.panes[a].Y - l.panes[b].Y })
	return ids, height
}

// A drag moves a border while the button of the mouse is held.
type drag struct {
	rule         int // the index of a rule; -1: the border above a pane
	above, below paneID
	moved        bool
}

// borderAt returns the border at a cell: a rule, or the title of a pane with another one above it.
func (l *layout) borderAt(x, y int) (d drag, ok bool) {
	if i := slices.Index(l.rules, x); i >= 0 && y >= l.ruleRows.Y && y < l.ruleRows.Y+l.ruleRows.H {
		return drag{rule: i}, true
	}
	below, _, row, ok := l.at(x, y)
	if !ok || row != -1 {
		return d, false
	}
	above, _, _, ok := l.at(x, y-1)
	return drag{rule: -1, above: above, below: below}, ok
}

// drop puts a border at a cell.
func (d *drag) drop(m *Model, x, y int) {
	l, s := &m.layout, &m.sizes
	width, rows := l.status.W, l.status.Y-1
	switch {
	case d.rule >= 0 && len(l.rules) == 1:
		s.two[0] = thousandths(x, width)
	case d.rule >= 0 && d.rule < len(l.rules):
		for i, at := range l.rules { // the other one stays
			s.three[i] = thousandths(at, width)
		}
		s.three[d.rule] = thousandths(x, width)
	case d.rule >= 0:
	case d.below == timelinePane:
		r := l.panes[timelinePane]
		s.heights[timelinePane] = thousandths(max(r.Y+r.H-y, leastHeight), rows)
	default:
		a, b := l.panes[d.above], l.panes[d.below]
		_, height := l.column(d.below)
		if a.H == 0 || b.H == 0 || a.H+b.H <= 2*leastHeight {
			return
		}
		upper := min(max(y-a.Y, leastHeight), a.H+b.H-leastHeight)
		s.heights[d.above], s.heights[d.below] = thousandths(upper, height), thousandths(a.H+b.H-upper, height)
	}
	m.resized()
}

// resized lays the panes out again, and gives the program's terminal its size.
func (m *Model) resized() { m.resize(m.columns, m.rows) }

// commandSize sets the height of a pane, or its width, or resets all sizes.
func (m *Model) commandSize(args string) tea.Cmd {
	words := strings.Fields(args)
	if len(words) == 0 {
		m.sizes = sizes{}
		m.resized()
		return m.say(plain, "all panes have their usual sizes")
	}
	id, ok := paneNamed(words[0])
	if !ok {
		return m.sayError(suggest.Unknown("pane", words[0], strings.Split(PaneList(), ", ")))
	}
	wide := len(words) == 3 && words[1] == "width"
	if wide {
		words = append(words[:1], words[2])
	}
	percent, err := strconv.Atoi(strings.TrimSuffix(words[len(words)-1], "%"))
	if len(words) != 2 || err != nil || percent < 1 || percent > 99 {
		return m.sayError(fmt.Errorf("%q is not a size; use size %s 60%%, or size %s width 60%%", args, strings.ToLower(id.name()), strings.ToLower(id.name())))
	}
	column, _ := m.layout.column(id)
	alone := len(column) == 1 && id != timelinePane && len(m.layout.rules) > 0
	if wide || alone {
		return m.setWidth(id, percent)
	}
	for _, other := range column {
		m.sizes.heights[other] = 0 // they share the rest
	}
	m.sizes.heights[id] = percent * whole / 100
	m.resized()
	return m.say(plain, fmt.Sprintf("%s has %d%% of the height; size alone resets that", id.name(), percent))
}

// setWidth sets the width of the column of a pane.
func (m *Model) setWidth(id paneID, percent int) tea.Cmd {
	l := &m.layout
	r, width := l.panes[id], percent*whole/100
	switch {
	case len(l.rules) == 0:
		return m.sayError(fmt.Errorf("the panes stand in one column here"))
	case r.H == 0 || id == timelinePane:
		return m.sayError(fmt.Errorf("%s has no column of its own on the screen", id.name()))
	case len(l.rules) == 1 && r.X > 0:
		m.sizes.two[0] = whole - width
	case len(l.rules) == 1:
		m.sizes.two[0] = width
	default:
		at := [2]int{thousandths(l.rules[0], l.status.W), thousandths(l.rules[1], l.status.W)}
		switch {
		case r.X == 0:
			at[0] = width
		case r.X > l.rules[1]:
			at[1] = whole - width
		default:
			at[1] = min(at[0]+width, whole-1)
		}
		m.sizes.three = at
	}
	m.resized()
	return m.say(plain, fmt.Sprintf("%s has %d%% of the width; size alone resets that", id.name(), percent))
}

// sizeNames complete a size.
func sizeNames(*Model) []string { return append(strings.Split(PaneList(), ", "), "width") }

// kept returns the sizes as a session keeps them; nil: the usual ones.
func (s *sizes) kept() *session.Sizes {
	if *s == (sizes{}) {
		return nil
	}
	k := &session.Sizes{Heights: map[string]int{}}
	for id, h := range s.heights {
		if h > 0 {
			k.Heights[strings.ToLower(paneID(id).name())] = h
		}
	}
	if s.two[0] > 0 {
		k.Two = s.two[:]
	}
	if s.three[0] > 0 {
		k.Three = s.three[:]
	}
	return k
}

// keptSizes returns the sizes of a session.
func keptSizes(k *session.Sizes) (s sizes) {
	if k == nil {
		return s
	}
	for id := range paneCount {
		s.heights[id] = k.Heights[strings.ToLower(id.name())]
	}
	copy(s.two[:], k.Two)
	copy(s.three[:], k.Three)
	return s
}
