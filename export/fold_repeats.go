package export

import "github.com/gradtui/gradtui/internal/arrange"

// repeats folds series of equal blocks: the steps of an unrolled loop, the layers
// of a deep network. It reports whether the plan fits then.
func (f *folder) repeats() bool {
	// A pass may bring out series of what the pass before has folded.
	for range 4 {
		seq := f.sequence()
		runs := arrange.Repetitions(seq.tokens, seq.links)
		if len(runs) == 0 {
			break
		}
		for _, r := range runs {
			times := r.Times()
			var nodes []int32
			for _, u := range seq.units[r.Start+r.Period : r.Start+(times-1)*r.Period] {
				nodes = f.appendMembers(nodes, u)
			}
			f.merge(nodes, group{kind: FoldRepeats, times: times - 2})
		}
		f.settle()
		if f.fits() {
			return true
		}
	}
	return false
}

func (f *folder) appendMembers(nodes []int32, u unit) []int32 {
	if u < 0 {
		return append(nodes, f.groups[^u].members...)
	}
	return append(nodes, int32(u))
}

// A sequence is the units of a plan in order of creation, without leaves.
type sequence struct {
	units  []unit
	tokens []int32
	links  arrange.Crossings
}

// sequence reduces each unit to a token: its name, and how it uses its inputs.
func (f *folder) sequence() *sequence {
	s := &sequence{}
	tokens := arrange.NewTokens(len(f.nodes) + len(f.groups))
	use := func(u unit) {
		if u < 0 {
			u = unit(len(f.nodes)) + ^u
		}
		tokens.Use(int(u))
	}
	place := map[unit]int{}
	for u := range f.units {
		if u >= 0 && f.nodes[u].leaf != 0 {
			continue
		}
		place[u] = len(s.units)
		f.describe(tokens, u)
		if u >= 0 {
			for _, e := range f.next(int(u)) {
				if i := f.at(e.Node); i >= 0 {
					use(f.unitOf(i))
				}
			}
		} else {
			for _, l := range f.linksOf(u) {
				tokens.Number(int(l.count))
				use(l.to)
			}
		}
		use(u)
		s.units, s.tokens = append(s.units, u), append(s.tokens, tokens.End())
	}
	s.countLinks(f, place)
	return s
}

// describe says what a unit is: the name of a node, or the type of the module whose
// call a group is.
func (f *folder) describe(tokens *arrange.Tokens, u unit) {
	if u >= 0 {
		tokens.Text(f.nodeName(int(u)))
		return
	}
	g := f.groups[^u]
	m, _ := f.g.Module(g.module)
	tokens.Number(int(g.kind))
	tokens.Text(m.Type)
	tokens.Number(len(g.members))
}

func (s *sequence) countLinks(f *folder, place map[unit]int) {
	s.links = arrange.NewCrossings(len(s.units))
	for from, u := range s.units {
		for _, l := range f.linksOf(u) {
			if to, ok := place[l.to]; ok {
				s.links.Link(from, to)
			}
		}
	}
}
