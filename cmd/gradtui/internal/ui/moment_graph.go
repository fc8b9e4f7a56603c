package ui

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/console"
)

// The marks of what differs between the two moments.
const (
	markOnlyB  = "+" // it is at B, where the cursor is, and not at A
	markOnlyA  = "-"
	markOther  = "~" // it is there at both, and differs
	markAmid   = "┃" // it happened between them
	mostJudged = 64  // nodes of a fold
)

// momentMarks are the marks in the column before the rows while a moment is pinned.
var momentMarks = [...]statusMark{
	{mark: markOnlyB, style: done, word: "not at A", means: "at B, where the cursor is, and not at A; in lists, what came between A and B"},
	{mark: markOnlyA, style: failed, word: "only at A", means: "at A, and not at B"},
	{mark: markOther, style: warned, word: "differs", means: "at both, with another status"},
	{mark: markAmid, style: keycap, word: "between", means: "a line that ran, or was printed, between A and B"},
}

// A contrast is how a row differs between the two moments.
type contrast struct {
	statusMark
	then string // its status at A
}

// contrast compares a row at the two moments; nothing, if nothing differs or is known.
func (v *graphView) contrast(s *state, row *dag.Row) (c contrast) {
	if s.pin == nil || !s.pin.known() {
		return c
	}
	if row.Group == nil {
		return s.contrastOf(row.Node)
	}
	if key := (contrastKey{s.at(), s.scope.pass, s.pinKey()}); key != v.contrasts.key || v.contrasts.of == nil {
		v.contrasts = contrasts{key, map[[2]int]contrast{}}
	}
	group := [2]int{row.Group.First, row.Group.Last}
	c, ok := v.contrasts.of[group]
	if !ok {
		c = v.contrastOfGroup(s, group[0], group[1])
		v.contrasts.of[group] = c
	}
	return c
}

// contrasts are what was found out about groups of nodes, by their first and last ones.
type contrasts struct {
	key contrastKey
	of  map[[2]int]contrast
}

type contrastKey struct {
	at   graph.Pos
	pass graph.BackwardID
	pin  pinKey
}

// contrastOfGroup compares folded nodes: all of a small group, the first and the last ones of a large one.
func (v *graphView) contrastOfGroup(s *state, first, last int) contrast {
	added, judged := 0, 0
	for i := first; i < last; i++ {
		if i == first+mostJudged/2 && i < last-mostJudged/2 {
			i = last - mostJudged/2
		}
		judged++
		switch one := s.contrastOf(v.view.Node(i)); one.mark {
		case markOther:
			return contrast{momentMarks[2], ""}
		case markOnlyB:
			added++
		}
	}
	switch added {
	case 0:
		return contrast{}
	case judged:
		return contrast{momentMarks[0], ""}
	}
	return contrast{momentMarks[2], ""}
}

// contrastOf compares a node at the two moments.
func (s *state) contrastOf(id graph.NodeID) (c contrast) {
	n, ok := s.graph().Node(id)
	if !ok {
		return c
	}
	a, ok := s.pin.node(id)
	if !ok {
		return contrast{momentMarks[0], ""}
	}
	if then := s.pin.statusWord(a); then != s.statusWord(n) {
		return contrast{momentMarks[2], then}
	}
	return c
}

// statusWord says how far a node is, and whether its saved tensors were freed.
func (s *state) statusWord(n graph.Node) string {
	word := s.markOf(n).word
	if word == statusMarks[markLeaf].word {
		word = map[graph.Status]string{graph.Waiting: "waiting", graph.Ready: "ready"}[s.statusOf(n)]
		if word == "" {
			word = statusMarks[markIdle].word
		}
	}
	if n.Freed {
		word += " and freed"
	}
	return word
}

// draw marks a row in the column before it.
func (c contrast) draw(r cells.Region, x, y int) {
	if c.mark != "" {
		r.Text(x, y, c.style, c.mark)
	}
}

// note is what a row says about moment A.
func (c contrast) note() styled {
	if c.then == "" {
		return nil
	}
	return styled{{warned, " (A: " + c.then + ")"}}
}

// inWords says how a row differs.
func (c contrast) inWords() string {
	if c.then != "" {
		return "at A " + c.then
	}
	return c.word
}

// mostOnlyA is how many of the nodes that are at A only are named.
const mostOnlyA = 8

// drawOnlyA draws the nodes that are at A only in rows at the bottom, and returns the rest of the region.
func (v *graphView) drawOnlyA(s *state, r cells.Region) cells.Region {
	rows := v.rowsOnlyA(s, r.H/3)
	if len(rows) == 0 {
		return r
	}
	top := r.H - len(rows)
	for y, row := range rows {
		r.Text(0, top+y, momentMarks[1].style, markOnlyA)
		place := console.Width(row.place)
		row.text.write(r.Part(cells.Rect{W: max(r.W-place-2, 0), H: r.H}), 1, top+y)
		r.Text(r.W-1-place, top+y, muted, row.place)
	}
	return r.Part(cells.Rect{W: r.W, H: top})
}

// A goneRow is a row about a node that is at A only.
type goneRow struct {
	text  styled
	place string
}

// rowsOnlyA makes so many rows about the nodes that are at A only: how many they are, and the first ones as
// they were at A, with their status there.
func (v *graphView) rowsOnlyA(s *state, most int) (rows []goneRow) {
	if s.pin == nil || !s.pin.known() || s.pin.match == nil || len(s.pin.match.OnlyA) == 0 || most < 1 {
		return nil
	}
	only, p := s.pin.match.OnlyA, s.pin
	head := fmt.Sprintf("%s only at A", plural(len(only), "node"))
	if most == 1 {
		return []goneRow{{text: styled{{muted, " " + s.onlyA()}}}}
	}
	shown := only[:min(len(only), most-1)]
	if len(shown) < len(only) {
		head += fmt.Sprintf(", the first %d", len(shown))
	}
	rows = append(rows, goneRow{text: styled{{muted, " " + head + ":"}}})
	for _, id := range shown {
		n, ok := p.graph().Node(id)
		if !ok {
			continue
		}
		mark := p.markOf(n)
		row := goneRow{text: append(styled{{mark.style, mark.mark + " "}}, v.nodeText(p.state, n, mark, 0)...)}
		if line := p.lineOf(n); line.Line > 0 && n.Variable == 0 {
			row.place = lineName(line)
		}
		rows = append(rows, row)
	}
	return rows
}

// onlyA names the nodes that are at A only; "" if there are none.
func (s *state) onlyA() string {
	if s.pin == nil || !s.pin.known() || s.pin.match == nil || len(s.pin.match.OnlyA) == 0 {
		return ""
	}
	return s.pin.namesOf(s.pin.match.OnlyA)
}

// namesOf counts nodes and names the first ones with their lines.
func (p *pin) namesOf(only []graph.NodeID) string {
	if p.named.match == p.match && p.named.at == p.at() {
		return p.named.text
	}
	var names []string
	for _, id := range only[:min(len(only), mostOnlyA)] {
		n, ok := p.graph().Node(id)
		if !ok {
			continue
		}
		name := n.Name
		if t, ok := p.graph().Tensor(n.Variable); ok && n.Variable != 0 {
			name = tensorName(t)
		} else if line := p.lineOf(n); line.Line > 0 {
			name += " " + lineName(line)
		}
		names = append(names, console.OneLine(name))
	}
	text := fmt.Sprintf("%s only at A: %s", plural(len(only), "node"), strings.Join(names, ", "))
	if len(only) > len(names) {
		text += ", …"
	}
	p.named = namedNodes{p.match, p.at(), text}
	return text
}
