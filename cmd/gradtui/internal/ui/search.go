package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/find"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/query"
)

// search is the overlay of the search. Each change of the text asks a question that a
// goroutine answers; the answer to an earlier question is dropped.
type search struct {
	input
	list
	hits   []find.Hit
	groups []hitGroup      // the rows
	opened map[string]bool // the groups whose hits are rows of their own
	kept   bool            // the text comes from the last search; typing replaces it
	asked  int             // number of the newest question
	known  int             // number of the question that the hits answer
	events graph.Pos       // that had been read when it was asked
	goes   bool            // enter was pressed before the answer came
	cancel context.CancelFunc
	past   int // how many searches back the text is; 0: it is a new one
}

// hitsMsg brings what was found.
type hitsMsg struct {
	search *search
	number int
	hits   []find.Hit
}

// mostHits bounds what one search finds.
const mostHits = 400

// A hitGroup is a row: a hit, and how many others have its name. A group that was opened has a row for each.
type hitGroup struct{ hit, times int }

// groupKey names the hits that share a row; "": the hit has its own. The calls of a module, the tensors of a
// name and the nodes of a kind come back in each iteration.
func groupKey(h *find.Hit) string {
	switch h.Kind {
	case find.Tensor, find.Node, find.Op, find.Module:
		return h.Kind.String() + " " + h.Label
	}
	return ""
}

// group makes the rows of the hits. A group stands where its best hit does, which is the newest one.
func (s *search) group() {
	s.groups = nil
	at := map[string]int{} // index of groups
	for i := range s.hits {
		key := groupKey(&s.hits[i])
		if first, known := at[key]; known && key != "" && !s.opened[key] {
			s.groups[first].times++
			continue
		}
		at[key] = len(s.groups)
		s.groups = append(s.groups, hitGroup{i, 1})
	}
}

// unfold gives each hit of the chosen group a row.
func (s *search) unfold() {
	if s.chosen < len(s.groups) && s.groups[s.chosen].times > 1 {
		s.opened[groupKey(&s.hits[s.groups[s.chosen].hit])] = true
		s.group()
	}
}

// openSearch looks for tensors, nodes, files and findings.
func (m *Model) openSearch() tea.Cmd {
	s := &search{kept: m.query != "", opened: map[string]bool{}, cancel: func() {}}
	s.set(m.query)
	m.overlay = s
	return s.ask(m)
}

// ask searches for the text.
func (s *search) ask(m *Model) tea.Cmd {
	s.cancel()
	s.asked++
	s.events = m.index.finder.Pos()
	m.query = s.String()
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	index, text, at, number := m.index.finder, s.String(), m.at(), s.asked
	return func() tea.Msg {
		defer cancel()
		hits, err := index.Find(ctx, text, at, mostHits)
		if err != nil {
			return nil // another question was asked
		}
		return hitsMsg{s, number, hits}
	}
}

// askAgain asks once more when the whole tape has been read.
func (m *Model) askAgain() tea.Cmd {
	s, ok := m.overlay.(*search)
	if !ok || s.events == m.index.finder.Pos() || m.index.finder.Pos() < m.tape.Len() {
		return nil
	}
	return s.ask(m)
}

func (s *search) take(m *Model, msg tea.Msg) tea.Cmd {
	answer, ok := msg.(hitsMsg)
	if !ok || answer.search != s || answer.number != s.asked {
		return nil
	}
	if s.known != s.asked-1 || s.chosen >= len(s.groups) {
		s.list = list{}
	}
	s.known, s.hits = answer.number, answer.hits
	s.group()
	if s.goes {
		return s.open(m)
	}
	return nil
}

// isQuery reports whether the text asks for events, with a comparison or a call, rather than for a name.
func (s *search) isQuery() bool {
	text := s.String()
	if !strings.ContainsAny(text, "=<>(") {
		return false
	}
	_, err := query.Parse(text)
	return err == nil
}

func (s *search) press(m *Model, key tea.KeyPressMsg) tea.Cmd {
	switch key.String() {
	case "esc", "ctrl+c":
		return s.close(m)
	case "enter":
		if s.isQuery() {
			s.close(m)
			return m.commandHits(s.String())
		}
		if s.known != s.asked {
			s.goes = true
			return nil
		}
		return s.open(m)
	case "up", "ctrl+p":
		s.move(-1, len(s.groups))
	case "down", "ctrl+n":
		s.move(1, len(s.groups))
	case "pgup":
		s.move(-searchRows, len(s.groups))
	case "pgdown":
		s.move(searchRows, len(s.groups))
	case "alt+up", "alt+down":
		return s.recall(m, key.String() == "alt+up")
	case "right":
		if s.at == len(s.text) {
			s.unfold()
			return nil
		}
		s.at++
		s.kept = false
	default:
		return s.edit(m, func() { s.input.press(key) }, key.Text != "")
	}
	return nil
}

