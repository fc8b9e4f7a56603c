package export

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// Mermaid refuses texts of more than 50,000 characters and flowcharts of more
// than 500 edges, and takes long for less: maxTextSize and maxEdges of its
// configuration, which a document cannot change. By default a flowchart is
// reduced until it is within these bounds.
const (
	mermaidNodes = 150
	mermaidText  = 50_000
)

// mermaid writes a flowchart in the full style, with fewer details.
func (j *job) mermaid() error {
	for boxes := j.budget(); ; boxes /= 2 {
		p, err := j.plan(boxes)
		if err != nil {
			return err
		}
		var text bytes.Buffer
		w := &mermaidWriter{diagram: newDiagram(p, j.opts), output: newOutput(j.ctx, &text)}
		w.flowchart(j.report)
		if err := w.flush(); err != nil {
			return err
		}
		if text.Len() > mermaidText && j.opts.MaxNodes == 0 && boxes > 1 {
			continue
		}
		out := newOutput(j.ctx, j.w)
		out.writeBytes(text.Bytes())
		return out.flush()
	}
}

// A mermaidWriter writes a diagram in Mermaid's language.
type mermaidWriter struct {
	*diagram
	*output
}

func (w *mermaidWriter) flowchart(report *Report) {
	w.write("flowchart TD\n")
	if note := report.note(); note != "" {
		w.write("\treduced[", mermaidString(note), "]:::note\n")
	}
	indent := func(depth int) string { return strings.Repeat("\t", depth+1) }
	w.clusters(w.selection.calls(), w.units).walk(func(id graph.ModuleID, depth int) {
		w.write(indent(depth), "subgraph ", moduleID(id), "[", mermaidString(w.moduleText(id)), "]\n")
	}, func(u unit, depth int) {
		if w.failed() {
			return
		}
		w.box(w.unitBox(u), indent(depth))
		report.Drawn++
	}, func(depth int) {
		w.write(indent(depth), "end\n")
	})
	for b := range w.tensorBoxes {
		w.box(b, "\t")
		report.Drawn++
	}
	for a := range w.arrows {
		if w.failed() {
			return
		}
		w.arrow(a)
		report.DrawnEdges++
	}
	for kind, style := range mermaidStyles {
		w.write("\tclassDef ", boxNames[kind], " ", style, "\n")
	}
	w.write("\tclassDef hazard stroke:", hazardColor, ",stroke-width:3px\n\tclassDef note fill:none,stroke:none\n")
	if w.opts.Legend {
		w.legend()
	}
}

// Colours of Mermaid pictures.
const (
	lineColor   = "#555555"
	hazardColor = "#cc0000"
)

// mermaidStyles are the styles of the boxes; the text is black because Mermaid's
// dark themes would make it white.
var mermaidStyles = [...]string{
	opBox:     "fill:#d3d3d3,stroke:" + lineColor + ",color:#000",
	leafBox:   "fill:#add8e6,stroke:" + lineColor + ",color:#000",
	outputBox: "fill:#caff70,stroke:" + lineColor + ",color:#000",
	baseBox:   "fill:#a2cd5a,stroke:" + lineColor + ",color:#000",
	foldBox:   "fill:#fff,stroke:" + lineColor + ",stroke-width:2px,stroke-dasharray:5 5,color:#000",
}

// mermaidShapes are the brackets of the boxes.
var mermaidShapes = [...][2]string{
	opBox: {"[", "]"}, leafBox: {"(", ")"}, outputBox: {"([", "])"}, baseBox: {"([", "])"}, foldBox: {"[[", "]]"},
}

func (w *mermaidWriter) box(b box, indent string) {
	lines := []string{b.title}
	hazard := false
	if b.status != "" && b.status != graph.Idle.String() {
		lines = append(lines, b.detail)
	}
	for _, r := range b.rows {
		if text := mermaidRow(&b, r); text != "" {
			lines = append(lines, text)
		}
		hazard = hazard || r.kind == modifiedRow
	}
	shape := mermaidShapes[b.kind]
	w.write(indent, b.id, shape[0], mermaidString(strings.Join(lines, "\n")), shape[1], ":::", boxNames[b.kind], "\n")
	if hazard {
		w.write(indent, "class ", b.id, " hazard\n")
	}
}

// mermaidRow is what a flowchart says of a row of a box, or "": shapes of tensors,
// and what is the matter with saved ones.
func mermaidRow(b *box, r row) string {
	switch r.kind {
	case modifiedRow, freedRow:
		return strings.TrimSuffix(r.line()+": "+r.note, ": ")
	case innerRow, resultRow, plainRow, attrRow:
		return r.line()
	case smallRow:
		if b.kind == foldBox {
			return r.text
		}
	}
	return ""
}

func (w *mermaidWriter) arrow(a arrow) {
	line := " --> "
	if a.kind == viewArrow || a.kind == sameArrow {
		line = " -.-> "
	}
	if text := a.label(1); text != "" {
		line += "|" + mermaidString(text) + "| "
	}
	w.write("\t", a.from, line, a.to, "\n")
}

// legend writes a box of each kind.
func (w *mermaidWriter) legend() {
	w.write("\tsubgraph legend\n")
	for kind, shape := range mermaidShapes {
		w.write("\t\tlegend", strconv.Itoa(kind), shape[0], mermaidString(legendTexts[kind]), shape[1], ":::", boxNames[kind], "\n")
	}
	w.write("\tend\n")
}

// mermaidString writes a string of Mermaid such that it reads as s. Line breaks
// break the line.
//
// Inside quotes, "#" begins an entity. Everything else that means something
// somewhere is written as one, since Mermaid looks for some of it before it
// parses: comments and directives (%%), "style …:…#…;". Labels are also Markdown.
func mermaidString(s string) string {
	s = clean(s, maxMermaidLabel)
	b := []byte{'"'}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\n':
			b = append(b, "<br>"...)
		case c == '_' && i > 0 && i < len(s)-1 && isWord(s[i-1]) && isWord(s[i+1]): // no emphasis
			b = append(b, c)
		case c == '.' && i > 0 && s[i-1] >= '0' && s[i-1] <= '9' && (i == len(s)-1 || s[i+1] == ' '): // a list
			b = append(b, "#46;"...)
		case c == ':' && i < len(s)-1 && s[i+1] == ' ', c >= 0x80, c == ' ', isWord(c), strings.IndexByte("(),=./", c) >= 0:
			b = append(b, c)
		default:
			b = append(b, '#')
			b = strconv.AppendInt(b, int64(c), 10)
			b = append(b, ';')
		}
	}
	return string(append(b, '"'))
}

// maxMermaidLabel bounds the text of a box, in characters.
const maxMermaidLabel = 1000

// isWord reports whether a character can be part of a word.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
