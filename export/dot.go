package export

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

func (j *job) dot() error { return j.draw(newOutput(j.ctx, j.w), j.budget()) }

// draw writes the selection in DOT with at most that many boxes; 0: any number.
func (j *job) draw(out *output, boxes int) error {
	p, err := j.plan(boxes)
	if err != nil {
		return err
	}
	j.drawn = p
	if j.opts.Style == Torchviz {
		writeTorchviz(p, j.opts, j.report, out)
	} else {
		j.writeDOT(p, out)
	}
	return out.flush()
}

// plan makes the plan of a picture with at most that many boxes; 0: any number.
func (j *job) plan(boxes int) (*plan, error) {
	sel, weigh := j.sel, func(*selected) int { return 1 }
	switch {
	case j.layers != nil:
		sel = j.layers.selection
	case j.opts.Style == Torchviz && j.format.styles:
		weigh = j.torchvizWeight
	}
	f := newFolder(sel, boxes, weigh)
	if j.opts.MaxNodes == 0 {
		f.passing = j.format.spread
	}
	if j.layers != nil && boxes > 0 {
		f.repetitions()
	}
	if boxes > 0 {
		if err := f.reduce(j.ctx); err != nil {
			return nil, err
		}
	}
	j.report.Drawn, j.report.DrawnEdges, j.report.Folds = 0, 0, nil
	j.report.folded(f.plan)
	return f.plan, nil
}

// columns is how many columns a picture goes in: Options.Columns, or what the
// format has by default.
func (j *job) columns() int {
	switch {
	case j.uncut || j.opts.Direction != Down || j.opts.Columns == 0 && (!j.format.page || j.layers != nil):
		return 1
	}
	return j.opts.Columns
}

// torchvizWeight is the number of boxes that a node brings along in torchviz's
// style, which has boxes for leaves and saved tensors.
func (j *job) torchvizWeight(n *selected) int {
	weight := 1
	if n.leaf != 0 {
		weight++
	}
	if n.function || j.opts.Saved {
		weight += int(n.saved)
	}
	return weight
}

// dotString writes a string of DOT such that it reads as s, backslashes
// included. Line breaks centre the lines.
func dotString(s string) string {
	return `"` + dotEscapes.Replace(clean(s, maxTorchvizLabel)) + `"`
}

// clusterString is dotString for labels of clusters. Layouts by Graphviz 12 lose
// a backslash in front of a quote there, and with it the end of the text.
func clusterString(s string) string { return dotString(strings.ReplaceAll(s, `\"`, `\'`)) }

var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// fontNames are the fonts of pictures: Graphviz knows the widths of the first ones.
const fontNames = "Helvetica,Arial,sans-serif"

// boxBorders distinguish the boxes where there are no colours.
var boxBorders = [...]string{
	opBox: "", leafBox: ` STYLE="ROUNDED"`, outputBox: ` STYLE="ROUNDED"`, baseBox: ` STYLE="ROUNDED"`, foldBox: ` STYLE="DASHED"`,
	layerBox: ` STYLE="ROUNDED"`, dataBox: "",
}

// A dotWriter writes a diagram in DOT.
type dotWriter struct {
	*diagram
	*output
	colors *palette
	column map[string]int         // by the identifier of a box; nil: there is one column
	began  map[graph.ModuleID]int // the first column that has a part of a call
	hover  hoverTexts             // nil: they are not wanted
}

// writeDOT writes a plan in the styles full and layers.
func (j *job) writeDOT(p *plan, out *output) {
	d := newDiagram(p, j.opts)
	switch {
	case j.opts.Style == Layers:
		d.layered = j.layers
		d.findDataBoxes()
	case !j.opts.Attrs:
		d.condense()
	}
	d.film = j.format.film
	if on := j.opts.Gradients; on == GradientsOn || on == GradientsByStyle && (d.film || j.opts.Style == Layers) {
		d.gradients = d.findGradients()
	}
	w := &dotWriter{diagram: d, output: out, colors: j.opts.palette()}
	if j.format.hover {
		w.hover, d.unitNamed = hoverTexts{}, map[string]unit{}
		for u := range d.units {
			d.unitNamed[d.unitID(u)] = u
		}
		j.hover = w.hover
	}
	w.layers = d.layering()
	w.header(j.report)
	report := j.report
	parts := w.columns(j.columns())
	if len(parts) == 1 {
		w.modules(parts[0], 0, report)
		for b := range w.tensorBoxes {
			w.box(b, "\t")
			report.Drawn++
		}
		for i := range w.inputs {
			if w.inputs[i].call < 0 {
				w.box(w.dataBoxOf(&w.inputs[i]), "\t")
				report.Drawn++
			}
		}
	} else {
		w.parts(parts, report)
	}
	report.Columns = len(parts)
	for a := range w.arrows {
		if w.failed() {
			return
		}
		w.arrow(a)
		report.DrawnEdges++
	}
	w.write("}\n")
}