func (s *search) paste(m *Model, text string) tea.Cmd {
	return s.edit(m, func() { s.insert(text) }, true)
}

// edit changes the text. The first character replaces the text of the last search.
func (s *search) edit(m *Model, change func(), typed bool) tea.Cmd {
	before := s.String()
	if s.kept && typed {
		s.set("")
	}
	s.kept = false
	if change(); s.String() == before {
		return nil
	}
	s.list, s.goes, s.opened = list{}, false, map[string]bool{}
	return s.ask(m)
}

// recall brings back an earlier search, or a later one.
func (s *search) recall(m *Model, earlier bool) tea.Cmd {
	by := -1
	if earlier {
		by = 1
	}
	s.past = max(min(s.past+by, len(m.searched)), 0)
	text := ""
	if s.past > 0 {
		text = m.searched[len(m.searched)-s.past]
	}
	return s.edit(m, func() { s.set(text) }, false)
}

func (s *search) close(m *Model) tea.Cmd {
	s.cancel()
	return m.close()
}

// open goes to the chosen hit.
func (s *search) open(m *Model) tea.Cmd {
	if s.chosen >= len(s.groups) {
		s.goes = false
		return nil
	}
	s.close(m)
	m.searched = appendLine(m.searched, s.String())
	return m.goToHit(s.hits[s.groups[s.chosen].hit])
}

// A target is what a search has found, to be selected when the cursor arrives.
type target struct {
	selection
	place graph.Frame
}

// goToHit selects a hit. The cursor moves behind its event if it does not exist yet, or if
// it is an event.
func (m *Model) goToHit(h find.Hit) tea.Cmd {
	if h.Kind == find.Finding {
		return m.goToFinding(h)
	}
	m.target = target{selection{node: h.Node, tensor: h.Tensor}, m.frameOf(h)}
	switch {
	case h.Tensor != 0:
		m.show(inspectorPane)
	case h.Node != 0:
		m.show(graphPane)
	case h.File != "":
		m.show(sourcePane)
	}
	if h.At < 0 {
		m.place = m.target.place
		m.refresh()
		return m.say(muted, fmt.Sprintf("nothing was recorded at %s:%d", h.File, h.Line))
	}
	if m.target.selection != (selection{}) && !h.Later {
		m.pick()
		return nil
	}
	m.following = false
	return m.goTo(h.At+1, pick)
}

// goToFinding opens a finding.
func (m *Model) goToFinding(h find.Hit) tea.Cmd {
	i := slices.IndexFunc(m.findings.all(), func(f inspect.Finding) bool {
		return f.Code == h.Finding.Code && f.At == h.Finding.At && f.Primary == h.Finding.Primary
	})
	if i < 0 {
		return m.say(muted, "this finding is no longer reported")
	}
	m.show(findingsPane)
	m.panes.findings.show(&m.state, i)
	return m.apply(toPlace(h.Finding.Primary))
}

// frameOf is the place in the source of what was found: of a file or function the line
// of it in which its event came.
func (s *state) frameOf(h find.Hit) graph.Frame {
	if h.File == "" {
		return graph.Frame{}
	}
	head, _ := s.event(h.At)
	for _, f := range s.tape.Stack(head.Stack) {
		if f.File == h.File && (h.Line == 0 || f.Line == h.Line) {
			return f
		}
	}
	return graph.Frame{File: h.File, Line: max(h.Line, 1)}
}

// pick selects the target of the search.
func (m *Model) pick() {
	switch {
	case m.target.tensor != 0:
		m.chooseTensor(m.target.tensor)
	case m.target.node != 0:
		m.showView(m.target.node)
		m.chooseNode(m.target.node)
	default:
		m.lookAround()
	}
	if m.target.place.File != "" {
		m.place = m.target.place
		m.refresh()
	}
}

// The size of the overlay.
const (
	searchColumns = 96
	searchRows    = 14 // hits that are seen at once
	kindColumns   = 10
)

// inside returns where the overlay is drawn.
func (s *search) inside(m *Model, r cells.Region) cells.Region {
	return box(r, "Search", min(searchColumns, r.W-4), min(searchRows+3, r.H-4))
}

const searchPrompt = "/ "

