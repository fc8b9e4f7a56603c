package autograd

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// This file runs a case of the recorded vectors and describes the result in the
// form of the recording (tools/record/operators/evaluate.py).

type evaluation struct {
	given   *arguments
	outs    []*Tensor
	value   any
	mutated []int
	results []*Tensor
}

type state struct {
	version uint32
	content string
}

func stateOf(t *Tensor) state {
	return state{t.version.v, fmt.Sprint(t.sizes, t.strides, t.offset, t.dtype, valuesOf(t))}
}

func evaluateOnce(c *vectorCase, dual bool) (*evaluation, error) {
	e := &evaluation{given: buildArguments(c, dual)}
	if e.given.err != nil {
		return nil, e.given.err
	}
	before := make([]state, len(e.given.tensors))
	for i, t := range e.given.tensors {
		before[i] = stateOf(t)
	}
	var err error
	run := func() { e.outs, e.value, err = callNamed(c.Fn, e.given.args, e.given.kwargs) }
	if c.NoGrad {
		NoGrad(run)
	} else {
		run()
	}
	if err != nil {
		return nil, err
	}
	e.results = append(e.results, e.outs...)
	for i, t := range e.given.tensors {
		if stateOf(t) != before[i] && indexOf(e.outs, t) < 0 {
			e.mutated = append(e.mutated, i)
			e.results = append(e.results, t)
		}
	}
	return e, nil
}

// numbered is a result that requires grad, with its number.
type numbered struct {
	n int
	t *Tensor
}

func (e *evaluation) differentiable() (list []numbered) {
	for i, t := range e.results {
		seen := false
		for _, x := range list {
			seen = seen || x.t == t
		}
		if t.RequiresGrad() && !seen {
			list = append(list, numbered{i, t})
		}
	}
	return list
}

type object = map[string]any

func failureOf(err error) object {
	e := asError(err)
	return object{"type": string(e.Type), "text": e.Text}
}

// evaluate returns the "result" of a case.
func evaluate(c *vectorCase) object {
	var warnings []any
	before := OnWarning
	OnWarning = func(w Warning) { warnings = append(warnings, w.Text) }
	defer func() { OnWarning = before }()
	e, err := evaluateOnce(c, false)
	noted := object{}
	if len(warnings) > 0 {
		noted["warnings"] = warnings
	}
	OnWarning = func(Warning) {}
	if errors.Is(err, errNoOperator) {
		return object{"missing": true}
	}
	if err != nil {
		noted["error"] = failureOf(err)
		return noted
	}
	out := e.forward(c)
	merge(out, noted)
	var numbers []int
	for _, x := range e.differentiable() {
		numbers = append(numbers, x.n)
	}
	if len(numbers) == 0 || len(e.given.leaves) == 0 || c.NoGrad {
		return out
	}
	merge(out, e.gradients())
	if out["backward_error"] != nil {
		return out
	}
	merge(out, doubleBackward(c))
	merge(out, throughCotangents(c))
	merge(out, forwardMode(c, numbers))
	return out
}

func merge(into, from object) {
	for k, v := range from {
		into[k] = v
	}
}

func (e *evaluation) forward(c *vectorCase) object {
	out := object{}
	outputs := []any{}
	var records []object
	for _, t := range e.outs {
		r := e.describe(t, !c.NoValues)
		records = append(records, r)
		outputs = append(outputs, r)
	}
	switch v := e.value.(type) {
	case nil:
	case items:
		for _, x := range v {
			outputs = append(outputs, object{"value": x})
		}
	case []int:
		for _, x := range v {
			outputs = append(outputs, object{"value": x})
		}
	default:
		outputs = append(outputs, object{"value": v})
	}
	out["outputs"] = outputs
	if len(e.mutated) > 0 {
		m := object{}
		for _, i := range e.mutated {
			r := e.describe(e.given.tensors[i], !c.NoValues)
			records = append(records, r)
			m[itoa(i)] = r
		}
		out["mutated"] = m
	}
	var first *Node
	for i, t := range e.results {
		fn, err := t.GradFn()
		if err != nil || fn == nil {
			continue
		}
		if first == nil {
			first = fn
			out["node"] = e.node(t, fn)
		} else if fn != first {
			records[i]["graph"] = graphText(t)
		}
	}
	return out
}

