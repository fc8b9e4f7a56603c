package export

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// layerBox describes a unit in the style layers.
func (d *diagram) layerBox(u unit) box {
	if u < 0 {
		return d.layerFold(u)
	}
	l := &d.layered.boxes[u]
	id := d.nodes[u].id
	if d.nodes[u].leaf != 0 {
		t, _ := d.g.Tensor(d.nodes[u].leaf)
		return box{id: nodeID(id), kind: leafBox, tensor: t.ID, title: d.title(&t), about: looks(t.Shape, t.DType, t.Device)}
	}
	b := box{id: nodeID(id), kind: layerBox, op: d.layerKind(l), module: d.nodes[u].module, outputs: 1}
	b.title, b.about = d.layerTitle(int(u), l)
	if text := d.parameters(l); text != "" {
		b.rows = append(b.rows, row{kind: smallRow, text: text})
	}
	if failed, modified := d.layerState(l); failed != "" || modified > 0 {
		if failed != "" {
			b.status, b.detail = graph.Failed.String(), "✗ "+failed
		}
		if modified > 0 {
			b.rows = append(b.rows, row{kind: modifiedRow, text: counted(modified, "saved tensor") + " modified in place"})
		}
	}
	return b
}

// layerKind is the kind of the most telling operation of a layer: of the first kind in this
// order that it has.
func (d *diagram) layerKind(l *layer) opKind {
	has := map[opKind]bool{}
	for _, i := range l.members {
		has[d.layered.all.kindOf(int(i))] = true
	}
	for _, k := range []opKind{lossOp, weightOp, normOp, activationOp, poolOp, otherOp, shapeOp} {
		if has[k] {
			return k
		}
	}
	return shapeOp
}

// layerTitle is the class of a module and its name within what is drawn around it, or the
// name of a function.
func (d *diagram) layerTitle(u int, l *layer) (title, about string) {
	if l.call != 0 {
		m, _ := d.g.Module(l.call)
		return titled(m.Type), d.within(m.Path, d.nodes[u].module)
	}
	if l.name != "" {
		return l.name, ""
	}
	name := d.layered.all.nodeName(d.layered.all.at(d.nodes[u].id))
	if d.nodes[u].function {
		return titled(arrange.Operation(name)), ""
	}
	return titled(functionName(name)), ""
}

// parameters lists the parameters of a layer: "weight [8, 16] · bias [8]".
func (d *diagram) parameters(l *layer) string {
	const most = 6
	ids := slices.Clone(l.params)
	slices.Sort(ids) // as the module made them: weights first
	var list []string
	for _, id := range ids[:min(len(ids), most)] {
		t, _ := d.g.Tensor(id)
		name := label(lastPart(d.name(&t)), maxLabel)
		if strings.TrimSpace(name) == "" {
			name = tensorID(id)
		}
		list = append(list, name+" "+looks(t.Shape, t.DType, t.Device))
	}
	if n := len(ids) - most; n > 0 {
		list = append(list, "… "+counted(n, "more parameter"))
	}
	return strings.Join(list, " · ")
}

// layerState says whether a pass failed in a layer, and counts the saved tensors that were
// modified.
func (d *diagram) layerState(l *layer) (failed string, modified int) {
	all := d.layered.all
	for _, i := range l.members {
		n, ok := all.g.Node(all.nodes[i].id)
		if !ok {
			continue
		}
		if n.Status == graph.Failed {
			failed = all.statusText(int(i), &n)
		}
		for _, sv := range n.Saved {
			if sv.Modified() {
				modified++
			}
		}
	}
	return failed, modified
}

// layerFold describes a box that stands for several layers.
func (d *diagram) layerFold(u unit) box {
	g := &d.groups[^u]
	b := box{id: d.unitID(u), kind: foldBox, op: otherOp}
	switch g.kind() {
	case FoldModules:
		m, _ := d.g.Module(g.Module)
		b.title, b.about = titled(m.Type), d.within(m.Path, d.g.ModuleOuter(g.Module))
	case FoldRepeats:
		b.title, b.about = thousands(g.Times)+" more", "× "+counted(g.Each, "layer")
		if g.Each == 1 {
			name, _ := d.layerTitle(int(g.members[0]), &d.layered.boxes[g.members[0]])
			b.title, b.about = b.title+" "+name, ""
		}
	case FoldChains:
		b.title = counted(len(g.members), "layer") + " in a row"
	case FoldFar:
		b.title = counted(len(g.members), "layer") + " farther from the outputs"
	}
	modified := 0
	names := map[string]int{}
	var order []string
	for _, i := range g.members {
		l := &d.layered.boxes[i]
		name := "leaf"
		if d.nodes[i].leaf == 0 {
			name, _ = d.layerTitle(int(i), l)
		}
		if names[name]++; names[name] == 1 {
			order = append(order, name)
		}
		_, m := d.layerState(l)
		modified += m
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(names[b], names[a]) })
	const most = 4
	var list []string
	for _, name := range order[:min(len(order), most)] {
		list = append(list, name+" "+multiple(names[name]))
	}
	if len(order) > most {
		list = append(list, "…")
	}
	if g.kind() != FoldRepeats || g.Each != 1 || len(order) > 1 {
		b.rows = append(b.rows, row{kind: smallRow, text: strings.Join(list, " · ")})
	}
	if modified > 0 {
		b.rows = append(b.rows, row{kind: modifiedRow, text: counted(modified, "saved tensor") + " modified in place"})
	}
	return b
}