// parts writes several columns, each in a cluster without a border, which keeps it
// apart from the others.
func (w *dotWriter) parts(parts [][]unit, report *Report) {
	w.column, w.began = map[string]int{}, map[graph.ModuleID]int{}
	l := w.layers
	for i, units := range slices.Backward(parts) {
		for _, u := range units {
			w.column[w.unitID(u)] = i
			for call := l.call[*l.at(u)]; call >= 0; call = l.calls.List[call].Outer {
				w.began[l.calls.List[call].ID] = i
			}
		}
	}
	for b := range w.tensorBoxes { // each where its node is
		at, ok := w.column[w.origin(b.tensor)]
		if !ok {
			at = len(parts) - 1
		}
		w.column[b.id] = at
	}
	for i := range w.inputs { // each where it is used first
		w.column[tensorID(w.inputs[i].tensor)] = w.column[w.unitID(w.inputs[i].users[0].unit)]
	}
	w.anchors(parts)
	for i, units := range parts {
		w.write("\tsubgraph cluster_column", strconv.Itoa(i+1), " {\n\t\tgraph [label=\"\" style=invis]\n")
		w.modules(units, i, report)
		for b := range w.tensorBoxes {
			if w.column[b.id] == i {
				w.box(b, "\t\t")
				report.Drawn++
			}
		}
		for k := range w.inputs {
			if in := &w.inputs[k]; w.column[tensorID(in.tensor)] == i {
				w.box(w.dataBoxOf(in), "\t\t")
				report.Drawn++
			}
		}
		w.write("\t}\n")
	}
}

// anchors writes invisible nodes in a row, from which the columns hang: Graphviz
// has them in any order otherwise, and at any height.
func (w *dotWriter) anchors(parts [][]unit) {
	w.write("\tsubgraph columns {\n\t\trank=same\n\t\tnode [height=0 shape=point style=invis width=0]\n\t\tedge [style=invis]\n\t\t")
	for i := range parts {
		if i > 0 {
			w.write(" -> ")
		}
		w.write("column", strconv.Itoa(i+1))
	}
	w.write("\n\t}\n")
	row := func(u unit) int { return w.layers.row[*w.layers.at(u)] }
	for i, units := range parts {
		first := slices.MinFunc(units, func(a, b unit) int { return row(a) - row(b) })
		w.write("\tcolumn", strconv.Itoa(i+1), " -> ", w.unitID(first), " [style=invis weight=100]\n")
	}
}

// origin is the box that a tensor comes from, or "" if there is none.
func (d *diagram) origin(id graph.TensorID) string {
	t, _ := d.g.Tensor(id)
	if i := d.at(t.Node); t.Node != 0 && i >= 0 {
		return d.unitID(d.unitOf(i))
	}
	return d.leafBox(id)
}

func (w *dotWriter) header(report *Report) {
	c := w.colors
	w.write("digraph {\n\tgraph [")
	if c.background != "" {
		w.write(`bgcolor="`, c.background, `" `)
	}
	w.write(`fontcolor="`, c.text, `" fontname="`, fontNames, `" fontsize=10 label=`)
	w.title(report)
	nodesep, ranksep := "0.25", "0.3"
	w.write(" labeljust=l labelloc=t nodesep=", nodesep)
	if w.opts.Direction != Down {
		w.write(" rankdir=", directions[w.opts.Direction].rankdir)
	}
	w.write(" ranksep=", ranksep, "]\n",
		"\tnode [color=\"", c.line, "\" fontcolor=\"", c.text, "\" fontname=\"", fontNames, "\" fontsize=10 shape=plain]\n",
		"\tedge [arrowsize=0.6 color=\"", c.line, "\" fontcolor=\"", c.faded, "\" fontname=\"", fontNames, "\" fontsize=8]\n")
}

