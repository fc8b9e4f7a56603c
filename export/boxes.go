package export

import (
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// A diagram describes a picture: boxes with lines of text, and arrows. Its parts are made
// when they are asked for, since there may be many. Boxes say all that is known, unless the
// diagram is condensed or has layers.
type diagram struct {
	*plan
	opts      *Options
	results   results
	leaves    map[graph.TensorID]int  // the position of the node that accumulates the gradient
	outputs   map[graph.TensorID]bool // tensors with a box of their own
	layers    *layering               // nil: the format has no rows
	condensed *condensed              // nil: it is not condensed
	layered   *layers                 // nil: its boxes are nodes
	inputs    []dataInput             // of a diagram of layers
	gradients *gradients              // nil: arrows do not show them
	made      *results                // of all nodes, of a diagram of layers
	film      bool                    // frames say how far nodes are, and arrows the norm in numbers
	unitNamed map[string]unit         // by the identifier of the box; nil: nothing asks for it
}

// detailed reports whether boxes say all that is known.
func (d *diagram) detailed() bool { return d.condensed == nil && d.layered == nil }

func newDiagram(p *plan, opts *Options) *diagram {
	d := &diagram{
		plan: p, opts: opts, results: p.findResults(),
		leaves: map[graph.TensorID]int{}, outputs: map[graph.TensorID]bool{},
	}
	for i, n := range p.nodes {
		if n.leaf != 0 {
			d.leaves[n.leaf] = i
		}
	}
	for _, r := range p.roots {
		d.outputs[r.tensor] = true
	}
	p.bases(func(base graph.Tensor) {
		if base.Node != 0 || d.leafBox(base.ID) == "" {
			d.outputs[base.ID] = true
		}
	})
	delete(d.outputs, 0)
	return d
}

// A box is a node of the picture.
type box struct {
	id     string
	kind   boxKind
	op     opKind         // of an op or a layer
	tensor graph.TensorID // what a leaf, an output or a base is
	module graph.ModuleID // the call that made an op
	title  string
	about  string // identifiers, behind the title
	status string // one word, and in full
	detail string
	rows   []row
	inputs []input // places where arrows end, in the order of the node's edges
	// outputs is how many results the node's op had.
	outputs int
}

type boxKind uint8

const (
	opBox boxKind = iota
	leafBox
	outputBox
	baseBox
	foldBox
	layerBox // an operation or a layer, in the style layers
	dataBox  // a tensor from outside that needs no gradient
)

var boxNames = [...]string{opBox: "op", leafBox: "leaf", outputBox: "output", baseBox: "base", foldBox: "fold", layerBox: "layer", dataBox: "data"}

// A row is a line of text in a box.
type row struct {
	kind rowKind
	what string // "saved mat1", "result"
	text string
	note string // what is the matter with text
}

// line is the row without its note.
func (r *row) line() string {
	if r.what == "" {
		return r.text
	}
	return r.what + ": " + r.text
}

type rowKind uint8

const (
	plainRow    rowKind = iota
	smallRow            // details
	sourceRow           // the line of the program
	attrRow             // a saved value that is not a tensor
	savedRow            // a saved tensor
	freedRow            // one that was freed
	modifiedRow         // one that was changed in place since it was saved
	resultRow           // a result of the op
	innerRow            // the node inside CopySlices
)

// An input is a differentiable input of an op.
type input struct{ none bool } // it needs no gradient

// maxPorts is up to how many inputs or outputs of a node arrows have places of
// their own.
const maxPorts = 12

// maxRows bounds the rows of one kind in a box.
const maxRows = 8

// unitBox describes a unit as the diagram shows it.
func (d *diagram) unitBox(u unit) box {
	switch {
	case d.layered != nil:
		return d.layerBox(u)
	case d.condensed != nil:
		return d.briefBox(u)
	}
	return d.fullBox(u)
}

// fullBox describes a unit with all that is known.
func (d *diagram) fullBox(u unit) box {
	if u < 0 {
		return d.fold(u)
	}
	n, _ := d.g.Node(d.nodes[u].id)
	if n.Variable != 0 {
		return d.leaf(u, &n)
	}
	b := box{
		id: nodeID(n.ID), kind: opBox, op: opKinds[arrange.Operation(n.Name)], module: n.Module, title: titled(n.Name),
		status: d.status(int(u), &n), detail: d.statusText(int(u), &n), outputs: n.Outputs,
		about: nodeFacts(&n),
	}
	for _, e := range n.Edges {
		b.inputs = append(b.inputs, input{none: e.Node == 0})
	}
	if text := d.sourceText(n.Created); text != "" {
		b.rows = append(b.rows, row{kind: sourceRow, text: text})
	}
	d.addSaved(&b, &n)
	if inner, ok := d.g.Node(n.Inner); ok && n.Inner != n.ID {
		b.rows = append(b.rows, row{kind: innerRow, text: "applies " + label(inner.Name, maxLabel) + " to a part", note: nodeID(inner.ID)})
		d.addSaved(&b, &inner)
	}
	d.addResults(&b, &n)
	return b
}

// nodeFacts identify a node: "n7 · seq 12".
func nodeFacts(n *graph.Node) string {
	facts := nodeID(n.ID)
	if n.Sequence != graph.MaxSequence {
		facts += " · seq " + strconv.FormatUint(n.Sequence, 10)
	}
	if n.Runs > 1 {
		facts += " · ran " + counted(n.Runs, "time")
	}
	if n.Released {
		facts += " · released"
	}
	return facts
}

// addSaved adds what a node saved.
func (d *diagram) addSaved(b *box, n *graph.Node) {
	if d.opts.Attrs {
		for _, a := range n.Attrs[:min(len(n.Attrs), maxRows)] {
			text := label(d.g.Tape().String(a.Name), maxLabel) + " = " + cut(label(a.String(), maxLabel), d.opts.attrChars())
			b.rows = append(b.rows, row{kind: attrRow, text: text})
		}
		b.more(len(n.Attrs)-maxRows, "saved value")
	}
	shown := 0
	for _, sv := range n.Saved {
		if sv.Tensor == 0 {
			continue
		}
		// A slot that something is the matter with is never left out.
		if shown++; shown > maxRows && !sv.Modified() {
			continue
		}
		b.rows = append(b.rows, d.savedRow(&sv, n))
	}
	b.more(shown-maxRows, "saved tensor")
}

func (d *diagram) savedRow(sv *graph.SavedTensor, n *graph.Node) row {
	r := row{kind: savedRow, what: "saved " + label(sv.Name, maxLabel), text: d.savedWhat(sv), note: version(sv.Version)}
	switch {
	case sv.Freed:
		r.kind, r.note = freedRow, d.freedText(n)
	case sv.Modified():
		r.kind, r.note = modifiedRow, modifiedText(sv)
	}
	return r
}

// more says that n things are left out.
func (b *box) more(n int, what string) {
	if n > 0 {
		b.rows = append(b.rows, row{kind: smallRow, text: "… " + thousands(n) + " more " + strings.TrimPrefix(counted(n, what), thousands(n)+" ")})
	}
}

// addResults adds the tensors that have the node for their grad_fn, and what is known of
// the other results.
func (d *diagram) addResults(b *box, n *graph.Node) {
	shown := 0
	add := func(output uint32, text, note string) {
		if shown++; shown > maxRows {
			return
		}
		what := "result"
		if n.Outputs > 1 {
			what += " " + strconv.Itoa(int(output))
		}
		b.rows = append(b.rows, row{resultRow, what, text, note})
	}
	tensors := d.results.of(d.at(n.ID))
	for _, id := range tensors {
		if d.outputs[id] {
			continue
		}
		t, _ := d.g.Tensor(id)
		add(t.Output, d.title(&t)+" "+typed(&t), strings.Join(d.tensorFacts(&t), " · "))
	}
	for _, r := range d.innerResults(d.opts, n, tensors) {
		add(r.output, shape(r.looks.Shape)+" "+r.looks.DType.String(), "")
	}
	b.more(shown-maxRows, "result")
}

// leaf describes a leaf and the node that accumulates its gradient, in one box.
func (d *diagram) leaf(u unit, n *graph.Node) box {
	b := box{
		id: nodeID(n.ID), kind: leafBox, tensor: n.Variable, title: tensorID(n.Variable),
		status: d.status(int(u), n), detail: d.statusText(int(u), n), outputs: 1,
	}
	if t, ok := d.g.Tensor(n.Variable); ok {
		b.title = d.title(&t)
		b.rows = d.tensorRows(&t)
	}
	b.rows = append(b.rows, row{kind: smallRow, text: label(n.Name, maxLabel) + " " + nodeFacts(n)})
	return b
}

func (d *diagram) tensorRows(t *graph.Tensor) []row {
	rows := []row{{text: typed(t)}}
	if facts := d.tensorFacts(t); len(facts) > 0 {
		rows = append(rows, row{kind: smallRow, text: strings.Join(facts, " · ")})
	}
	return rows
}

func (d *diagram) fold(u unit) box {
	rows := d.foldRows(u)
	return box{id: d.unitID(u), kind: foldBox, title: titled(rows[0].text), rows: rows[1:]}
}

// tensorBoxes yields the boxes of roots and of the bases of views.
func (d *diagram) tensorBoxes(yield func(box) bool) {
	seen := map[graph.TensorID]bool{}
	for _, r := range d.roots {
		t, ok := d.g.Tensor(r.tensor)
		if !ok || seen[t.ID] {
			continue
		}
		seen[t.ID] = true
		b := box{id: tensorID(t.ID), kind: outputBox, tensor: t.ID, title: d.title(&t), about: "output", rows: d.tensorRows(&t)}
		if !d.detailed() {
			d.briefTensor(&b, &t)
		}
		if !yield(b) {
			return
		}
	}
	stop := false
	d.bases(func(base graph.Tensor) {
		if stop || seen[base.ID] || !d.outputs[base.ID] {
			return
		}
		b := box{id: tensorID(base.ID), kind: baseBox, tensor: base.ID, title: d.title(&base), about: "base of a view", rows: d.tensorRows(&base)}
		if !d.detailed() {
			d.briefTensor(&b, &base)
		}
		stop = !yield(b)
	})
}
