package inspect

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// take adds an event to the history. The graph has it already.
func (h *History) take(head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.TensorCreated:
		h.created(head, e)
	case *graph.NodeCreated:
		if int(e.Node) == len(h.made) {
			h.made = append(h.made, uint32(h.pos))
		}
	case *graph.OpRan:
		h.ran(head, e)
	case *graph.Mutated:
		h.written(head, e)
	case *graph.LineageCut:
		h.cut(head, e)
	case *graph.Reshaped:
		h.reshaped(head, e)
	case *graph.NameBound:
		h.bound(e)
	case *graph.TensorHeld:
		h.held(e)
	case *graph.TensorReleased:
		if t := h.tensor(e.Tensor); t != nil {
			t.Released = h.pos
		}
	case *graph.OptimizerStepped:
		h.stepped(head, e)
	case *graph.GradsZeroed:
		for _, p := range e.Params {
			h.zeroings.add(Zeroing{h.pos, head.Stack, p, true, e.SetToNone})
		}
	case *graph.GradAssigned:
		h.assigned(head, e)
	case *graph.Called:
		h.calls = append(h.calls, Call{h.pos, head.Stack, h.tape.String(e.Function), h.list(e.Tensors)})
	case *graph.ModeChanged:
		h.switched(head, e)
	case *graph.RequiresGrad:
		h.flags = append(h.flags, Flagging{h.pos, head.Stack, e.Tensor, e.To})
	case *graph.OptimizerMade:
		h.optimizers = append(h.optimizers, Params{h.pos, head.Stack, h.tape.String(e.Optimizer), slices.Clone(e.Params), e.Number})
	case *graph.ModuleParameters:
		h.modules = append(h.modules, Params{h.pos, head.Stack, h.tape.String(e.Type), slices.Clone(e.Params), 0})
	case *graph.HookRegistered:
		h.hooks = append(h.hooks, Hook{h.pos, head.Stack, *e})
	case *graph.GradRead:
		h.missingGrads = append(h.missingGrads, MissingGrad{h.pos, head.Stack, e.Tensor})
	case *graph.Raised:
		r := Raise{h.pos, head.Stack, *e, h.tape.String(e.Type), h.tape.String(e.Code), h.tape.String(e.Op)}
		r.Tensors = slices.Clone(e.Tensors)
		h.raised = append(h.raised, r)
	case *graph.ProgramFailed:
		h.failed = h.pos
	case *graph.SourceRead:
		h.sources.add(h.tape.String(e.File), e)
	default:
		h.backward(head, e)
	}
}

// backward takes the events of backward passes.
func (h *History) backward(head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.BackwardBegan:
		if int(e.Backward) != len(h.passes) {
			return
		}
		roots := make([]Root, len(e.Roots))
		for i, r := range e.Roots {
			roots[i] = Root{r.Tensor, r.Node}
			if t := h.Tensor(r.Tensor); t != nil && t.Rooted == 0 {
				t.Rooted = e.Backward
			}
		}
		h.passes = append(h.passes, Pass{
			At: h.pos, Stack: head.Stack, Flags: e.Flags, Roots: roots, Inputs: slices.Clone(e.Inputs), End: -1,
		})
		h.running.Began(e.Backward)
	case *graph.BackwardEnded:
		h.passEnded(e.Backward, nil)
	case *graph.BackwardFailed:
		failed := *e
		h.passEnded(e.Backward, &failed)
	case *graph.GradAccumulated:
		h.holdsGrad(e.Tensor, e.Grad)
		if p := h.pass(e.Backward); p != nil {
			p.Leaves = append(p.Leaves, contribution(h.pos, e))
			h.gain(p.Leaves[len(p.Leaves)-1])

		}
	}
}

func (h *History) pass(id graph.BackwardID) *Pass {
	if id == 0 || int(id) >= len(h.passes) {
		return nil
	}
	return &h.passes[id]
}

func (h *History) passEnded(id graph.BackwardID, failed *graph.BackwardFailed) {
	if p := h.pass(id); p != nil {
		p.End, p.Failed = h.pos, failed
	}
	h.running.Ended(id)
	h.memory.passEnded(h.pos)
}

