package export

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

// legend writes the rows of the title that explain boxes.
func (w *dotWriter) legend() {
	mark := func(c paint, border, name, text string) {
		w.write(`<TR><TD BGCOLOR="`, c.fill, `" BORDER="1" COLOR="`, c.line, `"`, border, `>`, escapeHTML(name), `</TD><TD ALIGN="LEFT"> `, escapeHTML(text), `</TD></TR>`)
	}
	if w.layered != nil {
		for k, name := range kindNames {
			mark(w.colors.ops[k], boxBorders[layerBox], "layer", name)
		}
		mark(w.colors.boxes[dataBox], "", "data", "input that needs no gradient; a dashed parallelogram")
		mark(w.colors.boxes[leafBox], "", "leaf", "input that requires a gradient and is not a parameter; a parallelogram")
		return
	}
	for _, s := range samples {
		if s.row.text == "" {
			mark(w.colors.paint(&box{kind: s.kind}), boxBorders[s.kind], boxNames[s.kind], s.text)
			continue
		}
		w.write("<TR>")
		w.rowCell(s.row, "")
		w.write(`<TD ALIGN="LEFT"> `, escapeHTML(s.text), `</TD></TR>`)
	}
}
