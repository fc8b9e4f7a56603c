package rules

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var paramRebound = missingRule("param-rebound", inspect.SeverityWarning,
	"An update creates a new tensor instead of changing the parameter.")

// An update is an expression like `w - lr * w.grad`: it makes a new tensor of a leaf
// and of its gradient.
type update struct {
	leaf graph.TensorID
	op   *inspect.Op
}

var updating = map[string]bool{"sub": true, "add": true, "rsub": true, "addcmul": true, "addcdiv": true, "lerp": true}

// findUpdates finds the update expressions whose result was not made a leaf again.
func (a *analysis) findUpdates() {
	for _, op := range a.h.Ops().All() {
		if !updating[op.Name] || op.Step >= 0 || op.Pass != 0 || len(op.Mutated) > 0 || len(op.Outputs) != 1 {
			continue
		}
		for _, in := range op.Inputs {
			leaf := a.source(in)
			if c, ok := a.got[leaf]; ok && c.First < op.At && a.hasGradOf(op, leaf) && !a.keptAsLeaf(op.Outputs[0], leaf, 0) {
				a.updates[op.Outputs[0]] = update{leaf, op}
			}
		}
	}
}

// source returns what a tensor was detached from, or itself.
func (a *analysis) source(id graph.TensorID) graph.TensorID {
	for range 4 {
		t := a.h.Tensor(id)
		if len(t.Cuts) != 1 || t.Cuts[0].Cut != graph.CutDetach && t.Cuts[0].Cut != graph.CutData {
			break
		}
		id = t.Cuts[0].From
	}
	return id
}

// hasGradOf reports whether an operation reads what was computed from the gradient
// of a leaf.
func (a *analysis) hasGradOf(op *inspect.Op, leaf graph.TensorID) bool {
	const most = 32
	seen := map[graph.TensorID]bool{leaf: true}
	queue := append([]graph.TensorID(nil), op.Inputs...)
	for len(queue) > 0 && len(seen) < most {
		id := queue[0]
		queue = queue[1:]
		if seen[id] {
			continue
		}
		seen[id] = true
		if owner, ok := a.h.GradOf(id); ok && owner == leaf {
			return true
		}
		for _, f := range a.h.Flows(id) {
			queue = append(queue, f.From)
		}
	}
	return false
}

// keptAsLeaf reports whether a tensor was written back into a leaf's memory, or turned into a
// leaf that requires grad.
func (a *analysis) keptAsLeaf(id, leaf graph.TensorID, depth int) bool {
	const deepest = 4
	g := a.h.Graph()
	t, _ := g.Tensor(id)
	memory := a.h.Tensor(leaf).Storage
	if t.Leaf() && t.RequiresGrad || t.Storage == memory || depth == deepest {
		return t.Leaf() && t.RequiresGrad || t.Storage == memory
	}
	if a.h.Tensor(id).Read != 0 {
		return true // it may have been
	}
	for _, i := range a.h.Uses(id) {
		op := a.h.Op(i)
		for _, m := range op.Mutated {
			if a.h.Tensor(m).Storage == memory {
				return true
			}
		}
		for _, out := range op.Outputs {
			if len(op.Inputs) == 1 && a.keptAsLeaf(out, leaf, depth+1) {
				return true
			}
		}
	}
	for _, other := range a.h.Sharing(t.Storage) { // detached from it, or a Parameter around it
		if o, _ := g.Tensor(other); other != id && o.Leaf() && o.RequiresGrad {
			return true
		}
	}
	return false
}

// updated reports a gap at the result of an update.
func (a *analysis) updated(g gap) bool {
	u, ok := a.updates[g.target]
	if ok {
		a.rebound(g, u)
	}
	return ok
}

