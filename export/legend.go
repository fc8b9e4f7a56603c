package export

import "strings"

// A sample explains a colour or a mark of the full style.
type sample struct {
	kind boxKind
	row  row
	text string
}

// legendTexts say what the boxes of the full style are.
var legendTexts = [...]string{
	opBox:     "operation: a grad_fn; arrows follow the forward pass",
	leafBox:   "leaf, with the node that accumulates its gradient",
	outputBox: "output",
	baseBox:   "base of a view; a dotted arrow leads to the view",
	foldBox:   "many nodes in one box",
}

// samples are the lines of the legend.
var samples = []sample{
	{kind: opBox, text: legendTexts[opBox]},
	{kind: leafBox, text: legendTexts[leafBox]},
	{kind: outputBox, text: legendTexts[outputBox]},
	{kind: baseBox, text: legendTexts[baseBox]},
	{row: row{savedRow, "saved x", "h (3)", "v0"}, text: "a saved tensor and its version"},
	{row: row{modifiedRow, "saved x", "h (3)", "modified: saved at v0, now v1"}, text: "backward will fail here"},
	{row: row{freedRow, "saved x", "h (3)", "freed by backward #1"}, text: "no second backward through here"},
	{kind: foldBox, text: legendTexts[foldBox]},
}

// legend writes a label for the whole graph: its title, and below it the legend.
func (w *dotWriter) legend(title string) {
	w.write(`<<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="3" CELLSPACING="2">`)
	for line := range strings.SplitSeq(title, "\n") {
		w.write(`<TR><TD ALIGN="LEFT" COLSPAN="2">`, escapeHTML(line), `</TD></TR>`)
	}
	for _, s := range samples {
		w.write("<TR>")
		if s.row.text != "" {
			w.rowCell(s.row, "")
		} else {
			w.write(`<TD BGCOLOR="`, boxColors[s.kind], `" BORDER="1" COLOR="`, lineColor, `"`, boxBorders[s.kind], `>`, boxNames[s.kind], `</TD>`)
		}
		w.write(`<TD ALIGN="LEFT">`, escapeHTML(s.text), `</TD></TR>`)
	}
	w.write("</TABLE>>")
}
