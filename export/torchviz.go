package export

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gradtui/gradtui/graph"
)

// The colours of torchviz.
const (
	leafColor   = "lightblue"
	outputColor = "darkolivegreen1"
	baseColor   = "darkolivegreen3"
	savedColor  = "orange"
)

// maxTorchvizLabel bounds a name in torchviz's style, which has no bound itself.
const maxTorchvizLabel = 4096

// A torchvizWriter writes what torchviz 0.0.2 writes with python-graphviz, for
// the nodes of a plan that have a box of their own. It walks depth first from
// the roots; since chains get long, it keeps the stack itself.
type torchvizWriter struct {
	*plan
	opts *Options
	out  *output

	body       []byte // written behind the header, which depends on it
	statements int
	done       []bool // by position
	doneGroups []bool
	seen       map[graph.TensorID]bool
	stack      []visit

	boxes   int // of nodes, groups, and slots that have a box of their own
	tensors map[graph.TensorID]bool
	edges   int
}

// A visit is a unit whose inputs are being drawn.
type visit struct {
	u     unit
	links []link
	next  int
	late  []graph.SavedTensor // drawn behind the inputs
}

func writeTorchviz(p *plan, opts *Options, report *Report, out *output) {
	w := &torchvizWriter{
		plan: p, opts: opts, out: out,
		done: make([]bool, len(p.nodes)), doneGroups: make([]bool, len(p.groups)),
		seen: map[graph.TensorID]bool{}, tensors: map[graph.TensorID]bool{},
	}
	for _, r := range p.roots {
		w.root(r)
	}
	report.Drawn, report.DrawnEdges = w.boxes+len(w.tensors), w.edges
	w.header(report.note())
	out.writeBytes(w.body)
	if opts.Legend {
		out.write(torchvizLegend)
	}
	out.write("}\n")
}

// header writes what comes before the statements. A drawing with many of them may
// be larger.
func (w *torchvizWriter) header(note string) {
	size := "12"
	if s := float64(w.statements) * 0.15; s > 12 {
		size = pythonFloat(s)
	}
	w.out.write("digraph {\n\tgraph [")
	if note != "" {
		w.out.write("label=", dotString(note), " labelloc=b ")
	}
	c := w.opts.palette()
	if c.background != "" {
		w.out.write(`bgcolor="`, c.background, `" fontcolor="`, c.text, `" `)
	}
	if w.opts.Direction != Down {
		w.out.write("rankdir=", directions[w.opts.Direction].rankdir, " ")
	}
	w.out.write("size=\"", size, ",", size, "\"]\n")
	if c.background != "" {
		w.out.write(`	edge [color="`, c.line, `"]`, "\n")
	}
	w.out.write("\tnode [align=left fontname=monospace fontsize=10 height=0.2 ranksep=0.1 shape=box style=filled]\n")
}

// torchvizLegend explains the colours.
const torchvizLegend = `	subgraph cluster_legend {
		label=legend fontname=monospace fontsize=10
		legend_op [label="operation (grad_fn)"]
		legend_leaf [label="leaf tensor" fillcolor=lightblue]
		legend_saved [label="saved tensor" fillcolor=orange]
		legend_output [label="output tensor" fillcolor=darkolivegreen1]
		legend_base [label="base of a view" fillcolor=darkolivegreen3]
	}
`

func (w *torchvizWriter) box(id, text, color string) {
	b := append(w.body, '\t')
	b = append(append(b, id...), " [label="...)
	b = pythonQuote(b, text)
	if color != "" {
		b = append(append(b, " fillcolor="...), color...)
	}
	w.body = append(b, "]\n"...)
	w.statements++
}

func (w *torchvizWriter) edge(from, to, attrs string) {
	b := append(w.body, '\t')
	b = append(append(append(b, from...), " -> "...), to...)
	w.body = append(append(b, attrs...), '\n')
	w.statements++
	w.edges++
}

// tensor writes a box for a tensor. There may be several for one; the last one
// counts.
func (w *torchvizWriter) tensor(t graph.Tensor, name, color string) {
	if name == "" {
		name = w.name(&t)
	}
	w.tensors[t.ID] = true
	w.box(tensorID(t.ID), tensorLabel(name, &t), color)
}

// root draws a tensor that the graph starts from, and the base of a view.
func (w *torchvizWriter) root(r root) {
	t, ok := w.g.Tensor(r.tensor)
	if !ok {
		w.walk(r.node)
		return
	}
	if w.seen[t.ID] {
		return
	}
	w.output(t, r.node, outputColor)
	base, ok := w.g.Tensor(t.Base)
	if !ok {
		return
	}
	if !w.seen[base.ID] {
		w.output(base, base.Node, baseColor)
	}
	w.edge(tensorID(base.ID), tensorID(t.ID), " [style=dotted]")
}