// A dataInput is a tensor from outside that some layers read.
type dataInput struct {
	tensor graph.TensorID // of which they may read views
	call   int            // the call that made it and that all who read it are in; -1: none
	users  []dataUse
}

// dataUse says which layer reads a data input, or views of it.
type dataUse struct {
	unit  unit
	shape []int // of the first
	count int
}

// findDataBoxes says which tensors have boxes because layers read them. Roots have theirs.
func (d *diagram) findDataBoxes() {
	at := map[graph.TensorID]int{}
	for u := range d.units {
		members := []int32{int32(u)}
		if u < 0 {
			members = d.groups[^u].members
		}
		for _, i := range members {
			for _, id := range d.layered.boxes[i].data {
				from := d.layered.origin(id)
				if d.outputs[from] {
					continue
				}
				if _, ok := at[from]; !ok {
					at[from] = len(d.inputs)
					d.inputs = append(d.inputs, dataInput{tensor: from})
				}
				in := &d.inputs[at[from]]
				if n := len(in.users); n == 0 || in.users[n-1].unit != u {
					t, _ := d.g.Tensor(id)
					in.users = append(in.users, dataUse{unit: u, shape: t.Shape})
				}
				in.users[len(in.users)-1].count++
			}
		}
	}
	calls := d.selection.calls()
	for i := range d.inputs {
		in := &d.inputs[i]
		in.call = d.callOf(calls, in.users[0].unit)
		for _, use := range in.users[1:] {
			in.call = calls.Common(in.call, d.callOf(calls, use.unit))
		}
		t, _ := d.g.Tensor(in.tensor)
		for in.call >= 0 {
			if m, _ := d.g.Module(calls.List[in.call].ID); m.Entered < t.Created {
				break
			}
			in.call = calls.List[in.call].Outer
		}
	}
}

// dataBoxOf describes a data input.
func (d *diagram) dataBoxOf(in *dataInput) box {
	t, _ := d.g.Tensor(in.tensor)
	b := box{id: tensorID(t.ID), kind: dataBox, tensor: t.ID, title: d.title(&t), about: looks(t.Shape, t.DType, t.Device)}
	if strings.TrimSpace(d.name(&t)) == "" {
		if op, ok := d.layered.maker(&t); ok {
			b.title = titled(d.g.Tape().String(op.Op))
		}
	}
	return b
}

// dataArrows yields the arrows from data inputs.
func (d *diagram) dataArrows(yield func(arrow) bool) {
	for i := range d.inputs {
		in := &d.inputs[i]
		for _, use := range in.users {
			a := arrow{from: tensorID(in.tensor), to: d.unitID(use.unit), kind: dataArrow, count: use.count, out: -1, outs: len(in.users), in: -1, shape: size(use.shape)}
			if !yield(a) {
				return
			}
		}
	}
}

// size is a shape as an arrow says it: "4×16"; "scalar".
func size(dims []int) string {
	if len(dims) == 0 {
		return "scalar"
	}
	var b []byte
	for i, n := range dims {
		if i > 0 {
			b = append(b, "×"...)
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(b)
}

// carries is the shape of what comes along an edge of the selection, or "". It is the shape
// that the program sees: what the layer itself does to the shape first does not count.
func (d *diagram) carries(edge int32) string {
	l, e := d.layered, d.plan.edges[edge]
	user := l.all.site(l.all.at(l.senders[edge].node))
	for at := l.all.at(e.Node); at >= 0 && l.all.kindOf(at) == hiddenOp && l.all.site(at) == user; at = l.all.at(e.Node) {
		inner := l.all.next(at)
		if len(inner) == 0 || l.all.at(inner[0].Node) < 0 {
			break
		}
		e = inner[0]
	}
	if d.made == nil {
		r := l.all.findResults()
		d.made = &r
	}
	at := l.all.at(e.Node)
	if at < 0 {
		return ""
	}
	if leaf := l.all.nodes[at].leaf; leaf != 0 {
		t, _ := d.g.Tensor(leaf)
		return size(t.Shape)
	}
	for _, id := range d.made.of(at) {
		if t, _ := d.g.Tensor(id); t.Output == e.Input {
			return size(t.Shape)
		}
	}
	n, _ := d.g.Node(e.Node)
	looks := n.Result(e.Input)
	if !looks.Known() && d.opts.Result != nil {
		looks = d.opts.Result(d.g, e)
	}
	if !looks.Known() {
		return ""
	}
	return size(looks.Shape)
}