func tensorRecord(t *Tensor) object {
	out := object{"dtype": t.dtype.String(), "shape": anyInts(t.sizes), "values": valuesOf(t)}
	if fmt.Sprint(t.strides) != fmt.Sprint(contiguousStrides(t.sizes)) {
		out["strides"] = anyInts(t.strides)
	}
	return out
}

func anyInts(list []int) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = x
	}
	return out
}

func valuesOf(t *Tensor) []any {
	out := make([]any, t.Numel())
	for i := range out {
		switch s := t.element(t.at(i)); {
		case s.IsFloat():
			out[i] = s.Float()
		case s.IsBool():
			out[i] = s.Bool()
		default:
			out[i] = int(s.Int())
		}
	}
	return out
}

func (e *evaluation) describe(t *Tensor, values bool) object {
	out := tensorRecord(t)
	if !values {
		delete(out, "values")
	}
	set := func(key string, v, usual any) {
		if v != usual {
			out[key] = v
		}
	}
	version := 0
	if !t.IsInference() {
		version = int(t.version.v)
	}
	set("is_leaf", t.IsLeaf(), true)
	set("is_view", t.IsView(), false)
	set("output_nr", t.OutputNr(), 0)
	set("requires_grad", t.RequiresGrad(), false)
	set("storage_offset", t.StorageOffset(), 0)
	set("version", version, 0)
	if fn, err := t.GradFn(); err == nil && fn != nil {
		out["grad_fn"] = fn.ClassName()
	}
	known := e.given.tensors
	if i := indexOf(known, t); i >= 0 {
		out["same_as_arg"] = i
		return out
	}
	for i, k := range known {
		if k.st == t.st && t.st.len() > 0 {
			out["shares_memory_with"] = i
			break
		}
	}
	return out
}

func (e *evaluation) node(t *Tensor, fn *Node) object {
	next := []any{}
	for _, edge := range fn.NextFunctions() {
		if edge.Node == nil {
			next = append(next, nil)
		} else {
			next = append(next, []any{edge.Node.ClassName(), edge.Input})
		}
	}
	return object{"name": fn.ClassName(), "next": next, "graph": graphText(t), "saved": e.saved(fn)}
}

func (e *evaluation) saved(fn *Node) object {
	out := object{}
	names, values := fn.Attrs()
	for i, name := range names {
		out[name] = attrJSON(values[i])
	}
	lists := map[string][]any{}
	for _, slot := range fn.SavedNames() {
		t, err := fn.Saved(slot)
		var v any
		switch {
		case err != nil:
			v = object{"error": asError(err).Text}
		case t != nil:
			v = e.savedTensor(t)
		}
		if name, index, ok := strings.Cut(slot, "["); ok && strings.HasSuffix(index, "]") {
			lists[name] = append(lists[name], v)
		} else {
			out[slot] = v
		}
	}
	for name, list := range lists {
		out[name] = list
	}
	return out
}

func (e *evaluation) savedTensor(t *Tensor) any {
	for i, k := range e.given.tensors {
		if samePlace(t, k) {
			return object{"arg": i}
		}
	}
	for i, k := range e.outs {
		if samePlace(t, k) {
			return object{"output": i}
		}
	}
	return object{"t": tensorRecord(t)}
}

func samePlace(a, b *Tensor) bool {
	return a.Numel() > 0 && a.st == b.st && a.dtype == b.dtype && !overlapping(a, b)
}

