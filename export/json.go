package export

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/documents"
	"github.com/gradtui/gradtui/internal/jsontext"
)

// json writes everything about the selection. The document is written item by
// item, one to a line: there may be a million.
func (j *job) json() error {
	w := &jsonWriter{selection: j.sel, output: newOutput(j.ctx, j.w), opts: j.opts, results: j.sel.findResults()}
	w.collect()
	info := w.g.Tape().Info()
	w.write("{\n")
	w.field("format", documents.GraphFormat)
	w.field("version", documents.GraphVersion)
	w.field("tape", documents.Tape{Engine: info.Engine, Program: info.Program, Events: w.g.Tape().Len(), Position: w.g.Pos()})
	w.list("roots", len(w.roots), func(i int) any {
		r := w.roots[i]
		return documents.Root{Tensor: r.tensor, Node: r.node, Output: r.output}
	})
	w.list("backward_passes", w.g.BackwardCount(), func(i int) any { return w.pass(graph.BackwardID(i + 1)) })
	w.list("modules", len(w.modules), func(i int) any { return w.module(w.modules[i]) })
	w.list("tensors", len(w.tensors), func(i int) any { return w.tensor(w.tensors[i]) })
	w.list("nodes", len(w.ids), func(i int) any { return w.node(w.ids[i]) })
	w.field("complete", true)
	w.write("\n}\n")
	return w.flush()
}

// A jsonWriter writes a selection as JSON.
type jsonWriter struct {
	*selection
	*output
	opts    *Options
	results results
	fields  int
	ids     []graph.NodeID // the selection, and what is inside its CopySlices nodes
	tensors []graph.TensorID
	modules []graph.ModuleID
}

func (w *jsonWriter) field(name string, value any) {
	w.name(name)
	w.value(value)
}

// list writes a field of n items.
func (w *jsonWriter) list(name string, n int, item func(i int) any) {
	w.name(name)
	w.write("[")
	for i := 0; i < n && !w.failed(); i++ {
		if i > 0 {
			w.write(",")
		}
		w.write("\n")
		w.value(item(i))
	}
	w.write("]")
}

func (w *jsonWriter) name(name string) {
	if w.fields++; w.fields > 1 {
		w.write(",\n")
	}
	w.write(`"`, name, `": `)
}

