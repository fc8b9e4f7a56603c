package export

import (
	"math"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// arrowTexts are the lines at an arrow.
func (w *dotWriter) arrowTexts(a *arrow) []string {
	var lines []string
	switch {
	case a.kind == dataArrow:
		lines = append(lines, a.shape)
		if a.count > 1 {
			lines[0] += " " + multiple(a.count)
		}
	case w.layered != nil && a.kind == flowArrow && len(a.edges) > 0:
		shape := w.carries(a.edges[0])
		for _, e := range a.edges[1:] {
			if w.carries(e) != shape {
				shape = "" // several
			}
		}
		if a.count > 1 {
			shape = strings.TrimSpace(shape + " " + multiple(a.count))
		}
		if shape != "" {
			lines = append(lines, shape)
		}
	default:
		said, places := *a, maxPorts
		if w.condensed != nil {
			said.in, places = -1, 1 // boxes have no places
		} else if w.layered != nil {
			said.in, said.out = -1, -1
		}
		if text := said.label(places); text != "" {
			lines = append(lines, text)
		}
	}
	if norm, factor, ok := w.gradientOf(a); ok {
		_, _, _, text := w.gradients.look(w.colors, norm, factor)
		if text == "" && w.film {
			text = "grad " + normText(norm)
		}
		if text != "" {
			lines = append(lines, text)
		}
	}
	return lines
}

// gradientOf is the norm of the gradient that came along an arrow, and the factor by which it
// stands out; ok is false if it is not known or not shown.
func (d *diagram) gradientOf(a *arrow) (norm, factor float64, ok bool) {
	if d.gradients == nil || len(a.edges) == 0 {
		return 0, 0, false
	}
	norm = d.gradients.normOf(a.edges)
	if a.unit >= 0 { // many layers have no neighbour
		factor = d.gradients.jumps(a.unit, norm)
	}
	return norm, factor, !math.IsNaN(norm)
}

// arrowLook are the attributes of an arrow besides its label.
func (w *dotWriter) arrowLook(a *arrow) []string {
	if a.kind == dataArrow {
		if a.outs == 1 { // the way through the layers is to be straight
			return []string{"style=dashed", "weight=0"}
		}
		return []string{"style=dashed"}
	}
	if a.kind == viewArrow || a.kind == sameArrow {
		return []string{"style=dotted"}
	}
	norm, factor, ok := w.gradientOf(a)
	if !ok {
		return nil
	}
	color, width, dashed, _ := w.gradients.look(w.colors, norm, factor)
	attrs := []string{`color="` + color + `"`, "penwidth=" + strconv.FormatFloat(width, 'f', 2, 64)}
	if dashed {
		attrs = append(attrs, "style=dashed")
	}
	return attrs
}

// title writes the label of the whole graph: what it is, how far backward is, and what
// arrows and colours mean where that is needed.
func (w *dotWriter) title(report *Report) {
	w.write(`<<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="1" CELLSPACING="0">`)
	line := func(size, open, text, close string) {
		if text != "" {
			w.write(`<TR><TD ALIGN="LEFT" COLSPAN="2"><FONT POINT-SIZE="`, size, `">`, open, escapeHTML(text), close, `</FONT></TD></TR>`)
		}
	}
	line("13", "<B>", w.subject(), "</B>")
	line("9", "", w.moment(), "")
	line("9", "", report.note(), "")
	line("9", "", w.gradientLegend(), "")
	if w.opts.Legend {
		w.legend()
	}
	w.write("</TABLE>>")
}

// subject says what the picture shows: "mlp.py · loss".
func (d *diagram) subject() string {
	var parts []string
	if program := d.g.Tape().Info().Program; program != "" {
		parts = append(parts, label(path.Base(filepath.ToSlash(program)), maxLabel))
	}
	const most = 3
	var names []string
	for _, r := range d.roots {
		name := nodeID(r.node)
		if t, ok := d.g.Tensor(r.tensor); ok {
			name = d.title(&t)
		}
		names = append(names, name)
	}
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return strings.Join(append(parts, strings.Join(names, ", ")), " · ")
}

// moment says how far the backward passes are, and where on the tape.
func (d *diagram) moment() string {
	if d.film {
		if d.layered != nil {
			return d.layered.all.progress()
		}
		return d.progress()
	}
	if d.layered != nil && d.g.Pos() == d.g.Tape().Len() {
		return d.layered.all.progress()
	}
	of := d.selection
	if d.layered != nil {
		of = d.layered.all
	}
	return of.progress() + " · event " + thousands(int(d.g.Pos())) + " of " + thousands(int(d.g.Tape().Len()))
}

// progress says which statuses the nodes have: "all 16 nodes done in backward #1".
func (s *selection) progress() string {
	type state struct {
		status string
		pass   graph.BackwardID
	}
	count := map[state]int{}
	var order []state
	freed := 0
	for i := range s.nodes {
		status, pass, free := s.g.NodeStatus(s.nodes[i].id)
		at := state{status.String(), pass}
		switch {
		case s.pending != nil && s.pending[i] && (pass != s.running || status == graph.Idle):
			at = state{statusPending, s.running}
		case status == graph.Idle:
			at.pass = 0
		}
		if count[at]++; count[at] == 1 {
			order = append(order, at)
		}
		if free {
			freed++
		}
	}
	var parts []string
	for _, at := range order {
		text := thousands(count[at])
		if count[at] == len(s.nodes) {
			text = "all " + counted(count[at], "node")
		}
		if at.pass == 0 {
			parts = append(parts, text+" idle")
		} else {
			parts = append(parts, text+" "+at.status+" in backward #"+strconv.Itoa(int(at.pass)))
		}
	}
	if s.g.BackwardCount() == 0 {
		parts = []string{"before any backward pass"}
	}
	if freed > 0 {
		parts = append(parts, counted(freed, "node")+" freed")
	}
	return strings.Join(parts, ", ")
}

// gradientLegend explains the arrows, or is "".
func (d *diagram) gradientLegend() string {
	g := d.gradients
	switch {
	case g == nil:
		return ""
	case g.max == 0:
		return "all gradients are 0"
	case g.min == g.max:
		return "arrows: gradient norm " + normText(g.min)
	}
	return "arrow width: gradient norm, " + normText(g.min) + " to " + normText(g.max) + " on a logarithmic scale"
}

// about is the hover text of a box: what its label leaves out.
func (w *dotWriter) about(b *box) []string {
	full := b
	if u, ok := w.unitNamed[b.id]; ok && w.condensed != nil {
		f := w.fullBox(u)
		full = &f
	}
	lines := []string{strings.TrimSpace(full.title + " " + full.about)}
	if full.detail != "" {
		lines = append(lines, full.detail)
	}
	for _, r := range full.rows {
		lines = append(lines, strings.TrimSpace(r.line()+" "+r.note))
	}
	if u, ok := w.unitNamed[b.id]; ok && w.layered != nil && u >= 0 {
		lines = append(lines, w.aboutLayer(int(u))...)
	}
	return lines
}

// aboutLayer lists the nodes of a layer and where they are from.
func (d *diagram) aboutLayer(u int) []string {
	const most = 12
	l := &d.layered.boxes[u]
	all := d.layered.all
	var lines []string
	if l.call != 0 {
		lines = append(lines, d.moduleText(l.call))
	}
	if text := all.sourceText(d.created(u)); text != "" {
		lines = append(lines, text)
	}
	for _, i := range l.members[:min(len(l.members), most)] {
		n, _ := all.g.Node(all.nodes[i].id)
		lines = append(lines, nodeID(n.ID)+" "+label(n.Name, maxLabel)+" · "+all.statusText(int(i), &n))
	}
	if n := len(l.members) - most; n > 0 {
		lines = append(lines, "… "+counted(n, "more node"))
	}
	return lines
}

// created is where on the tape the node at a position was made.
func (s *selection) created(i int) graph.Pos {
	n, _ := s.g.Node(s.nodes[i].id)
	return n.Created
}

// aboutArrow is the hover text of an arrow.
func (w *dotWriter) aboutArrow(a *arrow) []string {
	lines := []string{a.from + " → " + a.to}
	if text := a.label(0); text != "" {
		lines = append(lines, text)
	}
	if a.shape != "" {
		lines = append(lines, a.shape)
	}
	if norm, _, ok := w.gradientOf(a); ok {
		lines = append(lines, "gradient norm "+normText(norm))
	}
	return lines
}
