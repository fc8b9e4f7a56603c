package usage

import (
	"cmp"
	"slices"
)

// maxSamples bounds how often what each line uses is noted.
const maxSamples = 32

// samples hold what each line used after some of the iterations.
type samples struct {
	iterations []int // their indices
	uses       [][]Use
}

// newSamples spreads samples over the iterations that may show a growth. What is made
// once, such as gradients and the state of an optimizer, is there after the first one;
// of many iterations the first quarter may be a warm-up.
func newSamples(all []IterationStat) *samples {
	s := &samples{}
	if n := len(all); n > 0 && !all[n-1].Done {
		all = all[:n-1]
	}
	first := len(all) / 4
	n := len(all) - first
	for i := range min(n, maxSamples) {
		s.iterations = append(s.iterations, first+i*(n-1)/max(min(n, maxSamples)-1, 1))
	}
	return s
}

// take notes what lines use after an iteration.
func (s *samples) take(iteration int, m *Memory) {
	i := len(s.uses)
	if i == len(s.iterations) || s.iterations[i] != iteration {
		return
	}
	uses := make([]Use, len(m.lines.list))
	for j := range uses {
		uses[j] = m.lines.list[j].End
	}
	s.uses = append(s.uses, uses)
}

// minSamples is how many iterations it takes to see a growth.
const minSamples = 3

// growth says whether more is in use with each iteration, and by which lines.
func (s *samples) growth(stat *Stat) *Growth {
	if len(s.uses) < minSamples {
		return nil
	}
	first, last := s.iterations[0], s.iterations[len(s.uses)-1]
	iterations := stat.Iterations[first : last+1]
	nodes := series(iterations, func(t IterationStat) int64 { return int64(t.After.Nodes) })
	bytes := series(iterations, func(t IterationStat) int64 { return t.After.Bytes })
	g := &Growth{From: first + 1, To: last + 1}
	steps := float64(last - first)
	whole := rate(iterations[0].After, iterations[len(iterations)-1].After, steps)
	if rises(nodes) {
		g.Nodes = whole.Nodes
	}
	if rises(bytes) {
		g.Bytes = whole.Bytes
	}
	if g.Rate == (Rate{}) {
		return nil
	}
	before, after := s.uses[0], s.uses[len(s.uses)-1]
	for i := range stat.Lines {
		l := &stat.Lines[i]
		var was Use
		if l.number < len(before) {
			was = before[l.number]
		}
		if l.number < len(after) {
			l.Grows = rate(was, after[l.number], steps)
		}
	}
	for _, l := range stat.Lines {
		if notable(l.Grows.Nodes, g.Nodes) || notable(l.Grows.Bytes, g.Bytes) {
			g.Lines = append(g.Lines, l)
		}
	}
	slices.SortStableFunc(g.Lines, func(a, b LineStat) int {
		return cmp.Or(cmp.Compare(b.Grows.Bytes, a.Grows.Bytes), cmp.Compare(b.Grows.Nodes, a.Grows.Nodes))
	})
	return g
}

func rate(from, to Use, steps float64) Rate {
	return Rate{float64(to.Nodes-from.Nodes) / steps, float64(to.Bytes-from.Bytes) / steps}
}

// notable reports whether a part of a growth is worth naming.
func notable(part, whole float64) bool { return whole > 0 && part >= whole/20 }

func series(list []IterationStat, of func(IterationStat) int64) (values []int64) {
	for _, t := range list {
		values = append(values, of(t))
	}
	return values
}

// rises reports whether values grow steadily: the smallest one of each quarter is
// larger than in the quarter before.
func rises(values []int64) bool {
	parts := min(len(values), 4)
	low := int64(-1)
	for i := range parts {
		next := slices.Min(values[i*len(values)/parts : (i+1)*len(values)/parts])
		if next <= low {
			return false
		}
		low = next
	}
	return true
}
