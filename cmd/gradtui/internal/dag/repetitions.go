package dag

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// A repeater looks for repetitions.
type repeater struct {
	*Dag
	groups []Group // calls of modules
	tokens *arrange.Tokens
	lines  map[graph.StackID]int
	known  map[line]int
	unitOf []int32 // by node, of the units at hand
	found  []Group
}

// A line is a line of the program.
type line struct {
	file string
	line int
}

// A unit is a node or a group between groups of the same level.
type unit struct {
	group       int32 // -1: a node
	first, last int
}

// repetitions finds repetitions among what lies directly in each group, and outside all
// groups.
func (d *Dag) repetitions(groups []Group) []Group {
	r := &repeater{
		Dag: d, groups: groups, tokens: arrange.NewTokens(len(d.nodes)),
		lines: map[graph.StackID]int{}, known: map[line]int{}, unitOf: make([]int32, len(d.nodes)),
	}
	r.among(0, len(d.nodes), 0)
	for i := range groups {
		r.among(groups[i].First, groups[i].Last, i+1)
	}
	return r.found
}

// among looks at the units from a node up to another one; next is the first group
// among them.
func (r *repeater) among(first, last, next int) {
	var units []unit
	for i := first; i < last; {
		u := unit{-1, i, i + 1}
		if next < len(r.groups) && r.groups[next].First == i {
			g := &r.groups[next]
			u = unit{int32(next), g.First, g.Last}
			next = int(g.after)
		}
		for ; i < u.last; i++ {
			r.unitOf[i] = int32(len(units))
		}
		units = append(units, u)
	}
	if len(units) < arrange.MinTimes {
		return
	}
	tokens := make([]int32, len(units))
	links := arrange.NewCrossings(len(units))
	r.tokens.Restart()
	for i, u := range units {
		tokens[i] = r.token(u)
		for j := u.first; j < u.last; j++ {
			for _, to := range r.Next(j) {
				if int(to) < last {
					links.Link(i, int(r.unitOf[to]))
				}
			}
		}
	}
	for _, run := range arrange.Repetitions(tokens, links) {
		r.add(units, run)
	}
}

// add notes a repetition and its steps.
func (r *repeater) add(units []unit, run arrange.Run) {
	end := units[run.Start+run.Length-1].last
	g := Group{Kind: Repetition, First: units[run.Start].first, Last: end, Times: run.Times()}
	g.Each = g.Len() / g.Times
	r.found = append(r.found, g)
	if run.Period == 1 {
		return // the units are the steps
	}
	for n := range g.Times {
		at := run.Start + n*run.Period
		step := Group{Kind: Step, First: units[at].first, Last: units[at+run.Period-1].last, Number: n + 1}
		r.found = append(r.found, step)
	}
}

// token describes a unit. Calls of modules are equal if their types and sizes are. Nodes
// are equal if they have the same name and line of the program and, seen from each, send
// gradients to the same places.
func (r *repeater) token(u unit) int32 {
	t, n := r.tokens, &r.nodes[u.first]
	if u.group >= 0 {
		m, _ := r.g.Module(r.groups[u.group].Module)
		t.Text(m.Type)
		t.Number(u.last - u.first)
		return t.End()
	}
	t.Number(int(n.name))
	if !n.leaf { // the line of a leaf is where the variable was first used
		t.Number(r.line(n.stack))
	}
	t.Use(u.first)
	for _, to := range r.Next(u.first) {
		t.Use(int(to))
	}
	return t.End()
}

// line numbers the line that a call stack ends in.
func (r *repeater) line(id graph.StackID) int {
	if n, ok := r.lines[id]; ok {
		return n
	}
	top := r.g.Tape().Stack(id).Top()
	key := line{top.File, top.Line}
	n, ok := r.known[key]
	if !ok {
		n = len(r.known)
		r.known[key] = n
	}
	r.lines[id] = n
	return n
}