// floatJSON returns a float outside a list of values.
func floatJSON(f float64) any {
	switch {
	case f != f:
		return object{"f": "nan"}
	case math.IsInf(f, 1):
		return object{"f": "inf"}
	case math.IsInf(f, -1):
		return object{"f": "-inf"}
	}
	return f
}

func attrJSON(v graph.AttrValue) any {
	unsigned := v.Type == graph.AttrUint || v.Type == graph.AttrUints
	integer := func(i int64) any {
		if unsigned {
			return uint64(i)
		}
		return int(i)
	}
	switch v.Type {
	case graph.AttrNone:
		return nil
	case graph.AttrBool:
		return v.Ints[0] != 0
	case graph.AttrInt, graph.AttrUint:
		return integer(v.Ints[0])
	case graph.AttrFloat:
		return floatJSON(v.Floats[0])
	case graph.AttrText:
		if d, ok := strings.CutPrefix(v.Text, "torch."); ok {
			return object{"dtype": d}
		}
		return v.Text
	case graph.AttrFloats:
		list := []any{}
		for _, f := range v.Floats {
			list = append(list, f)
		}
		return list
	}
	list := []any{}
	for _, i := range v.Ints {
		list = append(list, integer(i))
	}
	return list
}

func (e *evaluation) gradients() object {
	roots := e.differentiable()
	var tensors, seeds []*Tensor
	cotangents := object{}
	for _, r := range roots {
		seed := cotangent(r.n, r.t)
		tensors, seeds = append(tensors, r.t), append(seeds, seed)
		cotangents[itoa(r.n)] = valuesOf(seed)
	}
	out := object{"cotangents": cotangents}
	if err := BackwardAll(tensors, seeds); err != nil {
		out["backward_error"] = failureOf(err)
		return out
	}
	grads := object{}
	for i, leaf := range e.given.leaves {
		if leaf.grad == nil {
			grads[itoa(i)] = nil
			continue
		}
		g := tensorRecord(leaf.grad)
		if v := leaf.grad.version.v; v != 0 {
			g["version"] = int(v)
		}
		grads[itoa(i)] = g
	}
	out["grads"] = grads
	out["second_backward_error"] = nil
	if err := BackwardAll(tensors, seeds); err != nil {
		text := asError(err).Text
		if text == freedText {
			text = "freed"
		}
		out["second_backward_error"] = text
	}
	return out
}

func (e *evaluation) leafList() (numbers []int, leaves []*Tensor) {
	for i := range e.given.tensors {
		if leaf, ok := e.given.leaves[i]; ok {
			numbers, leaves = append(numbers, i), append(leaves, leaf)
		}
	}
	return numbers, leaves
}

func (e *evaluation) gradientGraph(seeds []*Tensor) ([]*Tensor, error) {
	var tensors []*Tensor
	for _, r := range e.differentiable() {
		tensors = append(tensors, r.t)
	}
	_, leaves := e.leafList()
	return Grad(tensors, leaves, GradOutputs(seeds...), CreateGraph, AllowUnused)
}

func (e *evaluation) directions() object {
	out := object{}
	for i, leaf := range e.given.leaves {
		out[itoa(i)] = valuesOf(direction(i, leaf))
	}
	return out
}

func (e *evaluation) expressions(grads []*Tensor) object {
	numbers, _ := e.leafList()
	out := object{}
	for k, i := range numbers {
		g := grads[k]
		switch {
		case g == nil:
			out[itoa(i)] = nil
		case g.gradFn == nil:
			out[itoa(i)] = ""
		default:
			out[itoa(i)] = graphText(g)
		}
	}
	return out
}

func (e *evaluation) weighted(grads []*Tensor) *Tensor {
	numbers, leaves := e.leafList()
	var total *Tensor
	for k, g := range grads {
		if g == nil || !g.RequiresGrad() {
			continue
		}
		term := g.Mul(direction(numbers[k], leaves[k])).Sum()
		if total == nil {
			total = term
		} else {
			total = total.Add(term)
		}
	}
	return total
}