func (w *jsonWriter) value(v any) {
	b, err := jsontext.Marshal(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.writeBytes(b)
}

// collect finds what the document holds.
func (w *jsonWriter) collect() {
	for _, n := range w.nodes {
		w.addNode(n.id)
	}
	slices.Sort(w.ids)
	w.ids = slices.Compact(w.ids)
	w.collectTensors()
	w.collectModules()
}

// addNode adds a node and those inside.
func (w *jsonWriter) addNode(id graph.NodeID) {
	for {
		n, ok := w.g.Node(id)
		if !ok {
			return
		}
		w.ids = append(w.ids, id)
		if n.Inner >= id {
			return
		}
		id = n.Inner
	}
}

// collectTensors finds the tensors that nodes, roots and other tensors mention.
func (w *jsonWriter) collectTensors() {
	found := make([]bool, w.g.TensorCount()+1)
	var open []graph.TensorID
	add := func(id graph.TensorID) {
		if id != 0 && int(id) < len(found) && !found[id] {
			found[id] = true
			open = append(open, id)
		}
	}
	for _, r := range w.roots {
		add(r.tensor)
	}
	made := make([]bool, w.g.NodeCount()+1)
	for _, id := range w.ids {
		made[id] = true
		n, _ := w.g.Node(id)
		add(n.Variable)
		for _, s := range n.Saved {
			add(s.Tensor)
		}
	}
	for id := range found {
		if t, _ := w.g.Tensor(graph.TensorID(id)); int(t.Node) < len(made) && made[t.Node] {
			add(t.ID)
		}
	}
	for i := range w.g.BackwardCount() {
		pass, _ := w.g.Backward(graph.BackwardID(i + 1))
		for _, r := range pass.Roots {
			add(r.Tensor)
		}
		for _, t := range pass.Inputs {
			add(t)
		}
	}
	for len(open) > 0 {
		t, _ := w.g.Tensor(open[len(open)-1])
		open = open[:len(open)-1]
		add(t.Base)
		add(t.Grad)
	}
	for id, ok := range found {
		if ok {
			w.tensors = append(w.tensors, graph.TensorID(id))
		}
	}
}

// collectModules finds the calls that made the nodes, and those around them.
func (w *jsonWriter) collectModules() {
	found := map[graph.ModuleID]bool{0: true}
	for _, id := range w.ids {
		n, _ := w.g.Node(id)
		for call := n.Module; !found[call]; {
			found[call] = true
			m, ok := w.g.Module(call)
			if !ok {
				break
			}
			w.modules = append(w.modules, call)
			call = m.Outer
		}
	}
	slices.Sort(w.modules)
}

func (w *jsonWriter) pass(id graph.BackwardID) documents.Pass {
	b, _ := w.g.Backward(id)
	p := documents.Pass{
		ID: id, Status: "done", Inputs: b.Inputs, Outer: b.Outer, Began: b.Began, Roots: []documents.Root{},
		RetainGraph: b.Flags&graph.RetainGraph != 0, CreateGraph: b.Flags&graph.CreateGraph != 0, GradOnly: b.Flags&graph.GradOnly != 0,
	}
	for _, r := range b.Roots {
		p.Roots = append(p.Roots, documents.Root{Tensor: r.Tensor, Node: r.Node, Output: r.Output})
	}
	switch {
	case b.Running():
		p.Status = "running"
	case b.Failed:
		p.Status = "failed"
		if _, e, err := w.decoder.ReadUntimed(b.Finished); err == nil {
			if f, ok := e.(*graph.BackwardFailed); ok {
				p.Error, p.FailedNode = f.Message, f.Node
			}
		}
	}
	return p
}

func (w *jsonWriter) module(id graph.ModuleID) documents.Module {
	m, _ := w.g.Module(id)
	return documents.Module{ID: id, Path: m.Path, Type: m.Type, Outer: m.Outer}
}

func (w *jsonWriter) tensor(id graph.TensorID) documents.Tensor {
	t, _ := w.g.Tensor(id)
	return documents.Tensor{
		ID: id, Name: w.selection.name(&t), DType: t.DType.String(), Device: t.Device, Shape: append([]int{}, t.Shape...),
		Leaf: t.Leaf(), RequiresGrad: w.g.RequiresGrad(id), Parameter: t.Flags&graph.FlagParameter != 0, RetainsGrad: t.RetainsGrad,
		GradFn: t.Node, OutputNr: t.Output, Base: t.Base, Version: t.Version, Grad: t.Grad,
		Released: t.Released, Created: t.Created, Source: w.sourceOf(t.Created),
	}
}

func (w *jsonWriter) node(id graph.NodeID) documents.Node {
	n, _ := w.g.Node(id)
	j := documents.Node{
		ID: id, Name: n.Name, Variable: n.Variable, Outputs: n.Outputs, Inputs: make([]*documents.Edge, len(n.Edges)),
		Inner: n.Inner, Module: n.Module, Status: n.Status.String(), Backward: n.Backward, Waiting: n.Waiting, Runs: n.Runs,
		Freed: n.Freed, FreedBy: w.freedBy(&n), Released: n.Released, Created: n.Created, Source: w.sourceOf(n.Created),
	}
	if n.Sequence != graph.MaxSequence {
		j.Sequence = &n.Sequence
	}
	if i := w.at(id); i >= 0 && w.status(i, &n) == statusPending {
		j.Status, j.Backward = statusPending, w.running
	}
	for i, e := range n.Edges {
		if e.Node != 0 {
			j.Inputs[i] = &documents.Edge{Node: e.Node, Output: e.Input}
		}
	}
	for _, s := range n.Saved {
		j.Saved = append(j.Saved, documents.Saved{Name: s.Name, Tensor: s.Tensor, Version: s.Version, Current: s.Current, Modified: s.Modified(), Freed: s.Freed})
	}
	for _, a := range n.Attrs {
		j.Attrs = append(j.Attrs, documents.Attr{Name: w.g.Tape().String(a.Name), Type: attrType(a.Type), Value: attrValue(&a.AttrValue), Text: a.String()})
	}
	for _, r := range w.innerResults(w.opts, &n, w.results.of(w.at(id))) {
		j.Results = append(j.Results, documents.Result{Output: r.output, DType: r.looks.DType.String(), Shape: append([]int{}, r.looks.Shape...)})
	}
	return j
}

func (w *jsonWriter) sourceOf(at graph.Pos) *documents.Source {
	f, ok := w.source(at)
	if !ok {
		return nil
	}
	return &documents.Source{File: f.File, Line: f.Line, Function: f.Func}
}

// attrTypes are the names of the types of attributes. That PyTorch shows some
// integers as unsigned is to be seen in the value.
var attrTypes = [...]string{
	graph.AttrNone: "none", graph.AttrBool: "bool", graph.AttrInt: "int", graph.AttrUint: "int", graph.AttrFloat: "float",
	graph.AttrText: "text", graph.AttrInts: "ints", graph.AttrUints: "ints", graph.AttrFloats: "floats",
}

func attrType(t graph.AttrType) string {
	if int(t) < len(attrTypes) {
		return attrTypes[t]
	}
	return "text"
}

// attrValue is the value of an attribute in JSON.
func attrValue(v *graph.AttrValue) json.RawMessage {
	var b []byte
	switch v.Type {
	case graph.AttrNone:
		return json.RawMessage("null")
	case graph.AttrBool:
		return strconv.AppendBool(nil, len(v.Ints) > 0 && v.Ints[0] != 0)
	case graph.AttrInts, graph.AttrUints, graph.AttrFloats:
		b = append(b, '[')
		b = append(appendNumbers(b, v), ']')
	case graph.AttrInt, graph.AttrUint, graph.AttrFloat:
		if b = appendNumbers(nil, v); len(v.Ints)+len(v.Floats) != 1 {
			return json.RawMessage("null") // of a damaged tape
		}
	default:
		b, _ = jsontext.Marshal(v.Text) // a string can always be written
	}
	return b
}

func appendNumbers(b []byte, v *graph.AttrValue) []byte {
	start := len(b)
	comma := func() {
		if len(b) > start {
			b = append(b, ',')
		}
	}
	for _, i := range v.Ints {
		comma()
		if v.Type == graph.AttrUint || v.Type == graph.AttrUints {
			b = strconv.AppendUint(b, uint64(i), 10)
		} else {
			b = strconv.AppendInt(b, i, 10)
		}
	}
	for _, f := range v.Floats {
		comma()
		switch {
		case math.IsNaN(f):
			b = append(b, `"nan"`...)
		case math.IsInf(f, 1):
			b = append(b, `"inf"`...)
		case math.IsInf(f, -1):
			b = append(b, `"-inf"`...)
		default:
			b = strconv.AppendFloat(b, f, 'g', -1, 64)
		}
	}
	return b
}
