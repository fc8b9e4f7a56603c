package rules

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// A rootAt is a tensor that a backward pass began from, and when.
type rootAt struct {
	tensor graph.TensorID
	at     graph.Pos
}

// ways are the ways by which values came from tensors into a root: for each tensor the one that
// does the least to keep a gradient from coming back.
type ways struct {
	of     map[graph.TensorID]way
	order  []graph.TensorID // the nearest to the root first
	blocks []inspect.Flow   // the steps where the gradient ends, the nearest first
	lost   bool             // some of them were forgotten
}

type way struct {
	next    inspect.Flow // the first step towards the root
	leaf    bool         // it goes through a leaf that requires grad
	state   bool         // it goes through a parameter
	blocked int          // 0: a gradient can come back; else the cost of the steps that let none through
}

// mostTensors bounds what one search looks at.
const mostTensors = 200_000

// waysTo finds what went into a root.
func (a *analysis) waysTo(root rootAt) *ways {
	if w, known := a.ways[root]; known {
		return w
	}
	w := &ways{of: map[graph.TensorID]way{root.tensor: {}}}
	a.ways[root] = w
	done := map[graph.TensorID]bool{}
	levels := [][]graph.TensorID{{root.tensor}} // by what the way costs
	for blocked := 0; blocked < len(levels) && len(w.order) < mostTensors; blocked++ {
		for i := 0; i < len(levels[blocked]); i++ {
			id := levels[blocked][i]
			if done[id] || w.of[id].blocked < blocked {
				continue
			}
			done[id] = true
			w.order = append(w.order, id)
			w.lost = w.lost || a.lost(id)
			leaf := w.of[id].leaf || id != root.tensor && a.trainable(id)
			for _, f := range a.h.Flows(id) {
				if f.At > root.at {
					continue
				}
				cost := blocked
				if a.blocks(f) {
					if blocked == 0 {
						w.blocks = append(w.blocks, f)
					}
					cost += a.costOf(f, w.of[id])
				}
				if known, ok := w.of[f.From]; ok && known.blocked <= cost {
					continue
				}
				state := w.of[id].state || learned(a.h, f.From)
				w.of[f.From] = way{f, leaf, state, cost}
				for len(levels) <= cost {
					levels = append(levels, nil)
				}
				levels[cost] = append(levels[cost], f.From)
			}
		}
	}
	return w
}

// lost reports whether the history has forgotten how a tensor was made.
func (a *analysis) lost(id graph.TensorID) bool {
	t := a.h.Tensor(id)
	return a.h.Forgot() && (!t.Known() || t.Op >= 0 && a.h.Maker(id) == nil)
}

// partial reports whether some of what went into roots was forgotten.
func (a *analysis) partial(roots []rootAt) bool {
	return slices.ContainsFunc(roots, func(r rootAt) bool { return a.waysTo(r).lost })
}

// costOf returns the cost of a step that lets no gradient back, with the way that goes on from it. It is
// higher for a step that says so, which may be intended, and highest for values that are written to a
// parameter, such as an average or a copy of weights.
func (a *analysis) costOf(f inspect.Flow, on way) int {
	switch {
	case (on.state || learned(a.h, f.To)) && (f.Cut == graph.CutNoGrad || f.Cut == graph.CutDetach || learned(a.h, f.From)):
		return 6
	case f.Cut == graph.CutDetach:
		return 3
	}
	return 2
}

// trainable reports whether a tensor is a leaf that requires grad.
func (a *analysis) trainable(id graph.TensorID) bool {
	t, ok := a.h.Graph().Tensor(id)
	return ok && t.Leaf() && t.RequiresGrad
}

// blocks reports whether no gradient comes back through a flow to a tensor that
// could have one.
func (a *analysis) blocks(f inspect.Flow) bool {
	return f.Cut != 0 && a.h.Graph().RequiresGrad(f.From) || a.zeroDerivative(f)
}

// zeroOps are the operations whose derivative is zero wherever it exists.
var zeroOps = map[string]bool{
	"round": true, "floor": true, "ceil": true, "trunc": true, "fix": true, "sign": true, "sgn": true,
	"heaviside": true, "floor_divide": true, "bernoulli": true,
}

