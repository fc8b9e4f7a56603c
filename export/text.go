package export

import (
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/console"
)

// textNodes is the default of Options.MaxNodes for text: some screens full.
const textNodes = 300

// maxNesting is how many branches deep the text indents. What branches off
// farther in is listed further down.
const maxNesting = 16

// textMarks stand in front of the boxes' lines.
var textMarks = [...]string{opBox: "●", leafBox: "○", outputBox: "◆", baseBox: "◇", foldBox: "▣"}

// rowMarks stand in front of lines below those.
var rowMarks = [innerRow + 1]string{modifiedRow: "✗ ", freedRow: "∅ "}

// boxStyles are how the names of boxes look where text has colours, which are the ones of
// pictures.
var boxStyles = [...]console.Style{opBox: console.Bold, leafBox: console.Blue, outputBox: console.Green, baseBox: console.Cyan, foldBox: console.Bold}

// rowStyles are how lines below look; the others are plain.
var rowStyles = [innerRow + 1]console.Style{modifiedRow: console.Red}

// A textWriter lists a diagram as a tree.
type textWriter struct {
	*diagram
	*output
	paint  console.Paint
	tree   *tree
	width  int
	depth  int // how many units deep it goes
	cut    int // branches that go deeper
	listed map[unit]bool
	late   []lateBranch
}

// A lateBranch is listed further down than where it belongs.
type lateBranch struct {
	u     unit
	depth int
}

func (j *job) text() error {
	p, err := j.plan(j.budget())
	if err != nil {
		return err
	}
	w := &textWriter{
		diagram: newDiagram(p, j.opts), output: newOutput(j.ctx, j.w), paint: console.Paint(j.opts.Color), tree: newTree(p),
		width: j.opts.Width, depth: j.opts.depth(), listed: map[unit]bool{},
	}
	if w.width > 0 {
		w.width = max(w.width, minWidth)
	}
	for b := range w.tensorBoxes {
		w.tensor(b)
		j.report.Drawn++
	}
	for _, u := range p.starts() { // roots without a tensor
		if !w.listed[u] {
			w.chain(u, "", "", "", 0, 1)
		}
	}
	for len(w.late) > 0 {
		b := w.late[0]
		w.late = w.late[1:]
		w.chain(b.u, "", "", "", 0, b.depth)
	}
	if w.cut > 0 {
		j.report.Folds = append(j.report.Folds, Fold{Kind: FoldDepth, Boxes: w.cut})
	}
	j.report.Drawn += len(w.listed)
	if note := j.report.note(); note != "" {
		w.line("", "")
		w.line("", note)
	}
	if j.opts.Legend {
		w.legend()
	}
	return w.flush()
}

// line writes a line of a branch, cut to the width.
func (w *textWriter) line(prefix, text string) { w.styled(prefix, text, "", console.Plain) }

// styled writes a line in which a part has a style.
func (w *textWriter) styled(before, part, after string, style console.Style) {
	line := before + part + after
	if w.width > 0 {
		line = fit(line, w.width)
	}
	line = strings.TrimRight(line, " ")
	if start, end := len(before), len(before)+len(part); end <= len(line) && line[start:end] == part {
		line = line[:start] + w.paint.In(style, part) + line[end:]
	}
	w.write(line, "\n")
}

// head writes the line of a box: its mark, which input it is, its name, and its
// description.
func (w *textWriter) head(first, via string, b *box) {
	about := strings.TrimPrefix(w.title(b), b.title)
	w.styled(first+textMarks[b.kind]+" "+via, b.title, about, boxStyles[b.kind])
}

// tensor lists a root or the base of one, and what leads to it.
func (w *textWriter) tensor(b box) {
	w.head("", "", &b)
	t, _ := w.g.Tensor(b.tensor)
	i := w.at(t.Node)
	if i < 0 {
		return
	}
	if u := w.unitOf(i); w.listed[u] {
		w.line("", "see "+w.reference(u))
	} else {
		w.chain(u, "", "", "", 0, 1)
	}
}

