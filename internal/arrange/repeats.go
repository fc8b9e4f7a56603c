package arrange

import "slices"

// maxRounds is how often repetitions are looked for in a list. A round may bring out what
// the one before has folded.
const maxRounds = uint8(4)

// repeater is what a builder keeps while it looks for repetitions.
type repeater struct {
	tokens *tokens
	unitOf []int32 // by node: its unit of those at hand + 1
}

// A unit is an element of what may repeat itself: a node, or a group.
type unit struct {
	group       int32 // None: a node
	first, last int   // places
	number      int32 // of a repetition: equal for equal ones
}

// repetitions looks among what lies directly in each call, and outside all calls.
func (b *builder) repetitions() {
	b.repeater = repeater{newTokens(b.n), make([]int32, b.n)}
	calls := len(b.groups)
	var units []unit
	among := func(around int32, first, last int) {
		units = units[:0]
		next := int(around) + 1
		for i := first; i < last; {
			u := unit{group: None, first: i, last: i + 1}
			if next < calls && b.groups[next].First == i {
				g := &b.groups[next]
				u.group, u.last = int32(next), g.Last
				next = int(g.After)
			}
			i = u.last
			if u.group != None || !b.aside(b.node(u.first)) {
				units = append(units, u)
			}
		}
		if len(units) >= MinTimes {
			b.search([]list{{around, units}})
		}
	}
	among(None, 0, b.n)
	for i := range calls {
		among(int32(i), b.groups[i].First, b.groups[i].Last)
	}
}

// aside says that a node is left out of lists.
func (b *builder) aside(i int) bool { return b.opts.Together && b.Leaf(i) }

// A list is units that lie directly in a group.
type list struct {
	around int32
	units  []unit
}

// A series is a run of equal units.
type series struct {
	run
	round  uint8 // of the search that found it
	number int32 // equal for equal ones
}

// search finds the repetitions in lists that are equal.
func (b *builder) search(lists []list) {
	for round := range maxRounds {
		numbers := b.number(lists[0].units)
		runs := repetitions(numbers, func() crossings { return b.links(lists[0].units) })
		if len(runs) == 0 {
			return
		}
		folded := make([]list, len(lists))
		for i, l := range lists {
			folded[i].around = l.around
		}
		done := 0
		for _, r := range runs {
			s := series{r, round, b.tokens.repetition(numbers, r)}
			var steps []list
			for i, l := range lists {
				f := &folded[i].units
				*f = append(*f, l.units[done:r.Start]...)
				if b.opts.Between {
					*f = b.foldBetween(*f, l, s)
				} else {
					*f, steps = b.foldSteps(*f, steps, l, s)
				}
			}
			done = r.Start + r.Length
			if r.Period >= MinTimes && len(steps) > 0 {
				b.search(steps)
			}
		}
		for i, l := range lists {
			folded[i].units = append(folded[i].units, l.units[done:]...)
		}
		lists = folded
	}
}

// foldBetween makes a group of all steps of a run but the first and the last, and appends
// what is left.
func (b *builder) foldBetween(to []unit, l list, r series) []unit {
	first, last := r.Start+r.Period, r.Start+r.Length-r.Period
	to = append(to, l.units[r.Start:first]...)
	to = append(to, b.repetition(l.around, l.units[first:last], r.times()-2, r))
	b.adopt(to[len(to)-1].group, l.units[first:last])
	return append(to, l.units[last:r.Start+r.Length]...)
}

// foldSteps makes groups of a run and of its steps, and appends what is left and the steps.
func (b *builder) foldSteps(to []unit, steps []list, l list, r series) ([]unit, []list) {
	units := l.units[r.Start : r.Start+r.Length]
	whole := b.repetition(l.around, units, r.times(), r)
	if r.Period == 1 {
		b.adopt(whole.group, units) // they are the steps
		return append(to, whole), steps
	}
	steps, b.groups = slices.Grow(steps, r.times()), slices.Grow(b.groups, r.times())
	for n := range r.times() {
		step := list{
			b.add(Group{Kind: Step, Parent: whole.group, Number: n + 1}),
			units[n*r.Period : (n+1)*r.Period],
		}
		b.adopt(step.around, step.units)
		steps = append(steps, step)
	}
	return append(to, whole), steps
}

// repetition adds the group of a repetition.
func (b *builder) repetition(around int32, units []unit, times int, r series) unit {
	u := unit{first: units[0].first, last: units[len(units)-1].last, number: r.number}
	each := 0
	for place := u.first; place < u.last; place++ {
		if !b.aside(b.node(place)) {
			each++
		}
	}
	u.group = b.add(Group{
		Kind: Repetition, Parent: around, Times: times, Each: each / times, Round: r.round, Between: b.opts.Between,
	})
	return u
}

// adopt puts units into a group.
func (b *builder) adopt(g int32, units []unit) {
	for _, u := range units {
		if u.group != None {
			b.groups[u.group].Parent = g
		} else {
			b.in[b.node(u.first)] = g
		}
	}
}

// number gives equal units equal numbers. Calls of modules are equal if their types and
// sizes are, repetitions if what they repeat is, and how often. Nodes are equal if they are
// the same operation, in the same line where that matters, and, seen from each, use the same
// ones.
func (b *builder) number(units []unit) []int32 {
	t := b.tokens
	t.restart()
	numbers := make([]int32, len(units))
	for i, u := range units {
		if u.group == None {
			n := b.node(u.first)
			operation, line := b.What(n)
			t.add(nodeToken)
			t.add(operation)
			t.add(line)
			t.use(n)
			for _, to := range b.Next(n) {
				t.use(int(to))
			}
			numbers[i] = t.end()
			continue
		}
		numbers[i] = u.number
		if g := &b.groups[u.group]; g.Kind == ModuleCall {
			m, _ := b.Graph().Module(g.Module)
			t.add(callToken)
			t.text(m.Type)
			t.add(u.last - u.first)
			numbers[i] = t.end()
		}
	}
	return numbers
}

// links finds the links between units. Those to leaves do not count: all steps may use the
// same one.
func (b *builder) links(units []unit) crossings {
	mark := func(i int32, u unit) {
		for place := u.first; place < u.last; place++ {
			b.unitOf[b.node(place)] = i
		}
	}
	for i, u := range units {
		mark(int32(i)+1, u)
	}
	links := newCrossings(len(units))
	for i, u := range units {
		for place := u.first; place < u.last; place++ {
			for _, to := range b.Next(b.node(place)) {
				if other := b.unitOf[to]; other != 0 && !b.Leaf(int(to)) {
					links.link(i, int(other)-1)
				}
			}
		}
	}
	for _, u := range units {
		mark(0, u)
	}
	return links
}