// modules writes the boxes of some units, each in the cluster of the module call
// that made it.
func (w *dotWriter) modules(units []unit, column int, report *Report) {
	indent := func(depth int) string {
		if w.column != nil {
			depth++
		}
		return strings.Repeat("\t", depth+1)
	}
	w.clusters(w.layers.calls, slices.Values(units)).walk(func(id graph.ModuleID, depth int) {
		name, text := moduleID(id), w.clusterText(id)
		if column > w.began[id] {
			name += "_column" + strconv.Itoa(column+1)
			text += ", continued"
		}
		w.write(indent(depth), "subgraph cluster_", name, " {\n")
		w.write(indent(depth+1), "graph [color=\"", w.colors.cluster, "\" fontcolor=\"", w.colors.faded, "\" label=", clusterString(text), " labeljust=l labelloc=t style=rounded]\n")
		w.hover.add("cluster_"+name, text)
		for i := range w.inputs {
			if in := &w.inputs[i]; in.call >= 0 && w.layers.calls.List[in.call].ID == id && w.column == nil {
				w.box(w.dataBoxOf(in), indent(depth+1))
				report.Drawn++
			}
		}
	}, func(u unit, depth int) {
		if w.failed() {
			return
		}
		w.box(w.unitBox(u), indent(depth))
		report.Drawn++
	}, func(depth int) {
		w.write(indent(depth), "}\n")
	})
}

// clusterText is what stands in the frame of a call. In pictures that are not detailed it does
// not repeat the path of the call around it.
func (w *dotWriter) clusterText(id graph.ModuleID) string {
	if w.detailed() {
		return w.moduleText(id)
	}
	m, _ := w.g.Module(id)
	path, typ := w.within(m.Path, w.g.ModuleOuter(id)), label(m.Type, maxLabel)
	if strings.TrimSpace(path) == "" {
		return titled(typ)
	}
	if strings.TrimSpace(typ) != "" {
		path += " (" + typ + ")"
	}
	return path
}

func (w *dotWriter) box(b box, indent string) {
	if b.kind == dataBox || b.kind == leafBox && w.layered != nil {
		w.parallelogram(b, indent)
	} else {
		w.write(indent, b.id, " [label=<")
		w.table(b)
		w.write(">]\n")
	}
	if w.hover != nil {
		w.hover.add(b.id, w.about(&b)...)
	}
}

// parallelogram writes a tensor that comes from outside, with a dashed line if it needs no
// gradient.
func (w *dotWriter) parallelogram(b box, indent string) {
	c := w.colors.boxes[b.kind]
	style := "filled"
	if b.kind == dataBox {
		style = "\"filled,dashed\""
	}
	w.write(indent, b.id, ` [label=<<B>`, escapeHTML(b.title), `</B>`)
	if b.about != "" {
		w.write(` <FONT POINT-SIZE="9">`, escapeHTML(b.about), `</FONT>`)
	}
	w.write(`> color="`, c.line, `" fillcolor="`, c.fill, `" height=0.3 margin="0.02,0.02" shape=parallelogram style=`, style, "]\n")
}

// table writes a box as an HTML-like label.
func (w *dotWriter) table(b box) {
	border := "1"
	if b.kind == foldBox {
		border = "2"
	}
	ins, outs := 0, 0
	if n := len(b.inputs); n > 1 && n <= maxPorts {
		ins = n
	}
	if b.outputs > 1 && b.outputs <= maxPorts {
		outs = b.outputs
	}
	columns := max(ins, 1) * max(outs, 1) / gcd(max(ins, 1), max(outs, 1))
	padding := "3"
	if b.kind == layerBox && b.op == shapeOp {
		padding = "1"
	}
	look := w.colors.paint(&b)
	w.write(`<TABLE BGCOLOR="`, look.fill, `" BORDER="`, border, `" CELLBORDER="0" CELLPADDING="`, padding, `" CELLSPACING="0" COLOR="`, look.line, `"`, boxBorders[b.kind], `>`)
	span := ""
	if columns > 1 {
		span = ` COLSPAN="` + strconv.Itoa(columns) + `"`
	}
	w.ports(ins, columns, "i", func(i int) string {
		if b.inputs[i].none {
			return `<FONT COLOR="` + w.colors.faded + `">` + strconv.Itoa(i) + ` none</FONT>`
		}
		return strconv.Itoa(i)
	}, "B")
	w.head(b, span)
	for _, r := range b.rows {
		w.write("<TR>")
		w.rowCell(r, span)
		w.write("</TR>")
	}
	w.ports(outs, columns, "o", func(i int) string { return "result " + strconv.Itoa(i) }, "T")
	w.write("</TABLE>")
}

