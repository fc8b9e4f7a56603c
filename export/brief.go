package export

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// condensed is what goes without saying in a condensed picture: its title says it once.
type condensed struct {
	status string           // that boxes do not repeat, in full
	file   string           // of most nodes; "": they are from several
	calls  []graph.ModuleID // by position: the call of a layer, which is not drawn around its node
}

// condense has the boxes say in two lines what a reader looks for first. Layers have no
// frame around them: their nodes name them.
func (d *diagram) condense() {
	c := &condensed{calls: d.layerCalls()}
	sel := *d.selection
	sel.nodes = append([]selected(nil), sel.nodes...)
	layer := map[graph.ModuleID]bool{}
	for _, call := range c.calls {
		layer[call] = true
	}
	for i := range sel.nodes {
		if n := &sel.nodes[i]; n.module != 0 && layer[n.module] { // leaves as well
			n.module = d.g.ModuleOuter(n.module)
		}
	}
	p := *d.plan
	p.selection = &sel
	d.plan = &p
	c.status = d.commonStatus()
	files := map[string]bool{}
	for i, n := range d.nodes {
		if f := d.site(i).File; n.leaf == 0 && f != "" && !files[f] {
			files[f], c.file = true, f
		}
	}
	if len(files) != 1 {
		c.file = ""
	}
	d.condensed = c
}

// commonStatus is the status, in full, that most nodes have.
func (d *diagram) commonStatus() string {
	type state struct {
		status graph.Status
		pass   graph.BackwardID
		still  bool
	}
	count := map[state]int{}
	var most state
	text := ""
	for i := range d.nodes {
		status, pass, _ := d.g.NodeStatus(d.nodes[i].id)
		s := state{status, pass, d.pending != nil && d.pending[i]}
		if count[s]++; text == "" || count[s] > count[most] {
			if s != most || text == "" {
				n, _ := d.g.Node(d.nodes[i].id)
				text = d.statusText(i, &n)
			}
			most = s
		}
	}
	return text
}

// dims is a shape as Python writes it: "[4, 16]".
func dims(of []int) string {
	b := []byte{'['}
	for i, n := range of {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(append(b, ']'))
}

// looks is the shape, and the element type and device if they are not the usual ones.
func looks(shape []int, t graph.DType, device string) string {
	s := "scalar"
	if len(shape) > 0 {
		s = dims(shape)
	}
	if t != graph.Float32 && t != graph.NoDType {
		s += " " + t.String()
	}
	return s + label(graph.DeviceText(device), maxLabel)
}

// briefBox describes a unit in a condensed picture.
func (d *diagram) briefBox(u unit) box {
	if u < 0 {
		return d.fold(u)
	}
	n, _ := d.g.Node(d.nodes[u].id)
	var b box
	if n.Variable != 0 {
		b = d.briefLeaf(&n)
	} else {
		b = d.briefOp(u, &n)
	}
	if text := d.statusText(int(u), &n); text != d.condensed.status && !d.film {
		b.status, b.detail = d.status(int(u), &n), text
	}
	return b
}

func (d *diagram) briefOp(u unit, n *graph.Node) box {
	b := box{
		id: nodeID(n.ID), kind: opBox, op: opKinds[arrange.Operation(n.Name)], module: n.Module, title: titled(arrange.Operation(n.Name)), outputs: 1,
	}
	names, shapes := d.briefResults(n)
	b.about = strings.Join(shapes, ", ")
	if where := d.where(u); len(names) > 0 || where != "" {
		b.rows = append(b.rows, row{kind: smallRow, text: strings.Join(append(names, where), " · ")})
		if where == "" {
			b.rows[0].text = strings.Join(names, " · ")
		}
	}
	d.addHazards(&b, n)
	if inner, ok := d.g.Node(n.Inner); ok && n.Inner != n.ID {
		b.rows = append(b.rows, row{kind: innerRow, text: "applies " + label(inner.Name, maxLabel) + " to a part", note: nodeID(inner.ID)})
		d.addHazards(&b, &inner)
	}
	return b
}

// briefResults are the names and the shapes of the results of a node.
func (d *diagram) briefResults(n *graph.Node) (names, shapes []string) {
	const most = 3
	add := func(shape string) {
		if len(shapes) == 0 || shapes[len(shapes)-1] != shape {
			shapes = append(shapes, shape)
		}
	}
	tensors := d.results.of(d.at(n.ID))
	for _, id := range tensors {
		t, _ := d.g.Tensor(id)
		add(looks(t.Shape, t.DType, t.Device))
		if name := label(d.name(&t), maxLabel); strings.TrimSpace(name) != "" && !d.outputs[id] && len(names) < most {
			names = append(names, name)
		}
	}
	for _, r := range d.innerResults(d.opts, n, tensors) {
		add(looks(r.looks.Shape, r.looks.DType, ""))
	}
	if len(shapes) > most {
		shapes = append(shapes[:most], "…")
	}
	return names, shapes
}

// where says which layer and which line of the program a node is from: "fc2 · mlp.py:5".
func (d *diagram) where(u unit) string {
	var parts []string
	if call := d.condensed.calls[u]; call != 0 {
		m, _ := d.g.Module(call)
		parts = append(parts, d.within(m.Path, d.nodes[u].module))
	}
	f := d.site(int(u))
	switch {
	case f.File == "":
	case f.File == d.condensed.file:
		parts = append(parts, "line "+strconv.Itoa(f.Line))
	default:
		parts = append(parts, label(path.Base(filepath.ToSlash(f.File)), maxLabel)+":"+strconv.Itoa(f.Line))
	}
	return strings.Join(parts, " · ")
}

// within is the path of a module without the part that is the path of a call around it.
func (d *diagram) within(path string, outer graph.ModuleID) string {
	m, _ := d.g.Module(outer)
	if rest, ok := strings.CutPrefix(path, m.Path+"."); ok && m.Path != "" {
		path = rest
	}
	return label(path, maxLabel)
}

// addHazards adds what a node saved if that is asked for, and if something is the matter
// with it.
func (d *diagram) addHazards(b *box, n *graph.Node) {
	if d.opts.Saved || n.Status == graph.Failed {
		d.addSaved(b, n)
		return
	}
	for _, sv := range n.Saved {
		if sv.Tensor != 0 && sv.Modified() {
			b.rows = append(b.rows, d.savedRow(&sv, n))
		}
	}
}

func (d *diagram) briefLeaf(n *graph.Node) box {
	b := box{id: nodeID(n.ID), kind: leafBox, tensor: n.Variable, title: tensorID(n.Variable), outputs: 1}
	if t, ok := d.g.Tensor(n.Variable); ok {
		b.title, b.about = d.title(&t), looks(t.Shape, t.DType, t.Device)
		facts := []string{leafText(&t)}
		if t.Grad == 0 && d.g.BackwardCount() > 0 {
			facts = append(facts, "no .grad")
		}
		b.rows = []row{{kind: smallRow, text: strings.Join(facts, " · ")}}
	}
	return b
}

// briefTensor describes a root, or the base of a view, in a picture that is not detailed. What
// it is moves into a row.
func (d *diagram) briefTensor(b *box, t *graph.Tensor) {
	b.rows = []row{{kind: smallRow, text: b.about}}
	b.about = looks(t.Shape, t.DType, t.Device)
}
