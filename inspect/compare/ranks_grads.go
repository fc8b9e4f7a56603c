package compare

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/usage"
)

// A rankLook is what is known of the gradients on one rank.
type rankLook struct {
	totals     RankTotals
	iterations []usage.Iteration
	loop       string                          // the code that separates the iterations
	leaves     map[graph.NodeID]graph.TensorID // of AccumulateGrad nodes
	names      map[string]graph.TensorID       // 0: the name meant several tensors
	came       map[graph.TensorID]map[int]arrival
	reached    map[graph.TensorID]graph.Pos // the first time
}

// An arrival is how a gradient came in one step.
type arrival uint8

const (
	nothingCame arrival = iota
	onlyReduced         // .grad changed in a backward pass that did not reach the tensor
	passReached
)

func lookAtRank(tape *graph.Tape) *rankLook {
	iterations, loop := usage.MainLoop(tape, tape.Len())
	l := &rankLook{
		totals: RankTotals{Info: tape.Info()}, iterations: iterations, loop: codePath(tape.Stack(loop)), leaves: map[graph.NodeID]graph.TensorID{},
		names: map[string]graph.TensorID{}, came: map[graph.TensorID]map[int]arrival{}, reached: map[graph.TensorID]graph.Pos{},
	}
	l.totals.Steps = len(l.iterations)
	d := tape.NewDecoder()
	for p := range tape.Len() {
		head, e, err := d.ReadUntimed(p)
		if err != nil {
			continue
		}
		switch e := e.(type) {
		case *graph.OpRan:
			l.totals.Ops++
		case *graph.BackwardBegan:
			l.totals.Passes++
		case *graph.NodeCreated:
			l.totals.Nodes++
			if e.Variable != 0 {
				l.leaves[e.Node] = e.Variable
			}
		case *graph.NodeExecuted:
			if leaf := l.leaves[e.Node]; leaf != 0 {
				l.arrived(leaf, p, passReached)
			}
		case *graph.GradAccumulated:
			switch {
			case e.How == graph.AccumulateRetain: // it is not a leaf
			case e.Added.Defined():
				l.arrived(e.Tensor, p, passReached)
			default:
				l.arrived(e.Tensor, p, onlyReduced)
			}
		case *graph.GradAssigned:
			if e.Grad != 0 {
				l.arrived(e.Tensor, p, onlyReduced)
			}
		case *graph.NameBound:
			l.bound(tape, e)
		case *graph.ProgramFailed:
			l.totals.Failed, l.totals.At = tape.String(e.Type), tape.Stack(head.Stack).Top()
			if text, _, _ := strings.Cut(e.Message, "\n"); text != "" {
				l.totals.Failed += ": " + text
			}
		}
	}
	return l
}

// arrived notes that a gradient came.
func (l *rankLook) arrived(id graph.TensorID, at graph.Pos, how arrival) {
	steps := l.came[id]
	if steps == nil {
		steps = map[int]arrival{}
		l.came[id], l.reached[id] = steps, at
	}
	step := l.step(at)
	steps[step] = max(steps[step], how)
}

// step returns the number of the iteration in which an event happened; 0: in none.
func (l *rankLook) step(at graph.Pos) int {
	i := sort.Search(len(l.iterations), func(i int) bool { return l.iterations[i].From > at })
	if i == 0 || at >= l.iterations[i-1].To {
		return 0
	}
	return i
}

// forgetSteps moves all arrivals outside the main loop.
func (l *rankLook) forgetSteps() {
	l.iterations = nil
	for id, steps := range l.came {
		whole := nothingCame
		for _, how := range steps {
			whole = max(whole, how)
		}
		l.came[id] = map[int]arrival{0: whole}
	}
}

// knows reports whether nothing more can come in a step because the rank has finished it. Code
// outside the loop is finished when the rank has made all backward passes that any rank has made.
func (l *rankLook) knows(step, passes int) bool {
	if step == 0 {
		return l.totals.Failed == "" && l.totals.Passes == passes
	}
	return step <= len(l.iterations) && l.iterations[step-1].Done
}

func (l *rankLook) bound(tape *graph.Tape, e *graph.NameBound) {
	if e.Tensor == 0 {
		return
	}
	name := tape.String(e.Name)
	if scope := tape.String(e.Scope); scope != "" {
		name = scope + "." + name
	}
	if other, ok := l.names[name]; ok && other != e.Tensor {
		l.names[name] = 0
		return
	}
	l.names[name] = e.Tensor
}