func (e *evaluation) seeds(requiresGrad bool) (seeds []*Tensor) {
	for _, r := range e.differentiable() {
		seeds = append(seeds, cotangent(r.n, r.t).RequiresGrad_(requiresGrad))
	}
	return seeds
}

func doubleBackward(c *vectorCase) object {
	e, err := evaluateOnce(c, false)
	if err != nil {
		return object{"grad_graph": object{"error": failureOf(err)}}
	}
	grads, err := e.gradientGraph(e.seeds(false))
	if err != nil {
		return object{"grad_graph": object{"error": failureOf(err)}}
	}
	out := object{"grad_graph": e.expressions(grads)}
	total := e.weighted(grads)
	if total == nil {
		return out
	}
	out["directions"] = e.directions()
	numbers, leaves := e.leafList()
	second, err := Grad([]*Tensor{total}, leaves, AllowUnused)
	if err != nil {
		out["grads2"] = object{"error": failureOf(err)}
		return out
	}
	values := object{}
	for k, i := range numbers {
		if second[k] == nil {
			values[itoa(i)] = nil
		} else {
			values[itoa(i)] = valuesOf(second[k])
		}
	}
	out["grads2"] = values
	return out
}

func throughCotangents(c *vectorCase) object {
	e, err := evaluateOnce(c, false)
	if err != nil {
		return object{}
	}
	seeds := e.seeds(true)
	grads, err := e.gradientGraph(seeds)
	if err != nil {
		return object{}
	}
	total := e.weighted(grads)
	if total == nil {
		return object{}
	}
	out := object{"grad_graph_cotangents": e.expressions(grads)}
	back, err := Grad([]*Tensor{total}, seeds, AllowUnused)
	if err != nil {
		return out
	}
	out["directions"] = e.directions()
	values := object{}
	for k, r := range e.differentiable() {
		if back[k] == nil {
			values[itoa(r.n)] = nil
		} else {
			values[itoa(r.n)] = valuesOf(back[k])
		}
	}
	out["grads2_cotangents"] = values
	return out
}

func forwardMode(c *vectorCase, numbers []int) object {
	var out object
	DualLevel(func() error {
		e, err := evaluateOnce(c, true)
		if err != nil {
			out = object{"jvp": object{"error": asError(err).Text}}
			return nil
		}
		tangents := object{}
		for _, n := range numbers {
			tangents[itoa(n)] = nil
			if d := tangentOf(e.results[n]); d != nil {
				tangents[itoa(n)] = valuesOf(d)
			}
		}
		out = object{"directions": e.directions(), "jvp": tangents}
		return nil
	})
	return out
}

// graphText describes the graph of a tensor as the recording does: a node that
// is reached twice gets a number.
func graphText(t *Tensor) string {
	fn, _ := t.GradFn()
	visits := map[*Node]int{}
	var count func(n *Node)
	count = func(n *Node) {
		if n == nil {
			return
		}
		visits[n]++
		if visits[n] == 1 {
			for _, e := range n.edges {
				count(e.Node)
			}
		}
	}
	count(fn)
	labels := map[*Node]int{}
	var edge func(n *Node, output int) string
	edge = func(n *Node, output int) string {
		if n == nil {
			return "None"
		}
		suffix := ""
		if output > 0 {
			suffix = ":" + itoa(output)
		}
		if l, ok := labels[n]; ok {
			return "#" + itoa(l) + suffix
		}
		text := n.ClassName()
		if visits[n] > 1 && text != "AccumulateGrad" {
			labels[n] = len(labels) + 1
			text = "#" + itoa(labels[n]) + "=" + text
		}
		if len(n.edges) > 0 {
			parts := make([]string, len(n.edges))
			for i, e := range n.edges {
				parts[i] = edge(e.Node, e.Input)
			}
			text += "(" + strings.Join(parts, ", ") + ")"
		}
		return text + suffix
	}
	return edge(fn, int(t.outputNr))
}
