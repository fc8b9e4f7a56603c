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
	if j.opts.Style == Torchviz {
		writeTorchviz(p, j.opts, j.report, out)
	} else {
		writeFullDOT(p, j.opts, j.columns(), j.report, out)
	}
	return out.flush()
}

// plan makes the plan of a picture with at most that many boxes; 0: any number.
func (j *job) plan(boxes int) (*plan, error) {
	weigh := func(*selected) int { return 1 }
	if j.opts.Style == Torchviz && j.format.styles {
		weigh = j.torchvizWeight
	}
	f := newFolder(j.sel, boxes, weigh)
	if j.opts.MaxNodes == 0 {
		f.passing = j.format.spread
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
	case j.uncut || j.opts.Columns == 0 && !j.format.page:
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

// The colours of the full style besides torchviz's.
const (
	lineColor    = "#555555"
	fadedColor   = "#555555"
	freedColor   = "#e4e4e4"
	hazardColor  = "#cc0000"
	clusterColor = "#999999"
	nodeColor    = "lightgrey"
)

// boxColors fill the boxes.
var boxColors = [...]string{opBox: nodeColor, leafBox: leafColor, outputBox: outputColor, baseBox: baseColor, foldBox: "white"}

// boxBorders distinguish the boxes where there are no colours.
var boxBorders = [...]string{
	opBox: "", leafBox: ` STYLE="ROUNDED"`, outputBox: ` STYLE="ROUNDED"`, baseBox: ` STYLE="ROUNDED"`, foldBox: ` STYLE="DASHED"`,
}

// statusColors fill the corner in which a box says how far its node is.
var statusColors = map[string]string{
	"pending": "#f5f5f5", "waiting": "#fff3c4", "ready": "#ffe082", "done": "#c8e6c9", "failed": "#ef9a9a",
}

// A dotWriter writes a diagram in DOT.
type dotWriter struct {
	*diagram
	*output
	column map[string]int         // by the identifier of a box; nil: there is one column
	began  map[graph.ModuleID]int // the first column that has a part of a call
}

// writeFullDOT writes a plan in about that many columns; 0: as many as give it the shape of
// a page.
func writeFullDOT(p *plan, opts *Options, columns int, report *Report, out *output) {
	w := &dotWriter{diagram: newDiagram(p, opts), output: out}
	w.layers = p.layering()
	w.header(report)
	parts := w.columns(columns)
	if len(parts) == 1 {
		w.modules(parts[0], 0, report)
		for b := range w.tensorBoxes {
			w.box(b, "\t")
			report.Drawn++
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
	title := "event " + thousands(int(w.g.Pos())) + " of " + thousands(int(w.g.Tape().Len()))
	if note := report.note(); note != "" {
		title += "\n" + note
	}
	w.write("digraph {\n\tgraph [fontname=monospace fontsize=9 label=")
	if w.opts.Legend {
		w.legend(title)
	} else {
		w.write(strings.ReplaceAll(dotString(title+"\n"), `\n`, `\l`)) // lines to the left
	}
	w.write(" labeljust=l labelloc=t nodesep=0.3 ranksep=0.35]\n",
		"\tnode [fontname=monospace fontsize=10 shape=plain]\n",
		"\tedge [arrowsize=0.7 color=\"", lineColor, "\" fontname=monospace fontsize=8]\n")
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
		name, text := moduleID(id), w.moduleText(id)
		if column > w.began[id] {
			name += "_column" + strconv.Itoa(column+1)
			text += ", continued"
		}
		w.write(indent(depth), "subgraph cluster_", name, " {\n")
		w.write(indent(depth+1), "graph [color=\"", clusterColor, "\" fontcolor=\"", lineColor, "\" label=", clusterString(text), " labeljust=l labelloc=t style=rounded]\n")
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

func (w *dotWriter) box(b box, indent string) {
	w.write(indent, b.id, " [label=<")
	w.table(b)
	w.write(">]\n")
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
	w.write(`<TABLE BGCOLOR="`, boxColors[b.kind], `" BORDER="`, border, `" CELLBORDER="0" CELLPADDING="3" CELLSPACING="0" COLOR="`, lineColor, `"`, boxBorders[b.kind], `>`)
	span := ""
	if columns > 1 {
		span = ` COLSPAN="` + strconv.Itoa(columns) + `"`
	}
	w.ports(ins, columns, "i", func(i int) string {
		if b.inputs[i].none {
			return `<FONT COLOR="` + fadedColor + `">` + strconv.Itoa(i) + ` none</FONT>`
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
	w.write(`<TR><TD ALIGN="LEFT"`, span, `><B>`, escapeHTML(b.title), `</B>`)
	if b.about != "" {
		w.write(` <FONT POINT-SIZE="8">`, escapeHTML(b.about), `</FONT>`)
	}
	w.write(`</TD></TR>`)
	if color, ok := statusColors[b.status]; ok {
		w.write(`<TR><TD ALIGN="LEFT" BGCOLOR="`, color, `"`, span, `><FONT POINT-SIZE="8">`, b.detail, `</FONT></TD></TR>`)
	}
}

func (w *dotWriter) rowCell(r row, span string) {
	cell, open, close := "", "", ""
	switch r.kind {
	case smallRow, sourceRow, attrRow:
		open, close = `<FONT POINT-SIZE="8">`, `</FONT>`
	case savedRow:
		cell = ` BGCOLOR="` + savedColor + `"`
	case freedRow:
		cell, open, close = ` BGCOLOR="`+freedColor+`"`, `<FONT COLOR="`+fadedColor+`"><S>`, `</S></FONT>`
	case modifiedRow:
		cell = ` BGCOLOR="` + savedColor + `" BORDER="2" COLOR="` + hazardColor + `"`
	case innerRow:
		cell, open, close = ` BORDER="1" SIDES="T"`, `<I>`, `</I>`
	}
	w.write(`<TD ALIGN="LEFT"`, cell, span, `>`, open, escapeHTML(r.line()), close)
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
	if a.out >= 0 && a.outs > 1 && a.outs <= maxPorts && a.out < a.outs {
		w.write(":o", strconv.Itoa(a.out), ":s")
	}
	w.write(" -> ", a.to)
	if a.in >= 0 && a.ins > 1 && a.ins <= maxPorts {
		w.write(":i", strconv.Itoa(a.in), ":n")
	}
	var attrs []string
	if text := a.label(maxPorts); text != "" {
		if a.kind == loopArrow {
			text = " " + text // away from the curve
		}
		attrs = append(attrs, "label="+dotString(text))
	}
	if a.kind == viewArrow || a.kind == sameArrow {
		attrs = append(attrs, "style=dotted")
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
}