func (s *search) draw(m *Model, r cells.Region) {
	r = s.inside(m, r)
	end := s.input.draw(r, 0, 0, searchPrompt)
	if s.kept {
		r.FlagColumns(len(searchPrompt), max(end, len(searchPrompt)), 0, cells.Chosen)
	}
	body := r.Part(cells.Rect{Y: 1, W: r.W, H: r.H - 2})
	from, to := s.window(len(s.groups), body.H)
	for i := from; i < to; i++ {
		m.hitText(s.hits[s.groups[i].hit], s.groups[i].times, body.W).write(body, 0, i-from)
		if i == s.chosen {
			body.Flag(i-from, cells.Chosen)
		}
	}
	if len(s.hits) == 0 {
		s.drawNothing(body)
	}
	r.Fit(0, r.H-1, r.W, muted, s.status(m))
}

// drawNothing explains what can be typed, or that nothing matches.
func (s *search) drawNothing(r cells.Region) {
	switch {
	case s.isQuery():
		r.Fit(0, 0, r.W, muted, "A query: enter lists the events for which it is true.")
		return
	case len(s.text) > 0:
		if s.known == s.asked {
			r.Fit(0, 0, r.W, muted, "No match.")
		}
		return
	}
	r.Fit(0, 0, r.W, muted, "Type part of a name or of a kind:")
	for i, p := range find.Prefixes {
		x := r.Text(2, 1+i, keycap, p.Text)
		r.Fit(max(x, 6), 1+i, r.W-6, plain, p.About)
	}
	r.Fit(0, 2+len(find.Prefixes), r.W, muted, "Or a query, such as op == \"mm\" and max(out) > 100.")
}

func (s *search) status(m *Model) string {
	if s.isQuery() {
		return "enter lists the events for which it is true · esc closes"
	}
	text := "↑ ↓ select · enter goes there · esc closes"
	if n := len(s.groups); n > 0 {
		if s.chosen < n && s.groups[s.chosen].times > 1 {
			text = "→ shows each · " + text
		}
		text = fmt.Sprintf("%d of %d · %s", s.chosen+1, n, text)
	}
	if read, n := m.index.finder.Pos(), m.tape.Len(); read < n {
		text += fmt.Sprintf(" · %d%% of the tape has been read", int64(read)*100/int64(n))
	}
	return text
}

// hitText returns the row of a hit: its kind, its name with the typed letters highlighted, how many have that
// name, and details. The folders of a file are shortened for them.
func (m *Model) hitText(h find.Hit, times, columns int) styled {
	row := styled{{muted, fmt.Sprintf("%-*s", kindColumns, h.Kind)}}
	label := highlighted(h.Label, h.Matched)
	if h.Kind == find.File {
		label = label.end(max((columns-kindColumns)/2, 8))
	}
	row = append(row, label...)
	if times > 1 {
		row = append(row, piece{strong, fmt.Sprintf(" ×%d", times)})
	}
	if h.Detail != "" {
		row = append(row, piece{muted, "  " + h.Detail})
	}
	if n, _ := m.index.timeline.Iteration(h.At); n > 0 && h.Kind != find.Finding {
		row = append(row, piece{muted, fmt.Sprintf("  iteration %d", n)})
	}
	if h.Later {
		row = append(row, piece{warned, "  later"})
	}
	return row
}

// highlighted highlights the characters that begin at some bytes of a text.
func highlighted(text string, found []int) (row styled) {
	from := 0
	for _, at := range found {
		if at < from || at >= len(text) {
			continue
		}
		_, n := utf8.DecodeRuneInString(text[at:])
		if at > from {
			row = append(row, piece{strong, text[from:at]})
		}
		row = append(row, piece{matched, text[at : at+n]})
		from = at + n
	}
	return append(row, piece{strong, text[from:]})
}

// end returns the end of a text, in at most so many columns.
func (s styled) end(columns int) styled {
	over := s.width() - columns
	if over <= 0 {
		return s
	}
	for i, p := range s {
		for at, r := range p.text {
			if over < 0 {
				return append(styled{{muted, "…"}, {p.style, p.text[at:]}}, s[i+1:]...)
			}
			over -= console.RuneWidth(r)
		}
	}
	return nil
}

func (s *search) cursor(m *Model) *tea.Cursor {
	r := s.inside(m, cells.New(m.columns, m.rows).All())
	x := s.input.draw(r, 0, 0, searchPrompt)
	return tea.NewCursor(r.X+x, r.Y)
}

// placeNames returns the files of the program and other arguments of goto.
func (s *state) placeNames() []string {
	return append(s.index.finder.Completer(find.File)([]string{""}), "end", "backward:", "iteration")
}