// update notes that a leaf was updated.
func (h *History) update(u Update) {
	h.memory.updated(h, &u)
	h.updates.add(u)
	h.updated = append(h.updated, uint32(h.pos))
}

// list returns a copy of a list of tensors. Equal lists share a copy, because a loop gives
// the same parameters again and again.
func (h *History) list(ids []graph.TensorID) []graph.TensorID {
	for i, known := range h.memory.lists {
		if slices.Equal(known, ids) {
			return h.memory.lists[i]
		}
	}
	copied := slices.Clone(ids)
	h.memory.lists[h.memory.oldest%len(h.memory.lists)] = copied
	h.memory.oldest++
	return copied
}

// Running returns the innermost backward pass that runs; 0: none.
func (h *History) Running() graph.BackwardID { return h.running.Innermost() }

func contribution(p graph.Pos, e *graph.GradAccumulated) Contribution {
	return Contribution{p, e.Tensor, e.Grad, e.How, e.Added.Value.Zero()}
}

func (h *History) gain(c Contribution) {
	g, again := h.gains[c.Tensor]
	if !again {
		g = Gain{c.At, true}
	}
	g.Zero = g.Zero && c.Zero
	h.gains[c.Tensor] = g
}

func (h *History) created(head graph.Header, e *graph.TensorCreated) {
	if int(e.Tensor) != h.tensors.Len() {
		return
	}
	if e.Flags&graph.FlagParameter != 0 {
		h.params = append(h.params, uint32(h.pos))
	}
	h.tensors.add(Tensor{
		Created: h.pos, Stack: head.Stack, Flags: e.Flags, Shape: slices.Clone(e.Shape), DType: e.DType,
		Node: e.Node, Base: e.Base, Storage: e.Storage, Counter: e.Counter, Op: -1, Released: -1,
	})
	h.storages[e.Storage] = append(h.storages[e.Storage], e.Tensor)
}

func (h *History) ran(head graph.Header, e *graph.OpRan) {
	i := h.ops.Len()
	op := Op{
		At: h.pos, Stack: head.Stack, Name: h.tape.String(e.Op), Node: e.Node,
		Inputs: slices.Clone(e.Inputs), Outputs: slices.Clone(e.Outputs), Mutated: slices.Clone(e.Mutated),
		GradMode: h.Graph().ModeOn(head.Thread, graph.GradMode), Off: h.gradModeOff(head.Thread), Step: h.step, Pass: h.Running(),
	}
	h.ops.add(op)
	for _, out := range op.Outputs {
		// The result of a custom Function was made by an operation inside it.
		if t := h.tensor(out); t != nil && (t.Op < 0 || op.Node != 0) && !slices.Contains(op.Mutated, out) && !slices.Contains(op.Inputs, out) {
			t.Op = i
		}
	}
	for _, w := range h.pending {
		if w := h.writes.At(w); slices.Contains(op.Mutated, w.Tensor) {
			w.Op = i
			if op.Step < 0 {
				counter := h.tensor(w.Tensor).Counter
				h.changed[counter] = append(h.changed[counter], i)
			}
		}
	}
	h.pending = h.pending[:0]
}

func (h *History) written(head graph.Header, e *graph.Mutated) {
	t := h.tensor(e.Tensor)
	if t == nil {
		return
	}
	w := Write{
		At: h.pos, Stack: head.Stack, Tensor: e.Tensor, From: e.From, To: e.To,
		Op: -1, Step: h.step, Pass: h.Running(),
	}
	h.pending = append(h.pending, h.writes.Len())
	h.writes.add(w)
	if owner, ok := h.gradOf[t.Storage]; ok {
		if e.Value.Zero() {
			h.zeroings.add(Zeroing{h.pos, head.Stack, owner, false, false})
		}
		return
	}
	if w.Pass == 0 {
		if leaf, ok := h.leafOf(e.Tensor); ok {
			h.update(Update{h.pos, head.Stack, leaf, h.step, h.writes.Len() - 1, e.Tensor})
		}
	}
}