func (a *analysis) zeroDerivative(f inspect.Flow) bool {
	if f.Op < 0 {
		return false
	}
	op := a.h.Op(f.Op)
	return op.Node != 0 && zeroOps[op.Name]
}

// rootsOf returns the tensors that passes began from.
func (a *analysis) rootsOf(passes []inspect.Pass) (roots []rootAt) {
	for _, p := range passes {
		for _, r := range p.Roots {
			roots = append(roots, rootAt{r.Tensor, p.At})
		}
	}
	return roots
}

// mostRoots bounds the backward passes that are looked at for one gap.
const mostRoots = 8

// rootsBefore returns where the backward passes before p began: the newest for each
// line of the program.
func (a *analysis) rootsBefore(p graph.Pos) (roots []rootAt) {
	passes := a.h.Passes()
	seen := map[graph.StackID]bool{}
	for i := sortedBefore(passes, p); i > 0 && len(roots) < mostRoots; i-- {
		pass := passes[i]
		if !seen[pass.Stack] && pass.Failed == nil && pass.Flags&graph.GradOnly == 0 {
			seen[pass.Stack] = true
			roots = append(roots, a.rootsOf(passes[i:i+1])...)
		}
	}
	return roots
}

// rootsAfter returns where the backward passes after p began: the first for each line of the
// program; none if the history has forgotten one of them.
func (a *analysis) rootsAfter(p graph.Pos) (roots []rootAt) {
	passes := a.h.Passes()
	seen := map[graph.StackID]bool{}
	for i := sortedBefore(passes, p) + 1; i < len(passes) && len(roots) < mostRoots; i++ {
		pass := passes[i]
		if !seen[pass.Stack] && pass.Failed == nil && pass.Flags&graph.GradOnly == 0 {
			if !a.h.Remembers(pass.At) {
				return nil
			}
			seen[pass.Stack] = true
			roots = append(roots, a.rootsOf(passes[i:i+1])...)
		}
	}
	return roots
}

// passable finds a root that a gradient can come from.
func (a *analysis) passable(roots []rootAt, target graph.TensorID) (root rootAt, ok bool) {
	for _, r := range roots {
		if w, found := a.waysTo(r).of[target]; found && w.blocked == 0 {
			return r, true
		}
	}
	return rootAt{}, false
}

// firstBlock returns the step next to a tensor where the gradient on its way back ends;
// ok is false if the values of the tensor did not come to any root, or if the
// gradient could come all the way.
func (a *analysis) firstBlock(roots []rootAt, target graph.TensorID) (block inspect.Flow, ok bool) {
	fewest := 0
	for _, r := range roots {
		w := a.waysTo(r)
		at, found := w.of[target]
		if !found || at.blocked == 0 || fewest > 0 && at.blocked >= fewest {
			continue
		}
		for id := target; id != r.tensor; {
			f := w.of[id].next
			if a.blocks(f) {
				block, fewest, ok = f, at.blocked, true
				break
			}
			id = f.To
		}
	}
	return block, ok
}

// frontier returns the step nearest to a root where the gradient ends. It prefers steps behind which there
// are parameters of the newest optimizer, and then steps that cost less.
func (a *analysis) frontier(w *ways, at graph.Pos) (nearest inspect.Flow, ok bool) {
	fewest := 0
	for _, f := range w.blocks {
		cost := a.costOf(f, w.of[f.To])
		if !a.trainsNow(f, at) {
			cost += 10
		}
		if !ok || cost < fewest {
			nearest, fewest, ok = f, cost, true
		}
	}
	return nearest, ok
}

// trainsNow reports whether gradients could come from the source of a flow to parameters of the optimizer
// that is the newest one at a position.
func (a *analysis) trainsNow(f inspect.Flow, at graph.Pos) bool {
	number := uint32(0)
	var held []graph.TensorID
	for _, group := range a.h.Optimizers() {
		if group.At > at {
			break
		}
		if group.Number != number {
			held = held[:0:0]
		}
		number, held = group.Number, append(held, group.Tensors...)
	}
	behind := a.waysTo(rootAt{f.From, f.At})
	return slices.ContainsFunc(held, func(p graph.TensorID) bool {
		w, ok := behind.of[p]
		return ok && w.blocked == 0
	})
}