// chain lists a unit, the branches of its inputs, and goes on with its heir in
// the same column. via says which input of another unit it is, first is the
// beginning of the first line, prefix the beginning of the others. The unit is nesting
// branches and depth units deep.
func (w *textWriter) chain(u unit, via, first, prefix string, nesting, depth int) {
	for ; !w.failed(); depth++ {
		if depth > w.depth {
			w.cut++
			w.line(first, "… "+via+w.reference(u)+" and what leads to it")
			return
		}
		w.listed[u] = true
		at, links := w.tree.place[u], w.linksOf(u)
		heir := w.tree.heirOf(links, at)
		w.unit(u, via, first, prefix, len(links) > 0)
		for k, l := range links {
			if k == heir {
				continue
			}
			joint, below := "├─", prefix+"│ "
			if heir < 0 && k == len(links)-1 {
				joint, below = "└─", prefix+"  "
			}
			w.branch(l, at, w.via(u, l), prefix+joint, below, nesting+1, depth+1)
		}
		if heir < 0 {
			return
		}
		u, via, first = links[heir].to, w.via(u, links[heir]), prefix
	}
}

// branch lists what a link of the unit at a place leads to, or says where that is
// listed. A leaf that is too deep where it belongs is listed where it is met.
func (w *textWriter) branch(l link, at int32, via, first, below string, nesting, depth int) {
	to := w.tree.place[l.to]
	elsewhere := w.tree.under[to] != at || w.tree.heir[at] == to || w.listed[l.to]
	deep := int(w.tree.level[to]) > w.depth && !w.listed[l.to]
	switch {
	case deep && l.to >= 0 && w.nodes[l.to].leaf != 0:
		w.listed[l.to] = true
		w.unit(l.to, via, first, below, false)
	case deep && elsewhere:
		w.line(first, "… "+via+w.reference(l.to))
	case elsewhere:
		w.line(first, via+"see "+w.reference(l.to))
	case nesting > maxNesting:
		w.line(first, via+"see "+w.reference(l.to)+" below")
		w.listed[l.to] = true
		w.late = append(w.late, lateBranch{l.to, depth})
	default:
		w.chain(l.to, via, first, below, nesting, depth)
	}
}

// via says which input of a unit a link is, if there are several.
func (w *textWriter) via(u unit, l link) string {
	s := ""
	if l.in >= 0 && u >= 0 && len(w.next(int(u))) > 1 {
		s = "[" + strconv.Itoa(int(l.in)) + "] "
	}
	if l.count > 1 {
		s += multiple(int(l.count)) + " "
	}
	if l.to >= 0 && l.out >= 0 && w.nodes[l.to].outputs > 1 {
		s += "result " + strconv.Itoa(int(l.out)) + " of "
	}
	return s
}

// unit lists the box of a unit.
func (w *textWriter) unit(u unit, via, first, prefix string, more bool) {
	b := w.unitBox(u)
	w.head(first, via, &b)
	prefix += "    "
	if more {
		prefix = strings.TrimSuffix(prefix, "    ") + "│   "
	}
	if b.kind == leafBox {
		return // all in the title
	}
	if n := w.carried(u); n > 0 {
		w.line(prefix, "each hands "+counted(n, "result")+" to the next")
	}
	for _, r := range b.rows {
		switch {
		case r.kind == resultRow && b.outputs == 1, r.kind == sourceRow:
			continue // in the title
		case r.note != "":
			w.styled(prefix, rowMarks[r.kind]+r.line(), " · "+r.note, rowStyles[r.kind])
		default:
			w.styled(prefix, rowMarks[r.kind]+r.line(), "", rowStyles[r.kind])
		}
	}
}

// title is a box in one line.
func (w *textWriter) title(b *box) string {
	parts := []string{b.title}
	if b.kind == opBox {
		parts[0] += " " + b.id
		for _, r := range b.rows {
			switch {
			case r.kind == resultRow && b.outputs == 1:
				parts[0] += " → " + r.text
				if r.note != "" {
					parts = append(parts, r.note)
				}
			case r.kind == sourceRow:
				parts = append(parts, r.text)
			}
		}
		if b.module != 0 {
			parts = append(parts, w.moduleText(b.module))
		}
	} else if b.about != "" {
		parts = append(parts, b.about)
	}
	if b.tensor != 0 {
		for _, r := range b.rows {
			parts = append(parts, r.text)
		}
	}
	if b.status != graph.Idle.String() && b.detail != "" {
		parts = append(parts, b.detail)
	}
	return strings.Join(parts, " · ")
}

// reference names a unit.
func (w *textWriter) reference(u unit) string {
	b := w.unitBox(u)
	return b.title + " " + b.id
}

// textLegend explains the marks.
var textLegend = []string{
	"● operation (grad_fn)   ○ leaf   ◆ output   ◇ base of a view   ▣ many nodes in one",
	"[1] input number 1 of the operation above   → its result",
	"✗ a saved tensor that was modified: backward will fail   ∅ freed: no second backward",
}

func (w *textWriter) legend() {
	w.line("", "")
	for _, l := range textLegend {
		w.line("", l)
	}
}
