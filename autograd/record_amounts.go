package autograd

import (
	"errors"
	"slices"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// This file decides how many elements of a tensor the tape gets by its name, graph.Limits.Named, and
// reads elements later. A tensor keeps the rule that it got, for its later values and for its gradients.

// A ResultName is a name that a result of an operation will get.
type ResultName struct {
	Index int // of the result; -1: the only one
	Name  string
}

// Named reports whether names of tensors decide how much of them is recorded.
func (r *Recorder) Named() bool { return r.amounts != nil }

// SetResultNames says which names the results of the operation will get that the program calls next.
func (r *Recorder) SetResultNames(names []ResultName) { r.resultNames = names }

// enterPath notes that a module runs in the present thread, until leavePath.
func (r *Recorder) enterPath(path string) {
	if r.amounts != nil {
		r.paths[current.id] = append(r.paths[current.id], path)
	}
}

func (r *Recorder) leavePath() {
	if list := r.paths[current.id]; len(list) > 0 {
		r.paths[current.id] = list[:len(list)-1]
	}
}

// choose gives a tensor that the program makes the rule for its names and the module that runs.
func (r *Recorder) choose(t *Tensor) {
	var names []string
	if r.depth <= 1 { // otherwise an operator computes with it
		for _, n := range r.resultNames {
			if n.Index == r.result {
				names = append(names, n.Name)
			}
		}
	}
	if list := r.paths[current.id]; len(list) > 0 {
		names = append(names, list[len(list)-1])
	}
	if t.ext != nil {
		names = append(names, t.ext.name)
	}
	if rule := r.amounts.Rule(names...); rule >= 0 {
		t.extend().rule = rule + 1
	}
}

// bound gives a tensor that gets a name the rule for it, and records what the tape does not have.
func (r *Recorder) bound(t *Tensor, name string) {
	rule, before := r.amounts.Rule(name), t.rule()
	if rule < 0 || before > 0 && before <= rule+1 {
		return
	}
	had := r.firstOf(t)
	t.extend().rule = rule + 1
	if t.gradFn != nil {
		t.gradFn.extend().rule = rule + 1
	}
	if min(r.firstOf(t), numel(t.sizes)) > had {
		r.append(&graph.ValueRead{Tensor: t.id, Version: t.version.taped, Value: r.value(t)})
	}
}

// inherit gives a gradient the rule of its tensor.
func (r *Recorder) inherit(g, t *Tensor) {
	if rule := t.rule(); rule > 0 && g != nil {
		g.extend().rule = rule
	}
}

// rule is one more than the index of the tensor's rule; 0: it has none.
func (t *Tensor) rule() int {
	if t == nil || t.ext == nil {
		return 0
	}
	return t.ext.rule
}

// firstOf is how many leading elements of a tensor the tape gets.
func (r *Recorder) firstOf(t *Tensor) int {
	if r.amounts == nil {
		return r.first
	}
	return r.firstBy(t.rule())
}

// firstFor is firstOf for the gradients of a node's results.
func (r *Recorder) firstFor(n *Node) int {
	switch {
	case r.amounts == nil || n == nil:
		return r.first
	case n.Variable() != nil:
		return r.firstOf(n.Variable())
	case n.ext == nil:
		return r.first
	}
	return r.firstBy(n.ext.rule)
}

func (r *Recorder) firstBy(rule int) int {
	if rule == 0 {
		return r.first
	}
	return min(r.amounts.List[rule-1].Elements, graph.MostElements)
}

// Read records what a tensor holds that still has a version, or a part of it: start, step and
// number of indices of each dimension. Without a part it records as many leading elements as a tape
// takes. The error is for the user.
func (r *Recorder) Read(t *Tensor, version uint32, part []int) error {
	if t.gen != r.gen || t.version.v != version {
		return errors.New(control.Changed)
	}
	of := t
	if len(part) > 0 {
		if of = t.partOf(part); of == nil {
			return errors.New(control.OtherPart)
		}
	}
	r.single(func() graph.Event {
		e := &graph.ValueRead{Tensor: t.id, Version: version, Part: slices.Clone(part)}
		r.describe(&e.Value, of, graph.MostElements)
		return e
	})
	return nil
}

// partOf is a view of a part of a tensor; nil if it does not have it.
func (t *Tensor) partOf(part []int) *Tensor {
	if len(part) != 3*len(t.sizes) {
		return nil
	}
	sizes, strides, offset := slices.Clone(t.sizes), slices.Clone(t.strides), t.offset
	for d := range sizes {
		start, step, n := part[3*d], part[3*d+1], part[3*d+2]
		if n > 0 && start+(n-1)*step >= sizes[d] {
			return nil
		}
		sizes[d], strides[d] = n, strides[d]*step
		if n > 0 {
			offset += start * t.strides[d]
		}
	}
	return t.part(sizes, strides, offset)
}