func (w *torchvizWriter) output(t graph.Tensor, node graph.NodeID, color string) {
	w.seen[t.ID] = true
	w.tensor(t, "", color)
	if i := w.at(node); i >= 0 {
		w.walk(node)
		w.edge(w.unitID(w.unitOf(i)), tensorID(t.ID), "")
	}
}

// tensorLabel is a name above a shape.
func tensorLabel(name string, t *graph.Tensor) string {
	return clean(name, maxTorchvizLabel) + "\n " + shape(t.Shape)
}

// walk draws a node and what leads to it.
func (w *torchvizWriter) walk(id graph.NodeID) {
	i := w.at(id)
	if i < 0 {
		return
	}
	w.enter(w.unitOf(i))
	for len(w.stack) > 0 && !w.out.stopped() {
		v := &w.stack[len(w.stack)-1]
		if v.next == len(v.links) {
			w.functionTensors(v)
			w.stack = w.stack[:len(w.stack)-1]
			continue
		}
		l := v.links[v.next]
		v.next++
		w.edge(w.unitID(l.to), w.unitID(v.u), times(l.count))
		w.enter(l.to)
	}
}

// times is the label of a link that stands for several edges.
func times(n int32) string {
	if n == 1 {
		return ""
	}
	return " [label=\"" + multiple(int(n)) + "\"]"
}

// enter draws a unit, unless it has been drawn, and puts it on the stack.
func (w *torchvizWriter) enter(u unit) {
	if u < 0 {
		if !w.doneGroups[^u] {
			w.doneGroups[^u] = true
			w.foldBox(u)
			if n := w.carried(u); n > 0 {
				w.edge(w.unitID(u), w.unitID(u), " [label="+dotString(counted(n, "result")+" to the next")+"]")
			}
			w.stack = append(w.stack, visit{u: u, links: w.linksOf(u)})
		}
		return
	}
	if w.done[u] {
		return
	}
	w.done[u] = true
	n, _ := w.g.Node(w.nodes[u].id)
	v := visit{u: u, links: w.linksOf(u)}
	if isFunction(&n) {
		v.late = n.Saved
	} else if w.opts.Saved {
		w.savedTensors(&n)
	}
	id := w.unitID(u)
	if t, ok := w.g.Tensor(n.Variable); ok {
		w.seen[t.ID] = true
		w.tensor(t, "", leafColor)
		w.edge(tensorID(t.ID), id, "")
	}
	w.box(id, w.nodeLabel(&n), "")
	w.boxes++
	w.stack = append(w.stack, v)
}

func (w *torchvizWriter) foldBox(u unit) {
	var lines []string
	for _, r := range w.foldRows(u) {
		lines = append(lines, r.text)
	}
	w.boxes++
	w.body = append(w.body, "\t"+w.unitID(u)+" [label="+dotString(strings.Join(lines, "\n"))...)
	w.body = append(w.body, " fillcolor=white style=\"filled,dashed\"]\n"...)
	w.statements++
}

// savedTensors draws the tensors that a built-in node saved, in the order of
// their names. PyTorch refuses to show a freed or modified slot, and torchviz
// ends there; here a freed slot is left out.
func (w *torchvizWriter) savedTensors(n *graph.Node) {
	id := nodeID(n.ID)
	slots := bySlotName(n.Saved)
	for _, i := range slots {
		s := &n.Saved[i]
		t, ok := w.g.Tensor(s.Tensor)
		if !ok || s.Freed {
			continue
		}
		to, fresh := savedID(n, i)
		w.edge(id, to, " [dir=none]")
		w.saved(to, fresh, t, s.Name)
		// torchviz remembers the elements of a list by the list.
		if _, _, element := splitSlot(s.Name); !fresh && !element {
			w.seen[t.ID] = true
		}
	}
}

// functionTensors draws what a custom Function saved.
func (w *torchvizWriter) functionTensors(v *visit) {
	if len(v.late) == 0 {
		return
	}
	n := graph.Node{ID: w.nodes[v.u].id, Saved: v.late}
	for i := range v.late {
		s := &v.late[i]
		t, ok := w.g.Tensor(s.Tensor)
		if !ok || s.Freed {
			continue
		}
		from, fresh := savedID(&n, i)
		w.edge(from, nodeID(n.ID), " [dir=none]")
		w.saved(from, fresh, t, "")
		if !fresh {
			w.seen[t.ID] = true
		}
	}
}

func (w *torchvizWriter) saved(id string, fresh bool, t graph.Tensor, name string) {
	if !fresh {
		w.tensor(t, name, savedColor)
		return
	}
	w.boxes++
	w.box(id, tensorLabel(name, &t), savedColor) // a new object is nobody's parameter
}

