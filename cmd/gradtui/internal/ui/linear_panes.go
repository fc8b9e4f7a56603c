package ui

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
)

// A teller is a pane that says what it shows in other words than those that it draws.
type teller interface{ tell(m *Model) []string }

// printPane prints a pane; without a name the one that has the keys.
func (l *linear) printPane(name string) {
	id := l.m.focus
	if name != "" {
		id = paneCount
		for k, n := range paneNames {
			if strings.HasPrefix(strings.ToLower(n), strings.ToLower(name)) {
				id = paneID(k)
				break
			}
		}
		if id == paneCount {
			l.m.say(failed, fmt.Sprintf("there is no pane %q; there are %s", name, strings.ToLower(strings.Join(paneNames[:], ", "))))
			return
		}
	}
	l.update(doMsg(func(m *Model) tea.Cmd { m.show(id); return nil }))
	l.then = func() { // a pane that is shown may have to find something out
		about := inWords(l.m.panes[id].about(l.m))
		if about != "" {
			about = ": " + about
		}
		l.printf("%s%s.", paneNames[id], about)
		for _, line := range l.paneLines(id) {
			l.printf("%s", line)
		}
	}
}

// paneLines are the rows of a pane in words.
func (l *linear) paneLines(id paneID) (lines []string) {
	if t, ok := l.m.panes[id].(teller); ok {
		return t.tell(l.m)
	}
	c := cells.New(linearColumns, 4*maxTold)
	l.m.panes[id].draw(l.m, c.All())
	for line := range strings.Lines(c.Text()) {
		if line = inWords(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// around is the rows of n around one of them that are printed.
func around(chosen, n int) (from, to int) {
	from = max(min(chosen-maxTold/4, n-maxTold), 0)
	return from, min(from+maxTold, n)
}

func (v *graphView) tell(m *Model) (lines []string) {
	if v.view == nil || v.view.Len() == 0 {
		return []string{"No operation that requires grad has run yet."}
	}
	from, to := around(v.chosen, v.view.Rows())
	if from > 0 {
		lines = append(lines, fmt.Sprintf("%s above.", plural(from, "row")))
	}
	for i := from; i < to; i++ {
		row := v.view.Row(i)
		text := ""
		if row.Group != nil {
			text = "folded: " + v.groupText(m, &row).words()
		} else {
			n, _ := m.graph().Node(row.Node)
			text = fmt.Sprintf("n%d, %s", n.ID, v.inWords(m, n, row.Consumers))
		}
		if i == v.chosen {
			text = "selected: " + text
		}
		lines = append(lines, text)
	}
	if rest := v.view.Rows() - to; rest > 0 {
		lines = append(lines, fmt.Sprintf("%s below.", plural(rest, "row")))
	}
	return lines
}

// inWords says what a node is and how far it is.
func (v *graphView) inWords(m *Model, n graph.Node, consumers int) string {
	mark := m.markOf(n)
	text := v.nodeText(m, n, mark, 0).words()
	if !strings.Contains(text, mark.word) {
		text = mark.word + ": " + text
	}
	if consumers > 1 {
		text += fmt.Sprintf(", read by %d nodes", consumers)
	}
	for _, e := range n.Edges {
		if to, ok := m.graph().Node(e.Node); ok {
			text += fmt.Sprintf(", to n%d", to.ID)
		}
	}
	return text
}

func (v *sourceView) tell(m *Model) (lines []string) {
	file := m.sources.file(m.place.File)
	if len(file.lines) == 0 {
		return []string{file.missing}
	}
	now := m.line(m.at() - 1)
	from, to := around(v.chosen, len(file.lines))
	for i := from; i < to; i++ {
		text := fmt.Sprintf("%d: %s", i+1, file.lines[i])
		if m.breakpointAt(m.place.File, i+1) >= 0 {
			text = "breakpoint, " + text
		}
		if s, ok := v.marks[i+1]; ok {
			text = s.String() + ", " + text
		}
		if now.File == m.place.File && now.Line == i+1 {
			text = "here, " + text
		}
		if i == v.chosen {
			text = "selected, " + text
		}
		lines = append(lines, text)
	}
	return lines
}

func (v *findingsView) tell(m *Model) (lines []string) {
	if m.report == nil {
		return nil
	}
	for i := range m.report.Findings {
		lines = append(lines, findingText(&m.report.Findings[i])...)
	}
	return lines
}

func (v *outputView) tell(m *Model) (lines []string) {
	n := m.printed.until(m.at())
	from := max(n-maxTold, 0)
	if from+m.printed.dropped > 0 {
		lines = append(lines, fmt.Sprintf("%s before.", plural(from+m.printed.dropped, "line")))
	}
	for _, line := range m.printed.lines[from:n] {
		lines = append(lines, outputText(line))
	}
	return lines
}

func (v *timelineView) tell(m *Model) (lines []string) {
	here, all := m.timeline.Count(0, m.at()), m.timeline.Count(0, m.tape.Len())
	for _, t := range tracks {
		if n := t.times(&all); n > 0 {
			lines = append(lines, fmt.Sprintf("%s: %d up to here, %d on the tape", t.name, t.times(&here), n))
		}
	}
	return lines
}

func (v *memoryView) tell(*Model) (lines []string) {
	for _, l := range v.shown.lines[:min(len(v.shown.lines), maxTold)] {
		lines = append(lines, fmt.Sprintf("%s held, %s by saved tensors, %s, made at %s line %d in %s",
			size(l.Bytes), size(l.Graph), plural(l.Nodes, "node"), filepath.Base(l.File), l.Line, l.Func))
	}
	return lines
}
