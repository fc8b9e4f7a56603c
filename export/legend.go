package export

// A sample explains a colour or a mark of the full style.
type sample struct {
	kind boxKind
	row  row
	text string
}

// samples are the lines of the legend.
var samples = []sample{
	{kind: opBox, text: "operation: a grad_fn; arrows follow the forward pass"},
	{kind: leafBox, text: "leaf, with the node that accumulates its gradient"},
	{kind: outputBox, text: "output"},
	{kind: baseBox, text: "base of a view; a dotted arrow leads to the view"},
	{kind: opBox, row: row{kind: savedRow, text: "saved x: h (3)", note: "v0"}, text: "a saved tensor and its version"},
	{kind: opBox, row: row{kind: modifiedRow, text: "saved x: h (3)", note: "modified: saved at v0, now v1"}, text: "backward will fail here"},
	{kind: opBox, row: row{kind: freedRow, text: "saved x: h (3)", note: "freed by backward #1"}, text: "no second backward through here"},
	{kind: foldBox, text: "many nodes in one box"},
}

// legend writes the legend as a table of its own.
func (w *dotWriter) legend() {
	w.write("\tsubgraph cluster_legend {\n\t\tgraph [color=\"#999999\" label=legend labeljust=l labelloc=t style=dashed]\n\t\tlegend [label=<",
		`<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="3" CELLSPACING="2">`)
	for _, s := range samples {
		w.write("<TR>")
		if s.row.text == "" {
			w.write(`<TD BGCOLOR="`, boxColors[s.kind], `" BORDER="1" COLOR="`, lineColor, `">`, boxNames[s.kind], `</TD>`)
		} else {
			w.rowCell(s.row, "")
		}
		w.write(`<TD ALIGN="LEFT">`, escapeHTML(s.text), `</TD></TR>`)
	}
	w.write("</TABLE>>]\n\t}\n")
}