// usesUpdate reports a loss that was computed from the result of an update.
func (a *analysis) usesUpdate(g gap) bool {
	w := a.waysTo(rootAt{g.target, g.at})
	var found []update
	for _, id := range w.order {
		if u, ok := a.updates[id]; ok && w.of[id].blocked == 0 {
			found = append(found, u)
		}
	}
	if len(found) == 0 {
		return false
	}
	slices.SortFunc(found, func(a, b update) int { return cmp.Compare(a.op.At, b.op.At) })
	a.rebound(g, found[0], found[1:]...)
	return true
}

// rebound reports an update, and others like it.
func (a *analysis) rebound(g gap, u update, others ...update) {
	leaf := a.h.Called(u.leaf)
	t := a.h.Tensor(u.leaf)
	a.explained[u.leaf] = true
	var related []inspect.Span
	for _, o := range others {
		related = append(related, a.h.In(o.op.Stack, o.op.At, "so does this"))
	}
	a.report(g, inspect.Finding{
		Code:    "param-rebound",
		Message: fmt.Sprintf("the update of %s creates a new tensor: the parameter itself does not change", leaf),
		Primary: a.h.In(u.op.Stack, u.op.At, "creates a new tensor"),
		Related: append(related, a.h.In(t.Stack, t.Created, "the parameter was made here")),
		Tensors: []string{leaf},
		Help:    fmt.Sprintf("change it in place: `with torch.no_grad(): %s -= lr * %[1]s.grad`", strings.Trim(leaf, "`")),
		Evidence: facts(
			a.h.In(u.op.Stack, u.op.At, fmt.Sprintf("%s reads %s and its gradient, and writes to a new tensor", u.op.Name, leaf)),
			a.h.At(a.got[u.leaf].First, leaf+" got its first gradient before"),
		),
		Instead: []inspect.Alternative{not("optimizer-missing-param", "the program updates it without an optimizer")},
	})
}

// forgotten looks at updates that nothing reads, of parameters that nothing changes.
func (a *analysis) forgotten() {
	changed := map[graph.TensorID]bool{}
	for _, u := range a.h.Updates().All() {
		if c, ok := a.got[u.Tensor]; ok && u.At > c.First {
			changed[u.Tensor] = true
		}
	}
	times := map[graph.TensorID]int{}
	for _, result := range slices.Sorted(maps.Keys(a.updates)) {
		u := a.updates[result]
		if changed[u.leaf] || len(a.h.Uses(result)) > 0 || a.h.Tensor(result).Read != 0 || a.explained[u.leaf] {
			continue
		}
		if times[u.leaf]++; times[u.leaf] == 2 {
			a.rebound(gap{target: u.leaf, at: u.op.At}, u)
		}
	}
}

// dropped looks at loops over parameters that compute a new value and bind it to the variable of
// the loop: `for t, s in zip(…): t = t.lerp(s, tau)`. The value is gone in the next turn.
func (a *analysis) dropped() {
	type place struct {
		file string
		line int
	}
	times := map[place]int{}
	for i, t := range a.h.Tensors().All() {
		id := graph.TensorID(i)
		op := a.h.Maker(id)
		if op == nil || op.Pass != 0 || op.Step >= 0 || len(op.Mutated) > 0 || len(t.Names) != 1 || !a.unread(id, t) {
			continue
		}
		param, ok := a.parameterIn(op.Stack, id, t.Shape, 0)
		if !ok || a.explained[param] {
			continue
		}
		name, at := t.Names[0].Name, a.h.In(op.Stack, op.At, "creates a new tensor, which is dropped")
		k := place{at.File, at.Line}
		if times[k] == 2 {
			continue
		}
		loop, ok := a.loopOver(name, at.Frame)
		if !ok {
			continue
		}
		if times[k]++; times[k] == 2 {
			a.report(gap{target: param, at: op.At}, inspect.Finding{
				Code:    "param-rebound",
				Message: fmt.Sprintf("`%s` gets a new tensor in each turn of the loop: the parameters themselves do not change", name),
				Primary: at,
				Related: []inspect.Span{loop},
				Tensors: []string{a.h.Called(param)},
				Help:    fmt.Sprintf("write into the parameters, under no_grad: `%s.copy_(…)`, or the in-place form of the operation", name),
				Evidence: facts(
					a.h.In(op.Stack, op.At, fmt.Sprintf("nothing goes on with what %s made, and the next turn drops it", op.Name)),
					loop,
				),
			})
		}
	}
}