// codePath returns the code of a call stack, wherever its files lie.
func codePath(s graph.Stack) string {
	var b strings.Builder
	for _, f := range s {
		fmt.Fprintf(&b, "%s:%d %s\n", path.Base(filepath.ToSlash(f.File)), f.Line, f.Func)
	}
	return b.String()
}

// sameLoop reports whether all ranks have the same main loop.
func sameLoop(looks []*rankLook) bool {
	for _, l := range looks {
		if l.loop != looks[0].loop {
			return false
		}
	}
	return true
}

// compareGrads finds the parameters that did not get gradients alike, by steps or as a whole.
func compareGrads(looks []*rankLook) (found []RankGrad) {
	bySteps := sameLoop(looks)
	if !bySteps {
		for _, l := range looks {
			l.forgetSteps()
		}
	}
	for _, name := range commonNames(looks) {
		found = append(found, compareGrad(looks, name)...)
	}
	if !bySteps {
		for i := range found {
			found[i].Steps = nil
		}
	}
	slices.SortStableFunc(found, func(a, b RankGrad) int {
		// What no rank of the others has got comes before what a reduction has brought.
		return cmp.Compare(len(b.Without), len(a.Without))
	})
	return found
}

// compareGrad compares what came to the tensor with a name, step by step.
func compareGrad(looks []*rankLook, name string) (found []RankGrad) {
	steps, passes := map[int]bool{}, 0
	for _, l := range looks {
		passes = max(passes, l.totals.Passes)
		for step := range l.came[l.names[name]] {
			steps[step] = true
		}
	}
	known := map[string]int{} // index in found
	for _, step := range slices.Sorted(maps.Keys(steps)) {
		g := RankGrad{Name: name, Steps: []int{step}}
		for _, l := range looks {
			rank, id := l.totals.Info.Rank, l.names[name]
			how := l.came[id][step]
			switch {
			case id == 0 || how == nothingCame && !l.knows(step, passes):
			case how == passReached:
				if g.Got = append(g.Got, rank); len(g.Got) == 1 {
					g.At = l.reached[id]
				}
			case how == onlyReduced:
				g.Reduced = append(g.Reduced, rank)
			default:
				g.Without = append(g.Without, rank)
			}
		}
		if len(g.Got) == 0 || len(g.Reduced)+len(g.Without) == 0 {
			continue
		}
		k := fmt.Sprint(g.Got, g.Reduced, g.Without)
		if i, ok := known[k]; ok {
			found[i].Steps = append(found[i].Steps, step)
			continue
		}
		known[k] = len(found)
		found = append(found, g)
	}
	return found
}

// commonNames returns names by which several ranks know the tensors to which gradients came, one
// for each tensor, in the order of their first gradient on the first of these ranks.
func commonNames(looks []*rankLook) (names []string) {
	shared := map[string]int{} // on how many ranks it means one tensor
	for _, l := range looks {
		for name, id := range l.names {
			if id != 0 {
				shared[name]++
			}
		}
	}
	chosen := map[string]bool{}
	for _, l := range looks {
		best := map[graph.TensorID]string{}
		for _, name := range slices.Sorted(maps.Keys(l.names)) {
			id := l.names[name]
			if l.came[id] != nil && shared[name] > 1 && (best[id] == "" || better(name, best[id], shared)) {
				best[id] = name
			}
		}
		ids := slices.SortedFunc(maps.Keys(best), func(a, b graph.TensorID) int {
			return cmp.Or(cmp.Compare(l.reached[a], l.reached[b]), cmp.Compare(a, b))
		})
		for _, id := range ids {
			if name := best[id]; !chosen[name] {
				chosen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// better reports whether a name says more than another: more ranks have it, or it is a path
// to the tensor, or it is the shorter path.
func better(a, b string, shared map[string]int) bool {
	path := func(name string) int { return min(strings.Count(name, "."), 1) }
	return cmp.Or(
		cmp.Compare(shared[a], shared[b]),
		cmp.Compare(path(a), path(b)),
		-cmp.Compare(len(a), len(b)),
		-cmp.Compare(a, b),
	) > 0
}