func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// ports writes a row of cells where arrows begin or end.
func (w *dotWriter) ports(n, columns int, name string, text func(int) string, sides string) {
	if n == 0 {
		return
	}
	w.write("<TR>")
	for i := range n {
		side := sides
		if i < n-1 {
			side += "R"
		}
		w.write(`<TD BORDER="1" COLSPAN="`, strconv.Itoa(columns/n), `" PORT="`, name, strconv.Itoa(i), `" SIDES="`, side, `"><FONT POINT-SIZE="8">`, text(i), `</FONT></TD>`)
	}
	w.write("</TR>")
}

// head writes the title of a box and its status.
func (w *dotWriter) head(b box, span string) {
	align := ` ALIGN="LEFT"`
	if w.layered != nil {
		align = ""
	}
	w.write(`<TR><TD`, align, span, `><B>`, escapeHTML(b.title), `</B>`)
	if b.about != "" {
		w.write(` <FONT POINT-SIZE="8">`, escapeHTML(b.about), `</FONT>`)
	}
	w.write(`</TD></TR>`)
	if color, ok := w.colors.statuses[b.status]; ok {
		w.write(`<TR><TD ALIGN="LEFT" BGCOLOR="`, color, `"`, span, `><FONT POINT-SIZE="8">`, b.detail, `</FONT></TD></TR>`)
	}
}

func (w *dotWriter) rowCell(r row, span string) {
	cell, open, close := "", "", ""
	switch r.kind {
	case smallRow, sourceRow, attrRow:
		open, close = `<FONT POINT-SIZE="8">`, `</FONT>`
	case savedRow:
		cell = ` BGCOLOR="` + w.colors.saved + `"`
	case freedRow:
		cell, open, close = ` BGCOLOR="`+w.colors.freed+`"`, `<FONT COLOR="`+w.colors.faded+`"><S>`, `</S></FONT>`
	case modifiedRow:
		cell = ` BGCOLOR="` + w.colors.saved + `" BORDER="2" COLOR="` + w.colors.hazard + `"`
	case innerRow:
		cell, open, close = ` BORDER="1" SIDES="T"`, `<I>`, `</I>`
	}
	align := ` ALIGN="LEFT"`
	if w.layered != nil {
		align = ""
	}
	w.write(`<TD`, align, cell, span, `>`, open, escapeHTML(r.line()), close)
	if r.note != "" {
		if r.kind == modifiedRow {
			w.write(` <B>`, escapeHTML(r.note), `</B>`)
		} else {
			w.write(` <FONT POINT-SIZE="8">`, escapeHTML(r.note), `</FONT>`)
		}
	}
	w.write("</TD>")
}

// htmlEscapes make text of HTML-like labels read as it is. Graphviz looks for its own
// escapes (\N is the name of the node) even there.
var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", `\`, `\\`)

func escapeHTML(s string) string { return htmlEscapes.Replace(s) }

func (w *dotWriter) arrow(a arrow) {
	w.write("\t", a.from)
	from, to := ":s", ":n"
	if w.opts.Direction != Down {
		from, to = "", ""
	}
	if w.detailed() && a.out >= 0 && a.outs > 1 && a.outs <= maxPorts && a.out < a.outs {
		w.write(":o", strconv.Itoa(a.out), from)
	}
	w.write(" -> ", a.to)
	if w.detailed() && a.in >= 0 && a.ins > 1 && a.ins <= maxPorts {
		w.write(":i", strconv.Itoa(a.in), to)
	}
	texts, attrs := w.arrowTexts(&a), w.arrowLook(&a)
	if text := strings.Join(texts, "\n"); text != "" {
		if w.opts.Direction == Down || w.opts.Direction == Up || a.kind == loopArrow {
			text = " " + strings.ReplaceAll(text, "\n", "\n ") + " " // away from the curve
		}
		attrs = append([]string{"label=" + dotString(text)}, attrs...)
	}
	if w.column[a.from] != w.column[a.to] {
		attrs = append(attrs, "constraint=false")
	} else if a.rows > 1 {
		attrs = append(attrs, "minlen="+strconv.Itoa(a.rows))
	}
	if len(attrs) > 0 {
		w.write(" [", strings.Join(attrs, " "), "]")
	}
	w.write("\n")
	if w.hover != nil {
		w.hover.add(a.from+"->"+a.to, w.aboutArrow(&a)...)
	}
}