// savedID is the identifier of a saved tensor. PyTorch makes a new object each
// time it reads a slot that holds a result of the node's own op, so that such a
// slot has a box of its own (fresh).
func savedID(n *graph.Node, slot int) (id string, fresh bool) {
	s := &n.Saved[slot]
	if s.Flags&graph.SavedOutput != 0 && s.Flags&graph.SavedLeaf == 0 {
		return nodeID(n.ID) + "s" + strconv.Itoa(slot), true
	}
	return tensorID(s.Tensor), false
}

// functionSlot begins the names of the slots of a custom Function.
const functionSlot = "saved_tensors["

func isFunction(n *graph.Node) bool {
	return len(n.Saved) > 0 && strings.HasPrefix(n.Saved[0].Name, functionSlot)
}

// splitSlot takes the index off the name of a slot: "indices[1]".
func splitSlot(name string) (base string, index int, ok bool) {
	base, rest, found := strings.Cut(name, "[")
	digits, closed := strings.CutSuffix(rest, "]")
	index, err := strconv.Atoi(digits)
	if !found || !closed || err != nil {
		return name, 0, false
	}
	return base, index, true
}

// bySlotName are the slots in the order of their names; the elements of a list
// keep theirs.
func bySlotName(saved []graph.SavedTensor) []int {
	order := make([]int, len(saved))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, i, _ := splitSlot(saved[a].Name)
		y, j, _ := splitSlot(saved[b].Name)
		if x != y {
			return strings.Compare(x, y)
		}
		return i - j
	})
	return order
}

// nodeLabel is a node's name and, below a line of dashes, what it saved.
func (w *torchvizWriter) nodeLabel(n *graph.Node) string {
	name := clean(n.Name, maxTorchvizLabel)
	if !w.opts.Attrs || isFunction(n) {
		return name
	}
	attrs := w.savedAttrs(n)
	if len(attrs) == 0 {
		return name
	}
	keys, values := 0, 0
	for _, a := range attrs {
		keys = max(keys, utf8.RuneCountInString(a.key))
		values = max(values, utf8.RuneCountInString(a.value))
	}
	values = min(values, w.opts.attrChars())
	b := append([]byte(name), '\n')
	b = append(b, strings.Repeat("-", max(keys+values+2, utf8.RuneCountInString(name)))...)
	for _, a := range attrs {
		if utf8.RuneCountInString(a.value) > values {
			a.value = firstChars(a.value, values-3) + "..."
		}
		b = pad(append(b, '\n'), a.key, -keys)
		b = pad(append(b, ": "...), a.value, values)
	}
	return string(b)
}

type savedAttr struct{ key, value string }

// savedAttrs are the _saved_* attributes of a built-in node, in the order of
// Python's dir().
func (w *torchvizWriter) savedAttrs(n *graph.Node) []savedAttr {
	var attrs []savedAttr
	order := bySlotName(n.Saved)
	for i := 0; i < len(order); i++ {
		s := &n.Saved[order[i]]
		base, _, list := splitSlot(s.Name)
		if !list {
			attrs = append(attrs, savedAttr{s.Name, slotText(s, "[saved tensor]")})
			continue
		}
		value, nones := "", 0
		for ; i < len(order); i++ {
			s := &n.Saved[order[i]]
			if b, _, ok := splitSlot(s.Name); !ok || b != base {
				break
			}
			if text := slotText(s, "[saved tensors]"); text != "None" {
				value = text
			}
			nones++
		}
		i--
		switch {
		case value != "":
		case nones == 1:
			value = "(None,)"
		default:
			value = "(" + strings.TrimSuffix(strings.Repeat("None, ", nones), ", ") + ")"
		}
		attrs = append(attrs, savedAttr{base, value})
	}
	for _, a := range n.Attrs {
		value := a.Text
		if a.Type != graph.AttrText {
			value = a.String()
		}
		attrs = append(attrs, savedAttr{w.g.Tape().String(a.Name), value})
	}
	for i := range attrs {
		attrs[i] = savedAttr{clean(attrs[i].key, maxLabel), clean(attrs[i].value, min(maxTorchvizLabel, w.opts.attrChars()+1))}
	}
	slices.SortStableFunc(attrs, func(a, b savedAttr) int { return strings.Compare(a.key, b.key) })
	return attrs
}

// slotText is what torchviz writes for a slot. It ends with an error at one that
// was freed.
func slotText(s *graph.SavedTensor, filled string) string {
	switch {
	case s.Tensor == 0:
		return "None"
	case s.Freed:
		return "[freed]"
	}
	return filled
}
