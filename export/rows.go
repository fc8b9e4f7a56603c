package export

import (
	"slices"

	"github.com/gradtui/gradtui/internal/arrange"
)

// A layering says which row of a picture each unit goes into, counted from the
// top. A module call takes rows of its own: it begins below what it computes from,
// wherever inside that is used. Graphviz by itself lets the parts of a call that
// need no input begin beside the call before, and since two calls cannot share
// the place, a chain of calls then becomes a staircase.
type layering struct {
	calls *arrange.Calls
	order []unit
	nodes int
	place []int32 // where in order, by node and then by group
	call  []int   // by place: the call that the unit is in; -1: none
	row   []int   // by place
	first []bool  // by place: the unit has no inputs, or is a view of one that has none
	top   []int   // by call: its first row
}

// A flow is an arrow between two places of a layering.
type flow struct{ from, to int32 }

// at is where the place of a unit is kept.
func (l *layering) at(u unit) *int32 {
	if u < 0 {
		return &l.place[l.nodes+int(^u)]
	}
	return &l.place[u]
}

// layering gives the units of a plan rows.
func (p *plan) layering() *layering {
	l := &layering{calls: p.selection.calls(), place: make([]int32, len(p.nodes)+len(p.groups)), nodes: len(p.nodes)}
	for u := range p.units {
		*l.at(u) = int32(len(l.order))
		l.order = append(l.order, u)
		l.call = append(l.call, p.callOf(l.calls, u))
	}
	l.row = make([]int, len(l.order))
	l.first = make([]bool, len(l.order))
	l.top = make([]int, len(l.calls.List))
	within := make([][]flow, len(l.calls.List)+1) // by the call around both ends + 1
	for to, u := range l.order {
		links := p.linksOf(u)
		l.first[to] = len(links) == 0 || len(links) == 1 && u >= 0 && l.first[*l.at(links[0].to)] && p.kindOf(int(u)) == hiddenOp
		for _, link := range links {
			from := *l.at(link.to)
			if int(from) >= to {
				continue // groups can bring circles
			}
			around := l.calls.Common(l.call[from], l.call[to])
			within[around+1] = append(within[around+1], flow{from, int32(to)})
		}
	}
	for call := len(l.calls.List) - 1; call >= -1; call-- { // inner ones first
		l.arrange(call, within[call+1])
	}
	for call, c := range l.calls.List {
		if c.Outer >= 0 {
			l.top[call] += l.top[c.Outer]
		}
	}
	for i, call := range l.call {
		if call >= 0 {
			l.row[i] += l.top[call]
		}
	}
	return l
}

// arrange puts what is directly inside a call into rows of it, given the arrows
// between them in the order of their ends. Whatever has no inputs goes as far down as its
// uses allow, and so do views of it.
func (l *layering) arrange(call int, flows []flow) {
	for _, f := range flows {
		begin := l.begin(call, f.to)
		*begin = max(*begin, l.within(call, f.from)+l.distance(call, f))
	}
	moved := map[int32]bool{}
	for _, f := range slices.Backward(flows) {
		if !l.first[f.from] || l.call[f.from] != call {
			continue
		}
		row := *l.begin(call, f.to) - l.distance(call, f)
		if moved[f.from] {
			row = min(row, l.row[f.from])
		}
		l.row[f.from], moved[f.from] = row, true
	}
}

// distance is how far below the beginning of an arrow what it leads into begins.
// What has no inputs may stand beside a call that uses it.
func (l *layering) distance(call int, f flow) int {
	if l.first[f.from] {
		return 1 - (l.within(call, f.to) - *l.begin(call, f.to))
	}
	return 1
}

// begin is the first row of what is directly inside a call and holds a unit: the
// unit itself, or an inner call.
func (l *layering) begin(call int, at int32) *int {
	inner := l.below(call, l.call[at])
	if inner == call {
		return &l.row[at]
	}
	return &l.top[inner]
}

// below is the call directly inside an outer one that is, or is around, an
// inner one; the outer one itself if both are the same.
func (l *layering) below(outer, inner int) int {
	if outer == inner {
		return outer
	}
	for l.calls.List[inner].Outer != outer {
		inner = l.calls.List[inner].Outer
	}
	return inner
}

// within is the row of a unit within a call while the rows count from the call
// that each thing is directly inside.
func (l *layering) within(call int, at int32) int {
	row := l.row[at]
	for inner := l.call[at]; inner != call; inner = l.calls.List[inner].Outer {
		row += l.top[inner]
	}
	return row
}

// length is how many rows an arrow between two units has to go down at least: to
// its end from above the outermost call that it enters.
func (l *layering) length(from, to unit) int {
	a, b := *l.at(from), *l.at(to)
	if l.first[a] {
		return 1
	}
	around := l.calls.Common(l.call[a], l.call[b])
	if entered := l.below(around, l.call[b]); entered != around {
		return 1 + l.row[b] - l.top[entered]
	}
	return 1
}
