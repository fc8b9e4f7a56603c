package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/session"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/console"
)

// hereWords describe the cursor: "iteration 2 · backward #3 · train.py:14".
func (s *state) hereWords() string {
	var words []string
	i, _ := s.index.timeline.Iteration(s.at() - 1)
	if i == 0 { // the timeline knows an iteration when it is over
		i = s.iterationAt(s.at())
	}
	if i > 0 {
		words = append(words, fmt.Sprintf("iteration %d", i))
	}
	if b, ok := s.runningPass(); ok {
		words = append(words, fmt.Sprintf("backward #%d", b.ID))
	} else if _, e := s.event(s.at() - 1); e != nil {
		words = append(words, s.eventWords(e))
	}
	if line := s.line(s.at() - 1); line.Line > 0 {
		words = append(words, lineName(line))
	}
	if len(words) == 0 {
		words = []string{"the beginning"}
	}
	return strings.Join(words, " · ")
}

// toggleBookmark marks the place of the cursor, or removes the mark that is there.
func (m *Model) toggleBookmark() tea.Cmd {
	if i := slices.IndexFunc(m.bookmarks, func(b session.Bookmark) bool { return graph.Pos(b.Event) == m.at() && m.isAt(b.Place) }); i >= 0 {
		return m.removeBookmark(i)
	}
	return m.addBookmark("")
}

// addBookmark marks the place of the cursor. A name moves here from the bookmark that has it.
func (m *Model) addBookmark(name string) tea.Cmd {
	if len(m.bookmarks) >= session.Most {
		return m.sayError(fmt.Errorf("there are %d bookmarks already; ' lists them, and d removes one", session.Most))
	}
	m.bookmarks = slices.DeleteFunc(slices.Clone(m.bookmarks), func(b session.Bookmark) bool { return name != "" && b.Name == name })
	b := session.Bookmark{Name: name, Text: m.hereWords(), Place: m.placeAt(m.at())}
	m.bookmarks = append(m.bookmarks, b)
	slices.SortStableFunc(m.bookmarks, func(a, b session.Bookmark) int { return cmp.Compare(a.Event, b.Event) })
	return m.say(strong, "bookmark: "+bookmarkWords(b))
}

func (m *Model) removeBookmark(i int) tea.Cmd {
	gone := m.bookmarks[i]
	m.bookmarks = slices.Delete(slices.Clone(m.bookmarks), i, i+1)
	return m.say(strong, "bookmark removed: "+bookmarkWords(gone))
}

// bookmarkWords describe a bookmark by its name and its text.
func bookmarkWords(b session.Bookmark) string {
	if b.Name == "" {
		return console.OneLine(b.Text)
	}
	return console.OneLine(b.Name + ": " + b.Text)
}

// goToBookmark goes to a bookmark; in another run of the program, to the same line in the same iteration.
func (m *Model) goToBookmark(i int) tea.Cmd {
	b := m.bookmarks[i]
	return m.findPlace(b.Place, func(m *Model, at graph.Pos, same bool) tea.Cmd {
		switch {
		case at >= 0:
			m.following = false
			move := m.goTo(at, look)
			m.say(strong, "bookmark: "+bookmarkWords(b))
			if !same {
				m.say(strong, fmt.Sprintf("event %d is another one in this run; this is %s", b.Event, placeWords(b.Place)))
			}
			return move
		case m.live():
			return m.say(muted, "the program has not come to "+placeWords(b.Place)+" yet; c lets it run")
		}
		return m.say(muted, "this run did not come to "+placeWords(b.Place))
	})
}

func (m *Model) commandMark(args string) tea.Cmd {
	if len(args) > session.MostText {
		return m.sayError(fmt.Errorf("the name is too long"))
	}
	return m.addBookmark(args)
}

func (m *Model) commandGo(args string) tea.Cmd {
	if args == "" {
		return m.listBookmarks()
	}
	i := slices.IndexFunc(m.bookmarks, func(b session.Bookmark) bool { return b.Name == args })
	if n, err := strconv.Atoi(args); i < 0 && err == nil && n >= 1 && n <= len(m.bookmarks) {
		i = n - 1
	}
	if i < 0 {
		return m.sayError(fmt.Errorf("there is no bookmark %q; ' lists them", args))
	}
	return m.goToBookmark(i)
}

