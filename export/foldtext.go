package export

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// foldRows returns the lines in the box of a group: what it stands for, and which of its
// nodes must not go unnoticed.
func (p *plan) foldRows(u unit) []row {
	g := p.groups[^u]
	f := p.gather(g.members)
	rows := []row{{text: f.headline(p, &g)}}
	add := func(kind rowKind, text string) {
		if text != "" {
			rows = append(rows, row{kind: kind, text: text})
		}
	}
	if g.Group != nil {
		add(smallRow, f.size())
	}
	add(smallRow, f.commonest())
	add(smallRow, f.statuses())
	if f.modified > 0 {
		add(modifiedRow, counted(f.modified, "saved tensor")+" modified in place")
	}
	if f.freed > 0 {
		add(smallRow, counted(f.freed, "node")+" freed")
	}
	return rows
}

// folded counts what is in a group.
type folded struct {
	ops, leaves     int
	modified, freed int
	names           map[string]int
	order           []string // of names, by first node
	status          map[string]int
}

func (s *selection) gather(members []int32) *folded {
	f := &folded{names: map[string]int{}, status: map[string]int{}}
	for _, i := range members {
		n, ok := s.g.Node(s.nodes[i].id)
		if !ok {
			continue
		}
		f.status[s.status(int(i), &n)]++
		if s.nodes[i].leaf != 0 {
			f.leaves++
			continue
		}
		f.ops++
		if f.names[n.Name]++; f.names[n.Name] == 1 {
			f.order = append(f.order, n.Name)
		}
		for _, sv := range n.Saved {
			if sv.Modified() {
				f.modified++
			}
		}
		if n.Freed {
			f.freed++
		}
	}
	return f
}

func (f *folded) headline(p *plan, g *group) string {
	switch g.kind() {
	case FoldFar:
		return f.size() + " farther from the outputs"
	case FoldModules:
		return p.moduleText(g.Module)
	}
	name, about := g.Name(p.g, thousands)
	return strings.TrimSpace(name + " " + about)
}

func (f *folded) size() string {
	s := counted(f.ops, "node")
	if f.leaves == 1 {
		return s + " and 1 leaf"
	}
	if f.leaves > 0 {
		s += " and " + thousands(f.leaves) + " leaves"
	}
	return s
}

// carried returns how many results each repetition of a folded block hands to later ones:
// what a loop carries from step to step.
func (p *plan) carried(u unit) int {
	if u >= 0 {
		return 0
	}
	g := p.groups[^u]
	if g.kind() != FoldRepeats {
		return 0
	}
	var ops []int32
	for _, i := range g.members {
		if p.nodes[i].leaf == 0 {
			ops = append(ops, i)
		}
	}
	last := len(ops) - len(ops)/g.Times // where the last repetition begins
	found := map[graph.Edge]bool{}
	for _, i := range ops[last:] {
		for _, e := range p.next(int(i)) {
			to := p.at(e.Node)
			if to >= 0 && p.nodes[to].leaf == 0 && p.unitOf(to) == u && int32(to) < ops[last] {
				found[e] = true
			}
		}
	}
	return len(found)
}

// commonest lists the names that occur most.
func (f *folded) commonest() string {
	const most = 3
	names := slices.Clone(f.order)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(f.names[b], f.names[a]) })
	var list []string
	for _, n := range names[:min(len(names), most)] {
		text := label(n, 40)
		if f.names[n] > 1 {
			text += " " + multiple(f.names[n])
		}
		list = append(list, text)
	}
	if len(names) > most {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}

// statuses counts the nodes by status, unless no pass has reached any.
func (f *folded) statuses() string {
	var list []string
	for _, s := range []string{statusPending, graph.Waiting.String(), graph.Ready.String(), graph.Done.String(), graph.Failed.String(), graph.Idle.String()} {
		if n := f.status[s]; n > 0 {
			list = append(list, thousands(n)+" "+s)
		}
	}
	if len(list) == 1 && f.status[graph.Idle.String()] > 0 {
		return ""
	}
	return strings.Join(list, ", ")
}