// unread reports whether the program had a tensor only as long as its name meant it, and nothing
// read it but to change it in place.
func (a *analysis) unread(id graph.TensorID, t *inspect.Tensor) bool {
	lost := t.Names[0].Lost
	return t.Released >= 0 && (lost < 0 || t.Released < lost) && t.Read == 0 && t.Rooted == 0 &&
		len(a.h.Sharing(t.Storage)) == 1 &&
		!slices.ContainsFunc(a.h.Uses(id), func(i int) bool { return !slices.Contains(a.h.Op(i).Mutated, id) })
}

// parameterIn returns the first parameter of a shape that the line of a call stack has computed a
// tensor from.
func (a *analysis) parameterIn(line graph.StackID, id graph.TensorID, shape []int, depth int) (graph.TensorID, bool) {
	const deepest = 8
	t := a.h.Tensor(id)
	if depth > 0 && slices.Equal(t.Shape, shape) {
		for _, other := range a.h.Sharing(t.Storage) {
			if a.h.Tensor(other).Flags&graph.FlagParameter != 0 {
				return other, true
			}
		}
	}
	if depth == deepest {
		return 0, false
	}
	for _, f := range a.h.Flows(id) {
		if !slices.EqualFunc(a.h.Tape().Stack(f.Stack), a.h.Tape().Stack(line), sameLine) {
			continue
		}
		if param, ok := a.parameterIn(line, f.From, shape, depth+1); ok {
			return param, true
		}
	}
	return 0, false
}

// loopOver returns the header of the loop whose variable a statement assigns, if the turn of the loop
// does not read the variable after that.
func (a *analysis) loopOver(name string, at graph.Frame) (inspect.Span, bool) {
	const most = 8 // lines of a statement
	h := a.h
	first, ok := h.LoopAround(at.File, at.Line)
	if !ok || !regexp.MustCompile(`^\s*for\s.*\b`+regexp.QuoteMeta(name)+`\b.*\sin\s`).MatchString(h.LineText(at.File, first)) {
		return inspect.Span{}, false
	}
	assigns := regexp.MustCompile(`^\s*` + regexp.QuoteMeta(name) + `\s*=[^=]`)
	for n := at.Line; n > max(first, at.Line-most); n-- {
		if !assigns.MatchString(h.LineText(at.File, n)) {
			continue
		}
		named, written := regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`), regexp.MustCompile(`^\s*`+regexp.QuoteMeta(name)+`\.\w+_\(`)
		for after := h.BlockEnd(at.File, n) + 1; after <= h.BlockEnd(at.File, first); after++ {
			text := h.LineText(at.File, after)
			if reads := len(named.FindAllString(text, -1)); reads > 1 || reads == 1 && !written.MatchString(text) {
				return inspect.Span{}, false
			}
		}
		return h.LineSpan(at.File, first, "the loop goes on to the next parameter"), true
	}
	return inspect.Span{}, false
}

// assigned looks at a program that failed because it bound the name of a parameter
// of a module to the result of an update.
func (a *analysis) assigned() {
	p, failed := a.h.Failed()
	if !failed {
		return
	}
	if !strings.Contains(a.failure(p), "as parameter '") {
		return
	}
	for _, result := range slices.Sorted(maps.Keys(a.updates)) {
		u := a.updates[result]
		if at := a.h.At(p, ""); a.h.In(u.op.Stack, u.op.At, "").Line == at.Line {
			a.rebound(gap{target: u.leaf, at: p, failed: true}, u)
			return
		}
	}
}