func (s *state) bookmarkNames() (names []string) {
	for _, b := range s.bookmarks {
		if b.Name != "" {
			names = append(names, b.Name)
		}
	}
	return names
}

// bookmarkList is the overlay that lists the bookmarks.
type bookmarkList struct{ list }

func (m *Model) listBookmarks() tea.Cmd {
	l := &bookmarkList{}
	for i, b := range m.bookmarks {
		if graph.Pos(b.Event) <= m.at() {
			l.chosen = i
		}
	}
	m.overlay = l
	return nil
}

func (l *bookmarkList) height(m *Model) int { return max(min(searchRows, m.rows-7), 1) }

func (l *bookmarkList) press(m *Model, key tea.KeyPressMsg) tea.Cmd {
	if by, ok := scrolling(key.String(), l.height(m)); ok {
		l.move(by, len(m.bookmarks))
		return nil
	}
	switch key.String() {
	case "enter":
		m.close()
		if l.chosen < len(m.bookmarks) {
			return m.goToBookmark(l.chosen)
		}
	case "d", "delete":
		if l.chosen < len(m.bookmarks) {
			m.removeBookmark(l.chosen)
		}
	case "esc", "q", "'", "ctrl+c":
		m.close()
	}
	return nil
}

func (l *bookmarkList) paste(*Model, string) tea.Cmd { return nil }
func (l *bookmarkList) cursor(*Model) *tea.Cursor    { return nil }

func (l *bookmarkList) draw(m *Model, r cells.Region) {
	inside := box(r, "Bookmarks", min(searchColumns, r.W-6), max(min(l.height(m), len(m.bookmarks)), 1)+1)
	if len(m.bookmarks) == 0 {
		inside.Fit(0, 0, inside.W, plain, "There are none. ` marks the place of the cursor, :mark NAME names it.")
	}
	from, to := l.window(len(m.bookmarks), inside.H-1)
	for i := from; i < to; i++ {
		b := m.bookmarks[i]
		x := inside.Fit(0, i-from, inside.W, keycap, fmt.Sprintf("%3d  ", i+1))
		style := plain
		if !m.isAt(b.Place) {
			style = muted
		}
		if b.Name != "" {
			x = inside.Fit(x, i-from, inside.W-x, strong, console.OneLine(b.Name)+"  ")
		}
		inside.Fit(x, i-from, inside.W-x, style, l.text(m, b))
		if i == l.chosen {
			inside.Flag(i-from, cells.Chosen)
		}
	}
	inside.Fit(0, inside.H-1, inside.W, muted, "enter goes there · d deletes · esc closes")
}

// text describes a bookmark without its name.
func (l *bookmarkList) text(m *Model, b session.Bookmark) string {
	text := fmt.Sprintf("%s · event %d", console.OneLine(b.Text), b.Event)
	if !m.isAt(b.Place) {
		text += " of another run"
	}
	return text
}

func (l *bookmarkList) words(m *Model) (lines []string) {
	for i, b := range m.bookmarks {
		name := ""
		if b.Name != "" {
			name = console.OneLine(b.Name) + ", "
		}
		lines = append(lines, fmt.Sprintf("%d: %s%s", i+1, name, inWords(l.text(m, b))))
	}
	if len(lines) == 0 {
		lines = []string{"There are none; mark NAME sets one."}
	}
	return lines
}

func (s *state) anyBookmarks() bool { return len(s.bookmarks) > 0 }

// drawBookmarks draws where bookmarks are.
func (v *timelineView) drawBookmarks(s *state, r cells.Region) {
	for _, b := range s.bookmarks {
		if at := graph.Pos(b.Event) - 1; at >= 0 && s.isAt(b.Place) && v.scale.holds(at) {
			r.Text(v.scale.column(v.scale.part(at)), 0, keycap, bookmarkMark)
		}
	}
}