// reshaped notes that a tensor shows other memory. A leaf whose .data was
// assigned has been updated.
func (h *History) reshaped(head graph.Header, e *graph.Reshaped) {
	t := h.tensor(e.Tensor)
	if t == nil {
		return
	}
	var via graph.TensorID
	if others := h.storages[e.Storage]; len(others) > 0 {
		via = others[len(others)-1]
	}
	moved := t.Storage != e.Storage
	t.Storage, t.Shape = e.Storage, slices.Clone(e.Shape)
	h.storages[e.Storage] = append(h.storages[e.Storage], e.Tensor)
	if g, ok := h.Graph().Tensor(e.Tensor); moved && ok && g.Leaf() && g.RequiresGrad {
		h.update(Update{h.pos, head.Stack, e.Tensor, h.step, -1, via})
	}
}

func (h *History) cut(head graph.Header, e *graph.LineageCut) {
	if e.Output == 0 {
		for _, in := range e.Inputs {
			exit := Exit{At: h.pos, Stack: head.Stack, Why: e.Why, Tensor: in}
			if e.Value.Known() {
				exit.First = slices.Clone(e.Value.First)
			} else if t, ok := h.Graph().Tensor(in); ok && !t.ValueStale {
				exit.First = slices.Clone(t.Value.First)
			}
			for _, v := range exit.First {
				h.numbers[v] = append(h.numbers[v], h.exits.Len())
			}
			h.exits.add(exit)
		}
		return
	}
	t := h.tensor(e.Output)
	if t == nil {
		return
	}
	for _, in := range e.Inputs {
		t.Cuts = append(t.Cuts, Flow{From: in, To: e.Output, At: h.pos, Stack: head.Stack, Op: t.Op, Cut: e.Why})
	}
}

func (h *History) bound(e *graph.NameBound) {
	k := scoped{e.Scope, e.Name}
	if old := h.tensor(h.names[k]); old != nil && h.names[k] != e.Tensor {
		for i := range old.Names {
			n := &old.Names[i]
			if n.Lost < 0 && n.Name == h.tape.String(e.Name) && n.Scope == h.tape.String(e.Scope) {
				n.Lost = h.pos
			}
		}
	}
	h.names[k] = e.Tensor
	if t := h.tensor(e.Tensor); t != nil {
		t.Names = append(t.Names, Naming{At: h.pos, Name: h.tape.String(e.Name), Scope: h.tape.String(e.Scope), Lost: -1})
	}
}

func (h *History) stepped(head graph.Header, e *graph.OptimizerStepped) {
	if e.Done {
		if h.step >= 0 {
			h.steps[h.step].End = h.pos
		}
		h.step = -1
		return
	}
	h.step = len(h.steps)
	h.steps = append(h.steps, Step{
		At: h.pos, End: -1, Stack: head.Stack, Optimizer: h.tape.String(e.Optimizer), Params: h.list(e.Params), Number: e.Number,
	})
}

func (h *History) assigned(head graph.Header, e *graph.GradAssigned) {
	if e.Grad == 0 {
		h.zeroings.add(Zeroing{h.pos, head.Stack, e.Tensor, false, true})
		return
	}
	h.holdsGrad(e.Tensor, e.Grad)
	if h.zero(e.Grad) {
		h.zeroings.add(Zeroing{h.pos, head.Stack, e.Tensor, false, false})
	} else if _, again := h.assignedGrads[e.Tensor]; !again {
		h.assignedGrads[e.Tensor] = h.pos
	}
}

// makesZeros are the operations whose results are zeros.
var makesZeros = map[string]bool{"zeros": true, "zeros_like": true, "new_zeros": true}

// zero reports whether a tensor holds nothing but zeros. It goes by the value, or by the operation
// that made the tensor if the tape does not have its value.
func (h *History) zero(id graph.TensorID) bool {
	t, ok := h.Graph().Tensor(id)
	if !ok || t.Value.Count > 0 {
		return ok && t.Value.Zero()
	}
	op := h.Maker(id)
	return op != nil && makesZeros[op.Name] && h.Graph().Version(id) == 0
}

func (h *History) switched(head graph.Header, e *graph.ModeChanged) {
	if e.Mode == graph.AnomalyMode {
		return
	}
	g := h.Graph()
	off := !g.ModeOn(head.Thread, graph.GradMode) || g.ModeOn(head.Thread, graph.InferenceMode)
	_, was := h.modes[head.Thread]
	switch {
	case off && !was:
		h.modes[head.Thread] = h.pos
	case !off:
		delete(h.modes, head.Thread)
	}
}
